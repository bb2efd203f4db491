#!/bin/sh
# graph.sh: pyboehm-graph turns what a program has written into pictures; what
# is written for programs is JSON.
set -u

: "${srcdir=.}" "${builddir=.}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
draw="sh $srcdir/tools/pyboehm-graph"
# Any program that calls Py_Finalize.
program=$builddir/t/watch/check_watch_graph
CK_FORK=no CK_RUN_CASE=a_cycle CK_VERBOSITY=silent
export CK_FORK CK_RUN_CASE CK_VERBOSITY

# verdict WHAT: says whether the last command succeeded.
verdict() {
    if test $? = 0; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        status=1
    fi
}

# says TEXT COMMAND...: the command fails and says so.
says() {
    text=$1
    shift
    if "$@" >"$work/out" 2>"$work/said"; then
        false
    else
        grep -q "$text" "$work/said"
    fi
    verdict "$text"
}

PYBOEHM_GRAPH=$work/graph.dot "$program" >/dev/null 2>&1 &&
    grep -q '^digraph pyboehm' "$work/graph.dot"
verdict 'PYBOEHM_GRAPH writes DOT'
PYBOEHM_GRAPH=$work/graph.json "$program" >/dev/null 2>&1 &&
    grep -q '^{"pyboehm_graph": 1,' "$work/graph.json"
verdict 'PYBOEHM_GRAPH writes JSON'
PYBOEHM_GRAPH=$work/graph.svg "$program" 2>&1 |
    grep -q "^pyboehm: PYBOEHM_GRAPH: $work/graph.svg is a graph in DOT, not a" &&
    ! PYBOEHM_GRAPH=$work/graph.dot "$program" 2>&1 | grep -q 'not a picture'
verdict 'PYBOEHM_GRAPH says if what it writes is no picture'
PYBOEHM_GRAPH=$work/none/graph.dot "$program" 2>&1 |
    grep -q "^pyboehm: PYBOEHM_GRAPH: $work/none/graph.dot: "
verdict 'PYBOEHM_GRAPH says if it cannot write'
PYBOEHM_GRAPH=/dev/stdout "$program" 2>/dev/null |
    grep -q '^digraph pyboehm' && test -h /dev/stdout
verdict 'PYBOEHM_GRAPH writes to standard output'
echo old >"$work/target" && ln -s target "$work/link"
PYBOEHM_GRAPH=$work/link "$program" 2>&1 |
    grep -q "^pyboehm: PYBOEHM_GRAPH: $work/link: " &&
    test "$(cat "$work/target")" = old
verdict 'PYBOEHM_GRAPH does not follow a link'
echo old >"$work/whole.json"
(
    ulimit -f 1
    trap '' XFSZ
    PYBOEHM_GRAPH=$work/whole.json exec "$program" 2>&1
) | grep -q '^OSError: .*too large' && test "$(cat "$work/whole.json")" = old
verdict 'what was there stays where PYBOEHM_GRAPH fails'
test -z "$(find "$work" -name '*.part')"
verdict 'PYBOEHM_GRAPH leaves nothing beside the file'
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
graph = json.load(open(sys.argv[1]))
nodes = graph["nodes"]
assert graph["pyboehm_graph"] == 1 and len(nodes) > 100
assert all(0 <= edge.get("to", 0) < len(nodes)
           for node in nodes for edge in node["edges"])' "$work/graph.json"
    verdict 'another program reads the JSON'
fi

says 'no graph, and no program' $draw
says 'unknown option --nonsense' $draw --nonsense
says 'unknown option -x' $draw -x
says 'o needs an argument' $draw -o
says 'one graph at a time' $draw "$work/graph.dot" "$work/other.dot"
says 'one graph at a time' $draw "$work/graph.dot" -- "$program"
says 'unknown option -x' $draw "$work/graph.dot" -x
$draw --help | grep -q '^usage: pyboehm-graph'
verdict '--help says what there is'
test "$($draw --version)" = "pyboehm-graph $VERSION"
verdict '--version is that of the library'
if command -v dot >/dev/null; then
    $draw "$work/graph.dot" >"$work/picture" && grep -q '</svg>' "$work/picture"
    verdict 'DOT becomes SVG'
    $draw -o "$work/by.name.png" "$work/graph.dot" &&
        head -c 4 "$work/by.name.png" | grep -aq PNG
    verdict 'the name of the picture says its format'
    $draw "$work/graph.dot" -o "$work/behind.png" &&
        head -c 4 "$work/behind.png" | grep -aq PNG
    verdict 'options may stand behind the graph'
    says 'dot writes no html' $draw -o "$work/x.html" "$work/graph.dot"
    says 'dot writes no foo' $draw -T foo "$work/graph.dot"
    $draw -T png -o "$work/picture" "$work/graph.dot" &&
        head -c 4 "$work/picture" | grep -aq PNG
    verdict 'DOT becomes PNG'
    $draw -o "$work/picture" -- "$program" 2>/dev/null &&
        grep -q '</svg>' "$work/picture"
    verdict 'a program is drawn'
    mkdir "$work/tmp"
    TMPDIR=$work/tmp timeout -s INT 1 $draw -- sleep 5
    test -z "$(ls "$work/tmp")"
    verdict 'an interrupted one leaves nothing'
    says 'cannot be read' $draw "$work/none.dot"
    says 'no graph in DOT that pyboehm has written' $draw "$work/graph.json"
    says 'status 0, and no graph: it does not use pyboehm' $draw -- true
    says 'nowhere: not found' $draw -- "$work/nowhere"
    $draw -- "$work/nowhere" 2>/dev/null
    test $? = 127
    verdict 'the status is 127 where there is no program, as in a shell'
    says 'cannot be written' $draw -o "$work/none/x.svg" "$work/graph.dot"
    $draw -- sh -c "$program; exit 3" >/dev/null 2>&1
    test $? = 3
    verdict "its status is the program's"
else
    says "needs Graphviz's dot" $draw "$work/graph.dot"
fi
exit $status
