#!/bin/sh
# model.sh: spin looks at every order of events in seam.pml, and finds no
# assertion that fails; with each of the old rules it finds one.
set -u

: "${srcdir=.}" "${CC=cc}"
model=$(cd "$srcdir" && pwd)/t/model/seam.pml
command -v spin >/dev/null || {
    echo 'not ok - there is no spin; on Debian: apt-get install spin'
    exit 1
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
passed=0 failed=0

# errors OPTION...: says how many errors spin finds.
errors() {
    spin -a "$@" "$model" >said 2>&1 &&
        $CC -O2 -DSAFETY -DMEMLIM=2048 -w -o pan pan.c >>said 2>&1 &&
        ./pan -m100000 >>said 2>&1 || cat said >&2
    if grep -q 'search depth too small\|out of memory' said; then
        echo incomplete
    else
        sed -n 's/.*errors: \([0-9]*\)$/\1/p' said
    fi
}

# expect WHAT RESULT OPTION...: that is what errors says.
expect() {
    what=$1 wanted=$2
    shift 2
    found=$(errors "$@")
    if test "$found" = "$wanted"; then
        echo "ok - $what: $(sed -n 's/ *\([0-9]*\) states, stored.*/\1/p' said) states"
        passed=$((passed + 1))
    else
        echo "not ok - $what: errors: ${found:-none told}"
        cat said
        failed=$((failed + 1))
    fi
}

expect 'each set is torn down once, and counted' 0
expect 'any attached thread tears it down: spin finds why not' 1 \
    -DOLD_TAKEOVER
expect 'the switch is read twice: spin finds why not' 1 -DOLD_SWITCH
expect 'what came too early is forgotten: spin finds why not' 1 -DNO_DUE
expect 'a finalizer does not look what was left: spin finds why not' 1 \
    -DNO_LOOK
expect 'what was left is not given up: spin finds why not' 1 -DNO_ABANDON
expect 'a moment that has passed is waited for: spin finds why not' 1 -DNO_CAME
echo "$passed passed, $failed failed"
test "$failed" = 0
