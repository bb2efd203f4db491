#!/bin/sh
# driver.sh: automake's test driver, which then also shows the counts that the
# test printed: Check's line, or a script's lines "ok" and "not ok".  A test
# that ended before it could count is shown as one "not ok".  Of one that failed
# it shows the end of what it said, but for what went well, and what repeats it.
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
grep "$counts" "$log" || {
    grep -q '^:test-result: SKIP' "$trs" || echo "not ok - $name did not count"
}
grep -q '^:test-result: [FE]' "$trs" || exit 0
case $name in
*.sh) program= ;;
*) program=$name ;;
esac
# At once: another test may end at the same time.
printf '%s\n' "# failed: $name
$(grep -av '^ok \|:[0-9]*:P:' "$log" | tail -n 10 | sed 's/^/#   /')
# again: make check TESTS=$name check_PROGRAMS=$program"
exit 0
