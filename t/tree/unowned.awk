# unowned.awk: which functions return an object, and say in their own entry
# neither that it is a new reference nor that it is a borrowed one.  For
# t/tree/man.sh, after man/headers.awk.

# The name's entry: each sentence of its group that begins with it, up to the
# next one that begins with other names; if none does, what its item begins
# with.
function entry(name,    g, i, k, inside, text)
{
    g = home[name]
    text = ""
    for (i = 1; i <= item_count[g]; i++) {
        inside = i == item_of[name] && !(name in explained)
        for (k = 1; k <= sentence_count[g, i]; k++) {
            if (sentence_lead[g, i, k])
                inside = inside && k == 1 ||
                    index(sentence_names[g, i, k] " ", " " name " ")
            if (inside)
                text = text " " substr(sentence[g, i, k], \
                                       sentence_lead[g, i, k] + 1)
        }
    }
    return text
}

function returns_object(name)
{
    return kind[name] == "function" &&
        declaration[name] ~ /^(const )?Py[A-Za-z]*Object \*[^*]/
}

# A function that can only fail returns nothing to own.
function owned(text)
{
    return text ~ /[Nn]ew reference|[Bb]orrowed|Always NULL|^ NULL[ :,]/
}

END {
    for (name in kind)
        if (returns_object(name) && !owned(entry(name)))
            print name
}
