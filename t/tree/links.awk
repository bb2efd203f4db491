# links.awk PAGE...: says which links of these pages lead nowhere, and which
# marks are set twice.  The pages and what they link to stand in one directory,
# the one that awk is started in.

{ read_tags($0) }
END {
    for (k = 1; k <= count; k++)
        check(from[k], target[k])
}

function read_tags(line,    tag)
{
    while (match(line, /<[^>]*>/)) {
        tag = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (match(tag, / id="[^"]*"/)) {
            if ((FILENAME, substr(tag, RSTART + 5, RLENGTH - 6)) in marks)
                print FILENAME ": set twice:" substr(tag, RSTART, RLENGTH)
            marks[FILENAME, substr(tag, RSTART + 5, RLENGTH - 6)] = 1
        }
        if (match(tag, / (href|src)="[^"]*"/)) {
            from[++count] = FILENAME
            target[count] = substr(tag, RSTART, RLENGTH)
            gsub(/^[^"]*"|"$/, "", target[count])
        }
    }
}

function check(page, address,    part, file)
{
    if (address ~ /^https:\/\//)
        return
    sub(/\?.*/, "", address)
    split(address, part, "#")
    file = part[1] == "" ? page : part[1]
    if (!there(file))
        print page ": no " file
    else if (part[2] != "" && !((file, part[2]) in marks))
        print page ": no mark " address
}

function there(file,    line)
{
    if (!(file in found)) {
        found[file] = (getline line <file) > 0
        close(file)
    }
    return found[file]
}
