#!/bin/sh
# html.sh: the manual for browsers.  Every document and every name has its
# place in it, every link leads somewhere, every page can be reached from the
# first and is valid HTML.  Without the tools make html says what to install.
set -u

: "${builddir=.}" "${MAKE=make}" "${AWK=awk}" "${srcdir=.}"
LC_ALL=C
export LC_ALL
links=$(cd "$srcdir/t" && pwd)/links.awk
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
unset MAKEFLAGS MAKELEVEL

# try WHAT COMMAND...: the command succeeds; otherwise shows what it said.
try() {
    what=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        head -n 20 "$work/output"
        status=1
    fi
}

# none WHAT COMMAND...: the command says nothing.
none() {
    what=$1
    shift
    try "$what" silent "$@"
}

silent() {
    ! "$@" 2>&1 | grep .
}

says_what_to_install() {
    $MAKE clean-html && ! $MAKE html CMARK= >"$work/said" 2>&1 &&
        grep 'apt-get install cmark-gfm' "$work/said" &&
        ! test -e html/index.html
}

# The documents that have no page, or one without a title.
pageless() {
    for document in "$sources"/doc/*.md; do
        page=html/$(basename "$document" .md).html
        grep -q '<title>[^<]' "$page" || echo "$page"
    done
}

# The names with a manual page that do not stand in the page of all names.
nameless() {
    (cd man/man3 && ls) | sed -n 's/\.3$//p' | grep -v '^Python\.h$' |
        sort >"$work/pages"
    sed -n 's,^<li><a href="[^"]*#\(.*\)">\1</a></li>$,\1,p' \
        html/names.html | sort -u | comm -23 "$work/pages" -
}

# The pages that no chain of links leads to from the first.
lost() {
    echo index.html >"$work/reached"
    while :; do
        sort -u "$work/reached" >"$work/known"
        xargs sed -n 's/<a [^>]*href="\([^"#:]*\.html\)/\n\1\n/gp' \
            <"$work/known" | grep '^[-A-Za-z_.0-9]*\.html$' |
            sort -u - "$work/known" >"$work/reached"
        cmp -s "$work/known" "$work/reached" && break
    done
    ls *.html | comm -23 - "$work/known"
}

# links_to PAGE TEXT: the page has this link.
links_to() {
    grep -qF "$2" "$1"
}

sources=$(cd "$srcdir" && pwd)
cd "$builddir" || exit
try 'without cmark-gfm make html says what to install' says_what_to_install
if ! command -v cmark-gfm >/dev/null || ! command -v mandoc >/dev/null; then
    echo '# no cmark-gfm or no mandoc: the pages are not made'
    exit $status
fi

try 'make html' $MAKE html
none 'every document has a page' pageless
none 'every name with a manual page is among all names' nameless
cd html || exit
echo "# $(ls *.html | wc -l) pages," \
    "$(cat *.html | grep -o '<a ' | wc -l) links"
none 'every link leads somewhere, no mark is set twice' \
    $AWK -f "$links" *.html
none 'every page can be reached from the first' lost
try 'names in the documents are links' links_to hosts.html \
    '<code><a href="PyBoehm_Adopt.html#PyBoehm_Adopt">PyBoehm_Adopt</a>(op)'
try 'names in the listings, too' links_to tutorial.html \
    '<a href="PyObject_GC_New.html#Py_VISIT">Py_VISIT</a>(node-&gt;value);'
try 'and in declarations' links_to PyObject_GC_New.html \
    '#define <a href="PyObject_GC_New.html#Py_VISIT">Py_VISIT</a>'
try 'which lead to where the name is explained' links_to \
    PyObject_GC_New.html '<p><code><a id="Py_VISIT"></a>'
try 'slots are links' links_to tutorial.html \
    '<code><a href="PyTypeObject.html#tp_traverse">tp_traverse</a></code>'
try 'headers are links' links_to hosts.html \
    '<a href="Python.h.html#pystate.h">'
try 'a long line of a report is broken' links_to audit.html \
    '<pre><code><span class="long">audit.OneOfTwo+24 (second) refers to list'
try 'plots are shown' links_to performance.html \
    'src="curves/live-chain.svg"'
if command -v tidy >/dev/null; then
    none 'every page is valid HTML' tidy -e -q -utf8 *.html
else
    echo '# no tidy: the HTML is not checked'
fi
exit $status
