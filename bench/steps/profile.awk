# profile.awk: functions.txt, and then what callgrind wrote of a run of steps:
# lines, for each step and path that was met,
#
#   step|path<tab>NAME<tab>INSTRUCTIONS<tab>MISSES IN D1<tab>IN LL<tab>CALLS
#
# by object, whose number is n; a path's first three by call.

BEGIN { FS = "\t" }

# Without the compiler's endings.
function base(name) {
    sub(/'.*/, "", name)
    sub(/[.](part|isra|constprop|cold).*/, "", name)
    return name
}

FNR == NR && /^#/ { next }
FNR == NR && $1 == "within" {
    within = $3
    next
}
FNR == NR {
    order[++rows] = $1 "\t" $2
    k = split($3, words, " ")
    for (i = 1; i <= k; i++) {
        sign = words[i] ~ /^-/ ? -1 : 1
        sub(/^-/, "", words[i])
        row_of[words[i]] = rows
        sign_of[words[i]] = sign
    }
    next
}

# Names are written once, later only their numbers: "(12) name", "(12)".
function name_of(text, number) {
    number = text
    sub(/^c?fn=/, "", number)
    sub(/[)].*/, ")", number)
    if (text ~ /[)] /) {
        sub(/^[^)]*[)] /, "", text)
        names[number] = text
    }
    return names[number]
}

/^fn=/ { caller = base(name_of($0)) }
/^cfn=/ { callee = name_of($0) }
/^calls=/ {
    split(substr($0, 7), words, " ")
    calls = words[1]
    next_is_call = 1
    next
}

# Position, Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw; zeros at the end are left
# out.
next_is_call {
    next_is_call = 0
    function_name = base(callee)
    row = row_of[function_name]
    if (!row || row == row_of[caller] ||
        (order[row] ~ /^step/ && nested(callee)))
        next
    sign = sign_of[function_name]
    split($0, cost, " ")
    instructions[row] += sign * cost[2]
    d1[row] += sign * (cost[6] + cost[7])
    ll[row] += sign * (cost[9] + cost[10])
    met[row] += calls
}

function nested(name) {
    sub(/^[^']*/, "", name)
    return (name "'") ~ ("'" within "[.']")
}

END {
    for (row = 1; row <= rows; row++) {
        if (!met[row])
            continue
        by = order[row] ~ /^path/ ? met[row] : n
        printf "%s\t%.3f\t%.4f\t%.4f\t%.4f\n", order[row],
            instructions[row] / by, d1[row] / by, ll[row] / by, met[row] / n
    }
}
