# pages.awk: writes the manual pages of section 3.
#
#   awk -f headers.awk -f examples.awk -f pages.awk -v examples=FILE
#       -v out=DIR -v date=DATE -v version=VERSION HEADER...
#
# Each group of declarations gets a page, which bears the name of its first
# function; every other name gets a page that refers to it.  Python.h.3 is the
# index.

END {
    read_examples(examples)
    for (g = 1; g <= group_count; g++)
        if ((page[g] = page_name(g)) != "")
            page_groups[++page_count] = g
    find_reachable("Python.h", "Python.h")
    find_reachable("pyboehm.h", "pyboehm.h")
    for (p = 1; p <= page_count; p++)
        write_page(page_groups[p])
    write_index()
}

# --------------------------------------------------------------------
# Names

# Shown are all but the functions and data that only macros are to use.
function shown(name,    g, i)
{
    g = home[name]
    i = item_of[name]
    return name !~ /^_/ || (name in explained) ||
        kind[name] !~ /function|data/ ||
        (item_text[g, i] != "" && !sentence_lead[g, i, 1])
}

# The page's name: the group's first function, or what comes nearest to one.
function page_name(g,    i, n, k, name, best, rank, best_rank)
{
    best = ""
    best_rank = 9
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        for (k = 1; k <= n; k++) {
            rank = rank_of(name[k])
            if (rank < best_rank) {
                best = name[k]
                best_rank = rank
            }
        }
    }
    return best
}

function rank_of(name)
{
    if (!shown(name))
        return 8
    if (kind[name] == "constant")
        return 6
    if (kind[name] == "type" || kind[name] == "data")
        return name in explained ? 4 : 5
    if (name ~ /Check(Ref|Proxy)?(Exact)?$/ || declaration[name] !~ /\(/)
        return 3
    if (name ~ /^_/ || (kind[name] == "macro" && name ~ /_[A-Z_0-9]+$/))
        return 2
    return 1
}

# The group's names of such kinds that are (not) shown, one space before each.
function group_names(g, kinds, are_shown,    i, n, k, name, all)
{
    all = ""
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        for (k = 1; k <= n; k++)
            if (shown(name[k]) == are_shown && kind[name[k]] ~ kinds)
                all = all " " name[k]
    }
    return all
}

# "A, B" of names.
function list(words)
{
    gsub(/[^ ]+/, "\\fB&\\fR,", words)
    return substr(words, 2, length(words) - 2)
}

# --------------------------------------------------------------------
# Text

function put(line)
{
    print line >path
    fresh = line ~ /^\.(SH|SS|RS|PP)/
}

# Text for the formatter; a line may begin with any character.
function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/~/, "\\(ti", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/`/, "\\(ga", text)
    return text
}

function put_line(line)
{
    put((line ~ /^[.']/ ? "\\&" : "") line)
}

# A new paragraph, unless one has just begun.
function paragraph()
{
    if (!fresh)
        put(".PP")
}

# In lines of moderate length.
function put_text(text,    n, k, word, line)
{
    n = split(text, word, " ")
    line = word[1]
    for (k = 2; k <= n; k++)
        if (length(line) + length(word[k]) > 70) {
            put_line(line)
            line = word[k]
        } else
            line = line " " word[k]
    if (n)
        put_line(line)
}

# A sentence of a comment, with the names of the API in bold; negative numbers
# get a minus sign.  Names of other pages go to see_also.
function put_sentence(text, g,    result, name)
{
    text = escape(text)
    gsub(/-[0-9]/, "\\\\&", text)
    result = ""
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1)
        if (name in kind && name ~ /^_?Py/ && shown(name)) {
            result = result "\\fB" name "\\fR"
            if (home[name] != g && kind[name] ~ /function|macro/)
                see_also[name] = 1
        } else
            result = result name
        text = substr(text, RSTART + RLENGTH)
    }
    put_text(result text)
}

# A line of code, with the name in bold if there is one.
function put_code(text, name,    at)
{
    text = escape(text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    at = match(text, "(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)")
    if (name != "" && at) {
        at += substr(text, at, length(name)) == name ? 0 : 1
        text = substr(text, 1, at - 1) "\\fB" name "\\fR" \
            substr(text, at + length(name))
    }
    put_line(text)
}

# A declaration, in lines that fit.
function put_declaration(text, name,    room, cut)
{
    room = 70
    while (length(text) > room) {
        for (cut = room; cut > 8 && substr(text, cut - 1, 2) != ", "; cut--)
            ;
        if (cut == 8)
            break
        put_code(substr(text, 1, cut - 1), name)
        text = "    " substr(text, cut + 1)
    }
    put_code(text, name)
}

# --------------------------------------------------------------------
# A page

function open_page(name, title_of)
{
    path = out "/" name ".3"
    put(".\\\" Written by man/pages.awk from the public headers.")
    put(".TH " toupper(name) " 3 " date " \"pyboehm " version "\"" \
        " \"pyboehm manual\"")
    put(".nh")
    put(".ad l")
    put(".SH NAME")
    put_text(title_of)
    put(".SH SYNOPSIS")
    put(".nf")
    put(".B #include <Python.h>")
}

function write_page(g,    header, name, i, names)
{
    header = group_header[g]
    for (name in see_also)
        delete see_also[name]
    open_page(page[g], name_line(g, header))
    write_synopsis(g, header)
    put(".SH DESCRIPTION")
    write_rules(header, "", g)
    for (i = 1; i <= item_count[g]; i++)
        write_item(g, i)
    write_rules(header, "RESULTS AND ERRORS", g)
    write_rules(header, "THREADS", g)
    names = group_names(g, ".", 0)
    if (names != "") {
        put(".SH NOTES")
        put_text("For the macros alone: " list(names) ".")
    }
    write_examples(g)
    write_see_also(g, header)
    close(path)
    write_links(g, names)
}

# "NAMES \- title of the header: title of the group", the page's own name
# first: so expects whatis.
function name_line(g, header,    names, text)
{
    names = group_names(g, "function|macro|data|type", 1)
    if (names == "")
        names = group_names(g, ".", 1)
    sub(" " page[g] "( |$)", " ", names)
    names = page[g] " " names
    gsub(/ +/, " ", names)
    sub(/ $/, "", names)
    gsub(/ /, ", ", names)
    text = group_title[g]
    if (substr(text, 2, 1) ~ /[a-z ]/)
        text = tolower(substr(text, 1, 1)) substr(text, 2)
    return names " \\- " escape(title[header] (text == "" ? "" : ": " text))
}

# Items of more than one declaration stand apart.
function write_synopsis(g, header,    i, n, k, name, any, before)
{
    if (!(header in reachable))
        put(".B #include <" header ">")
    else if (reachable[header] != "Python.h")
        put(".B #include <" reachable[header] ">")
    before = 2
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        any = 0
        for (k = 1; k <= n; k++) {
            if (declaration[name[k]] == "" || !shown(name[k]))
                continue
            if (!any++ && (n > 1 || before > 1))
                paragraph()
            put_declaration(declaration[name[k]], name[k])
        }
        if (any)
            before = n
    }
    put(".fi")
}

# The header's paragraphs that belong to a section.
function write_rules(header, title_of, g,    n, k, i, part, t)
{
    n = split(intro[header], part, "\n\n")
    for (k = 1; k <= n; k++) {
        if (part[k] ~ /^ *\n*$/ || part[k] ~ /^Manual:/ ||
            section_of(part[k]) != title_of)
            continue
        if (title_of != "" && !((path, title_of) in begun))
            put(".SH " title_of)
        begun[path, title_of] = 1
        paragraph()
        t = split_sentences(part[k] "\n", 0, 0)
        for (i = 1; i <= t; i++)
            put_sentence(sentence[0, 0, i], g)
    }
}

function section_of(text)
{
    if (text ~ /thread/)
        return "THREADS"
    if (text ~ /exception|Error|reference/)
        return "RESULTS AND ERRORS"
    return ""
}

# The sentences of an item.  Each one that begins with names starts a
# paragraph under these.
function write_item(g, i,    k, text, indented, in_code, gap)
{
    indented = in_code = gap = 0
    for (k = 1; k <= sentence_count[g, i]; k++) {
        text = sentence[g, i, k]
        if (in_code != (text ~ /^\t/)) {
            in_code = !in_code
            if (in_code)
                paragraph()
            put(in_code ? ".nf" : ".fi")
            gap = !in_code
        }
        if (k == 1 || sentence_lead[g, i, k]) {
            if (indented)
                put(".RE")
            indented = write_term(g, i, k)
            gap = 0
        }
        if (in_code)
            put_code(substr(text, 2), "")
        else if (text == "")
            gap = 1
        else {
            if (gap)
                paragraph()
            gap = 0
            put_sentence(substr(text, sentence_lead[g, i, k] + 1), g)
        }
    }
    if (in_code)
        put(".fi")
    write_block(item_block[g, i], "")
    if (indented)
        put(".RE")
}

# What the sentence speaks of, as a heading: the names it begins with; if it
# is the item's first one, also what is declared below and explained nowhere.
function write_term(g, i, k,    names, n, j, name)
{
    names = sentence_names[g, i, k]
    if (k == 1) {
        n = own_names(g, i, name)
        for (j = 1; j <= n; j++)
            if (!(name[j] in explained) && shown(name[j]) &&
                kind[name[j]] != "constant" &&
                !(names == "" && declaration[name[j]] == ""))
                names = names " " name[j]
    }
    paragraph()
    if (names == "")
        return 0
    put_text(list(names))
    put(".RS 4")
    return 1
}

# Constants and structures, as they stand in the header, and other code.
function write_block(text, indent,    n, k, line)
{
    if (text == "")
        return
    paragraph()
    put(".nf")
    n = split(text, line, "\n")
    for (k = 1; k < n; k++)
        put_code(line[k] == "" ? "" : indent line[k], "")
    put(".fi")
}

# Those of the group's functions.
function write_examples(g,    n, k, e, i, t)
{
    n = split(has_examples[g], e, " ")
    if (n)
        put(".SH EXAMPLES")
    for (k = 1; k <= n; k++) {
        paragraph()
        t = split_sentences(example_text[e[k]], 0, 0)
        for (i = 1; i <= t; i++)
            put_sentence(sentence[0, 0, i], g)
        sub(/\n+$/, "\n", example_code[e[k]])
        write_block(example_code[e[k]], "    ")
    }
    if (n) {
        paragraph()
        put_text("What is shown here is part of a program that runs:" \
            " examples/reference.c.")
    }
}

function write_see_also(g, header,    n, k, name, sorted, manual, j)
{
    n = 0
    for (k = 1; k <= page_count; k++)
        if (page_groups[k] != g && group_header[page_groups[k]] == header)
            see_also[page[page_groups[k]]] = 1
    for (name in see_also) {
        for (j = ++n; j > 1 && sorted[j - 1] > name; j--)
            sorted[j] = sorted[j - 1]
        sorted[j] = name
    }
    put(".SH SEE ALSO")
    for (k = 1; k <= n; k++)
        put(".BR " sorted[k] " (3),")
    put(".BR Python.h (3),")
    put(".BR pyboehm (7)")
    if (!match(intro[header], /Manual: .*/))
        return
    manual = substr(intro[header], RSTART + 8)
    paragraph()
    put_text(manual_of(manual) manual)
}

# Whose it is, unless it says so itself.
function manual_of(text)
{
    if (text ~ /^doc\//)
        return "pyboehm's manual: "
    return text ~ /^Python's/ ? "" : "CPython's C API manual: "
}

function write_links(g, hidden,    n, k, name)
{
    n = split(group_names(g, ".", 1) hidden, name, " ")
    for (k = 1; k <= n; k++)
        if (name[k] != page[g]) {
            path = out "/" name[k] ".3"
            put(".so man3/" page[g] ".3")
            close(path)
        }
}

# --------------------------------------------------------------------
# The index

# Which headers one includes that programs include themselves.
function find_reachable(header, public,    n, k, name)
{
    if (header in reachable)
        return
    reachable[header] = public
    n = split(includes[header], name, " ")
    for (k = 1; k <= n; k++)
        find_reachable(name[k], public)
}

function write_index(    p, g, header, last, text)
{
    open_page("Python.h", "Python.h \\- the C API of pyboehm, by headers")
    put(".fi")
    put(".SH DESCRIPTION")
    put_text("These are the pages of section 3, one for each group of" \
        " functions.")
    put_text("Every function, macro and type has a page under its own name," \
        " too.")
    for (p = 1; p <= page_count; p++) {
        g = page_groups[p]
        header = group_header[g]
        text = group_title[g] == "" ? "Basics" : group_title[g]
        if (header != last) {
            put(".SS \"" header ": " escape(title[header]) "\"")
            # It may be the header's only page.
            if (header != group_header[page_groups[p + 1]])
                text = ""
        }
        last = header
        if (text != "")
            put(".TP")
        put(".BR " page[g] " (3)")
        if (text != "")
            put_text(escape(text))
    }
    put(".SH SEE ALSO")
    put(".BR pyboehm (7)")
    close(path)
}
