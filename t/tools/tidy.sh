#!/bin/sh
# tidy.sh FILE...: clang-tidy, with the checks of .clang-tidy, on each of the
# sources among the files; FLAGS are those of the compiler.
#
# The analyzer gives a function up after a third of the steps that it would take:
# those with many paths took more than half of the time.
set -u

: "${srcdir=.}" "${CLANG_TIDY=clang-tidy}" "${FLAGS=}"

if test "${1-}" != --one; then
    command -v "$CLANG_TIDY" >/dev/null || {
        echo "not ok - there is no clang-tidy;" \
            "on Debian: apt-get install clang-tidy"
        exit 1
    }
    export srcdir CLANG_TIDY FLAGS
    printf '%s\n' "$@" | grep '\.c$' | xargs -P "$(nproc)" -n 1 sh "$0" --one
    exit
fi

file=$2
# The second stream says how many warnings of others' headers it left out.
if said=$("$CLANG_TIDY" --quiet --warnings-as-errors='*' "$srcdir/$file" \
    -- $FLAGS -Xclang -analyzer-config -Xclang max-nodes=75000 2>/dev/null); then
    echo "ok - clang-tidy $file"
else
    echo "not ok - clang-tidy $file"
    echo "$said"
    exit 1
fi
