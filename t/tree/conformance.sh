#!/bin/sh
# conformance.sh: doc/conformance.md says the truth.
#
#   names   what an item names is exported by the library or defined by the
#           public headers, and every type check of the headers has a row
#   rows    the rows are those of t/tree/documented.txt, and every name documented
#           in an edition of the manual has one
#   proof   every test named exists, has run and has passed
#   seeds   where the editions are at hand (PYBOEHM_SEEDS, or ../shared/seeds
#           beside the sources): t/tree/documented.txt names what they document, and
#           no line of an English paragraph is without a row
#
# "conformance.sh table" leaves the proof out, for which all tests must have run.
# "conformance.sh list" writes a new t/tree/documented.txt from the editions and the
# table to standard output.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${NM=nm}"
: "${PYBOEHM_SEEDS=$srcdir/../shared/seeds}"
table=$srcdir/doc/conformance.md
list=$srcdir/t/tree/documented.txt
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
status=0

ok() {
    echo "ok - $1"
}
not_ok() {
    echo "not ok - $1"
    status=1
}

# none WHAT FILE: each line of FILE is an offence against WHAT.
none() {
    if test -s "$2"; then
        while read -r line; do
            not_ok "$1: $line"
        done <"$2"
    else
        ok "$1"
    fi
}

# The table's rows as LINE, ITEM, PLACE, TESTS between tabs; without backquotes
# in TESTS.  A row without four columns has no tests.
awk -F ' *[|] *' '
    /^[|]/ && $2 != "item" && $2 !~ /^-+$/ {
        if (NF != 6)
            $5 = ""
        gsub(/`/, "", $5)
        print FNR "\t" $2 "\t" $3 "\t" $5
    }' "$table" >"$work/rows"
cut -f 2 "$work/rows" | sort >"$work/items"

# A row has four columns, and none is empty.
awk -F ' *[|] *' '
    /^[|]/ && (NF != 6 || $2 == "" || $3 == "" || $4 == "" || $5 == "") {
        print "row " FNR
    }' "$table" >"$work/gaps"

# ITEM's names, those in backquotes, as LINE and NAME.
awk -F '\t' '{
    n = split($2, part, "`")
    for (i = 2; i <= n; i += 2)
        print $1 "\t" part[i]
}' "$work/rows" >"$work/names"
cut -f 2 "$work/names" | sort -u >"$work/named"

# documented EDITION...: the names in them, one per line.
documented() {
    word='_?Py(<type>)?[A-Za-z]*_[A-Za-z_0-9]+|Py(Var|Type)?Object\>'
    word="$word|\\<tp_[a-z]+|\\<(visit|traverse)proc\\>|\\<inquiry\\>"
    word="$word|\\<gcvisitobjects_t\\>|\\<(gc|sys)\\.[a-z_]+"
    word="$word|\\<get_referents\\>|\\<local_traverse\\>"
    sed 's/Py\*<type>\*_/Py<type>_/g' "$@" | grep -oE "$word" |
        sed 's/^get_referents$/gc.&/' | sort -u
}

# all_documented: the same with the editions behind each name.
all_documented() {
    for edition in "$PYBOEHM_SEEDS"/00*; do
        number=${edition##*/}
        documented "$edition" | sed "s/\$/ ${number%%_*}/"
    done | sort | awk '
        $1 != name { if (name != "") print name editions
                     name = $1; editions = "" }
        { editions = editions " " $2 }
        END { print name editions }'
}

write_list() {
    echo "# documented.txt: what doc/conformance.md must have a row for; made by"
    echo "# t/tree/conformance.sh list.  First the names, with the editions that"
    echo "# document them; then, behind a hyphen, the items of all rows."
    echo
    all_documented
    echo
    sed 's/^/- /' "$work/items"
}

if test "${1-}" = list; then
    write_list
    exit
fi

# ------------------------------------------------------------------ rows

grep -vE '^(#|-|$)' "$list" >"$work/list.names"
sed -n 's/^- //p' "$list" | sort >"$work/list.items"
echo "# $(wc -l <"$work/rows") rows," \
    "$(wc -l <"$work/list.names") documented names"
test -s "$work/rows" || not_ok 'the table has no rows'
none 'every row has item, place, promise and proof' "$work/gaps"

cut -d ' ' -f 1 "$work/list.names" | sort |
    comm -23 - "$work/named" >"$work/bad"
none 'every documented name has a row' "$work/bad"
comm -13 "$work/items" "$work/list.items" >"$work/bad"
none 'no row was struck' "$work/bad"
comm -23 "$work/items" "$work/list.items" >"$work/bad"
none 'every row is in documented.txt' "$work/bad"
uniq -d "$work/items" >"$work/bad"
none 'no two rows have the same item' "$work/bad"

# ------------------------------------------------------------------ names

printf '#include <%s>\n' Python.h pyboehm.h structmember.h >"$work/all.h"
$CC -E -dM -I"$srcdir/include" -x c "$work/all.h" |
    sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' | sort -u >"$work/macros"
for library in "$builddir/.libs/libpyboehm.so" "$builddir/.libs/libpyboehm.a"
do
    case $library in
    *.so) dynamic=-D ;;
    *) dynamic= ;;
    esac
    test -e "$library" && break
done
$NM $dynamic --defined-only "$library" | awk '{ print $NF }' |
    sed 's/@.*//' | sort -u >"$work/exported"
test -s "$work/macros" && test -s "$work/exported" ||
    not_ok 'headers and library have names'

# compiles: is standard input C after all public headers?
compiles() {
    { cat "$work/all.h"; cat; } |
        $CC -x c -std=gnu11 -I"$srcdir/include" -fsyntax-only - 2>/dev/null
}

# is_defined NAME: somewhere a program can get at it, though it is no macro and
# not exported.
is_defined() {
    case $1 in
    gc.* | sys.*) return 0 ;; # Python's: the tests tell
    'Py<type>_'*) grep -q "^Py[A-Za-z]*${1#*>}\$" "$work/macros" ;;
    tp_*) grep -qx "Py_$1" "$work/macros" ||
        echo "void use(PyTypeObject *t) { (void)t->$1; }" | compiles ;;
    local_traverse) grep -q "^$1(" "$srcdir"/t/gc/check_local.c ;;
    *) echo "int use[sizeof($1)];" | compiles ;;
    esac
}

sort "$work/exported" "$work/macros" | comm -13 - "$work/named" |
    while read -r name; do
        is_defined "$name" || echo "$name"
    done >"$work/bad"
none 'every name is exported or defined' "$work/bad"

grep -hoE '^#define Py[A-Za-z]+_Check(|Exact|Ref|RefExact|Proxy)\(' \
    "$srcdir"/include/*.h "$srcdir"/include/*/*.h | sed 's/^#define //; s/($//' | sort -u |
    comm -23 - "$work/named" >"$work/bad"
none 'every type check of the headers has a row' "$work/bad"
sh "$srcdir/t/declared.sh" "$srcdir/include/pyboehm.h" |
    comm -23 - "$work/named" >"$work/bad"
none 'every function of pyboehm.h has a row' "$work/bad"
sh "$srcdir/t/declared.sh" "$srcdir"/include/*.h \
    "$srcdir"/include/pyboehm/*.h | grep '^PyBoehm_' |
    while read -r name; do
        grep -qw "$name" "$srcdir"/doc/*.md || echo "$name"
    done >"$work/bad"
none 'every function of ours is in a document' "$work/bad"

test "${1-}" != table || exit $status

# ------------------------------------------------------------------ proof

awk -F '\t' '{
    n = split($4, test, " ")
    if (n == 0)
        print $1 "\t-"
    for (i = 1; i <= n; i++)
        print $1 "\t" test[i]
}' "$work/rows" >"$work/tests"
# What is wrong with PROGRAM:TEST or SCRIPT.sh, behind a tab.
(cd "$srcdir" && find t -name '*.c' -o -name '*.sh') >"$work/sources"
cut -f 2 "$work/tests" | sort -u | awk -v srcdir="$srcdir" -v builddir="$builddir" '
    # look: what the test file of that name has, and what its log says.
    function look(name,    source, log_file, line, n, field) {
        looked[name] = 1
        source = srcdir "/" path[name]
        while ((getline line <source) > 0)
            if (match(line, /^START_TEST\([A-Za-z_0-9]+/))
                there[name, substr(line, 12, RLENGTH - 11)] = 1
        log_file = builddir "/" path[name]
        sub(/\.[a-z]+$/, name ~ /\.sh$/ ? ".trs" : ".log", log_file)
        while ((getline line <log_file) > 0) {
            ran[name] = 1
            n = split(line, field, ":")
            if (field[3] == "P" && field[n] == " Passed")
                passed[name, field[n - 2]] = 1
            if (line ~ /^:test-result: (PASS|SKIP)/)
                passed[name, ""] = 1
        }
    }
    function wrong(name, test) {
        if (name == "-")
            return "no test is named"
        if (!(name in path))
            return "no such file in t"
        if (!(name in looked))
            look(name)
        if (test != "" && !((name, test) in there))
            return "no such test"
        if (!(name in ran))
            return "has not run"
        return (name, test) in passed ? "" : "did not pass"
    }
    NR == FNR { name = $0; sub(/.*\//, "", name); path[name] = $0; next }
    {
        n = split($0, part, ":")
        what = wrong($0 ~ /^-$|\.sh$/ ? $0 : part[1] ".c", n > 1 ? part[2] : "")
        if (what != "")
            print $0 "\t" what
    }' "$work/sources" - >"$work/wrong"
awk -F '\t' '
    NR == FNR { wrong[$1] = $2; next }
    $2 in wrong { print "row " $1 ": " $2 ": " wrong[$2] }
    ' "$work/wrong" "$work/tests" >"$work/bad"
test -s "$work/tests" || not_ok 'rows name tests'
echo "# $(cut -f 2 "$work/tests" | sort -u | wc -l) tests are named"
none 'every test named exists and has passed' "$work/bad"

# ------------------------------------------------------------------ seeds

if ! test -d "$PYBOEHM_SEEDS"; then
    echo "# no editions of the manual here: t/tree/documented.txt stands for them"
    exit $status
fi
all_documented | sort >"$work/extracted"
sort "$work/list.names" | comm -3 "$work/extracted" - | tr -d '\t' \
    >"$work/bad"
none 'documented.txt has what the editions document' "$work/bad"

# The lines that a row, or the list of titles and links, claims; and all lines
# with text.
{
    cut -f 3 "$work/rows"
    sed -n '/^Lines that document nothing/,/^$/p' "$table"
} | grep -oE '\<00[0-9]:[0-9]+(-[0-9]+)?' | awk -F '[:-]' '{
    for (i = $2; i <= (NF > 2 ? $3 : $2); i++)
        print $1 ":" i
}' | sort -u >"$work/claimed"
for edition in 000 002; do
    awk -v edition=$edition '/[[:alnum:]]/ { print edition ":" FNR }' \
        "$PYBOEHM_SEEDS/$edition"_*
done | sort | comm -23 - "$work/claimed" >"$work/bad"
none 'every line of 000 and 002 has a row' "$work/bad"
exit $status
