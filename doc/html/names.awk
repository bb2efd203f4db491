# names.awk: the body of the page of all names.
#
#   awk -f names.awk NAMES
#
# NAMES has a line "NAME<tab>ADDRESS" for each name, in alphabetical order.
# They are listed by what they begin with, as in PyList_; small families come
# last, in one list.

BEGIN { FS = "\t" }
$2 ~ /#/ && $1 !~ /\.h$/ {
    name[++count] = $1
    address[count] = $2
    size[family($1)]++
}
END {
    print "<h1>All names</h1>"
    print "<p>Every function, macro, type, slot, variable and constant of the"
    print "public headers, " count " in all.</p>"
    for (k = 1; k <= count; k++)
        add(size[family(name[k])] < 8 ? "Others" : family(name[k]), k)
    for (k = 1; k <= families; k++)
        if (list[k] != "Others")
            write_family(list[k])
    write_family("Others")
}

# PyList_New is one of PyList_, PyObject one of its own.
function family(text)
{
    return match(text, /^_*[^_]+_/) ? substr(text, 1, RLENGTH) : text
}

function add(of, k)
{
    if (!(of in members))
        list[++families] = of
    members[of] = members[of] " " k
}

function write_family(of,    n, k, member)
{
    print "<h2 id=\"" of "\">" of "</h2>"
    print "<ul class=\"names\">"
    n = split(members[of], member, " ")
    for (k = 1; k <= n; k++)
        print "<li><a href=\"" address[member[k]] "\">" name[member[k]] \
            "</a></li>"
    print "</ul>"
}
