#!/bin/sh
# stableabi.sh: every function and datum of CPython's stable ABI is exported.
#
#   manual   the names are those in the manual of CPython 3.11 (PYTHON_MANUAL,
#            Debian's python3.11-doc; skipped where it is not), and those in
#            stable-abi.txt, which the manual lacks.  Types and macros of the
#            manual's list are there for programs
#   said     doc/stable-abi.md names every function that lib/object/abi/absent.c
#            has, and nothing that is not exported
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${NM=nm}"
: "${PYTHON_MANUAL=/usr/share/doc/python3.11/html}"
library=$builddir/.libs/libpyboehm.so
chapter=$PYTHON_MANUAL/c-api/stable.html
if ! test -e "$library"; then
    echo '# no shared library: nothing to look at'
    exit 77
fi
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
status=0

# none WHAT FILE: FILE names the offenders; it should be empty.
none() {
    if test -s "$2"; then
        echo "not ok - $1:" $(cat "$2")
        status=1
    else
        echo "ok - $1"
    fi
}

# elsewhere: what CPython has on Windows, with checks of the stack, or of its
# compiler's alone.
elsewhere() {
    cat <<'END'
PyErr_SetExcFromWindowsErr PyErr_SetExcFromWindowsErrWithFilename
PyErr_SetExcFromWindowsErrWithFilenameObject
PyErr_SetExcFromWindowsErrWithFilenameObjects PyErr_SetFromWindowsErr
PyErr_SetFromWindowsErrWithFilename PyExc_WindowsError PyOS_CheckStack
PyUnicode_AsMBCSString PyUnicode_DecodeCodePageStateful PyUnicode_DecodeMBCS
PyUnicode_DecodeMBCSStateful PyUnicode_EncodeCodePage symtable
END
}

# documented: the names of the manual's list, functions with "()".
documented() {
    sed -n '/Contents of Limited API/,$s,^<li><p>.*<span class="pre">\([^<]*\)</span>.*,\1,p' "$chapter"
}

$NM -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' |
    sort -u >"$work/exported"
elsewhere | tr ' ' '\n' | sort -u >"$work/elsewhere"
test -s "$work/exported" || { echo 'not ok - no names found'; exit 1; }

# ------------------------------------------------------------------ manual

grep -v '^\(#\|$\)' "$srcdir/t/tree/stable-abi.txt" | sort >"$work/listed"
uniq -d "$work/listed" >"$work/bad"
none 'stable-abi.txt has every name once' "$work/bad"
comm -23 "$work/listed" "$work/exported" >"$work/bad"
none 'what the manual of 3.11 lacks is exported' "$work/bad"

if test -e "$chapter"; then
    documented >"$work/all"
    sed -n 's/()$//p' "$work/all" | sort -u >"$work/functions"
    grep -v '()$\|\.' "$work/all" | sort -u | comm -23 - "$work/elsewhere" \
        >"$work/others"
    echo "# $(wc -l <"$work/functions") functions and" \
        "$(wc -l <"$work/others") others are in the manual"
    test "$(wc -l <"$work/functions")" -gt 600 ||
        { echo 'not ok - the manual is not as it was'; status=1; }
    comm -23 "$work/functions" "$work/exported" |
        comm -23 - "$work/elsewhere" >"$work/bad"
    none "every function of the manual's list is exported" "$work/bad"

    # Data are exported; a macro or a type is there for programs.
    grep '_Type$\|^PyExc_' "$work/others" | comm -23 - "$work/exported" \
        >"$work/bad"
    none "every datum of the manual's list is exported" "$work/bad"
    printf '#include <%s>\n' Python.h structmember.h >"$work/headers.c"
    $CC -E -dM -I"$srcdir/include" "$work/headers.c" |
        sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' | sort -u >"$work/macros"
    comm -23 "$work/others" "$work/exported" | comm -23 - "$work/macros" |
        while read -r name; do
            { cat "$work/headers.c"; echo "extern $name *use;"; } |
                $CC -x c -std=gnu11 -I"$srcdir/include" -fsyntax-only - \
                    2>/dev/null || echo "$name"
        done >"$work/bad"
    none "every other name of the manual's list is defined" "$work/bad"
else
    echo "# skipped: $chapter is not there (Debian: python3.11-doc)"
fi

# ------------------------------------------------------------------ said

sed -n 's/^\(ABSENT\|ABSENT_NUMBER\|NOTHING\)([^,]*, \(_*Py[A-Za-z_]*\),.*/\2/p
    s/^\(PRINTS\|INERT\)(\(_*Py[A-Za-z_]*\),.*/\2/p' \
    "$srcdir/lib/object/abi/absent.c" | sort -u >"$work/absent"
test "$(wc -l <"$work/absent")" -gt 40 ||
    { echo 'not ok - absent.c is not as it was'; status=1; }
grep -oE '`_*Py[A-Za-z_]+`' "$srcdir/doc/stable-abi.md" | tr -d '`' |
    sort -u >"$work/said"
comm -23 "$work/absent" "$work/said" >"$work/bad"
none 'doc/stable-abi.md names what needs an interpreter' "$work/bad"
exit $status
