#!/bin/sh
# run.sh PROGRAM...: compiles each of the oracle's programs against pyboehm and
# against CPython, and compares what the two say.  A program NAME with a
# NAME.expected beside it uses what CPython 3.11 does not have: what it says on
# our side is compared with that file.
#
# A name as argument is that of a file t/oracle/*/NAME.c.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${CFLAGS=-O2}"
: "${PYTHON_CONFIG=python3-config}"
here=$srcdir/t/oracle
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
warnings='-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers'
warnings="$warnings -Wno-deprecated-declarations -Werror"
passed=0 failed=0

# Hashes are the same on both sides, with one seed as with another.
PYBOEHM_HASHSEED=2026 PYTHONHASHSEED=2026
export PYBOEHM_HASHSEED PYTHONHASHSEED

# Where nothing is set CPython's standard error is ASCII.
LC_ALL=C.UTF-8
export LC_ALL

if ! command -v "$PYTHON_CONFIG" >/dev/null; then
    echo "no $PYTHON_CONFIG: the oracle is CPython's library and headers" \
        "(on Debian: apt-get install python3-dev)" >&2
    exit 1
fi
case $($PYTHON_CONFIG --embed --libs) in
*-lpython3.11*) ;;
*) echo "# the transcripts are 3.11's; this is another CPython" ;;
esac

# compile_one SIDE NAME SOURCE: makes $work/NAME.SIDE.o.
compile_one() {
    case $1 in
    ours)
        $CC $CFLAGS $warnings -DORACLE_PYBOEHM -I"$srcdir/include" \
            -I"$here" -c -o "$work/$2.ours.o" "$3"
        ;;
    cpython)
        ${CC%% -fsanitize*} $CFLAGS $warnings $($PYTHON_CONFIG --includes) \
            -I"$here" -c -o "$work/$2.cpython.o" "$3"
        ;;
    esac
}

# compile SIDE NAME SOURCE: makes $work/NAME.SIDE; the frame is compiled once.
compile() {
    test -e "$work/oracle.$1.o" ||
        compile_one "$1" oracle "$here/oracle.c" || return
    compile_one "$1" "$2" "$3" || return
    case $1 in
    ours)
        $CC $CFLAGS -o "$work/$2.ours" "$work/oracle.ours.o" \
            "$work/$2.ours.o" -L"$builddir/.libs" -lpyboehm \
            -Wl,-rpath,"$builddir/.libs"
        ;;
    cpython)
        ${CC%% -fsanitize*} $CFLAGS -o "$work/$2.cpython" \
            "$work/oracle.cpython.o" "$work/$2.cpython.o" \
            $($PYTHON_CONFIG --embed --ldflags)
        ;;
    esac
}

# transcript SIDE NAME SOURCE: writes $work/NAME.SIDE.txt.
transcript() {
    compile "$1" "$2" "$3" &&
        (cd "$work" && exec "./$2.$1") >"$work/$2.$1.txt" 2>&1
    end=$?
    test $end -eq 0 || echo "($1: ended with status $end)" >>"$work/$2.$1.txt"
    return $end
}

# judge NAME EXPECTED: the program said on our side what the file has.
judge() {
    if diff -u "$2" "$work/$1.ours.txt" >"$work/diff" && test $ended -eq 0 &&
        test -s "$2" && ! grep -q 'NOT AS WRITTEN' "$2"; then
        echo "ok - oracle: $1"
        passed=$((passed + 1))
    else
        echo "not ok - oracle: $1"
        cat "$work/diff"
        grep 'NOT AS WRITTEN' "$2"
        test $ended -eq 0 || tail -n 5 "$work/$1.ours.txt"
        echo "# again: make check-oracle ORACLE=$1 PYTHON_CONFIG=$PYTHON_CONFIG"
        failed=$((failed + 1))
    fi
}

for name; do
    name=${name##*/} ended=0
    source=$(echo "$here"/*/"$name.c")
    transcript ours "$name" "$source" &
    if test -e "${source%.c}.expected"; then
        expected=${source%.c}.expected
    else
        expected=$work/$name.cpython.txt
        transcript cpython "$name" "$source" || ended=1
    fi
    wait $! || ended=1
    judge "$name" "$expected"
done

echo "$passed passed, $failed failed"
test $failed -eq 0 && test $passed -gt 0
