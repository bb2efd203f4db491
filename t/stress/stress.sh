#!/bin/sh
# stress.sh PROGRAM...: runs the test programs with PYBOEHM_STRESS=1: a full
# collection wherever an automatic one might run.
#
# table.txt names the exceptions, each with its reason: programs that collect
# at each nth place only, and tests that are to fail, because they count what
# collections find, or say when one runs.  Such a test has to fail, and no
# other may; none may crash.  A line "ok" or "not ok" for each program.
set -u

table=${srcdir-.}/t/stress/table.txt
limit=300 # seconds for each program, many times what it needs
log=$(mktemp) || exit
trap 'rm -f "$log"' EXIT
status=0

# every PROGRAM: its value of PYBOEHM_STRESS.
every() {
    awk -v "program=$1" '
        $1 == program { n = $2 }
        END { print n ? n : 1 }' "$table"
}

# judge.awk PROGRAM says what in the log is not as the table says.
judge() {
    awk -v "program=$1" -f "${srcdir-.}/t/stress/judge.awk" "$table" "$log"
}

for path; do
    program=${path##*/}
    n=$(every "$program")
    PYBOEHM_STRESS=$n CK_VERBOSITY=verbose CK_DEFAULT_TIMEOUT=$limit \
        timeout $((2 * limit)) "$path" >"$log" 2>&1
    wrong=$(judge "$program")
    if test -z "$wrong"; then
        echo "ok - PYBOEHM_STRESS=$n $program"
    else
        echo "not ok - PYBOEHM_STRESS=$n $program:$wrong"
        grep -aE ":[0-9]+:[^P]:[A-Za-z0-9_]+:[A-Za-z0-9_]+:[0-9]+: " "$log"
        status=1
    fi
done

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
