#!/bin/sh
# tags.sh: doc/internals.md, HACKING and the code agree.
#
#   tags     what a comment cites, as "internals: TAG", is in the title of a
#            section of doc/internals.md; each section is cited by some comment
#   files    a file that one of the two documents names in `backquotes` exists
#   names    so does a name of C or of make, outside of comments; those are
#            words with an underscore or a capital letter
#   targets  and what follows "make" in a line of HACKING that is a command
#   words    the glossary (internals: glossary) explains 25 words at most
set -u

: "${srcdir=.}"
LC_ALL=C
export LC_ALL
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$srcdir" || exit
internals=doc/internals.md
status=0

# none WHAT FILE: each line of FILE is an offence; there should be none.
none() {
    if test -s "$2"; then
        echo "not ok - $1:"
        sed 's/^/    /' "$2"
        status=1
    else
        echo "ok - $1"
    fi
}

# ----------------------------------------------------------------------
# Tags

sed -n 's/^## .* \[\([a-z-]*\)\]$/\1/p' $internals | sort >"$work/tags"
grep -rnoE --include='*.[ch]' --include='*.sh' 'internals: [a-z-]+' \
    lib include t | sort >"$work/citations"
sed 's/.*internals: //' "$work/citations" | sort -u >"$work/cited"

comm -13 "$work/tags" "$work/cited" | while read -r tag; do
    grep "internals: $tag\$" "$work/citations"
done >"$work/dead"
none "every tag that is cited is in $internals" "$work/dead"
comm -23 "$work/tags" "$work/cited" >"$work/uncited"
none "every tag of $internals is cited" "$work/uncited"
grep -n '^## ' $internals | grep -v ' \[[a-z-]*\]$' >"$work/untagged"
uniq -d "$work/tags" >>"$work/untagged"
none 'every section has a tag of its own' "$work/untagged"

# ----------------------------------------------------------------------
# Files, names and targets

# words DIRECTORY...: those outside of comments, of C, in strings, too, and of
# make.
words() {
    {
        find "$@" -type f -name '*.[ch]' -exec awk '
        FNR == 1 { inside = 0 }
        {
            text = ""
            while ($0 != "")
                if (inside && match($0, /\*\//)) {
                    $0 = substr($0, RSTART + 2)
                    inside = 0
                } else if (!inside && match($0, /\/\*/)) {
                    text = text " " substr($0, 1, RSTART - 1)
                    $0 = substr($0, RSTART + 2)
                    inside = 1
                } else {
                    text = inside ? text : text " " $0
                    $0 = ""
                }
            print text
        }' {} +
        sed '/^#/d' Makefile.am ./*/local.mk ./*/*/local.mk
    } | tr -cs 'A-Za-z0-9_' '\n' | sort -u
}

words lib include >"$work/words"
words lib include t >"$work/all_words"
find bench doc examples gdb include lib m4 man t tools -type f >"$work/files"

# quoted DOCUMENT: what it has between backquotes, and in a tree of calls.
quoted() {
    {
        tr '\n' ' ' <"$1" | grep -oE '`[^`]+`' | tr -d '`'
        sed -n '/^    PyGC_Collect > /,/^$/p' "$1" | grep -oE '[A-Za-z]+_[A-Za-z_]+'
    } | sort -u
}

# is_there PATH: a file, a directory, or the end of a file's path.
is_there() {
    case $1 in
    debian/*) test -d debian || return 0 ;; # not in a release
    esac
    test -e "$1" || grep -qE "(^|/)$(echo "$1" | sed 's/[.]/[.]/g')\$" \
        "$work/files"
}

# missing DOCUMENT WORDS: its files that are none, then its names that are not
# among the words.
missing() {
    quoted "$1" | grep -E '^[^ ]*/[^ ]*$|^[^ ]+\.(c|h|sh|awk|mk|ac|md|txt)$' \
        >"$work/paths"
    while read -r path; do
        is_there "$path" || echo "$1: $path"
    done <"$work/paths" >"$work/no_files"
    quoted "$1" | grep -vxFf "$work/paths" |
        tr -cs 'A-Za-z0-9_' '\n' | grep -E '[A-Z_]' |
        sort -u | comm -23 - "$2" | while read -r name; do
        test -e "$name" || echo "$1: $name"
    done >"$work/no_names"
    none "every file that $1 names exists" "$work/no_files"
    none "every name of the code that $1 has is there" "$work/no_names"
}

missing $internals "$work/words"
missing HACKING "$work/all_words"

# Automake's targets are none of ours, nor are files.
sed -n 's/^    .*make\( -[A-Za-z0-9]*\)* \([a-z][a-z/-]*\).*/\2/p' HACKING |
    grep -v / | sort -u | grep -vxE 'check|dist|distcheck|install' >"$work/targets"
while read -r target; do
    grep -qE "^([^#=]* )?$target( [^=]*)?:" Makefile.am ./*/local.mk \
        ./*/*/local.mk || echo "$target"
done <"$work/targets" >"$work/no_targets"
none 'every target that HACKING names exists' "$work/no_targets"

# ----------------------------------------------------------------------
# The glossary

awk '/^## / { inside = /\[glossary\]$/ } inside && /^\| / { n++ }
    END {
        if (n - 1 > 25 || n < 2)
            print n - 1 " words"
    }' $internals >"$work/many"
none 'the glossary has 25 words at most' "$work/many"
exit $status
