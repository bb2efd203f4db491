# bounds.awk: bounds.txt and then the costs that cost.awk prints: a new
# bounds.txt, with a new column for this compiler and the others as they were.

BEGIN { FS = OFS = "\t" }

FNR == NR && /^#/ {
    sub(/bdw-gc [0-9.]+/, boehm)
    print
    next
}

FNR == NR && $1 == "name" {
    for (i = 2; i <= NF; i++)
        if ($i == compiler)
            column = i
    columns = NF
    if (!column)
        $(column = ++columns) = compiler
    print
    next
}

FNR == NR {
    old[$1] = $0
    next
}

{
    cost = $2
    $0 = $1 in old ? old[$1] : $1
    for (i = 2; i <= columns; i++)
        if ($i == "")
            $i = "-"
    $column = cost
    print
}
