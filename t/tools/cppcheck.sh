#!/bin/sh
# cppcheck.sh FILE...: cppcheck on the sources together; FLAGS are the
# preprocessor's.
set -u

: "${srcdir=.}" "${CC=cc}" "${CPPCHECK=cppcheck}" "${FLAGS=}"

command -v "$CPPCHECK" >/dev/null || {
    echo "not ok - there is no cppcheck; on Debian: apt-get install cppcheck"
    exit 1
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# What the compiler is and how wide its types are.
$CC -dM -E - </dev/null >"$work/predefined.h" || exit
cd "$srcdir" || exit

# varFuncNullUB: where pointers have 64 bits, NULL among the arguments of a
# variadic function is (void *)0, in C.
$CPPCHECK --quiet --error-exitcode=1 --inline-suppr -j "$(nproc)" \
    --std=c11 --platform=unix64 --include="$work/predefined.h" \
    --enable=warning,performance,portability \
    --suppress=missingIncludeSystem --suppress=varFuncNullUB \
    $FLAGS $(printf '%s\n' "$@" | grep '\.c$') 2>"$work/said"
status=$?
cat "$work/said"
test $status = 0 && echo "ok - cppcheck" || echo "not ok - cppcheck"
exit $status
