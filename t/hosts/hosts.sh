#!/bin/sh
# hosts.sh PROGRAM...: runs the test programs as nine kinds of Boehm hosts; see
# t/host.c.
#
# Find-leak mode is none of them: the library forgets memory, which Boehm's
# next sweep takes, and that is what this mode would report.
#
# HOST.txt names the tests that are to fail in such a host, each with its
# reason.  A line "ok" or "not ok" for each host and program.
set -u

dir=${srcdir-.}/t
limit=300 # seconds for each program, many times what it needs
log=$(mktemp) || exit
trap 'rm -f "$log"' EXIT
status=0

for host in ${HOSTS-no-interior-pointers no-data-segments four-markers \
    incremental finalizers-on-demand no-collections limited collecting forked}
do
    table=$dir/hosts/$host.txt
    test -e "$table" || table=/dev/null
    for path; do
        program=${path##*/}
        PYBOEHM_TEST_HOST=$host CK_VERBOSITY=verbose \
            timeout $limit "$path" >"$log" 2>&1
        wrong=$(awk -v "program=$program" -f "$dir/stress/judge.awk" \
            "$table" "$log")
        if test -z "$wrong"; then
            echo "ok - $host: $program"
        else
            echo "not ok - $host: $program:$wrong"
            grep -a ":[FE]:all:" "$log"
            status=1
        fi
    done
done
exit $status
