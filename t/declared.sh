#!/bin/sh
# declared.sh: no test, but for some that are: prints the names that these
# headers declare with PyAPI_FUNC and PyAPI_DATA, sorted.
set -u

# The name that a declaration declares is the last word before its
# parameters, or before its end.
declared='
    BEGIN { RS = "PyAPI_" }
    NR > 1 && sub(/^(FUNC|DATA)/, "") {
        depth = 0
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            depth += (c == "(") - (c == ")")
            if (depth == 0)
                break
        }
        rest = substr($0, i + 1)
        sub(/[(;=[].*/, "", rest)
        n = split(rest, word, /[^A-Za-z0-9_]+/)
        while (n > 0 && word[n] == "")
            n--
        if (n > 0)
            print word[n]
    }'

# Without comments and preprocessor lines.
for header; do
    sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' \
        -e '/^[[:space:]]*#.*\\$/,/[^\\]$/d' -e '/^[[:space:]]*#/d' "$header"
done | awk "$declared" | sort -u
