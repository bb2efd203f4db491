# roff.awk: how pages.awk writes manual pages, NAME.3 in the directory out.

function put(line)
{
    print line >path
    fresh = line ~ /^\.(SH|SS|RS|PP)/
}

function open_page(name, g)
{
    path = out "/" name ".3"
    put(".\\\" Written by man/pages.awk from the public headers.")
    put(".TH " toupper(name) " 3 " date " \"pyboehm " version "\"" \
        " \"pyboehm manual\"")
    put(".nh")
    put(".ad l")
}

function close_page()
{
    close(path)
}

function write_link(name, where)
{
    if (name == where)
        return
    path = out "/" name ".3"
    put(".so man3/" where ".3")
    close(path)
}

function section(title_of)
{
    put(".SH " title_of)
}

function put_name(names, description)
{
    put_text(names " \\- " description)
}

# --------------------------------------------------------------------
# Text

function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/~/, "\\(ti", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/`/, "\\(ga", text)
    return text
}

# Negative numbers get a minus sign.
function plain(text)
{
    text = escape(text)
    gsub(/-[0-9]/, "\\\\&", text)
    return text
}

function literal(text)
{
    text = escape(text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    return text
}

function strong(name)
{
    return "\\fB" name "\\fR"
}

# A new paragraph, unless one has just begun.
function paragraph()
{
    if (!fresh)
        put(".PP")
}

# Text in lines of moderate length.
function put_text(text,    n, k, word, line)
{
    n = split(text, word, " ")
    line = ""
    for (k = 1; k <= n; k++) {
        if (line != "" && length(line) + length(word[k]) > 70) {
            put_line(line)
            line = ""
        }
        line = line (line == "" ? "" : " ") word[k]
    }
    if (line != "")
        put_line(line)
}

function put_line(line)
{
    put((line ~ /^[.']/ ? "\\&" : "") line)
}

function put_reference(where, chapter, end)
{
    put(".BR " where " (" chapter ")" end)
}

function begin_term(names)
{
    put_text(names)
    put(".RS 4")
}

function end_term()
{
    put(".RE")
}

# --------------------------------------------------------------------
# Code

function begin_code()
{
    paragraph()
    put(".nf")
    return 1
}

function end_code()
{
    put(".fi")
    return 0
}

function put_code(text, name,    at)
{
    text = literal(text)
    at = match(text, "(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)")
    if (name != "" && at) {
        at += substr(text, at, length(name)) == name ? 0 : 1
        text = substr(text, 1, at - 1) strong(name) \
            substr(text, at + length(name))
    }
    put_line(text)
}

function begin_synopsis()
{
    put(".nf")
}

function put_include(header)
{
    put(".B #include <" header ">")
}

function put_gap()
{
    paragraph()
}

# --------------------------------------------------------------------
# The index

function put_header(header, title_of)
{
    put(".SS \"" header ": " title_of "\"")
}

# Without a title it is the header's only one.
function put_entry(g, title_of)
{
    if (title_of != "")
        put(".TP")
    put(".BR " page[g] " (3)")
    if (title_of != "")
        put_text(title_of)
}
