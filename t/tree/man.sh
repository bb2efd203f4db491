#!/bin/sh
# man.sh: every function, variable and macro of the public headers has a
# manual page, every page speaks of something that they declare, and is well
# formed; no function is declared without a comment, and each that returns an
# object says whether it is a new reference; the chief ones have an example.
set -u

: "${srcdir=.}" "${builddir=.}" "${AWK=awk}"
pages=$builddir/man/man3
LC_ALL=C
export LC_ALL
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
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

# try WHAT COMMAND...: the command succeeds.
try() {
    what=$1
    shift
    if "$@"; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        status=1
    fi
}

# Public macros, without the guards of the headers.
macros() {
    sed -n 's/^# *define \([A-Za-z][A-Za-z0-9_]*\).*/\1/p' "$@" |
        grep -v '^Py_[A-Z]*_H$\|^PYBOEHM_[A-Z_]*H$' | sort -u
}

# The words of the headers' code, without comments.
words() {
    sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' "$@" |
        tr -c 'A-Za-z0-9_' '\n' | sort -u
}

# have_pages FILE: of the names in it, those whose page is missing or does not
# say them.
have_pages() {
    $AWK '
        NR == FNR { names[++n] = $0; next }
        FNR == 1 {
            name = FILENAME
            gsub(/.*\/|\.3$/, "", name)
            place[name] = name
        }
        FNR == 1 && sub(/^\.so man3\//, "") {
            sub(/\.3$/, "")
            place[name] = $0
            next
        }
        {
            gsub(/\\f[BR]/, "")
            words = split($0, word, /[^A-Za-z0-9_]+/)
            for (i = 1; i <= words; i++)
                said[name, word[i]] = 1
        }
        END {
            for (i = 1; i <= n; i++)
                if (!((place[names[i]], names[i]) in said))
                    print names[i]
        }' "$1" "$pages"/*.3
}

# The headers that pages name, without those that there are.
headers_missing() {
    sed -n 's/^\.B #include <\(.*\)>$/\1/p' "$pages"/*.3 | sort -u |
        while read -r header; do
            test -f "$srcdir/include/$header" || echo "$header"
        done
}

full_pages() {
    grep -L '^\.so ' "$pages"/*.3
}

# write_pages DIRECTORY HEADER...: as make does, without date and version.
write_pages() {
    directory=$1
    shift
    mkdir "$directory" && $AWK -f "$srcdir/man/headers.awk" \
        -f "$srcdir/man/examples.awk" -f "$srcdir/man/pages.awk" \
        -v examples="$examples" -v out="$directory" -v date=2000-01-01 -v version=0 "$@"
}

# names_by SCRIPT HEADER...: the names that t/tree/SCRIPT.awk finds.
names_by() {
    script=$1
    shift
    $AWK -f "$srcdir/man/headers.awk" -f "$srcdir/man/examples.awk" \
        -f "$srcdir/t/tree/$script.awk" -v examples="$examples" "$@" | sort
}

# What the tools at hand have to say.
complaints() {
    if command -v mandoc >/dev/null; then
        full_pages | xargs mandoc -Tlint "$srcdir"/man/*.[17]
    elif man --warnings -l "$srcdir/man/pyboehm.7" >/dev/null 2>&1; then
        for page in "$srcdir"/man/*.[17] $(full_pages); do
            man --warnings -l "$page" 2>&1 >/dev/null
        done
    fi
    for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
        full_pages | xargs grep -L "^\.SH $section\$" | sed "s/\$/: no $section/"
    done
}

examples=$srcdir/examples/reference.c
# What pyconfig.h defines is not ours and has no pages.
headers=$(printf '%s\n' "$srcdir"/include/*.h "$srcdir"/include/*/*.h | grep -v "/pyconfig\.h\$")

sh "$srcdir/t/declared.sh" $headers >"$work/declared"
macros $headers >"$work/macros"
words $headers >"$work/words"
(cd "$pages" && ls) | sed -e 's/\.3$//' -e '/^Python\.h$/d' >"$work/pages"
echo "# $(wc -l <"$work/pages") names," \
    "$(full_pages | wc -l) pages of more than a reference"

have_pages "$work/declared" >"$work/missing"
none 'every function and variable has a page' "$work/missing"
have_pages "$work/macros" >"$work/missing"
none 'every macro has a page' "$work/missing"
comm -13 "$work/words" "$work/pages" >"$work/extra"
none 'every page is of a name in the headers' "$work/extra"
for page in $(sed -n 's,^\.so man3/,,p' "$pages"/*.3 | sort -u); do
    test -f "$pages/$page" || echo "$page"
done >"$work/dangling"
none 'every reference leads to a page' "$work/dangling"
headers_missing >"$work/missing"
none 'every header on a page can be included' "$work/missing"
complaints >"$work/complaints" 2>&1
none 'every page is well formed' "$work/complaints"
names_by uncommented $headers >"$work/uncommented"
none 'every function has a comment' "$work/uncommented"
names_by unowned $headers >"$work/unowned"
none 'every function that returns an object says: new or borrowed' \
    "$work/unowned"
names_by unexampled $headers >"$work/unexampled"
none 'every PyBoehm_ function has an example, which uses it' \
    "$work/unexampled"

# What a page says is what the headers say today.
write_pages "$work/fresh" $headers
diff -r -I '^\.TH ' "$work/fresh" "$pages" | grep '^[-<>O]' >"$work/stale"
none 'every page says what its header says' "$work/stale"

# The rules for all of a header stand in its first comment.
for header in $(grep -lE '^ *PyAPI_FUNC\(.*[^)]$' $headers); do
    for rule in thread Manual; do
        sed '/\*\//q' "$header" | grep -q "$rule" ||
            echo "${header##*/} ($rule)"
    done
done >"$work/unruled"
none 'every header with functions names threads and manual' "$work/unruled"

# The overview is written by hand.
for section in NAME SYNOPSIS DESCRIPTION ENVIRONMENT 'SEE ALSO'; do
    grep -q "^\.SH $section\$" "$srcdir/man/pyboehm.7" || echo "$section"
done >"$work/unsaid"
none 'pyboehm(7) has its sections' "$work/unsaid"
for name in $(sed -n 's/^\.BR \([A-Z_a-z.]*\) (3).*/\1/p' \
    "$srcdir/man/pyboehm.7"); do
    test -f "$pages/$name.3" || echo "$name"
done >"$work/dangling"
none 'pyboehm(7) refers to pages that exist' "$work/dangling"

# The variables of the environment stand in the overview.
for name in $(sed -n 's/.*pyb_environment("\([A-Z_]*\)").*/\1/p' $(find "$srcdir/lib" -name '*.c'))
do
    grep -q "^\.B $name\$" "$srcdir/man/pyboehm.7" || echo "$name"
done >"$work/unsaid"
none 'pyboehm(7) names every environment variable' "$work/unsaid"

# Documents of ours are not CPython's.
grep -l "CPython's C API manual: doc/" "$pages"/*.3 >"$work/wrong"
none 'every page says whose manual it refers to' "$work/wrong"

# What a new header adds is found, with a comment and without.
cat >"$work/new.h" <<'END'
/* new.h: what is new. */
/* ------------------------------------------------------------------ */
/* Things                                                              */

/* PyNew_First(TYPE, op): the first one.  Text with \n, 'quotes', -1 and an
   example:

       PyNew_First(int, op); // it's "\n"

   PyNew_Last: the last one. */
#define PyNew_First(a, b) 0
PyAPI_FUNC(PyObject *)
    PyNew_Last(PyObject *const *args, int (*callback)(PyObject *op, void *arg),
               void *arg) Py_GCC_ATTRIBUTE((format(printf, 3, 0)));

PyAPI_FUNC(int) PyNew_Unsaid(void);
END
examples=$work/new.c
cat >"$examples" <<'END'
/* new.c: what is new. */
int n;

/* PyNew_Last, PyNew_Unsaid: to show how.  The result is dropped. */
int
use(void)
{
    PyNew_Last(NULL, NULL, "\n");

    return 0;
}

/* The program. */
int
main(void)
{
}
END
try 'a function without a comment is found' \
    test "$(names_by uncommented "$work/new.h")" = PyNew_Unsaid
try 'an example without its function is found' \
    test "$(names_by unexampled "$work/new.h")" = PyNew_Unsaid
try 'an object without an owner is found' \
    test "$(names_by unowned "$work/new.h")" = PyNew_Last
write_pages "$work/one" "$work/new.h"
write_pages "$work/two" "$work/new.h"
try 'the pages are the same each time' diff -r "$work/one" "$work/two"
cat >"$work/expected" <<'END'
.SH NAME
PyNew_First, PyNew_Last, PyNew_Unsaid \- what is new: things
.SH SYNOPSIS
.nf
.B #include <Python.h>
.B #include <new.h>
.PP
#define \fBPyNew_First\fR(TYPE, op)
PyObject *\fBPyNew_Last\fR(PyObject *const *args,
    int (*callback)(PyObject *op, void *arg), void *arg);
.PP
int \fBPyNew_Unsaid\fR(void);
.fi
.SH DESCRIPTION
\fBPyNew_First\fR
.RS 4
the first one.
Text with \en, 'quotes', \-1 and an example:
.PP
.nf
    PyNew_First(int, op); // it\(aqs "\en"
.fi
.RE
.PP
\fBPyNew_Last\fR
.RS 4
the last one.
.RE
.SH EXAMPLES
\fBPyNew_Last\fR, \fBPyNew_Unsaid\fR: to show how.
The result is dropped.
.PP
.nf
    int
    use(void)
    {
        PyNew_Last(NULL, NULL, "\en");

        return 0;
    }
.fi
.PP
What is shown here is part of a program that runs:
examples/reference.c.
.SH SEE ALSO
.BR Python.h (3),
.BR pyboehm (7)
END
sed '1,/^\.ad l$/d' "$work/one/PyNew_First.3" >"$work/page"
try 'and shows what the header says' diff "$work/expected" "$work/page"
exit $status
