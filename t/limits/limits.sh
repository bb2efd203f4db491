#!/bin/sh
# limits.sh: in a process whose address space is exhausted all garbage is
# collected.  With PYTHON_CONFIG, a python3-config, as many objects are made as
# CPython makes: at least 0.9 times, where the limit is small 0.8 times.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${PYTHON_CONFIG=}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

case $CC in
*-fsanitize*)
    echo '# a sanitizer needs more addresses than there are'
    exit 77
    ;;
esac
test -e "$builddir/.libs/libpyboehm.so" || exit 77

# say STATUS WHAT
say() {
    if test "$1" = 0; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        status=1
    fi
}

# made SIDE MEGABYTES: how many objects; fails unless all were collected, at
# once.
made() {
    "$work/$1" "$2" 2>"$work/said" | tee "$work/$1.line" |
        awk '$2 > 1000 && $4 == $2 && $6 == $2 && $8 == $2 && $10 == 0 {
            print $2
            found = 1
        }
        END { exit !found }'
}

$CC -I"$srcdir/include" "$srcdir/t/limits/limits.c" -o "$work/ours" \
    -L"$builddir/.libs" -lpyboehm || exit
LD_LIBRARY_PATH=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
sizes='64 100 300'
if test -n "$PYTHON_CONFIG"; then
    sizes="$sizes 1000"
    $CC -w $($PYTHON_CONFIG --includes) "$srcdir/t/limits/limits.c" \
        -o "$work/theirs" $($PYTHON_CONFIG --embed --ldflags) || exit
fi
for size in $sizes; do
    ours=$(made ours "$size")
    say $? "$size MB: all garbage is collected: $(cat "$work/ours.line")"
    test -n "$PYTHON_CONFIG" || continue
    theirs=$(made theirs "$size") || theirs=0
    awk -v ours="$ours" -v theirs="$theirs" -v size="$size" 'BEGIN {
        exit !(theirs > 0 && ours / theirs >= (size > 100 ? 0.9 : 0.8))
    }'
    say $? "$size MB: as many objects as CPython: $ours and $theirs"
done
exit $status
