#!/bin/sh
# driver.sh: automake's test driver, which then also shows the counts that the
# test printed: Check's line, or a script's lines "ok" and "not ok".  A test
# that ended before it could count is shown as one "not ok".
set -u

here=$(dirname "$0")
name= log= trs=
next=
for argument; do
    case $next in
    --test-name) name=$argument ;;
    --log-file) log=$argument ;;
    --trs-file) trs=$argument ;;
    esac
    next=$argument
done

"$here/../build-aux/test-driver" "$@" || exit

counts='^[0-9]*%: Checks: \|^ok \|^not ok '
grep "$counts" "$log" && exit
grep -q '^:test-result: SKIP' "$trs" || echo "not ok - $name did not count"
exit 0
