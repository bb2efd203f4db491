# judge.awk: reads a table of tests that are to fail, lines PROGRAM:TEST
# REASON, and what Check says of one program.  Prints what is not as it should
# be: all others pass, these fail, none ends in another way, and all are told
# of.

FILENAME == ARGV[1] {
    if (split($1, part, ":") == 2 && part[1] == program)
        wanted[part[2]] = 1
    next
}
/^[0-9]+%: Checks: / { counted += $3 } # a program may run suites
# FILE:LINE:HOW:CASE:TEST:ITERATION: MESSAGE; each test is a case.
match($0, /:[0-9]+:[A-Z]:[A-Za-z0-9_]+:[A-Za-z0-9_]+:[0-9]+: /) {
    split(substr($0, RSTART + 1), part, ":")
    how = part[2]
    name = part[4]
    if (how != "P" && how != "F" || (how == "F") != (name in wanted))
        printf " %s:%s", how, name
    seen[name] = 1
    told++
}
END {
    for (name in wanted)
        if (!(name in seen))
            printf " no test %s", name
    if (!counted || told != counted)
        printf " it told of %d tests and counted %d", told, counted
}
