# judge.awk: bounds.txt and then the costs that cost.awk prints: a line "ok" or
# "not ok" for each of them.

BEGIN { FS = "\t" }

FNR == NR && /^#/ {
    if (index($0, boehm))
        known = 1
    next
}

FNR == NR && $1 == "name" {
    for (i = 2; i <= NF; i++)
        if ($i == compiler)
            column = i
    next
}

FNR == NR {
    for (i = 2; i <= NF; i++)
        if ($i + 0 > largest[$1])
            largest[$1] = $i + 0
    own[$1] = column ? $column + 0 : 0
    next
}

function report(ok, text) {
    print (ok ? "ok - " : "not ok - ") text
    failed += !ok
}

{
    seen[$1] = 1
    strict = known && own[$1] > 0
    most = strict ? own[$1] * 1.02 + 0.5 : largest[$1] * 1.25
    if (!($1 in own))
        report(0, $1 ": bounds.txt has no bound")
    else
        report($2 + 0 <= most, sprintf("%s: %s instructions, at most %.1f",
                                       $1, $2, most))
    if (strict && $2 < own[$1] * 0.98 - 0.5)
        print "# " $1 ": less than bounds.txt says, " own[$1] \
            ": make cost-bounds"
}

END {
    for (name in own)
        if (!(name in seen))
            report(0, name ": nobody measures it")
    exit failed > 0
}
