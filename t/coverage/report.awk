# report.awk: a table of what was run, and whether it is enough.  Reads
# uncovered.txt, then what lines.awk wrote; with strict=1 an explanation that
# explains nothing is a failure, else it is only shown.

BEGIN {
    FS = "\t"
    least["lib/gc"] = 95
    least["lib"] = 90
}

function check(good, text) {
    print (good ? "ok - " : "not ok - ") text
}

# The explanations: paragraphs at the margin, and indented below each what it
# explains: FILE: FUNCTION: TEXT is that line, FILE: FUNCTION... are all lines
# of these functions.  In lib/gc each line must be given.

FNR == 1 {
    reading++
}

reading == 1 && /^    / {
    colon = index($0, ": ")
    file = substr($0, 5, colon - 5)
    rest = substr($0, colon + 2)
    if (!reasoned || !colon || file ~ /^lib\/gc\// && rest !~ /: ./)
        bad[++n_bad] = substr($0, 5)
    if (rest ~ /: ./) {
        used[file ": " rest] = 0
    } else {
        n = split(rest, names, " ")
        for (i = 1; i <= n; i++)
            used[file ": " names[i]] = 0
    }
}

reading == 1 {
    if ($0 !~ /^    /)
        reasoned = $0 != "" && $0 !~ /^#/ || reasoned && $0 != ""
    next
}

# The lines.

{
    split($1, part, "/")
    room = part[1] == "lib" ? part[1] "/" part[2] : part[1]
    total[$1]++
    total[room]++
    total[part[1]]++
    covered[$1] += $3
    covered[room] += $3
    covered[part[1]] += $3
    if (!($1 in seen)) {
        seen[$1] = 1
        files[++n_files] = $1
    }
}

part[1] == "lib" && $3 == 0 {
    whole = $1 ": " $4
    exact = whole ": " $5
    if (exact in used)
        used[exact]++
    else if (whole in used)
        used[whole]++
    else
        new[++n_new] = $1 ":" $2 ": " $4 ": " $5
}

function percent(name) {
    return 100 * covered[name] / total[name]
}

function row(name) {
    printf "%6.2f %6d of %6d  %s\n", percent(name), covered[name],
        total[name], name
}

function enough(name) {
    check(total[name] > 0 && percent(name) >= least[name],
        sprintf("%s: %.2f percent of the lines, at least %d are asked for",
            name, percent(name), least[name]))
}

END {
    print "percent   lines run"
    for (i = 1; i <= n_files; i++)
        row(files[i])
    print ""
    row("lib/gc")
    row("lib/runtime")
    row("lib/object")
    row("lib/types")
    row("lib/watch")
    row("lib")
    print ""
    enough("lib/gc")
    enough("lib")

    for (i = 1; i <= n_bad; i++)
        print "uncovered.txt: no reason or no text: " bad[i]
    check(!n_bad, "uncovered.txt is in order")
    for (i = 1; i <= n_new; i++)
        print "not run, not explained: " new[i]
    check(!n_new, "each line that is not run is explained")
    for (entry in used)
        if (!used[entry]) {
            print "explained, but run: " entry
            n_stale++
        }
    check(!n_stale || !strict, "each explanation explains something")
}
