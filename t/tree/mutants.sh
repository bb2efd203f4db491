#!/bin/sh
# mutants.sh: what t/mutation/killed.txt and survivors.txt name is in lib/gc:
# where a line of code changes, it changes there, too.
set -u

: "${srcdir=.}" "${AWK=awk}"
tab=$(printf '\t')
status=0

# mutants: all of them, "FILE FUNCTION: TEXT".
mutants() {
    find "$srcdir/lib/gc" -name '*.[ch]' | while read -r file; do
        $AWK -f "$srcdir/t/mutation/mutants.awk" "$file" |
            $AWK -F "$tab" -v file="${file#"$srcdir"/lib/gc/}" \
                '{ print file " " $5 ": " $6 }'
    done
}

all=$(mutants)
for list in killed.txt survivors.txt; do
    stale=$(echo "$all" | $AWK 'NR == FNR { known[$0]; next }
        /^[a-z_\/]+\.[ch] / && !($0 in known)' - "$srcdir/t/mutation/$list")
    if test -z "$stale" && test -n "$all"; then
        echo "ok - $list"
    else
        printf 'not ok - these of %s are nowhere:\n%s\n' "$list" "$stale"
        status=1
    fi
done
exit $status
