# mutants.awk: the mutants of a C source: one small change each.
#
# Prints for each mutant, separated by tabs: line, column and length of what
# is replaced, <the replacement>, the function, and the line's text with the
# change in it: [old -> new], or [gone] before a statement that is left out.
#
# One of two changes that come to the same is left out: where an operator is
# flipped, its constant operand or the whole assignment is not changed as well.
#
# Changed are code tokens in braces: comments, strings, preprocessor lines,
# prototypes and assertions, which are off, stay as they are.  The layout is clang-
# format's: spaces stand around an operator of two operands and around no
# other.

BEGIN {
    split("== != < <= > >= && || ++ -- << >> + - += -= * / & |", pair)
    for (i = 1; i in pair; i += 2) {
        flip[pair[i]] = pair[i + 1]
        flip[pair[i + 1]] = pair[i]
    }
    token = "^([A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z.]*(e-[0-9]+)?" \
        "|->|\\+\\+|--|<<|>>|[-+*/%&|^<>=!]=|&&|\\|\\||.)"
    field = "((->|\\.)[A-Za-z_]+|\\[[^]]*\\])*"
    call = "^\\**[A-Za-z_][A-Za-z0-9_]*" field "\\("
    assignment = "^\\**[A-Za-z_][A-Za-z0-9_]*" field " =( |$)"
    split("== != < <= > >=", pair)
    for (i in pair)
        compares[pair[i]]
    control = "^(if|while|for|switch)$"
    starts = 1
}

# The line with spaces for what is not code.
function code_of(line,    out, end) {
    if (in_directive || line ~ /^[ \t]*#/) {
        in_directive = line ~ /\\$/
        return sprintf("%*s", length(line), "")
    }
    if (in_assertion || line ~ /^ *PYB_(ASSERT(_OBJECT)?|EXPENSIVE)\(/) {
        in_assertion = !match(line, /\);( \/\*|$)/)
        end = in_assertion ? length(line) : RSTART + 1
        out = sprintf("%*s", end, "")
        line = substr(line, end + 1)
    }
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            in_comment = end == 0
            end = in_comment ? length(line) : end + 1
            out = out sprintf("%*s", end, "")
        } else if (line ~ /^\/\*/) {
            in_comment = 1
            end = 2
            out = out "  "
        } else if (match(line, /^"([^"\\]|\\.)*"|^'([^'\\]|\\.)*'/)) {
            end = RLENGTH
            out = out sprintf("%*s", end, "")
        } else {
            end = 1
            out = out substr(line, 1, 1)
        }
        line = substr(line, end + 1)
    }
    return out
}

function mutant(column, len, new,    text, old) {
    old = substr($0, column, len)
    text = substr($0, 1, column - 1) (len == 0 ? "[gone] " \
        : "[" old " -> " new "]") substr($0, column + len)
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    printf "%d\t%d\t%d\t<%s>\t%s\t%s\n", FNR, column, len, new,
        name == "" ? "-" : name, text
}

# The length of the operand in parentheses that the text begins with, if it
# ends there and nothing in it is flipped anyway; else 0.
function plain_condition(text,    i, c, depth) {
    for (i = 1; (c = substr(text, i, 1)) != ""; i++) {
        depth += (c == "(") - (c == ")")
        if (depth == 0)
            break
    }
    return depth == 0 && i > 1 &&
        substr(text, 1, i) !~ /[!=<>]=|&&|\|\|| [<>&|] |!/ ? i : 0
}

# Is the operator at the column one of two operands?
function binary(code, column, len) {
    return substr(code, column - 1, 1) == " " &&
        substr(code, column + len) ~ /^( |$)/
}

function mutate_operator(code, column, t,    len, rest) {
    len = length(t)
    rest = substr(code, column + len)
    if (t == "|=")
        mutant(column, len, "&= ~")
    else if (t == "&=" && rest ~ /^ ~/)
        mutant(column, len + 2, "|=")
    else if (t == "&=")
        mutant(column, len, "|=")
    else if (t == "-" && rest ~ /^1[^0-9]/)
        mutant(column, 2, "0")
    else if (t == "!" || t == "~" || (t == "-" && !binary(code, column, 1)))
        mutant(column, 1, "")
    else if (t == "++" || t == "--" || (t in flip && binary(code, column, len)))
        mutant(column, len, flip[t])
}

function mutate_word(code, column, t,    len, rest) {
    len = length(t)
    rest = substr(code, column + len)
    if (t ~ /^[0-9]+$/ && !(before in compares) &&
        substr(code, column - 1, 1) != "-")
        mutant(column, len, t == 1 ? 0 : t + 1)
    else if (t == "continue")
        mutant(column, len, "break")
    else if (t ~ /^(if|while)$/ && (len = plain_condition(substr(rest, 2))))
        mutant(column + length(t) + 2, len - 2,
            "!(" substr(rest, 3, len - 2) ")")
}

# Is the statement that begins with the token t one that is left out?  What
# fetches memory ahead does nothing else, and no test is to notice.
function can_go(code, t) {
    if (t == "__builtin_prefetch")
        return 0
    if (code ~ call)
        return t !~ control && code !~ / [-+|&]= / &&
            t !~ /^(return|sizeof|PYB_ALWAYS|PYB_FAIL)$/
    return code ~ assignment && code !~ / = -?[0-9]+[;,]/
}

function take(code, column, t) {
    if (starts && name != "" && can_go(substr(code, column), t))
        mutant(column, 0, "while (0) ")
    if (depth > 0) {
        if (t ~ /^[A-Za-z0-9_]/)
            mutate_word(code, column, t)
        else
            mutate_operator(code, column, t)
    }
    if (t == "(")
        opener[++parens] = before
    starts = parens == 0 && t ~ /^([;{}:]|else|do)$/
    if (t == ")" && opener[parens--] ~ control)
        starts = parens == 0
    if (t == "{")
        depth++
    else if (t == "}" && --depth == 0)
        name = ""
    before = t
}

{
    code = code_of($0)
    if (depth == 0 && match(code, /^[A-Za-z_][A-Za-z0-9_]*\(/) &&
        code !~ /^_Static_assert/)
        name = substr(code, 1, RLENGTH - 1)
    for (column = 1; column <= length(code); column += len) {
        rest = substr(code, column)
        if (match(rest, /^[ \t]+/)) {
            len = RLENGTH
            continue
        }
        match(rest, token)
        len = RLENGTH
        take(code, column, substr(rest, 1, len))
    }
}
