# cost.awk: from the names of the segments, as cost prints them, and what
# callgrind has dumped of each, instructions per operation, as lines
#
#   NAME<tab>INSTRUCTIONS

BEGIN { FS = "\t" }

FNR == NR {
    name[FNR] = $1
    operations[FNR] = $2
    names = FNR
    next
}

/^totals: / { instructions[++segments] = substr($0, 9) }

# What follows the last segment is the end of the program.
END {
    if (names == 0 || segments != names + 1) {
        print "cost.awk: " names + 0 " names, " segments + 0 " segments" \
            >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= names; i++) {
        if (name[i] == "-")
            continue
        j = first[name[i]]
        first[name[i]] = i
        if (!j)
            continue
        more = operations[i] - operations[j]
        printf "%s\t%.1f\n", name[i],
            (instructions[i] - instructions[j]) / more
    }
}
