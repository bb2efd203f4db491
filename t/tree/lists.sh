#!/bin/sh
# lists.sh: no source, public header or test stands in the tree without being
# named in its local.mk, where make and make dist look; and what make dist looks
# for is there.
set -u

: "${srcdir=.}" "${builddir=.}" "${MAKE=make}"
status=0

# listed LOCAL.MK NAME...: the file says each name.
listed() {
    list=$1
    shift
    absent=$({
        tr -s '[:space:]' '\n' <"$srcdir/$list"
        printf ' %s\n' "$@"
    } | awk '!sub(/^ /, "") { said[$0]; next } !($0 in said)')
    if test -z "$absent"; then
        echo "ok - $list names every file"
    else
        echo "not ok - $list does not name" $absent
        status=1
    fi
}

if absent=$(cd "$builddir" && MAKEFLAGS='' $MAKE -n distdir 2>&1 >/dev/null)
then
    echo 'ok - what make dist looks for is there'
else
    printf 'not ok - make dist: %s\n' "$absent"
    status=1
fi

cd "$srcdir" || exit
srcdir=.
listed include/local.mk include/*.h include/*/*.h
listed lib/local.mk $(find lib -name '*.[ch]')
listed t/fuzz/local.mk t/fuzz/run.sh t/fuzz/corpus/*/* \
    $(printf '%s\n' t/fuzz/*.c | sed '/fuzz\/fuzz\.c/!s/\.c$//')
listed t/tools/local.mk t/tools/*.sh
listed t/local.mk \
    $(printf '%s\n' t/[glortw]*/check_*.c t/rules/rule_*.c | sed 's/\.c$//') \
    t/*.sh t/crowd/*.[ch] t/modules/*.c t/rules/*.sh t/support/*.[ch] \
    t/tree/*.[as]*
listed t/faults/local.mk \
    $(printf '%s\n' t/faults/check_*.c | sed 's/\.c$//') t/faults/faults.[ch]
listed t/hosts/local.mk t/hosts/*.c t/hosts/*.sh t/hosts/*.txt
listed t/stress/local.mk t/stress/*.awk t/stress/*.sh t/stress/*.txt
listed t/oracle/local.mk \
    $(cd t/oracle && printf '%s\n' */*.c | sed 's/\.c$//') t/oracle/oracle.[ch]
listed t/random/local.mk t/random/*.[ch]
listed t/heaps/local.mk t/heaps/*.[ch] t/heaps/*.sh
listed t/world/local.mk t/world/*.[ch] t/world/*.sh
listed t/hostile/local.mk t/hostile/*.[ch]
listed gdb/local.mk gdb/*.py gdb/*/*.py
listed t/gdb/local.mk t/gdb/*.c t/gdb/*.gdb t/gdb/*.txt
listed t/cost/local.mk t/cost/*.awk t/cost/*.sh t/cost/*.txt
listed doc/html/local.mk doc/html/*.css doc/html/*.py
listed bench/steps/local.mk bench/steps/*.awk bench/steps/*.sh \
    bench/steps/*.txt $(printf '%s\n' bench/steps/*.c | sed 's/\.c$//')
listed bench/local.mk bench/*.[ch] bench/*.awk bench/*.sh bench/*.txt
exit $status
