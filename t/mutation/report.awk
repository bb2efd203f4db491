# report.awk: the table of verdicts, and the sum.
#
# A mutant passes that a test kills or that survivors.txt explains.

/^not ok/ { failed++; next }

{
    if (!($1 in seen)) {
        seen[$1]
        file[++n] = $1
    }
    count[$1, $2]++
    sum[$2]++
}

function row(name, killed, listed, survived, same, not_compiled,    all) {
    all = killed + listed + survived
    printf "%-16s %7d %7d %7d %9d %7d %7d %6.1f %%\n", name, all, killed,
        listed, survived, same, not_compiled,
        (all > 0 ? 100 * killed / all : 100)
}

END {
    print "                 mutants  killed  listed survived    same   " \
        "broken  score"
    for (i = 1; i <= n; i++) {
        f = file[i]
        row(f, count[f, "killed"], count[f, "listed"],
            count[f, "survived"], count[f, "same"],
            count[f, "not compiled"])
    }
    row("all", sum["killed"], sum["listed"], sum["survived"], sum["same"],
        sum["not compiled"])
    failed += sum["survived"]
    passed = sum["killed"] + sum["listed"]
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0 || passed == 0
}
