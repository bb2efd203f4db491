# lines.awk: from what gcov -t prints to a line for each line of code:
#
#   FILE <tab> LINE <tab> 1 if it was run, else 0 <tab> FUNCTION <tab> TEXT
#
# gcov shows some lines several times, once for each copy of an inline
# function: one copy that was run is enough.  Functions' names begin lines.

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

!match($0, /^ *[^:]*: *[0-9]+:/) {
    next # a heading of copies
}

{
    split($0, field, ":")
    count = trim(field[1])
    line = field[2] + 0
    text = substr($0, RLENGTH + 1)
}

line == 0 {
    if (text ~ /^Source:/) {
        file = substr(text, 8)
        name = ""
    }
    next
}

text ~ /^[A-Za-z_][A-Za-z_0-9]*\(/ {
    name = text
    sub(/\(.*/, "", name)
}

count != "-" {
    key = file "\t" line
    if (!(key in ran)) {
        order[++n] = key
        ran[key] = 0
    }
    if (count !~ /^[#=]/)
        ran[key] = 1
    rest[key] = name "\t" trim(text)
}

END {
    for (i = 1; i <= n; i++)
        print order[i] "\t" ran[order[i]] "\t" rest[order[i]]
    exit n == 0
}
