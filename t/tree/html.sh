#!/bin/sh
# html.sh: the manual for browsers.  Every document and every name has its
# place in it, every link leads somewhere, every page can be reached from the
# first, the index has a box that filters it.  Without the tools, as configure
# found them, make html says what to install.
set -u

: "${builddir=.}" "${MAKE=make}" "${AWK=awk}" "${srcdir=.}" "${have_html=yes}"
LC_ALL=C
export LC_ALL
links=$(cd "$srcdir/t/tree" && pwd)/links.awk
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
    $MAKE clean-html && ! $MAKE html have_html=no >"$work/said" 2>&1 &&
        grep 'apt-get install furo pandoc.*; then run configure again' \
            "$work/said" &&
        ! test -e html/index.html
}

# The documents that have no page, or one without a title.  The one for readers
# of the code is in the sources only.
pageless() {
    for document in "$sources"/doc/*.md; do
        page=html/$(basename "$document" .md).html
        test "$page" != html/internals.html || continue
        grep -q '<title>[^<]' "$page" || echo "$page"
    done
}

# The names with a manual page that do not stand in the index.
nameless() {
    (cd man/man3 && ls) | sed -n 's/\.3$//p' | grep -v '^Python\.h$' |
        sort >"$work/pages"
    sed -n 's,.*<li><a href="[^"]*#\(.*\)">\1</a>.*,\1,p' \
        html/genindex.html | sort -u | comm -23 "$work/pages" -
}

# The pages that no chain of links leads to from the first.
lost() {
    echo index.html >"$work/reached"
    while :; do
        sort -u "$work/reached" >"$work/known"
        xargs sed -En 's/ (href|action)="([^"#:]*\.html)/\n\2\n/gp' \
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

# filtered TEXT: the index as a browser has it with this in the box: what it
# counts, and the names that are left.
filtered() {
    HOME=$work timeout 100 "$chromium" --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --virtual-time-budget=2000 --dump-dom \
        "file://$PWD/genindex.html?filter=$1" 2>/dev/null |
        sed -n -e 's/.*<output>\([^<]*\)<.*/\1/p' \
            -e 's/.*<li><a[^>]*>\(Py[^<]*\)<.*/\1/p'
}

# filters TEXT EXPECTED: so the index is with TEXT in the box.
filters() {
    filtered "$1" | sed 's/ of [0-9]*//' >"$work/filtered"
    echo "$2" | diff - "$work/filtered"
}

sources=$(cd "$srcdir" && pwd)
cd "$builddir" || exit
try 'without the tools make html says what to install' says_what_to_install
if test "$have_html" != yes; then
    echo '# configure found no Sphinx or no pandoc: the pages are not made'
    exit $status
fi

try 'make html' $MAKE html SPHINXOPTS=-W
none 'every document has a page' pageless
none 'every name with a manual page is in the index' nameless
cd html || exit
echo "# $(ls *.html | wc -l) pages," \
    "$(cat *.html | grep -o '<a ' | wc -l) links"
none 'every link leads somewhere, no mark is set twice' \
    $AWK -f "$links" *.html
none 'every page can be reached from the first' lost
try 'names in the documents are links' links_to hosts.html \
    '<a href="PyBoehm_Adopt.html#PyBoehm_Adopt">PyBoehm_Adopt</a>(op)'
try 'names in the listings, too' links_to tutorial.html \
    '<a href="PyObject_GC_New.html#Py_VISIT">Py_VISIT</a>(node-&gt;value);'
try 'and in declarations' links_to PyObject_GC_New.html \
    '#define <a href="PyObject_GC_New.html#Py_VISIT">Py_VISIT</a>'
try 'which lead to where the name is explained' links_to \
    PyObject_GC_New.html '<p><strong><span id="Py_VISIT">'
try 'slots are links' links_to tutorial.html \
    '<a href="PyTypeObject.html#tp_traverse">tp_traverse</a></span></code>'
try 'headers are links' links_to hosts.html \
    '<a href="Python.h.html#pystate.h">'
try 'a long line of a report is broken' links_to audit.html '<pre class="long">'
try 'the index has a box' links_to genindex.html \
    '<script defer="defer" src="_static/filter.js">'
chromium=$(command -v chromium || command -v chromium-browser)
if test -z "$chromium" || test -z "$(filtered '')"; then
    echo '# no chromium that starts: the box is not tried'
else
    try 'which filters by words' filters 'New+weakref' '2 names
PyWeakref_NewProxy
PyWeakref_NewRef'
    try 'and shows when there is nothing' filters 'no+such+name' '0 names'
fi
try 'plots are shown' links_to performance.html \
    'src="_images/live-chain.svg"'
exit $status
