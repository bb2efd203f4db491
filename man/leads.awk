# leads.awk: which names each comment of the headers explains.
#
# Follows headers.awk.  A comment explains the names that it begins with, as in
# "PyFoo_New, PyFoo_Copy: ...", and so does a later sentence of it.
#
# What is known then:
#   explained[name]            a comment begins with the name
#   sentence_count[g, i]       of the item i of the group g
#   sentence[g, i, k]          the k-th one; "" for an empty line
#   sentence_lead[g, i, k]     how many characters of it are names, 0: none
#   sentence_names[g, i, k]    the names

END {
    for (g = 1; g <= group_count; g++)
        for (i = 1; i <= item_count[g]; i++)
            read_leads(g, i)
}

# The names that the item declares; what is declared twice counts where it is
# shown in full.
function own_names(g, i, name,    n, k, m, all)
{
    n = split(item_names[g, i], all, " ")
    m = 0
    for (k = 1; k <= n; k++)
        if (home[all[k]] == g && item_of[all[k]] == i)
            name[++m] = all[k]
    return m
}

# lead(text, g, i) is the length of "NAME, NAME: " at the start of text, 0 if
# it begins otherwise; lead_names are those of them that are declared.
function lead(text, g, i,    end, n, k, part)
{
    lead_names = ""
    end = index(text, ": ")
    if (end < 2)
        return 0
    n = split_names(substr(text, 1, end - 1), part)
    for (k = 1; k <= n; k++)
        if (part[k] !~ /^(\.\.\.)?[A-Za-z_0-9]+(\([^()]*\)[A-Za-z]*)?$/ ||
            !add_lead(part[k], g, i))
            return 0
    if (substr(text, 1, end) ~ / and kin:$/) {
        n = own_names(g, i, part)
        for (k = 1; k <= n; k++)
            if (!index(lead_names " ", " " part[k] " "))
                lead_names = lead_names " " part[k]
    }
    return end + 1
}

# At commas outside parentheses; "and kin" is no name.
function split_names(text, part,    n, c, k, level)
{
    sub(/ and kin$/, "", text)
    n = 1
    part[1] = ""
    level = 0
    for (k = 1; k <= length(text); k++) {
        c = substr(text, k, 1)
        level += (c == "(") - (c == ")")
        if (c == "," && !level)
            part[++n] = ""
        else if (c != " " || part[n] != "")
            part[n] = part[n] c
    }
    return n
}

# "NAME(MIDDLE)END" may stand for NAMEEND and NAMEMIDDLEEND, or for a macro
# with its parameters; an end of a name for a name of the item.
function add_lead(text, g, i,    base, inner, rest, n, name, k)
{
    base = text
    sub(/\(.*/, "", base)
    sub(/^\.\.\./, "", base)
    inner = rest = text
    if (text ~ /\(/) {
        gsub(/.*\(|\).*/, "", inner)
        sub(/.*\)/, "", rest)
        if ((base inner rest) in kind) {
            lead_names = lead_names " " base rest " " base inner rest
            return 1
        }
        if (kind[base] == "macro")
            declaration[base] = "#define " text
    }
    if (base in kind) {
        lead_names = lead_names " " base
        return 1
    }
    n = own_names(g, i, name)
    for (k = 1; k <= n; k++)
        if (length(name[k]) > length(base) && base ~ /^[A-Z]/ &&
            substr(name[k], length(name[k]) - length(base) + 1) == base) {
            lead_names = lead_names " " name[k]
            return 1
        }
    return 0
}

# Cuts an item's text into sentences, and notes which names it explains.
function read_leads(g, i,    text, k, n, j, name)
{
    n = sentence_count[g, i] = split_sentences(item_text[g, i], g, i)
    for (k = 1; k <= n; k++) {
        text = sentence[g, i, k]
        sentence_lead[g, i, k] = lead(text, g, i)
        sentence_names[g, i, k] = lead_names
        if (!sentence_lead[g, i, k])
            continue
        j = split(lead_names, name, " ")
        for (; j > 0; j--)
            explained[name[j]] = 1
    }
}

# Sentences end with two spaces or at the end of a line.  An empty line makes
# an empty sentence; indented lines are kept as they are, after a tab.
function split_sentences(text, g, i,    n, k, line, count, part, m, j, start)
{
    count = split(text, line, "\n")
    n = 0
    start = 1
    for (k = 1; k <= count; k++) {
        if (line[k] == "" || line[k] ~ /^   /) {
            if (k < count)
                sentence[g, i, ++n] = line[k] == "" ? "" : "\t" line[k]
            start = 1
            continue
        }
        gsub(/[.!?][)"]?  +/, "&\001", line[k])
        m = split(line[k], part, "\001")
        for (j = 1; j <= m; j++) {
            sub(/ +$/, "", part[j])
            if (start || j > 1)
                sentence[g, i, ++n] = part[j]
            else
                sentence[g, i, n] = sentence[g, i, n] " " part[j]
            start = 0
        }
        start = line[k] ~ /[.!?][)"]?$/ && line[k] !~ /\.\.\.[)"]?$/
    }
    return n
}
