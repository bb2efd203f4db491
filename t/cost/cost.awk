# cost.awk: from the names of the segments, as cost prints them, and what
# callgrind has dumped of each, instructions per operation, as lines
#
#   NAME<tab>INSTRUCTIONS
#
# or, with cache=1, where the caches were simulated:
#
#   NAME<tab>INSTRUCTIONS<tab>MISSES IN D1<tab>MISSES IN LL

BEGIN { FS = "\t" }

FNR == NR {
    name[FNR] = $1
    operations[FNR] = $2
    names = FNR
    next
}

# Ir, with caches Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw; zeros at the end are
# left out.
/^totals: / {
    split($0, total, " ")
    instructions[++segments] = total[2]
    d1[segments] = total[6] + total[7]
    ll[segments] = total[9] + total[10]
}

function slope(of, i, j) {
    return (of[j] - of[i]) / (operations[j] - operations[i])
}

# What follows the last segment is the end of the program.
END {
    if (names == 0 || segments != names + 1) {
        print "cost.awk: " names + 0 " names, " segments + 0 " segments" \
            >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= names; i++)
        if (name[i] == "-")
            continue
        else if (!(name[i] in first))
            first[name[i]] = i
        else if (cache)
            printf "%s\t%.1f\t%.3f\t%.3f\n", name[i],
                slope(instructions, first[name[i]], i),
                slope(d1, first[name[i]], i), slope(ll, first[name[i]], i)
        else
            printf "%s\t%.1f\n", name[i],
                slope(instructions, first[name[i]], i)
}
