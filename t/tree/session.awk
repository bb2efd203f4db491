# session.awk: takes a page apart into what its reader types.
#
#   awk -f session.awk -v out=DIR PAGE
#
# A listing is indented by four spaces.  One that begins with a comment
# "/* NAME.c: ..." starts the file NAME.c, and those that follow, up to the
# next such one, continue it.  Listings of a terminal, whose lines begin with
# "$ " and are followed by what came of them, become N.sh and N.txt for N = 1,
# 2, ...

/^    / || (listing != "" && /^$/) {
    listing = listing substr($0, 5) "\n"
    next
}
{ take() }
END { take() }

function take(    line, n, k)
{
    sub(/\n+$/, "\n", listing)
    if (listing ~ /^\$ /) {
        sessions++
        n = split(listing, line, "\n")
        printf "" >(out "/" sessions ".txt")
        for (k = 1; k < n; k++)
            if (line[k] ~ /^\$ /)
                print substr(line[k], 3) >(out "/" sessions ".sh")
            else
                print line[k] >(out "/" sessions ".txt")
    } else if (listing != "") {
        if (match(listing, /^\/\* [a-z]+\.c: /))
            file = out "/" substr(listing, 4, RLENGTH - 5)
        else
            listing = "\n" listing
        printf "%s", listing >file
    }
    listing = ""
}
