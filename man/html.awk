# html.awk: how pages.awk writes the reference for browsers, into the
# directory out: for each page NAME.body, and
#
#   names     a line "NAME<tab>PAGE.html#NAME" for every name and header
#   sections  a line "PAGE<tab>HEADER" for every page
#
# Links are none of its business: doc/html/link.awk makes one of every name
# that stands in <code> or <pre>, and frame.awk puts the body into a frame.
# Here the marks are set that links lead to.  A name may stand in several
# places of its page: \001NAME\002 is one where the mark may be, \003NAME\002
# one where the name is explained, and those come first.

function put(text)
{
    body[++lines] = text
}

function open_page(name, g)
{
    path = out "/" name ".body"
    this_group = g
    lines = in_paragraph = 0
    if (g)
        print name "\t" group_header[g] >(out "/sections")
}

function close_page(    k)
{
    end_paragraph()
    find_explained()
    for (k = 1; k <= lines; k++)
        print set_marks(body[k]) >path
    close(path)
}

# The name that text begins with, of the form NAME\002...
function marked(text)
{
    return substr(text, 1, index(text, "\002") - 1)
}

function find_explained(    k, n, i, part)
{
    for (k in explained_here)
        delete explained_here[k]
    for (k in is_set)
        delete is_set[k]
    for (k = 1; k <= lines; k++) {
        n = split(body[k], part, "\003")
        for (i = 2; i <= n; i++)
            explained_here[marked(part[i])] = 1
    }
}

function set_marks(text,    name, kept, at)
{
    while (at = match(text, /[\001\003][^\002]*\002/)) {
        name = substr(text, at + 1, RLENGTH - 2)
        kept = !(name in is_set) &&
            (substr(text, at, 1) == "\003" || !(name in explained_here))
        if (kept)
            is_set[name] = 1
        text = substr(text, 1, at - 1) \
            (kept ? "<a id=\"" name "\"></a>" : "") substr(text, at + RLENGTH)
    }
    return text
}

function write_link(name, where)
{
    print name "\t" where ".html#" name >(out "/names")
}

function section(title_of)
{
    end_paragraph()
    if (title_of == "NAME")
        return
    put("<h2>" substr(title_of, 1, 1) tolower(substr(title_of, 2)) "</h2>")
}

function put_name(names, description)
{
    sub(/,.*/, "", names)
    put("<h1>" names "</h1>")
    put("<p class=\"about\">" description ".</p>")
}

# --------------------------------------------------------------------
# Text

function plain(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function strong(name)
{
    return "<code>" (home[name] == this_group ? "\001" name "\002" : "") \
        name "</code>"
}

function paragraph()
{
    end_paragraph()
}

function end_paragraph()
{
    if (in_paragraph)
        put("</p>")
    in_paragraph = 0
}

# Text that mentions a name is not where one looks for it.
function put_text(text)
{
    if (text !~ /^The macros make use of /)
        gsub(/\001[^\002]*\002/, "", text)
    if (!in_paragraph)
        put("<p>")
    in_paragraph = 1
    put(with_files(text))
}

# Headers and documents, as in doc/hosts.md, are names, too.
function with_files(text,    result, at)
{
    result = ""
    while (at = match(text, /(^|[ (\/])[a-z_]+\.(h|md)/)) {
        result = result substr(text, 1, at) \
            "<code>" substr(text, at + 1, RLENGTH - 1) "</code>"
        text = substr(text, at + RLENGTH)
    }
    return result text
}

function put_reference(where, chapter, end)
{
    put_text(chapter == 3 ? "<code>" where "</code>" end : \
        "<a href=\"" where "." chapter ".html\">" where "(" chapter ")</a>" \
        end)
}

function begin_term(names)
{
    end_paragraph()
    gsub(/\001/, "\003", names)
    put("<div class=\"term\">")
    put("<p>" names "</p>")
    put("<div>")
}

function end_term()
{
    end_paragraph()
    put("</div>")
    put("</div>")
}

# --------------------------------------------------------------------
# Code

function begin_code()
{
    end_paragraph()
    put("<pre>")
    return 1
}

function end_code()
{
    put("</pre>")
    return 0
}

# A mark at each name that the page is about.
function put_code(text, name,    result, word, at)
{
    text = plain(text)
    result = ""
    while (at = match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(text, at, RLENGTH)
        result = result substr(text, 1, at - 1)
        text = substr(text, at + RLENGTH)
        if (name == "" ? home[word] == this_group || is_slot(word) : \
            name == word)
            result = result "\001" word "\002"
        result = result word
    }
    put(result text)
}

# The fields of types are names that one looks up, too.
function is_slot(word)
{
    if (home["PyTypeObject"] != this_group || (word in kind) ||
        word !~ /^(tp|nb|sq|mp|am|bf)_[a-z_]+$/)
        return 0
    if (!slots[word]++)
        write_link(word, page[this_group])
    return 1
}

function begin_synopsis()
{
    put("<pre>")
}

function put_include(header)
{
    put("#include &lt;" header "&gt;")
}

function put_gap()
{
    put("")
}

# --------------------------------------------------------------------
# The index

function put_header(header, title_of)
{
    end_paragraph()
    print header "\tPython.h.html#" header >(out "/names")
    put("<h2 id=\"" header "\">" header ": " title_of "</h2>")
}

# With all names of the page; constants only where there is nothing else.
function put_entry(g, title_of,    n, k, name, text)
{
    text = group_names(g, 0)
    n = split(text == "" ? group_names(g, 1) : text, name, " ")
    text = ""
    for (k = 1; k <= n; k++)
        text = text (k > 1 ? ", " : "") "<code>" name[k] "</code>"
    if (title_of != "")
        put("<h3><a href=\"" page[g] ".html\">" title_of "</a></h3>")
    put("<p>" text "</p>")
}
