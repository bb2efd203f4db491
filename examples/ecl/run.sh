#!/bin/sh
# run.sh: ECL uses extension types through libpyboehm, which make check-ecl
# built in the build directory: test.lisp, with modules of the tutorial.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${ECL=ecl}"
: "${TUTORIAL=/usr/share/doc/python3.11/html/extending/newtypes_tutorial.html}"
modules=$builddir/examples/ecl/modules

skip() {
    echo "check-ecl: skipped: $*" >&2
    exit 77
}

command -v "$ECL" >/dev/null || skip 'no ecl; on Debian: apt-get install ecl'
test -e "$TUTORIAL" ||
    skip "no $TUTORIAL; on Debian: apt-get install python3.11-doc"

rm -rf "$modules"
mkdir -p "$modules" || exit
listings=$srcdir/examples/tutorial/listings.awk
awk -v dir="$modules" -f "$listings" "$TUTORIAL" >/dev/null || exit
for name in custom2 custom4; do
    $CC -shared -fPIC -I"$srcdir/include" "$modules/$name.c" \
        -o "$modules/$name.so" || exit
done

LC_ALL=C.UTF-8
PYBOEHM_PATH=$modules
PYBOEHM_LIBRARY=$builddir/.libs/libpyboehm.so
export LC_ALL PYBOEHM_PATH PYBOEHM_LIBRARY
"$ECL" --norc --shell "$srcdir/examples/ecl/test.lisp" || exit

# ECL calls no Py_Finalize, and is detached when it ends.
heap=$modules/heap
PYBOEHM_SIGNAL=USR1 PYBOEHM_REPORT=$heap.html PYBOEHM_LEAKS=1 "$ECL" --norc \
    --eval "(load \"$srcdir/examples/ecl/pyboehm.lisp\")" --eval '
    (progn
     (defvar *ada* (pyboehm:py-call
                    (pyboehm:py-get (pyboehm:py-import "custom4") "Custom")))
     (ext:system (format nil "kill -USR1 ~d" (ext:getpid)))
     (pyboehm:py-send *ada* "name")
     (ext:quit 0))' >"$heap.said" 2>&1
if grep -q '^{"pyboehm_report": 1,' "$heap.1.html" &&
    grep -q '"custom4.Custom",1,' "$heap.html" &&
    grep -q '^pyboehm: objects alive at exit, ' "$heap.said"; then
    echo 'ok - a signal and the exit have the reports written'
else
    cat "$heap.said"
    echo 'not ok - a signal and the exit have the reports written'
    exit 1
fi
