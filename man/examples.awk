# examples.awk: reads the examples, functions of one C program, for pages.awk.
#
# A comment at the start of a line that begins with names of the API begins an
# example: up to the next such comment, whatever that says.
#
# What is known after read_examples:
#   example_count
#   example_text[e], example_code[e]   what the comment says, and the code
#   example_names[e]                   those that the comment begins with
#   has_examples[g]                    the examples of the group g's names

function read_examples(file,    line, text, in_comment, e)
{
    while (file != "" && (getline line <file) > 0) {
        if (line ~ /^\/\*/) {
            in_comment = 1
            text = ""
            line = substr(line, 3)
        }
        if (!in_comment) {
            if (e)
                example_code[e] = example_code[e] line "\n"
            continue
        }
        if (sub(/ *\*\/.*/, "", line))
            in_comment = 0
        sub(/^ +/, "", line)
        text = text line "\n"
        if (!in_comment)
            e = start_example(text)
    }
    close(file)
}

# 0 if it is a comment like others.
function start_example(text,    lead, names, name)
{
    lead = text
    gsub(/\n/, " ", lead)
    if (!match(lead, LEAD))
        return 0
    lead = substr(lead, 1, RLENGTH)
    names = ""
    while (match(lead, /[A-Za-z_0-9]+/)) {
        name = substr(lead, RSTART, RLENGTH)
        lead = substr(lead, RSTART + RLENGTH)
        if (name in kind)
            names = names " " name
    }
    if (names == "")
        return 0
    example_text[++example_count] = text
    example_names[example_count] = names
    add_to_groups(example_count, names)
    return example_count
}

function add_to_groups(e, names,    n, k, name, g)
{
    n = split(names, name, " ")
    for (k = 1; k <= n; k++) {
        g = home[name[k]]
        if (has_examples[g] !~ (" " e "$"))
            has_examples[g] = has_examples[g] " " e
    }
}
