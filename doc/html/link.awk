# link.awk: makes a body of what the converters write.
#
#   awk -f link.awk NAMES PAGE
#
# NAMES has a line "NAME<tab>ADDRESS" for each name.  Where one stands in
# <code>, <pre> or <b>, and in no link yet, it becomes one.  Headings get an
# id, and links to other documents of doc/ lead to their pages.  A line of a
# listing that is longer than LONG, as a report's may be, is to be broken.

BEGIN { LONG = 90 }

FNR == NR {
    tab = index($0, "\t")
    address[substr($0, 1, tab - 1)] = substr($0, tab + 1)
    next
}
{
    if ($0 ~ /^<h[2-6]>/)
        $0 = with_id($0)
    if ($0 ~ /^<pre/)
        in_listing = 1
    begun = in_listing && match($0, /^(<[^>]*>)*/) ? RLENGTH : 0
    text = substr($0, begun + 1)
    if (in_listing && is_long(text))
        # With its end, or there would be an empty line after it.
        printf "%s<span class=\"long\">%s\n</span>", \
            linked(substr($0, 1, begun)), linked(text)
    else
        print linked($0)
    if ($0 ~ /<\/pre>/)
        in_listing = 0
}

# Rows of tables, with room between their columns, stay whole.
function is_long(text)
{
    return length(text) > LONG && text !~ /<|[^ ]   /
}

# --------------------------------------------------------------------
# Headings

function with_id(line,    id)
{
    id = line
    gsub(/<[^>]*>|&[a-z]*;/, "", id)
    id = tolower(id)
    gsub(/[^a-z0-9]+/, "-", id)
    gsub(/^-|-$/, "", id)
    if (ids[id]++)
        id = id "-" ids[id]
    return substr(line, 1, 3) " id=\"" id "\"" substr(line, 4)
}

# --------------------------------------------------------------------
# Links

# Goes from tag to tag; in_code and in_link count those that are open.
function linked(line,    result, tag, at, rest)
{
    result = ""
    while (at = match(line, /<[^>]*>/)) {
        tag = substr(line, at, RLENGTH)
        rest = substr(line, at + RLENGTH)
        result = result names_linked(substr(line, 1, at - 1)) other_page(tag)
        line = rest
        if (tag ~ /^<(code|pre|b)[ >]/)
            in_code++
        else if (tag ~ /^<\/(code|pre|b)>/)
            in_code--
        else if (tag ~ /^<(a|h[1-6])[ >]/)
            in_link++
        else if (tag ~ /^<\/(a|h[1-6])>/)
            in_link--
    }
    return result names_linked(line)
}

function names_linked(text,    result, name)
{
    if (!in_code || in_link)
        return text
    result = ""
    while (match(text, /&[a-z]+;|[A-Za-z_][A-Za-z0-9_]*(-[a-z]+|\.h|\.md)?/)) {
        name = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1) \
            (name in address ? link(name) : name)
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

function link(name)
{
    return "<a href=\"" address[name] "\">" name "</a>"
}

# Of a link to hosts.md, the page hosts.html.
function other_page(tag)
{
    if (tag ~ /^<a href="[a-z]*\.md[#"]/)
        sub(/\.md/, ".html", tag)
    return tag
}
