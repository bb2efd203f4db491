# reportpage.awk: makes C of page.html: two arrays, of what comes before the
# line @DATA@ and of what comes behind it.  The page is in ASCII.

function begin(name) {
    part = name
    printf "\nconst char pyb_report_%s[] = {\n", part
}

function end() {
    printf "};\nconst size_t pyb_report_%s_size = sizeof pyb_report_%s;\n", \
        part, part
}

# The line as characters of C.
function write_line(line,    i, c, text) {
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\\" || c == "'")
            c = "\\" c
        text = text "'" c "',"
    }
    print text "'\\n',"
}

BEGIN {
    print "/* Made of page.html by reportpage.awk. */"
    print "\n#include \"Python.h\"\n"
    print "#include \"watch/report/heapreport.h\""
    begin("head")
}

/[^ -~]/ {
    print FILENAME ":" FNR ": not a printable character of ASCII" \
        | "cat >&2"
    failed = 1
}

$0 == "@DATA@" {
    end()
    begin("tail")
    parts++
    next
}

{ write_line($0) }

END {
    end()
    exit failed || parts != 1
}
