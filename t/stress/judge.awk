# judge.awk: reads a table of tests that are to fail, lines PROGRAM:TEST
# REASON, and what Check says of one program.  Prints what is not as it should
# be: all others pass, these fail, and none ends in another way.

FILENAME == ARGV[1] {
    if (split($1, part, ":") == 2 && part[1] == program)
        wanted[part[2]] = 1
    next
}
/^[0-9]+%: Checks: / { counted = 1 }
match($0, /:[0-9]+:[PFE]:all:/) {
    how = substr($0, RSTART + RLENGTH - 6, 1)
    name = substr($0, RSTART + RLENGTH)
    sub(/:.*/, "", name)
    if (how != "P" && how != "F" || (how == "F") != (name in wanted))
        printf " %s:%s", how, name
    seen[name] = 1
}
END {
    for (name in wanted)
        if (!(name in seen))
            printf " no test %s", name
    if (!counted)
        printf " it did not count"
}
