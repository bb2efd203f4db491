#!/bin/sh
# gdb.sh: gdb shows t/gdb/program's objects as t/gdb/expected.txt has them: as
# it runs, in the build tree; loaded by itself from where it is installed, with
# a library that has no debug information; and in a core file of that.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${MAKE=make}"
srcdir=$(cd "$srcdir" && pwd)
LC_ALL=C.UTF-8
export LC_ALL
script=$srcdir/gdb/libpyboehm-gdb.py
program=$builddir/t/gdb/program
status=0

skip() {
    echo "# $1"
    exit 77
}

command -v gdb >/dev/null || skip 'no gdb'
locale -a 2>/dev/null | grep -qi '^C\.utf' || skip 'no locale C.UTF-8'

# No settings of the user's, and no questions.
gdb() {
    command gdb -nx -batch -iex 'set pagination off' \
        -iex 'set disable-randomization off' \
        -iex 'set debuginfod enabled off' -iex 'set style enabled off' \
        -iex 'set print thread-events off' "$@" 2>&1
}

test -e "$builddir/.libs/libpyboehm.so" || skip 'no shared library'
case $CC in
*-fsanitize*) skip 'what sanitizers map makes a core file of terabytes' ;;
esac
if test "$(gdb -ex 'python print("yes")')" != yes; then
    skip 'gdb has no Python'
elif ! gdb -ex 'break main' -ex run "$program" | grep -q '^Breakpoint 1, '; then
    skip 'gdb cannot run a program here'
fi

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# What differs from run to run and from build to build: addresses, lengths of
# blocks, which have fences with checks, the numbers of the history and of
# frames, what only checks note, and which file has a type: the linker may have
# put it into the program.  What gdb says by itself stands before the first line
# that begins with ---.
masked() {
    sed -n '/^---/,$p' | sed -e 's/0x[0-9a-f]\{1,\}/@/g' \
        -e 's/\$[0-9]* = //' -e 's/, freed$//' \
        -e 's/[0-9]* bytes/N bytes/' -e 's/  *[0-9]\{1,\}  \([a-zA-Z]\)/ N  \1/' \
        -e 's/\((Py[A-Za-z]*_Type\) in [^)]*/\1/' -e 's/^#[0-9]*/#/'
}

# same WHAT FILE: the output is what was expected.
same() {
    masked <"$2" >"$2.masked"
    if diff "$srcdir/t/gdb/expected.txt" "$2.masked"; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        status=1
    fi
}

# says WHAT FILE PATTERN: a line of the output is like this.
says() {
    if grep -q -- "$3" "$2"; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        cat "$2"
        status=1
    fi
}

# --------------------------------------------------------------------
# In the build tree, with checks

PYBOEHM_CHECK=1 gdb -ex 'break program.c:look' -ex run -iex "source $script" \
    -x "$srcdir/t/gdb/look.gdb" "$program" >"$work/live"
same 'a program that runs' "$work/live"
says 'checks note what was freed' "$work/live" '^  facts    held, freed$'

# What a damaged program has does not stop the commands.
gdb -ex 'break program.c:look' -ex run -iex "source $script" \
    -ex 'set variable as_list->ob_base.ob_size = 1LL << 60' \
    -ex 'print list' -ex 'set variable as_list->ob_base.ob_size = 1' \
    -ex 'set variable as_list->ob_item = (PyObject **)8' -ex 'print list' \
    -ex 'pyboehm-referrers head' -ex 'pyboehm-info' \
    "$program" >"$work/damaged"
says 'a list of impossible size' "$work/damaged" \
    '\[<-1 items?>\]$'
says 'items that are not there' "$work/damaged" \
    '<list at 0x[0-9a-f]*: cannot be read>$'
says 'a damaged object among those searched' "$work/damaged" \
    '^  0x[0-9a-f]* list: damaged$'
says 'and the others are found' "$work/damaged" '^1 reference found; its count is 2\.$'

says 'a command that needs an address' "$work/damaged" '^Which address?$'

# A method whose object has no type, a type whose base is none, a member at an
# impossible place, an object that would lie in two pages.
gdb -ex 'break program.c:look' -ex run -iex "source $script" \
    -ex 'set variable as_list->ob_base.ob_base.ob_type = (void *)no_object' \
    -ex 'print bound' -ex 'pyboehm-info bound' -ex pyboehm-heap \
    -ex 'set variable ((PyTypeObject *)heap_type)->tp_base = (void *)8' \
    -ex 'print instance' -ex 'pyboehm-referrers instance' \
    -ex 'set variable node_members[0].offset = -1LL << 47' -ex 'print tail' \
    -ex 'print (PyObject *)(((long)main | 4095) - 7)' \
    -ex 'pyboehm-info nobody' "$program" >"$work/odd"
says 'an object with a damaged part' "$work/odd" \
    '^\$1 = .* <builtin_function_or_method at 0x[0-9a-f]*: damaged>$'
says 'a command shows it' "$work/odd" \
    '^  value    <builtin_function_or_method at 0x[0-9a-f]*: damaged>$'
says 'what has no type is not free' "$work/odd" \
    '^ *1 *[0-9]*  damaged, or not made yet$'
says 'a type without its base' "$work/odd" '^\$2 = .* Person(age=7, name=.Ada.)$'
says 'does not stop a search' "$work/odd" '^0 references found; its count is 1\.$'
says 'a member that is nowhere' "$work/odd" \
    '^\$3 = .* <family.Node at 0x[0-9a-f]*: cannot be read>$'
says 'a pointer to the end of a page' "$work/odd" '^\$4 = .* <no object: '
says 'an expression that is none' "$work/odd" \
    '^No symbol "nobody" in current context\.$'

LC_ALL=C gdb -ex 'break program.c:look' -ex run -iex "source $script" \
    -ex 'print umlaut' "$program" >"$work/ascii"
says 'a terminal without umlauts' "$work/ascii" \
    "^\\\$1 = .* 'gr\\\\xfcn'\$"

gdb -iex "source $script" -ex 'print list' -ex 'pyboehm-info 8' \
    -ex 'break node_finalize' -ex run -ex 'pyboehm-info op' \
    -ex 'pyboehm-heap' -ex 'delete' -ex continue -ex 'pyboehm-heap' \
    "$program" >"$work/early"
says 'a program that does not run yet' "$work/early" \
    '^There is no libpyboehm in this program (yet)\.$'
says 'an object that is being finalized' "$work/early" \
    '^  facts    held, tracked, generation 2, finalized, condemned$'
says 'and is counted among those' "$work/early" '^ *1 *[0-9]*  condemned$'
says 'a program that has ended' "$work/early" '^The program is not running\.$'

gdb -ex 'break program.c:look' -ex run -iex "source $script" \
    -ex 'pyboehm-count tail' -ex 'delete 1' -ex continue \
    "$program" >"$work/count"
says 'a count that grows' "$work/count" \
    '^0x[0-9a-f]* 2 -> 3  PyList_Append, put_aside (program\.c:[0-9]*), main (program\.c:[0-9]*)$'
says 'and becomes less again' "$work/count" '^0x[0-9a-f]* 3 -> 2  .*main (program\.c:'

gdb -iex "source $script" -ex 'help pyboehm-info' -ex 'help pyboehm-heap' \
    -ex 'help pyboehm-referrers' >"$work/help"
says 'help' "$work/help" '^    pyboehm-referrers ADDRESS$'

# --------------------------------------------------------------------
# The manual's session

# The lines of its first section, which ends with the next heading.
session() {
    sed -n '/^## A session/,/^## What/s/^    //p' "$srcdir/doc/gdb.md" |
        sed 1d
}

# Each command, and before it what the reader sees of it.
session_commands() {
    session | sed -n "s/^(gdb) \(.*\)/echo (gdb) \1\\\\n\\n\1/p"
}

session | sed '1i ---' | masked >"$work/session"
session_commands >"$work/session.gdb"
(cd "$srcdir/examples" && $CC -g -I"$srcdir/include" family.c \
    -L"$builddir/.libs" -lpyboehm -Wl,-rpath,"$builddir/.libs" \
    -o "$work/family")
gdb -ex run -ex "generate-core-file $work/core" "$work/family" >"$work/killed"
gdb -iex "source $script" -ex 'echo ---\n' -x "$work/session.gdb" \
    "$work/family" "$work/core" >"$work/family.out"
masked <"$work/family.out" >"$work/family.masked"
if diff "$work/session" "$work/family.masked"; then
    echo 'ok - the session of doc/gdb.md'
else
    echo 'not ok - the session of doc/gdb.md'
    status=1
fi

# --------------------------------------------------------------------
# Installed, stripped

root=$work/usr
install_all() {
    (cd "$builddir" && $MAKE install-data DESTDIR= prefix="$root" \
        libdir="$root/lib" includedir="$root/include" \
        datarootdir="$root/share" datadir="$root/share" \
        mandir="$root/share/man" docdir="$root/share/doc") \
        >"$work/install" 2>&1 &&
        cp -P "$builddir"/.libs/libpyboehm.so \
            "$builddir"/.libs/libpyboehm.so.*[0-9] "$root/lib" &&
        strip --strip-unneeded "$root"/lib/libpyboehm.so.*.*.*
}

installed() {
    gdb -iex "set auto-load safe-path $work" \
        -iex "set auto-load scripts-directory $root/share/gdb/auto-load" "$@"
}

install_all
find "$root" -name '*.py' >>"$work/install"
says 'make install has a script for the library' "$work/install" \
    "^$root/share/gdb/auto-load$root/lib/libpyboehm\.so\.[.0-9]*-gdb\.py$"
soname=$(cd "$root/lib" && ls libpyboehm.so.[0-9]* | head -n 1)
says 'and a package for this version of it' "$work/install" \
    "^$root/share/pyboehm/gdb/v${soname##*.}/pyboehm_gdb/__init__\.py$"
LD_LIBRARY_PATH=$root/lib
export LD_LIBRARY_PATH
installed -ex 'break program.c:look' -ex run -x "$srcdir/t/gdb/look.gdb" \
    -ex "generate-core-file $work/core" "$program" >"$work/stripped"
sed -i '/^Saved corefile/d; /^warning: /d' "$work/stripped"
same 'loaded by itself, a library without debug information' "$work/stripped"

installed -x "$srcdir/t/gdb/look.gdb" "$program" "$work/core" >"$work/post"
same 'a core file' "$work/post"
exit $status
