# listings.awk SOURCE MANUAL: fails unless each indented listing of the manual
# stands in the source.
FNR == NR { source = source $0 "\n"; next }
/^    / || (listing != "" && /^$/) {
    listing = listing substr($0, 5) "\n"
    next
}
{ look() }
END {
    look()
    if (n == 0 || missing > 0)
        exit 1
}

function look() {
    sub(/\n+$/, "\n", listing)
    if (listing == "")
        return
    n++
    if (index(source, listing) == 0) {
        printf "not in the source:\n%s", listing
        missing++
    }
    listing = ""
}
