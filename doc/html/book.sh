#!/bin/sh
# book.sh OUT DOCUMENT...: writes the manual for browsers into the directory
# OUT: the documents, which are Markdown, and the reference, from what the
# manual pages are made of.  make html calls it, with the headers in $headers
# and the manual pages that are written by hand in $manuals, without $srcdir.
#
#   OUT/NAME.html   one page each, style.css, the pictures of the documents
#
# First every page is a body, in a directory of its own, without contents and
# without links between names; link.awk makes these, frame.awk those.
set -eu

: "${srcdir=.}" "${AWK=awk}" "${CMARK=cmark-gfm}" "${MANDOC=mandoc}"
: "${version=}" "${headers=}" "${manuals=}"
here=$srcdir/doc/html
out=$1
shift
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bodies"

# Where a document stands in the book; what is not named here is a tool.
part() {
    case $1 in
    index) echo 0 Start ;;
    tutorial) echo 1 Guide ;;
    pyboehm) echo 2 Guide ;;
    hosts) echo 3 Guide ;;
    audit) echo 4 Tools ;;
    holders | pictures | statistics | gdb) echo 5 Tools ;;
    performance) echo 7 Facts ;;
    conformance) echo 8 Facts ;;
    NEWS) echo 9 Facts ;;
    *) echo 6 Tools ;;
    esac
}

# man/pyboehm.7 is pyboehm(7).
title() {
    basename "$1" | sed 's/\.\(.\)$/(\1)/'
}

name() {
    basename "$1" .md
}

# NEWS and the like, as Markdown.
news() {
    echo '# News'
    sed -E -e 's/^[0-9][0-9.]*.*/## &/' \
        -e 's,(doc/)?[A-Za-z_]+\.(h|md)|[A-Za-z.]*_[A-Za-z_0-9]*,`&`,g' "$1"
}

# A table scrolls by itself; what a terminal shows is told from code.
markdown() {
    "$CMARK" --extension table | sed -e 's,^<table>,<div class="wide">&,' \
        -e 's,^</table>,&</div>,' \
        -e 's,^<pre><code>\$ ,<pre class="terminal"><code>$ ,'
}

# manual PAGE: one for man.
manual() {
    "$MANDOC" -T html -O fragment "$1" |
        $AWK -v title="$(title "$1")" -f "$here/manual.awk"
}

# The files that the documents show or lead to, as in ](curves/build.svg).
pictures() {
    sed 's/](/\n&/g' "$@" |
        sed -n 's,^](\([a-z]*/[^)]*\.svg\)).*,\1,p' | sort -u
}

# body NAME: what comes in, with its links.
body() {
    $AWK -f "$here/link.awk" "$work/names" - >"$work/$1.body"
}

$AWK -f "$srcdir/man/headers.awk" -f "$srcdir/man/leads.awk" \
    -f "$srcdir/man/pages.awk" -f "$srcdir/man/html.awk" \
    -v out="$work/bodies" $(for header in $headers; do
        echo "$srcdir/$header"
    done)
for document; do
    echo "$(name "$document").md	$(name "$document").html"
done | sort - "$work/bodies/names" >"$work/names"
echo "Python.h	Python.h.html" >>"$work/names"
for page in $manuals; do
    case $page in
    *.1) echo "$(basename "$page" .1)	$(basename "$page").html" ;;
    esac
done >>"$work/names"

for page in "$work"/bodies/*.body; do
    body "$(basename "$page" .body)" <"$page"
done
for page in $manuals; do
    manual "$srcdir/$page" | body "$(basename "$page")"
done
$AWK -f "$here/names.awk" "$work/names" >"$work/names.body"
for document; do
    case $document in
    *NEWS) news "$document" ;;
    *) cat "$document" ;;
    esac | markdown | body "$(name "$document")"
done

for document; do
    echo "$(part "$(name "$document")") $(name "$document")"
done | sort -s -k 1,1 |
    while read -r _ part name; do
        echo "$name	$part"
    done >"$work/book"
{
    for page in $manuals; do
        echo "$(basename "$page")	Reference"
    done
    echo "Python.h	Reference"
    echo "names	Reference"
    $AWK '{ print $1 "\t\t" $2 }' "$work/bodies/sections"
} >>"$work/book"

rm -rf "$out"
mkdir -p "$out"
$AWK -f "$here/frame.awk" -v work="$work" -v out="$out" -v version="$version" \
    "$work/book"
cp "$here/style.css" "$out"
pictures "$@" | while read -r picture; do
    mkdir -p "$out/${picture%/*}"
    cp "$srcdir/doc/$picture" "$out/$picture"
done
