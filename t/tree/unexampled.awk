# unexampled.awk: which functions of pyboehm's own have no example, and which
# names are not in the code that is an example of theirs.  For t/tree/man.sh,
# after man/headers.awk and man/examples.awk.

END {
    read_examples(examples)
    for (e = 1; e <= example_count; e++) {
        n = split(example_names[e], name, " ")
        for (k = 1; k <= n; k++) {
            shows[name[k]] = 1
            if (example_code[e] !~ ("(^|[^A-Za-z_])" name[k] "[^A-Za-z_]"))
                print name[k]
        }
    }
    for (other in kind)
        if (kind[other] == "function" && other ~ /^PyBoehm_/ &&
            !(other in shows))
            print other
}
