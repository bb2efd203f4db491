# manual.awk: makes a body of what mandoc -T html -O fragment writes.
#
#   awk -v title='pyboehm(7)' -f manual.awk
#
# The tables at both ends go.  Sections are of the second rank here, with titles
# that are written as elsewhere and in one line.

/^<table class="(head|foot)">/, /^<\/table>/ { next }
/^<div class="manual-text">/ { print "<h1>" title "</h1>" }
{
    $0 = held $0
    held = ""
}
/^<h[12]/ && !/<\/h[12]>$/ {
    held = $0 " "
    next
}
/^<h2/ { $0 = heading(3, words($0)) }
/^<h1 / { $0 = heading(2, tolower(words($0))) }
{ print }

# The heading in words, without its tags.
function words(line)
{
    gsub(/<[^>]*>/, "", line)
    gsub(/ +/, " ", line)
    return line
}

# The line's tag with this rank, and text in it.
function heading(rank, text,    tag)
{
    tag = substr($0, 4, index($0, ">") - 3)
    return "<h" rank tag toupper(substr(text, 1, 1)) substr(text, 2) \
        "</h" rank ">"
}
