#!/bin/sh
# report.sh: the heap as a page.  It is written when the program ends, whichever
# way; its data are JSON; and where there is a Chromium, that shows the tables,
# the picture of owners and the difference between two reports.
set -u

: "${srcdir=.}" "${builddir=.}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
shop=$builddir/t/watch/shop

# verdict WHAT: says whether the last command succeeded.
verdict() {
    if test $? = 0; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        status=1
    fi
}

# report NAME ARGUMENT...: the program writes a report of that name.
report() {
    name=$1
    shift
    PYBOEHM_REPORT=$work/$name "$shop" "$@" 2>"$work/said"
}

# ----------------------------------------------------------------------
# When it is written

report end.html 10 && grep -q '^{"pyboehm_report": 1,' "$work/end.html"
verdict 'Py_Finalize writes the report'
report exit.html 10 exit && grep -q '"Order",10,' "$work/exit.html"
verdict 'so does a program that ends without'
report detached.html 10 detached &&
    grep -q '"Order",10,' "$work/detached.html"
verdict 'and one whose thread is detached'
report thread.html 10 thread && ! test -e "$work/thread.html" &&
    grep -q '^pyboehm: PYBOEHM_REPORT: nothing is written: ' "$work/said"
verdict 'where it cannot, a line says why'
report heap.txt 10 && grep -q \
    "^pyboehm: PYBOEHM_REPORT: $work/heap.txt is a page in HTML: " "$work/said"
verdict 'a name that promises something else is told of'
report fork.html 10 fork && ! test -e "$work/fork.html"
verdict 'a child of fork does not write it'
report none/end.html 10 && grep -q \
    "^pyboehm: PYBOEHM_REPORT: $work/none/end.html: " "$work/said"
verdict 'a file that cannot be written is named'
echo old >"$work/whole"
(
    ulimit -f 1
    trap '' XFSZ
    PYBOEHM_REPORT=$work/whole exec "$shop" 10 2>"$work/said"
)
grep -q '^OSError: .*too large' "$work/said" &&
    test "$(cat "$work/whole")" = old
verdict 'what was there stays where writing fails'
test -z "$(find "$work" -name '*.part')"
verdict 'nothing is left beside the file'
PYBOEHM_REPORT=$work/none.folded "$shop" 10 2>"$work/said"
grep -q 'RuntimeError: .*PYBOEHM_TRACE' "$work/said" &&
    ! test -e "$work/none.folded"
verdict 'without PYBOEHM_TRACE there are no folded stacks'
if PYBOEHM_TRACE=8 report sites.folded 50 && test -s "$work/sites.folded"; then
    ! grep -qvE '^[^;]+(;[^;]+)* [0-9]+$' "$work/sites.folded" &&
        grep -qE '(^|;)main;shop_fill;.* [0-9]+$' "$work/sites.folded" &&
        ! grep -q '^_start' "$work/sites.folded"
    verdict 'with it each line has functions and bytes'
else
    grep 'no backtrace' "$work/said" || false
    verdict 'without backtrace that is said'
fi

# ----------------------------------------------------------------------
# What it is

! grep -v 'http://www.w3.org/2000/svg' "$work/end.html" |
    grep -qE 'https?:|src=|@import|url\('
verdict 'the page loads nothing'
test "$(grep -c '</script>' "$work/end.html")" = 2
verdict 'no text ends the data'
if command -v python3 >/dev/null; then
    python3 - "$work/end.html" <<'END'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data = re.search(r'id="heap">\n(.*?)</script>', page, re.S)[1]
report = json.loads(data)
types, listed = report["types"], report["listed"]
assert sum(row[1] + row[7] for row in types) == report["objects"]
assert sum(row[2] + row[8] for row in types) == report["bytes"]
assert len(listed) == report["objects"]
# What an object retains is its own bytes and what those that it keeps retain.
sums = [row[2] for row in listed]
for row in listed:
    if row[7] >= 0:
        sums[row[7]] += row[3]
assert sums == [row[3] for row in listed]
assert any("</script>" in row[9] for row in listed)
END
    verdict 'another program reads the data, and they add up'
fi

# ----------------------------------------------------------------------
# What a browser makes of it

chromium=$(command -v chromium || command -v chromium-browser) || {
    echo '# no chromium: the page is not looked at'
    exit $status
}
HOME=$work
export HOME

# look NAME#PLACE: the page as the browser has it when its script has run.
look() {
    timeout 100 "$chromium" --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --virtual-time-budget=2000 --dump-dom \
        "file://$work/$1" >"$work/shown" 2>"$work/said"
}

# shows TEXT: the page has this text.
shows() {
    grep -qF -- "$1" "$work/shown"
}

PYBOEHM_TRACE=8 report page.html 10
if ! look page.html; then
    echo '# this chromium does not start: the page is not looked at'
    exit $status
fi
shows '<table id="types-table">' && shows '>Order</a>'
verdict 'types are shown'
! shows '>wrapper_descriptor</a>'
verdict "what is pyboehm's own is not"
cut=$(awk '/^\["0x/ && /,"10 items",/ { print n; exit }
    /^\["0x/ { n++ }
    /^"listed"/ { n = 0 }' "$work/page.html")
look "page.html#objects/$cut"
shows '<table id="objects-table">' && shows '10 items'
verdict 'objects are shown'
# The program's own bytes are what the page has as their sum.
share=$(awk -F, -v "cut=$cut" '
    /^\["0x/ { if (n++ == cut) { printf "%.1f", 100 * $4 / bytes; exit } }
    /^\["/ && !/^\["0x/ { bytes += $3 }
    /^"listed"/ { n = 0 }' "$work/page.html")
shows "$share$(printf '\302\240')% of all" || shows "$share&nbsp;% of all"
verdict 'so is which part of the bytes one retains'
report many.html 5000 && look 'many.html#objects' &&
    n=$(awk -F, '/^\["0x/ { exit } /^\["/ { n += $2 } END { print n }' \
        "$work/many.html") &&
    sed "s/$(printf '\342\200\257')//g" "$work/shown" >"$work/digits" &&
    grep -qF " listed, of $n<" "$work/digits"
verdict 'so is of how many of the program some are listed'
order=$(awk '/^\["0x/ && /\[\[[0-9]+,"\[7\]"\]\]/ { print n; exit }
    /^\["0x/ { n++ }
    /^"listed"/ { n = 0 }' "$work/page.html")
look "page.html#keeps/$order"
shows '<code id="way">list[7]</code>' && shows '<svg id="owners"' &&
    shows 'class="place"' && shows '>[7]</text>' &&
    shows '<ol class="path" id="keepers">'
verdict 'so are the way to an object, its owners, and what keeps it'
if grep -q '^\[[0-9]*,[0-9]*,\["' "$work/page.html"; then
    look 'page.html#sites'
    shows '<svg role="img"' && shows '>shop_fill</text>'
    verdict 'allocations are a flame graph'
fi
"$shop" 20 twice "$work/first.html" "$work/second.html" && {
    sed '/^<\/body>/,$d' "$work/second.html"
    # Its text is not to end the script that it stands in.
    echo '<script type="text/plain" id="earlier-text">'
    sed 's/</{/g' "$work/first.html"
    echo '</script><script>window.pyboehm.compare('
    echo "document.getElementById('earlier-text').textContent"
    echo ".replace(/{(?=[a-z/!])/g, '<'), 'first.html')</script></body></html>"
} >"$work/both.html"
look both.html
shows 'Compared with shop, process ' && shows '>+7</td>'
verdict 'two reports are compared'
exit $status
