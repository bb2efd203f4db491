# listings.awk: takes the complete modules out of the manual's tutorial.
#
# awk -v dir=DIR -f listings.awk newtypes_tutorial.html
#
# A complete module is a C listing with a PyInit_NAME function and an #include
# of its own; it becomes DIR/NAME.c, and NAME is printed.  Fragments that the
# tutorial explains one by one are passed over.

/<div class="highlight-c / {
    inside = 1
    text = ""
    sub(/.*<pre>/, "")
}

inside {
    ended = sub(/<\/pre>.*/, "")
    text = text plain($0) (ended ? "" : "\n")
    if (ended) {
        inside = 0
        keep(text)
    }
}

# The characters that a line of HTML shows.
function plain(line) {
    gsub(/<[^>]*>/, "", line)
    gsub(/&lt;/, "<", line)
    gsub(/&gt;/, ">", line)
    gsub(/&quot;/, "\"", line)
    gsub(/&#39;/, "'", line)
    gsub(/&nbsp;/, " ", line)
    gsub(/&amp;/, "\\&", line)
    return line
}

function keep(text,    name, file) {
    if (text !~ /#include/ || !match(text, /PyInit_[A-Za-z0-9_]+/))
        return
    name = substr(text, RSTART + 7, RLENGTH - 7)
    file = dir "/" name ".c"
    printf "%s", text > file
    close(file)
    print name
}
