#!/bin/sh
# stress.sh PROGRAM...: runs the test programs with PYBOEHM_STRESS=1: a full
# collection wherever an automatic one might run; as many programs at a time as
# there are processors.
#
# table.txt names the exceptions, each with its reason: programs that collect
# at each nth place only, and tests that are to fail, because they count what
# collections find, or say when one runs.  Such a test has to fail, and no
# other may; none may crash.  A line "ok" or "not ok" for each program.  SEED
# is that of the program with sixteen threads.
set -u

table=${srcdir-.}/t/stress/table.txt
export SEED="${SEED-1}"
limit=300 # seconds for each program, many times what it needs

# every PROGRAM: its value of PYBOEHM_STRESS.
every() {
    awk -v "program=$1" '
        $1 == program { n = $2 }
        END { print n ? n : 1 }' "$table"
}

# judge PROGRAM: what in its log is not as the table says.
judge() {
    awk -v "program=$1" -f "${srcdir-.}/t/stress/judge.awk" "$table" "$log"
}

# one PATH: runs this program.
one() {
    program=${1##*/}
    n=$(every "$program")
    log=$(mktemp) || exit
    PYBOEHM_TEST_SEED=$SEED PYBOEHM_STRESS=$n \
        CK_VERBOSITY=verbose CK_DEFAULT_TIMEOUT=$limit \
        timeout $((2 * limit)) "$1" >"$log" 2>&1
    wrong=$(judge "$program")
    if test -z "$wrong"; then
        echo "ok - PYBOEHM_STRESS=$n $program"
    else
        echo "not ok - PYBOEHM_STRESS=$n $program:$wrong"
        grep -aE ":[0-9]+:[^P]:[A-Za-z0-9_]+:[A-Za-z0-9_]+:[0-9]+: " "$log"
        echo "# again: SEED=$SEED make check-stress stress_tests=$1"
    fi
    rm -f "$log"
    test -z "$wrong"
}

if test "${1-}" = --one; then
    one "$2"
    exit
fi

printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh "$0" --one
status=$?

# The table names no program that is not there.
for program in $(sed 's/^#.*//; s/[: ].*//' "$table" | sort -u); do
    case " $* " in
    *"/$program "*) ;;
    *)
        echo "not ok - table.txt names $program"
        status=1
        ;;
    esac
done
exit $status
