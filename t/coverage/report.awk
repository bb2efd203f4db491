# report.awk: a table of what was run, and whether it is enough.  Reads what
# lines.awk wrote; -v missing=FILE is where the lines go that were not run.

BEGIN {
    FS = "\t"
    least["lib/gc"] = 95
    least["lib"] = 90
}

function count(name) {
    total[name]++
    covered[name] += $3
}

{
    split($1, part, "/")
    if (!($1 in total))
        files[++n_files] = $1
    count($1)
    count(part[1])
    if (part[1] == "lib")
        count("lib/" part[2])
}

part[1] == "lib" && $3 == 0 {
    print $1 ":" $2 ": " $4 ": " $5 >missing
}

function percent(name) {
    return 100 * covered[name] / total[name]
}

function row(name) {
    printf "%6.2f %6d of %6d  %s\n", percent(name), covered[name],
        total[name], name
}

function enough(name,   good) {
    good = total[name] > 0 && percent(name) >= least[name]
    printf "%sok - %s: %.2f percent of the lines, at least %d are asked for\n",
        good ? "" : "not ", name, percent(name), least[name]
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
}
