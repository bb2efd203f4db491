# frame.awk: puts the bodies into their frames, with contents, next and
# previous.
#
#   awk -f frame.awk -v work=DIR -v out=DIR -v version=VERSION BOOK
#
# BOOK has a line "PAGE<tab>PART<tab>HEADER" for each page, in the book's
# order.  A page of the reference has no part: it stands in the contents of
# those of its header only.

BEGIN { FS = "\t" }
{
    page[++count] = $1
    part[count] = $2
    header[count] = $3
    read_titles(count)
}
END {
    for (p = 1; p <= count; p++)
        write_page(p)
}

# The title is the first heading; those of the second rank stand in the
# contents.
function read_titles(p,    file, line)
{
    file = work "/" page[p] ".body"
    while ((getline line <file) > 0)
        if (line ~ /^<h1/ && title[p] == "")
            title[p] = bare(line)
        else if (line ~ /^<h2 .*id="/) {
            inner[p, ++inner_count[p]] = bare(line)
            match(line, /id="[^"]*"/)
            inner_id[p, inner_count[p]] = substr(line, RSTART + 4, RLENGTH - 5)
        }
    close(file)
}

function bare(line)
{
    gsub(/<[^>]*>/, "", line)
    return line
}

function short(text)
{
    sub(/: .*/, "", text)
    return text
}

function put(text)
{
    print text >path
}

function write_page(p,    line, file)
{
    path = out "/" page[p] ".html"
    file = work "/" page[p] ".body"
    write_head(p)
    put("<main>")
    while ((getline line <file) > 0)
        put(line)
    close(file)
    put("</main>")
    write_contents(p)
    write_foot(p)
    close(path)
}

function write_head(p)
{
    put("<!DOCTYPE html>")
    put("<html lang=\"en\">")
    put("<head>")
    put("<meta charset=\"utf-8\">")
    put("<title>" (p > 1 ? short(title[p]) " - " : "") "pyboehm</title>")
    put("<meta name=\"viewport\" content=\"width=device-width," \
        " initial-scale=1\">")
    put("<link rel=\"stylesheet\" href=\"style.css\">")
    put("</head>")
    put("<body>")
    put("<header>")
    put("<a href=\"index.html\">pyboehm " version "</a>")
    put("<a href=\"names.html\">All names</a>")
    put("<a class=\"narrow\" href=\"#contents\">Contents</a>")
    put("</header>")
}

function write_foot(p)
{
    put("<footer>")
    if (p > 1)
        put("<a rel=\"prev\" href=\"" page[p - 1] ".html\">&larr; " \
            short(title[p - 1]) "</a>")
    if (p < count)
        put("<a rel=\"next\" href=\"" page[p + 1] ".html\">" \
            short(title[p + 1]) " &rarr;</a>")
    put("</footer>")
    put("</body>")
    put("</html>")
}

# --------------------------------------------------------------------
# The contents

function write_contents(p,    q, last)
{
    put("<nav id=\"contents\">")
    last = ""
    for (q = 2; q <= count; q++) {
        if (part[q] == "")
            continue
        if (part[q] != last) {
            if (last != "")
                put("</ul>")
            put("<p>" part[q] "</p>")
            put("<ul>")
        }
        last = part[q]
        put("<li>" entry(q, p))
        if (q == p)
            write_inner(p)
        put("</li>")
    }
    put("</ul>")
    if (header[p] != "")
        write_kin(p)
    put("</nav>")
}

function entry(q, p)
{
    return "<a href=\"" page[q] ".html\"" \
        (q == p ? " class=\"here\"" : "") ">" short(title[q]) "</a>"
}

function write_inner(p,    k)
{
    if (!inner_count[p])
        return
    put("<ul>")
    for (k = 1; k <= inner_count[p]; k++)
        put("<li><a href=\"#" inner_id[p, k] "\">" short(inner[p, k]) \
            "</a></li>")
    put("</ul>")
}

# The other pages of the header.
function write_kin(p,    q)
{
    put("<p><a href=\"Python.h.html#" header[p] "\">" header[p] "</a></p>")
    put("<ul>")
    for (q = 1; q <= count; q++)
        if (header[q] == header[p])
            put("<li>" entry(q, p) "</li>")
    put("</ul>")
}
