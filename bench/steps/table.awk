# table.awk: the tables of doc/performance.md, in Markdown.  Reads, of each of
# the three graphs, what profile.awk printed, in a file of the graph's name; ns
# of a collection, in a file ns with lines GRAPH<tab>NS; and what bandwidth
# printed of two working sets: "bodies", as large as the objects, and "counts",
# as large as the array of their counts.

BEGIN {
    FS = "\t"
    graphs = split("chain random pairs", graph, " ")
    steps = split("count reach condemn Boehm teardown", step, " ")
    paths = split("new,track,untrack,del,visit in count,visit in reach", path,
                  ",")
    count_bytes = 4 * body / 32
    line_bytes = 64 * body / 1024
}

FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
}
file == "ns" {
    ns[$1] = $2
    next
}
file == "bodies" || file == "counts" {
    memory[file, $1] = $2
    next
}
{
    key = file SUBSEP $1 SUBSEP $2
    met[$1, $2] = 1
    ir[key] = $3
    d1[key] = $4
    ll[key] = $5
    calls[key] = $6
}

# row TEXT KIND NAME: a row of three columns for each graph.
function row(text, kind, name, i, key, line) {
    line = "| " text " |"
    for (i = 1; i <= graphs; i++) {
        key = graph[i] SUBSEP kind SUBSEP name
        line = line (key in ir ? sprintf(" %.1f | %.2f | %.2f |", ir[key],
                                         d1[key], ll[key]) : " | | |")
    }
    print line
}

function head(text, i, first, second) {
    first = "| " text " |"
    second = "|---|"
    for (i = 1; i <= graphs; i++) {
        first = first " " graph[i] ": instructions | D1 | LL |"
        second = second "---|---|---|"
    }
    print "\n" first "\n" second
}

# What is not in any step.
function add_rest(i, j, all, rest) {
    for (i = 1; i <= graphs; i++) {
        all = graph[i] SUBSEP "step" SUBSEP "all"
        rest = graph[i] SUBSEP "step" SUBSEP "rest"
        ir[rest] = ir[all] + 0.01 # no minus before a zero
        d1[rest] = d1[all] + 0.001
        ll[rest] = ll[all] + 0.001
        for (j = 1; j <= steps; j++) {
            key = graph[i] SUBSEP "step" SUBSEP step[j]
            ir[rest] -= ir[key]
            d1[rest] -= d1[key]
            ll[rest] -= ll[key]
        }
    }
}

# In ns: bytes met in order, of which some are written, too; and lines met in
# no order.
function limit(which, name, read, update, lines, where, i) {
    wanted[which, name] = sprintf("%.0f read, %.0f updated", read, update)
    if (lines)
        wanted[which, name] = wanted[which, name] ", " lines \
            (lines == 1 ? " line of" : " lines of") " " where
    least[which, name] = read / memory["bodies", "read"] + \
        update / memory["bodies", "update"] + \
        (lines ? lines * memory[where, "random"] : 0)
    sum[which] += least[which, name]
}

# What has to be touched for each object, each thing once in a step: its body;
# its count, and those of what it refers to; its line; its place in the set.
function limits() {
    limit("chain", "count", body + line_bytes, count_bytes, 0)
    limit("chain", "reach", body + line_bytes, count_bytes, 0)
    limit("random", "count", body + line_bytes, count_bytes, 3, "counts")
    limit("random", "reach", line_bytes, count_bytes, 3, "counts")
    # Bodies are met in the order in which they are reached.
    sum["random"] += memory["bodies", "random"]
    least["random", "reach"] += memory["bodies", "random"]
    wanted["random", "reach"] = wanted["random", "reach"] ", 1 line of bodies"
    limit("pairs", "count", body + line_bytes, count_bytes, 0)
    limit("pairs", "reach", line_bytes + count_bytes, 0, 0)
    limit("pairs", "condemn", count_bytes, line_bytes + 8, 0)
    limit("pairs", "teardown", 8, body + line_bytes, 0)
}

function print_limits(i, j) {
    print "\n| limit | step | bytes that must be touched | ns | measured, ns |"
    print "|---|---|---|---|---|"
    limits()
    for (i = 1; i <= graphs; i++) {
        for (j = 1; j <= steps; j++)
            if ((graph[i], step[j]) in least)
                printf "| %s | %s | %s | %.1f | |\n", graph[i], step[j],
                    wanted[graph[i], step[j]], least[graph[i], step[j]]
        printf "| %s | all | | %.1f | %.1f |\n", graph[i], sum[graph[i]],
            ns[graph[i]]
    }
}

function print_memory() {
    print "\n| working set | read, GB/s | update, GB/s | a line in no order," \
        " ns | the same, known before, ns |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= split("bodies counts", set, " "); i++)
        printf "| %s, %.0f MiB | %s | %s | %s | %s |\n", set[i],
            n * (i == 1 ? body : count_bytes) / 1048576,
            memory[set[i], "read"], memory[set[i], "update"],
            memory[set[i], "latency"], memory[set[i], "random"]
}

function must_be_met(kind, name) {
    if ((kind, name) in met)
        return
    print "steps: no function of \"" name "\" was called: functions.txt" \
        " does not know the library" >"/dev/stderr"
    failed = 1
}

END {
    print n " objects of " body " bytes; D1 " d1_is \
        ", LL " ll_is ".  Each figure is for one object."
    add_rest()
    head("step")
    for (i = 1; i <= steps; i++) {
        row(step[i], "step", step[i])
        must_be_met("step", step[i])
    }
    row("rest", "step", "rest")
    row("all", "step", "all")
    head("for each call")
    for (i = 1; i <= paths; i++) {
        row(path[i], "path", path[i])
        must_be_met("path", path[i])
    }
    print_limits()
    print_memory()
    exit failed
}
