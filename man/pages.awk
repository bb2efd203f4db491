# pages.awk: writes the manual pages of section 3, as manual pages with
# roff.awk and for browsers with html.awk.
#
#   awk -f headers.awk -f leads.awk -f pages.awk -f roff.awk -v out=DIR
#       -v date=DATE -v version=VERSION HEADER...
#
# What the one or the other has to have:
#
#   open_page(name, g), close_page()   of the group g; 0: the index
#   write_link(name, page)             where name is looked up
#   section(title), put_name(names, description)
#   plain(text), strong(name)          for put_text
#   paragraph(), put_text(text), put_reference(page, section, end)
#   begin_term(names), end_term()      around what is said of them
#   begin_code(), put_code(line, name), put_gap(), end_code()
#   begin_synopsis(), put_include(header)
#   put_header(header, title), put_entry(g, title)   of the index
#
# Each group of declarations gets a page, which bears the name of its first
# function; every other name gets a page that refers to it.  Python.h.3 is the
# index.

END {
    for (g = 1; g <= group_count; g++)
        if ((page[g] = page_name(g)) != "")
            page_groups[++page_count] = g
    find_reachable("Python.h")
    for (p = 1; p <= page_count; p++)
        write_page(page_groups[p])
    write_index()
}

# --------------------------------------------------------------------
# Names

# Shown are all but the functions and data that only macros are to use.
function shown(name)
{
    return name !~ /^_/ || (name in explained) ||
        (kind[name] != "function" && kind[name] != "data") ||
        !has_leads(home[name], item_of[name])
}

function has_leads(g, i)
{
    return item_text[g, i] == "" || sentence_lead[g, i, 1]
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
    if (name ~ /Check(Exact)?$/ || declaration[name] !~ /\(/)
        return 3
    return name ~ /^_/ ? 2 : 1
}

# The shown names of the group that are (not) constants, one space each.
function group_names(g, constants,    i, n, k, name, all)
{
    all = ""
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        for (k = 1; k <= n; k++)
            if (shown(name[k]) && (kind[name[k]] == "constant") == constants)
                all = all " " name[k]
    }
    return all
}

function hidden_names(g,    i, n, k, name, all)
{
    all = ""
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        for (k = 1; k <= n; k++)
            if (!shown(name[k]))
                all = all " " name[k]
    }
    return all
}

# "A, B and C" of names; without a conjunction "A, B, C".
function list(words, conjunction,    n, k, name, text)
{
    n = split(words, name, " ")
    text = ""
    for (k = 1; k <= n; k++) {
        if (k > 1)
            text = text (k == n && conjunction != "" ? \
                " " conjunction " " : ", ")
        text = text strong(name[k])
    }
    return text
}

# --------------------------------------------------------------------
# Text

# A sentence of a comment, with the names of the API shown as such.  Names of
# other pages go to see_also.
function mark(text, g,    result, name)
{
    text = plain(text)
    result = ""
    while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1)
        if (name in kind && name ~ /^_?Py/ && shown(name)) {
            result = result strong(name)
            if (home[name] != g && kind[name] ~ /function|macro/)
                see_also[name] = 1
        } else
            result = result name
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

# A declaration, its name in bold, in lines that fit.
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

function write_page(g,    header, name, i)
{
    header = group_header[g]
    for (name in see_also)
        delete see_also[name]
    open_page(page[g], g)
    write_name(g, header)
    write_synopsis(g, header)
    section("DESCRIPTION")
    write_rules(header, "", g)
    for (i = 1; i <= item_count[g]; i++)
        write_item(g, i)
    write_rules(header, "RESULTS AND ERRORS", g)
    write_rules(header, "THREADS", g)
    write_hidden(g)
    write_see_also(g, header)
    close_page()
    write_links(g)
}

function write_name(g, header,    names)
{
    names = group_names(g, 0)
    if (names == "")
        names = group_names(g, 1)
    section("NAME")
    # The page's own name first: so expects whatis.
    sub(" " page[g] "( |$)", " ", names)
    names = page[g] " " names
    gsub(/ +/, " ", names)
    sub(/ $/, "", names)
    gsub(/ /, ", ", names)
    put_name(names, describe(g, header))
}

# "title of the header: title of the group".
function describe(g, header,    text)
{
    text = group_title[g]
    if (text != "" && substr(text, 2, 1) ~ /[a-z ]/)
        text = tolower(substr(text, 1, 1)) substr(text, 2)
    return plain(title[header] (text == "" ? "" : ": " text))
}

# Items of more than one declaration stand apart.
function write_synopsis(g, header,    i, n, k, name, any, before)
{
    section("SYNOPSIS")
    begin_synopsis()
    put_include("Python.h")
    if (!(header in reachable))
        put_include(header)
    before = 2
    for (i = 1; i <= item_count[g]; i++) {
        n = own_names(g, i, name)
        any = 0
        for (k = 1; k <= n; k++) {
            if (declaration[name[k]] == "" || !shown(name[k]))
                continue
            if (!any++ && (n > 1 || before > 1))
                put_gap()
            put_declaration(declaration[name[k]], name[k])
        }
        if (any)
            before = n
    }
    end_code()
}

# The header's paragraphs that belong to a section.
function write_rules(header, title_of, g,    n, k, i, part, first, t)
{
    n = split(intro[header], part, "\n\n")
    first = 1
    for (k = 1; k <= n; k++) {
        if (part[k] ~ /^ *\n*$/ || part[k] ~ /^Manual:/ ||
            section_of(part[k]) != title_of)
            continue
        if (first && title_of != "")
            section(title_of)
        if (title_of == "" || !first)
            paragraph()
        first = 0
        t = split_sentences(part[k] "\n", 0, 0)
        for (i = 1; i <= t; i++)
            if (sentence[0, 0, i] != "")
                put_text(mark(sentence[0, 0, i], g))
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
function write_item(g, i,    k, n, text, indented, in_code, gap)
{
    n = sentence_count[g, i]
    indented = in_code = gap = 0
    for (k = 1; k <= n; k++) {
        text = sentence[g, i, k]
        if (in_code && text !~ /^\t/) {
            in_code = end_code()
            gap = 1
        } else if (!in_code && text ~ /^\t/)
            in_code = begin_code()
        if (k == 1 || sentence_lead[g, i, k]) {
            if (indented)
                end_term()
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
            put_text(mark(substr(text, sentence_lead[g, i, k] + 1), g))
        }
    }
    if (in_code)
        end_code()
    write_block(item_block[g, i])
    if (indented)
        end_term()
}

# What the sentence speaks of, as a heading: the names it begins with; if it
# is the item's first one, also what is declared below and explained nowhere.
function write_term(g, i, k,    names, n, j, name)
{
    names = sentence_names[g, i, k]
    if (!sentence_lead[g, i, k])
        names = ""
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
    begin_term(list(names, ""))
    return 1
}

# Constants and structures, as they stand in the header.
function write_block(text,    n, k, line)
{
    if (text == "")
        return
    begin_code()
    n = split(text, line, "\n")
    for (k = 1; k < n; k++)
        put_code(line[k], "")
    end_code()
}

function write_hidden(g,    names)
{
    names = hidden_names(g)
    if (names == "")
        return
    section("NOTES")
    put_text("The macros make use of " list(names, "and") "; programs do" \
        " not name " (split(names, unused, " ") > 1 ? "them." : "it."))
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
    section("SEE ALSO")
    for (k = 1; k <= n; k++)
        put_reference(sorted[k], 3, ",")
    put_reference("Python.h", 3, ",")
    put_reference("pyboehm", 7, "")
    if (!match(intro[header], /Manual: .*/))
        return
    manual = substr(intro[header], RSTART + 8)
    gsub(/\n/, " ", manual)
    sub(/ +$/, "", manual)
    paragraph()
    put_text((manual ~ /^doc\// ? "pyboehm's manual: " : \
              "CPython's C API manual: ") manual)
}

function write_links(g,    n, k, name)
{
    n = split(group_names(g, 0) group_names(g, 1) hidden_names(g), name, " ")
    for (k = 1; k <= n; k++)
        write_link(name[k], page[g])
}

# --------------------------------------------------------------------
# The index

# Which headers Python.h includes.
function find_reachable(header,    n, k, name)
{
    if (header in reachable)
        return
    reachable[header] = 1
    n = split(includes[header], name, " ")
    for (k = 1; k <= n; k++)
        find_reachable(name[k])
}

function write_index(    h)
{
    open_page("Python.h", 0)
    section("NAME")
    put_name("Python.h", "the C API of pyboehm, by headers")
    section("SYNOPSIS")
    begin_synopsis()
    put_include("Python.h")
    end_code()
    section("DESCRIPTION")
    put_text("These are the pages of section 3, one for each group of" \
        " functions.")
    put_text("Every function, macro and type has a page under its own name," \
        " too.")
    for (h = 1; h <= header_count; h++)
        write_index_of(headers[h])
    section("SEE ALSO")
    put_reference("pyboehm", 7, "")
    close_page()
}

function write_index_of(header,    p, g, n, mine)
{
    n = 0
    for (p = 1; p <= page_count; p++)
        if (group_header[page_groups[p]] == header)
            mine[++n] = page_groups[p]
    if (!n)
        return
    put_header(header, plain(title[header]))
    for (p = 1; p <= n; p++) {
        g = mine[p]
        put_entry(g, n == 1 ? "" : group_title[g] == "" ? "Basics" : \
            plain(group_title[g]))
    }
}
