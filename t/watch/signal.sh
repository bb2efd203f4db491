#!/bin/sh
# signal.sh: a signal has the reports written: when that is, which they are, in
# which files; and what is said where it cannot be.
set -u

: "${srcdir=.}" "${builddir=.}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
said=$work/said
unset PYBOEHM_REPORT PYBOEHM_GRAPH PYBOEHM_LEAKS PYBOEHM_AUDIT PYBOEHM_STATS

# verdict WHAT: says whether the last command succeeded.
verdict() {
    if test $? = 0; then
        echo "ok - signal: $1"
    else
        echo "not ok - signal: $1"
        cat "$said"
        status=1
    fi
}

# program WAY...: what it says, without what differs from run to run.
program() {
    PYBOEHM_SIGNAL=${signal-USR1} "$builddir/t/watch/signals" "$@" 2>&1 |
        sed "s|$work/||; s/[0-9]*\.[0-9]* s/N s/; s/[0-9]* bytes/N bytes/
            s/[0-9]* objects\{0,1\},/N objects,/" >"$said"
}

# says LINE...: these are the lines, in this order.
says() {
    printf '%s\n' "$@" | diff - "$said"
}

# begins LINE...: lines that begin like these come in this order, among others.
begins() {
    for line; do
        echo "$line"
    done >"$work/lines"
    awk -v file="$work/lines" '
        BEGIN { more = (getline line < file) > 0 }
        more && index($0, line) == 1 { more = (getline line < file) > 0 }
        END { exit more }' "$said"
}

# ----------------------------------------------------------------------
# When

program twice stop
begins '-- raised' 'pyboehm: N objects, N bytes; the next call says' \
    '-- made' '-- made' '-- raised' 'pyboehm: what grew in N s' \
    '-- checked' && grep -qE '^ +7 +[0-9]+ +7 +[0-9]+  set$' "$said"
verdict 'at the next container, and in PyErr_CheckSignals: what grew'
program at_end
says '-- raised' 'pyboehm: N objects, N bytes; the next call says what grew'
verdict 'in Py_Finalize at the latest; the handler goes'
program collecting stop
says '-- start' '-- stop' '-- collected' \
    'pyboehm: N objects, N bytes; the next call says what grew' '-- made'
verdict 'not in a collection, but after it'
program detached stop
says '-- raised' 'pyboehm: N objects, N bytes; the next call says what grew' \
    '-- attached'
verdict 'when a thread attaches'
program failing stop
says 'pyboehm: N objects, N bytes; the next call says what grew' '-- stayed'
verdict 'a pending exception stays'
program storm
begins 'pyboehm: N objects' 'pyboehm: nothing' 'pyboehm: nothing' \
    'pyboehm: nothing' 'pyboehm: nothing' '-- over'
verdict 'signals may come at any time'

# ----------------------------------------------------------------------
# Which reports, and where

PYBOEHM_REPORT=$work/heap.html PYBOEHM_GRAPH=$work/heap.x/heap
PYBOEHM_LEAKS=1 PYBOEHM_AUDIT=1 PYBOEHM_STATS=1
export PYBOEHM_REPORT PYBOEHM_GRAPH PYBOEHM_LEAKS PYBOEHM_AUDIT PYBOEHM_STATS
mkdir "$work/heap.x"
program twice stop
begins '-- raised' 'pyboehm: heap.1.html is written' \
    'pyboehm: heap.x/heap.1 is written' \
    'pyboehm: objects alive now, and what holds them' 'pyboehm audit: ' \
    'pyboehm: process ' '-- made' '-- raised' \
    'pyboehm: heap.2.html is written' 'pyboehm: heap.x/heap.2 is written' &&
    grep -q '^{"pyboehm_report": 1,' "$work/heap.1.html" &&
    grep -q '"set",7,' "$work/heap.2.html" &&
    ! grep -q '"set",7,' "$work/heap.1.html" &&
    grep -q '^digraph' "$work/heap.x/heap.2" && ! test -e "$work/heap.html"
verdict 'what the environment asks for, in numbered files'
rm -f "$work"/heap.*.html "$work"/heap.x/*
unset PYBOEHM_GRAPH PYBOEHM_LEAKS PYBOEHM_AUDIT PYBOEHM_STATS

program twice && test -e "$work/heap.2.html" && test -e "$work/heap.html"
verdict 'at the end the file gets its own name'
rm -f "$work"/heap.*.html
program child stop
test -n "$(find "$work" -name 'heap.[0-9]*.1.html')"
verdict 'files of a child of fork have its number'
PYBOEHM_REPORT=$work/none/heap.html program twice stop
begins '-- raised' 'pyboehm: PYBOEHM_REPORT: none/heap.1.html: ' '-- made'
verdict 'a file that cannot be written is named'
unset PYBOEHM_REPORT

# ----------------------------------------------------------------------
# Which signals

program handled
says 'pyboehm: PYBOEHM_SIGNAL: USR1: the program has a handler for it; choose another signal' \
    '-- own handler' '-- raised' '-- another handler'
verdict 'a handler of the program stays'
program later
says '-- another handler'
verdict 'one that the program puts there later, too'
for name in SIGUSR1 usr1; do
    signal=$name program at_end
    begins '-- raised' 'pyboehm: N objects, N bytes'
    verdict "$name"
done
for name in SEGV KILL TERM 11 1x -1 USR; do
    signal=$name program none
    says "pyboehm: PYBOEHM_SIGNAL: $name: give HUP, QUIT, URG, USR1, USR2 or WINCH, or the number of a real-time signal"
    verdict "not $name"
done
for name in 0 40; do
    signal=$name program none
    test ! -s "$said"
    verdict "nothing is said of $name"
done
exit $status
