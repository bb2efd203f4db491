#!/bin/sh
# hosts.sh PROGRAM...: runs the test programs as thirteen kinds of Boehm hosts;
# see t/support/host.c.  Those in t/hosts, which can, are hosts that collect.
#
# HOST.txt names the tests that are to fail in such a host, each with its
# reason.  Each test has to say that it was such a host.  A line "ok" or "not
# ok" for each host and program; as many at a time as there are processors.
set -u

dir=${srcdir-.}/t
limit=${LIMIT-300} # seconds for each program, many times what it needs

# judge HOST PROGRAM says what in the log is not as it should be.
judge() {
    table=$dir/hosts/$1.txt
    test -e "$table" || table=/dev/null
    awk -v "program=$2" -f "$dir/stress/judge.awk" "$table" "$log"
    tests=$(awk "/^[0-9]+%: Checks: / { n += \$3 } END { print n + 0 }" "$log")
    hosts=$(grep -acx "host: $1" "$log")
    test "$tests" = "$hosts" || echo " $hosts of $tests were such hosts"
}

# one HOST PATH: runs this program as such a host.
one() {
    program=${2##*/}
    log=$(mktemp) || exit
    PYBOEHM_TEST_HOST=$1 CK_VERBOSITY=verbose timeout $limit "$2" \
        >"$log" 2>&1
    wrong=$(judge "$1" "$program")
    if test -z "$wrong"; then
        echo "ok - $1: $program"
    else
        echo "not ok - $1: $program:$wrong"
        grep -aE ":[0-9]+:[^P]:[A-Za-z0-9_]+:[A-Za-z0-9_]+:[0-9]+: " "$log"
        echo "# again: make check-hosts HOSTS=$1 host_tests=$2 collecting_tests="
    fi
    rm -f "$log"
    test -z "$wrong"
}

# all PATH...: each host and path that go together, a line each.
all() {
    for host in ${HOSTS-no-interior-pointers no-data-segments four-markers \
        incremental finalizers-on-demand no-java-finalization finding-leaks \
        polite rude no-collections limited collecting forked}
    do
        for path; do
            case $host:$path in
            collecting:*/hosts/*) echo "$host $path" ;;
            collecting:* | *:*/hosts/*) ;;
            *) echo "$host $path" ;;
            esac
        done
    done
}

if test "${1-}" = --one; then
    one "$2" "$3"
    exit
fi
all "$@" | xargs -P "$(nproc)" -n 2 sh "$0" --one
