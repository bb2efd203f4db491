#!/bin/sh
# run.sh: tests the Guile modules with the library of the build directory:
# compiles them, with warnings as errors; runs test.scm, interpreted and
# compiled; and has Guile say what doc/guile.md shows.  make check-guile calls it
# there.
set -u

: "${srcdir=.}" "${CC=cc}"
: "${GUILE=$(command -v guile-3.0)}" "${GUILD=$(command -v guild-3.0)}"
: "${TUTORIAL=/usr/share/doc/python3.11/html/extending/newtypes_tutorial.html}"
here=$srcdir/examples/guile
work=examples/guile/work
status=0

skip() {
    echo "check-guile: skipped: $*"
    exit 0
}

# report WHAT RESULT
report() {
    test "$2" = 0 && echo "ok - $1" && return
    echo "not ok - $1"
    status=1
}

# The manual's modules.
modules() {
    for name in $(awk -v dir="$work" \
        -f "$srcdir/examples/tutorial/listings.awk" "$TUTORIAL"); do
        $CC -shared -fPIC -I"$srcdir/include" "$work/$name.c" \
            -o "$work/$name.so" || return
    done
}

# compiles FILE
compiles() {
    "$GUILD" compile -W1 -L "$here" -o "$work/compiled/${1%.scm}.go" \
        "$here/$1" >"$work/output" 2>&1
    result=$?
    test $result = 0 && ! grep warning: "$work/output" && return
    cat "$work/output"
    return 1
}

# tested WHAT ARGUMENT...
tested() {
    what=$1
    shift
    echo "# $what"
    timeout 600 "$GUILE" -q "$@" "$here/test.scm" 2>&1
    report "$what: it came to its end" $?
}

prompt='scheme@(guile-user)> '

# The document's dialogue, as it stands there.
dialogue() {
    sed -n "/^    $prompt/,/^\$/s/^    //p" "$srcdir/doc/guile.md"
}

# What one types: after the prompt, and lines as deep as it is long.
typed() {
    sed -n "s/^$prompt//p; s/^ \{21\}//p"
}

# What Guile says to that.  It prompts on terminals, and once at the end.
says_so() {
    dialogue >"$work/dialogue"
    test -s "$work/dialogue" || return
    grep -v -e "^$prompt" -e '^ \{21\}' "$work/dialogue" >"$work/expected"
    typed <"$work/dialogue" | timeout 600 "$GUILE" -q |
        sed -e '1,/^Enter/d' -e '/^$/d' -e "/^$prompt\$/d" >"$work/said"
    diff "$work/expected" "$work/said"
}

test -n "$GUILE" && test -n "$GUILD" ||
    skip 'there is no guile-3.0; on Debian: apt-get install guile-3.0'
test -e "$TUTORIAL" ||
    skip "no $TUTORIAL; on Debian: apt-get install python3.11-doc"

rm -rf "$work"
mkdir -p "$work/compiled/pyboehm" || exit
PYBOEHM_PATH=$PWD/$work
LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
GUILE_LOAD_PATH=$here
GUILE_AUTO_COMPILE=0
export PYBOEHM_PATH LD_LIBRARY_PATH GUILE_LOAD_PATH GUILE_AUTO_COMPILE

modules
report "the manual's modules compile" $?
for file in pyboehm/c.scm pyboehm/control.scm pyboehm.scm; do
    compiles $file
    report "$file compiles without warnings" $?
done
tested interpreted
tested compiled -C "$work/compiled"

# Guile calls no Py_Finalize, and is detached when it ends.
reports() {
    PYBOEHM_SIGNAL=USR1 PYBOEHM_REPORT=$work/heap.html PYBOEHM_LEAKS=1 \
        PYBOEHM_GRAPH=$work/heap.dot "$GUILE" -q -c '
            (use-modules (pyboehm))
            (define ada (py-send (py-import "custom4") "Custom" "Ada"))
            (kill (getpid) SIGUSR1)
            (py-send ada "name")' >"$work/said" 2>&1
    grep -q '^{"pyboehm_report": 1,' "$work/heap.1.html" &&
        grep -q '"custom4.Custom",1,' "$work/heap.html" &&
        grep -q 'Custom' "$work/heap.dot" &&
        grep -q '^pyboehm: objects alive now, ' "$work/said" &&
        grep -q '^pyboehm: objects alive at exit, ' "$work/said" && return
    cat "$work/said"
    return 1
}
reports
report 'a signal and the exit have the reports written' $?
says_so
report 'Guile says what doc/guile.md shows' $?
exit $status
