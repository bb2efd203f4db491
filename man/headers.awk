# headers.awk: reads the public headers for pages.awk.
#
# A header begins with a comment "NAME.h: title.", whose further paragraphs
# say what holds for all of it.  A comment of dashes starts a group, the next
# one is the group's title.  Any other comment at the start of a line starts
# an item: the declarations up to the next empty line are what it describes,
# and those whose names it begins with.
#
# What is known at the end:
#   headers[1..header_count]         file names without directory
#   title[h], intro[h], includes[h]  of the header h; paragraphs end with \n\n
#   group_header[g], group_title[g]  of the group g in 1..group_count
#   item_count[g], item_text[g, i], item_names[g, i], item_block[g, i]
#   kind[name]                       function, macro, constant, data or type
#   home[name], item_of[name]        its group and item
#   declaration[name]                as the synopsis shows it
#   sentence_count[g, i]             of the item
#   sentence[g, i, k]                the k-th one; "" for an empty line
#   sentence_lead[g, i, k]           how many characters of it are names, if any
#   sentence_names[g, i, k]          the names
#   explained[name]                  a sentence begins with the name

FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
    headers[++header_count] = file
    in_comment = in_define = titled = 0
    pending = ""
    start_group("")
}

in_comment { add_comment_line($0); next }
in_define { add_define_line($0); next }
pending != "" { add_declaration_line($0); next }

/^\/\* -+ \*\/$/ { titled = 1; next }
/^\/\*/ {
    in_comment = 1
    comment = ""
    add_comment_line(substr($0, 3))
    next
}
/^[ \t]*$/ { item = 0; next }
/^#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    sub(/^pyboehm\//, "", part[2])
    includes[file] = includes[file] " " part[2]
    next
}
/^#[ \t]*define/ { in_define = 1; macro = ""; add_define_line($0); next }
/^#/ || /^extern "C" \{/ || /^\}/ { next }
{ depth = 0; add_declaration_line($0) }

function start_group(name)
{
    # A group that got nothing is used again.
    if (!group_count || item_count[group_count] ||
        group_header[group_count] != file)
        group_count++
    group_header[group_count] = file
    group_title[group_count] = name
    item = 0
}

function start_item(text)
{
    item = ++item_count[group_count]
    item_text[group_count, item] = text
}

# The declaration that was just read belongs to this item.
function current_item()
{
    if (!item)
        start_item("")
    return item
}

# --------------------------------------------------------------------
# Comments

function add_comment_line(line,    last)
{
    last = sub(/[ \t]*\*\/[ \t]*$/, "", line)
    match(line, /^ */)
    line = substr(line, (RLENGTH > 3 ? 3 : RLENGTH) + 1)
    comment = comment line "\n"
    if (!last)
        return
    in_comment = 0
    sub(/^[ \t]+/, "", comment)
    if (!(file in title))
        read_intro(comment)
    else if (titled)
        read_title(comment)
    else
        start_item(comment)
    titled = 0
}

function read_intro(text,    end)
{
    end = index(text, "\n\n")
    if (!end)
        end = length(text)
    title[file] = substr(text, 1, end)
    intro[file] = substr(text, end + 2)
    sub(/^\n/, "", intro[file])
    gsub(/\n/, " ", title[file])
    sub(/^[^:]*: */, "", title[file])
    sub(/\. *$/, "", title[file])
}

# What follows the title's first sentence is said of the whole group.
function read_title(text,    end)
{
    gsub(/\n/, " ", text)
    sub(/ +$/, "", text)
    end = index(text, ".  ")
    start_group(end ? substr(text, 1, end - 1) : text)
    if (end)
        start_item(substr(text, end + 3) "\n")
    item = 0
}

# --------------------------------------------------------------------
# Declarations

function note(name, what, text)
{
    if (name in kind)
        return
    kind[name] = what
    home[name] = group_count
    item_of[name] = current_item()
    declaration[name] = text
    item_names[group_count, item] = item_names[group_count, item] " " name
}

function add_block(text)
{
    current_item()
    item_block[group_count, item] = item_block[group_count, item] text "\n"
}

function add_define_line(line,    more)
{
    more = sub(/[ \t]*\\$/, "", line)
    macro = macro (macro == "" ? "" : "\n") line
    if (more)
        return
    in_define = 0
    read_define(macro)
}

function read_define(text,    name, rest)
{
    sub(/^#[ \t]*define[ \t]+/, "", text)
    match(text, /^[A-Za-z0-9_]+/)
    name = substr(text, 1, RLENGTH)
    rest = substr(text, RLENGTH + 1)
    # Our own, guards, and macros around what is declared already.
    if (name ~ /^_P[yY]B_|^_pyb/ || (rest == "" && name ~ /_H$/) ||
        name in kind)
        return
    if (name ~ /^_/ && is_private(name, rest))
        return
    if (rest ~ /^\(/) {
        match(rest, /^\([^)]*\)/)
        note(name, "macro", "#define " name substr(rest, 1, RLENGTH))
        return
    }
    # What is behind some is of no use to the reader.
    if (rest == "" || rest ~ /\n|return|_P[yY]B_|&_|_CAST|__/) {
        note(name, "macro", "#define " name)
        return
    }
    note(name, "constant", "")
    sub(/^[ \t]+/, "", rest)
    add_block("#define " name " " rest)
}

# CPython's private macros are documented where a comment introduces them.
function is_private(name, rest,    text)
{
    text = item ? item_text[group_count, item] : ""
    if (text == "")
        return 1
    return rest ~ /^\(/ && name ~ /_(CAST|OBJECT)$/ && !index(text, name)
}

function add_declaration_line(line,    code, opened)
{
    pending = pending (pending == "" ? "" : "\n") line
    code = line
    gsub(/\/\*[^*]*\*\//, "", code)
    opened = gsub(/\{/, "{", code)
    depth += opened - gsub(/\}/, "}", code)
    if (depth > 0 || !(code ~ /;[ \t]*$/ || code ~ /^\}/))
        return
    code = pending
    pending = ""
    read_declaration(code)
}

function read_declaration(text)
{
    if (text ~ /^(typedef|struct|enum)/ && text ~ /\{/)
        read_structure(text)
    else if (text ~ /^typedef/)
        read_typedef(one_line(text))
    else if (text ~ /^PyAPI_DATA/)
        read_data(one_line(text))
    else if (text ~ /^(PyAPI_FUNC|static inline)/)
        read_function(text)
}

function one_line(text)
{
    gsub(/\/\*[^*]*\*\//, "", text)
    gsub(/[ \t\n]+/, " ", text)
    gsub(/\( /, "(", text)
    sub(/ ?;? ?$/, "", text)
    return text
}

function last_word(text)
{
    sub(/[^A-Za-z0-9_]*$/, "", text)
    sub(/.*[^A-Za-z0-9_]/, "", text)
    return text
}

function read_structure(text,    name, tag)
{
    tag = text
    sub(/ *\{.*/, "", tag)
    tag = last_word(tag)
    name = text
    sub(/.*\}/, "", name)
    sub(/__attribute__.*/, "", name)
    name = last_word(name)
    if (name == "")
        name = (tag in alias) ? alias[tag] : tag
    # It may have been announced elsewhere.
    delete kind[name]
    note(name, "type", name in declaration ? declaration[name] : "")
    add_block(text)
}

function read_typedef(text,    name, word)
{
    name = text
    if (name ~ /\(\*/) {
        sub(/.*\(\*/, "", name)
        sub(/\).*/, "", name)
        # Of a function that takes functions: the first one.
        if (match(text, /\(\*[A-Za-z0-9_]+\)/))
            name = substr(text, RSTART + 2, RLENGTH - 3)
    } else {
        name = last_word(name)
        if (split(text, word, " ") == 4 && word[2] == "struct")
            alias[word[3]] = name
    }
    note(name, "type", text ";")
}

function read_data(text,    type)
{
    match(text, /^PyAPI_DATA\([^)]*\)/)
    type = substr(text, 12, RLENGTH - 12)
    text = substr(text, RLENGTH + 2)
    note(last_word(text), "data", join_type("extern " type, text) ";")
}

function read_function(text,    type, name, start)
{
    sub(/\n\{.*/, "", text)
    text = one_line(text)
    gsub(/ ?Py_GCC_ATTRIBUTE\(\(.*\)\)/, "", text)
    gsub(/_Py_NO_RETURN /, "", text)
    if (sub(/^static inline /, "", text))
        type = ""
    else {
        match(text, /^PyAPI_FUNC\([^)]*\)/)
        type = substr(text, 12, RLENGTH - 12)
        text = substr(text, RLENGTH + 2)
    }
    start = index(text, "(")
    name = last_word(substr(text, 1, start - 1))
    note(name, "function", join_type(type, text) ";")
}

function join_type(type, rest)
{
    if (type == "")
        return rest
    return type (type ~ /\*$/ ? "" : " ") rest
}

# --------------------------------------------------------------------
# What the comments explain

BEGIN {
    NAME = "[A-Za-z_0-9.]+(\\([^()]*\\))?"
    LEAD = "^" NAME "(, " NAME ")*( and kin)?: "
}
END {
    for (g = 1; g <= group_count; g++)
        for (i = 1; i <= item_count[g]; i++) {
            sentence_count[g, i] = split_sentences(item_text[g, i], g, i)
            for (k = 1; k <= sentence_count[g, i]; k++)
                read_lead(sentence[g, i, k], g, i, k)
        }
}

# The names that the item declares; what is declared twice counts where it is
# shown in full.
function own_names(g, i, name,    n, k, m, all)
{
    n = split(item_names[g, i], all, " ")
    m = 0
    for (k = 1; k <= n; k++)
        if (home[all[k]] == g && item_of[all[k]] == i)
            name[++m] = all[k]
    return m
}

# Which names a sentence explains: those that it begins with, as in "PyFoo_New,
# PyFoo_Copy: ...", and those of the item after "PyFoo_New and kin: ...".  A
# macro may have its parameters there.
function read_lead(text, g, i, k,    end, kin, m, n, name, args)
{
    if (!match(text, LEAD))
        return
    end = RLENGTH
    text = substr(text, 1, end)
    if (text ~ / and kin: $/)
        for (n = own_names(g, i, kin); m < n; )
            explain(kin[++m], g, i, k)
    else
        while (match(text, /[A-Za-z_0-9]+(\([^()]*\))?/)) {
            name = args = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            sub(/\(.*/, "", name)
            if (!(name in kind))
                continue
            if (kind[name] == "macro" && args != name)
                declaration[name] = "#define " args
            explain(name, g, i, k)
        }
    if ((g, i, k) in sentence_names)
        sentence_lead[g, i, k] = end
}

function explain(name, g, i, k)
{
    explained[name] = 1
    sentence_names[g, i, k] = sentence_names[g, i, k] " " name
}

# Sentences end with two spaces or at the end of a line.  An empty line makes
# an empty sentence; indented lines are kept as they are, after a tab.
function split_sentences(text, g, i,    n, k, line, count, part, m, j, start)
{
    count = split(text, line, "\n")
    n = 0
    start = 1
    for (k = 1; k <= count; k++) {
        if (line[k] == "" || line[k] ~ /^   /) {
            if (k < count)
                sentence[g, i, ++n] = line[k] == "" ? "" : "\t" line[k]
            start = 1
            continue
        }
        gsub(/[.!?][)"]?  +/, "&\001", line[k])
        m = split(line[k], part, "\001")
        for (j = 1; j <= m; j++) {
            sub(/ +$/, "", part[j])
            if (start || j > 1)
                sentence[g, i, ++n] = part[j]
            else
                sentence[g, i, n] = sentence[g, i, n] " " part[j]
            start = 0
        }
        start = line[k] ~ /[.!?][)"]?$/ && line[k] !~ /\.\.\.[)"]?$/
    }
    return n
}
