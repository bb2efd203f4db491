# uncommented.awk: which functions of the headers no comment speaks of.  For
# t/tree/man.sh, after man/headers.awk.

END {
    for (name in kind)
        if (kind[name] == "function" && !(name in explained) &&
            item_text[home[name], item_of[name]] == "")
            print name
}
