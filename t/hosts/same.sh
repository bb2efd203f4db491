#!/bin/sh
# same.sh: programs of Boehm's say the same whether they are alone or the
# library is a guest in their process, however it behaves; see guest.c.  A line
# "ok" or "not ok" for each program and guest.
set -u

: "${srcdir=.}" "${builddir=.}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
text=$srcdir/doc/pyboehm.md
limit=300 # seconds for each program, many times what it needs
status=0

# A heap that does not grow, for what that changes; see steady.c.
GC_INITIAL_HEAP_SIZE=16777216
export GC_INITIAL_HEAP_SIZE

fail() {
    echo "not ok - $*"
    status=1
}

# guest MODE PROGRAM ARGUMENT...: as alone, and the guest did what it should.
guest() {
    mode=$1
    shift
    what="$mode: ${*##*/}"
    PYBOEHM_TEST_GUEST=$mode timeout $limit \
        "$builddir/t/hosts/$1_guest" ${2+"$2"} ${3+"$3"} \
        >"$work/guest" 2>"$work/said"
    result=$?
    case $mode in
    linked | before | after) did="0 collected, 0 adopted" ;;
    adopting | threads) did="[1-9][0-9]* collected, [1-9][0-9]* adopted" ;;
    *) did="[1-9][0-9]* collected, 0 adopted" ;;
    esac
    if test $result != 0; then
        fail "$what: status $result: $(tail -n 1 "$work/guest" "$work/said")"
    elif ! cmp -s "$work/alone" "$work/guest"; then
        fail "$what: the output differs"
        diff "$work/alone" "$work/guest"
    elif ! grep -q "^guest: $mode, $did" "$work/said"; then
        fail "$what: the guest was not there"
    else
        echo "ok - $what"
    fi
}

# same PROGRAM ARGUMENT...
same() {
    if ! "$builddir/t/hosts/$1_alone" ${2+"$2"} ${3+"$3"} \
        >"$work/alone" 2>"$work/said" || ! test -s "$work/alone"; then
        fail "alone: ${*##*/}: $(tail -n 1 "$work/alone" "$work/said")"
        return
    fi
    for each in linked before after beside amid adopting threads instead; do
        guest $each "$@"
    done
}

same like_lists
same like_threads
same like_reports

# What a sanitizer adds to frames leaves stale pointers on the stack, and these
# ask what dies.
case ${CC-cc} in
*-fsanitize*) exit $status ;;
esac
same words "$text"
same words -d "$text"
same like_blocks
same like_finalizers
same like_kinds
same like_reports leaks
exit $status
