#!/bin/sh
# consumer.sh: what a user does with an installed pyboehm.  The README's
# program compiles with the README's line and collects its cycle; what readers
# of the start page and of the tutorial type does what these say; a small
# autoconf project finds the library with PYBOEHM_CHECK; the examples of the
# manual pages compile and run; make uninstall leaves nothing behind.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${MAKE=make}"
: "${PKG_CONFIG=pkg-config}" "${libdir=/usr/local/lib}"
: "${datadir=/usr/local/share}" "${checks=}"
srcdir=$(cd "$srcdir" && pwd)
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
root=$work/root
project=$work/project

# try WHAT COMMAND...: the command succeeds, in a shell of its own; otherwise
# shows what it said.
try() {
    what=$1
    shift
    if ("$@") >"$work/output" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        cat "$work/output"
        status=1
    fi
}

readme_has_first() {
    # It stands between its first line and the sentence after it.
    sed -n '/^\/\* first\.c/,/^Save it/p' "$srcdir/README" |
        sed -e '$d' | sed -e '$d' | diff "$srcdir/examples/first.c" -
}

guide_has_recipes() {
    awk -f "$srcdir/t/tree/listings.awk" "$srcdir/examples/recipes.c" \
        "$srcdir/doc/hosts.md"
}

recipes_hold() {
    flags=$($PKG_CONFIG --cflags --libs pyboehm bdw-gc) &&
        eval "$CC" '"$srcdir/examples/recipes.c"' "$flags" \
            '-o "$work/recipes"' && "$work/recipes" >"$work/recipes.out" &&
        diff - "$work/recipes.out" <<'END'
count: Ada
adopt: list
wrap: 7
cycles through both heaps: collected
END
}

# They are compiled as strictly as may be, and optimized as the Makefile that is
# installed with them does it, and check what they do.
examples_hold() {
    flags=$($PKG_CONFIG --cflags --libs pyboehm bdw-gc) &&
        eval "$CC" -O2 -Wall -Wextra -Werror \
            '"$srcdir/examples/reference.c"' "$flags" \
            '-o "$work/reference"' && cd "$work" && ./reference
}

# What doc/statistics.md shows, but for the numbers.
statistics_are_shown() {
    flags=$($PKG_CONFIG --cflags --libs pyboehm) &&
        eval "$CC" '"$srcdir/examples/statistics.c"' "$flags" \
            '-o "$work/statistics"' || return
    sed -n '/^    pyboehm: process/,/^$/s/^    //p' \
        "$srcdir/doc/statistics.md" >"$work/shown"
    PYBOEHM_STATS=1 "$work/statistics" 2>"$work/table" &&
        without_numbers "$work/shown" >"$work/expected" &&
        without_numbers "$work/table" | diff "$work/expected" -
}

without_numbers() {
    sed -e 's/[0-9][0-9.]*/0/g' -e 's/  */ /g' "$1"
}

# stand_in NAME COMMAND: NAME, which readers type, is the command; that may
# have the same name.
stand_in() {
    printf '#!/bin/sh\nPATH="%s"\nexec %s "$@"\n' "$PATH" "$2" \
        >"$work/bin/$1" && chmod +x "$work/bin/$1"
}

write_tools() {
    mkdir "$work/bin" && stand_in cc "$CC" &&
        stand_in pkg-config "$PKG_CONFIG"
}

# take_apart PAGE: doc/PAGE.md, into files and sessions.
take_apart() {
    mkdir "$work/$1" && awk -f "$srcdir/t/tree/session.awk" -v out="$work/$1" \
        "$srcdir/doc/$1.md" && test -s "$work/$1/1.sh"
}

# What differs from run to run: addresses, where the library was compiled, lines
# where no libdw tells them, and what a shell says of a program that was aborted.
without_places() {
    sed -e 's/0x[0-9a-f]*/0x/g' -e 's,^.*lib/gc/\([a-z/]*\.c:\)[0-9]*,\1,' \
        -e 's/, [^ ]*\.c:[0-9]*\([])]\)/\1/' -e '/^Aborted/d' "$@"
}

# type_session PAGE N: what its listing N of a terminal says comes of it.
type_session() {
    cd "$work/$1" && ulimit -c 0 && without_places "$2.txt" >expected &&
        PATH=$work/bin:$PATH sh "$2.sh" 2>&1 |
        without_places | diff expected -
}

make_install() {
    cd "$builddir" && $MAKE install DESTDIR="$root"
}

compile_as_readme_says() {
    line=$(sed -n 's/^ *\(cc -g first\.c .*\)/\1/p' "$srcdir/README")
    test -n "$line" && cd "$work/first" &&
        cp "$srcdir/examples/first.c" . && eval "$CC ${line#cc}"
}

# Headers of the program's own that are called as some of ours are.
finds_its_own_headers() {
    mkdir "$work/own" && cd "$work/own" || return
    echo '#include <Python.h>' >use.c
    for name in call lock slots watch; do
        echo "#define OWN_$name" >$name.h
        printf '#include <%s.h>\n#ifndef OWN_%s\n#error\n#endif\n' \
            $name $name >>use.c
    done
    $CC -fsyntax-only $($PKG_CONFIG --cflags pyboehm) -I. use.c
}

says_two() {
    test "$("$1")" = 'collected: 2'
}

# configure_ac CHECK: a configure.ac with this call of PYBOEHM_CHECK.
configure_ac() {
    cat <<END
AC_INIT([consumer], [1])
AC_CONFIG_SRCDIR([first.c])
AC_PROG_CC
$1
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
}

write_project() {
    cp "$srcdir/examples/first.c" "$project/first.c"
    cat >"$project/Makefile.in" <<'END'
first: first.c
	@CC@ @CFLAGS@ @PYBOEHM_CFLAGS@ first.c -o first @LDFLAGS@ @PYBOEHM_LIBS@
END
    configure_ac 'PYBOEHM_CHECK([0.1], [AC_MSG_NOTICE([it was found])])' \
        >"$project/configure.ac"
    configure_ac 'PYBOEHM_CHECK([99], [], [AC_MSG_NOTICE([it is missing])])' \
        >"$project/choice.ac"
    configure_ac 'PYBOEHM_CHECK([99])' >"$project/error.ac"
}

generate_project() {
    cd "$project" && aclocal -I "$root$datadir/aclocal" && autoconf &&
        autoconf choice.ac >choice && autoconf error.ac >error
}

build_project() {
    cd "$project" && sh ./configure >configure.out && make &&
        grep 'it was found' configure.out
}

missing_is_a_choice() {
    cd "$project" && sh ./choice | grep 'it is missing'
}

missing_is_an_error() {
    cd "$project" && ! sh ./error 2>error.out >&2 &&
        grep 'pyboehm 99 was not found' error.out
}

leaves_nothing() {
    cd "$builddir" && $MAKE uninstall DESTDIR="$root" || return
    find "$root" ! -type d | { ! grep .; }
}

mkdir "$work/first" "$project"
try 'the README shows examples/first.c' readme_has_first
# "consumer.sh installed" tries the one that the system has.
if test "${1-}" = installed; then
    root=
else
    try 'make install DESTDIR=' make_install
    PKG_CONFIG_PATH=$root$libdir/pkgconfig
    PKG_CONFIG_SYSROOT_DIR=$root
    LD_LIBRARY_PATH=$root$libdir
    export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
fi
export CC
unset MAKEFLAGS MAKELEVEL DESTDIR

try 'the README'\''s line compiles its program' compile_as_readme_says
try 'the program collects its cycle' says_two "$work/first/first"
try 'a program finds headers of its own' finds_its_own_headers
try 'doc/hosts.md shows examples/recipes.c' guide_has_recipes
try 'its recipes lose nothing and leak nothing' recipes_hold
try 'the examples of the manual pages compile and run' examples_hold
try 'examples/statistics.c has the table of doc/statistics.md' \
    statistics_are_shown
write_tools
for page in index tutorial; do
    try "doc/$page.md is files and sessions" take_apart $page
    for session in "$work/$page"/*.sh; do
        # A checked build does not let the mistake pass.
        test -z "$checks" || ! grep -q '^PYBOEHM_PATH=wrong' "$session" ||
            continue
        n=$(basename "$session" .sh)
        try "its session $n goes as it says: $(tail -n 1 "$session")" \
            type_session $page "$n"
    done
done
try 'doc/index.md shows examples/first.c' \
    diff "$srcdir/examples/first.c" "$work/index/first.c"
if command -v autoconf >/dev/null && command -v aclocal >/dev/null; then
    write_project
    try 'a configure.ac with PYBOEHM_CHECK' generate_project
    try 'its configure finds pyboehm, and make builds' build_project
    try 'its program collects its cycle' says_two "$project/first"
    try 'without the version, ACTION-IF-NOT-FOUND' missing_is_a_choice
    try 'or an error that says what is missing' missing_is_an_error
else
    echo '# no autoconf: PYBOEHM_CHECK is not tried'
fi
test "${1-}" = installed || try 'make uninstall leaves nothing' leaves_nothing
exit $status
