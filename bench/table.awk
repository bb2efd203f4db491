# table.awk: the CSV of bench/run.sh, or a part of it, as a table with the goals
# of the plan (-v plan=bench/rows.txt).
#
# The figures are medians; the ratio, theirs to ours, is the median of those of
# the pairs.  It is more than 1 where we are better.  The column "Boehm" has the
# part of our time, in percent, that Boehm's collections take.  With -v
# before=CSV, of an earlier run, a row "fell" whose ratio is a tenth less.

BEGIN {
	FS = ","
	format = "%-31s %9s %11s %11s %-5s %6s %6s %6s  %s\n"
	read_goals()
	if (before != "")
		read_before()
}

$1 == "against" {
	printf format, "", "size", "ours", "theirs", "", "Boehm", "ratio", "goal",
		""
	next
}

{ note($2 SUBSEP $3 SUBSEP $4) }

END {
	for (i = 1; i <= nkeys; i++)
		show(keys[i])
}

# The plan's lines as goals[PROGRAM, ROW, SIZE].
function read_goals(   line, word, n, i) {
	while ((getline line < plan) > 0) {
		if (line ~ /^(#.*)?$/)
			continue
		n = split(line, word, /[ \t]+/)
		for (i = 5; i <= n; i++)
			goals[word[2], word[3], word[i]] = word[4]
	}
}

# The measurements of an earlier run as old[KEY, SIDE, PAIR].
function read_before(   line, word) {
	while ((getline line < before) > 0) {
		split(line, word, FS)
		old[word[2], word[3], word[4], word[6], word[5]] = word[7]
		if (word[5] + 0 > npairs)
			npairs = word[5] + 0
	}
}

# Remembers a measurement.
function note(key) {
	if (!(key in unit))
		keys[++nkeys] = key
	unit[key] = $8
	value[key, $6, $5] = $7
	if ($6 == "ours" && $9 != "")
		value[key, "share", $5] = $9
	if ($5 > npairs)
		npairs = $5
}

# The median of a side's values; empty if it has none.
function figure(key, side,   list, n, i) {
	for (i = 1; i <= npairs; i++)
		if ((key, side, i) in value)
			list[++n] = value[key, side, i] + 0
	return n ? median(list, n) : ""
}

# The median of the pairs' ratios; empty if there are none.
function ratio(key, from,   list, n, i, ours) {
	for (i = 1; i <= npairs; i++)
		if ((key, "theirs", i) in from) {
			ours = from[key, "ours", i] + 0
			if (ours > 0)
				list[++n] = from[key, "theirs", i] / ours
		}
	return n ? median(list, n) : ""
}

# Has the ratio fallen since the earlier run?
function fall(key, by,   was) {
	was = by == "" ? "" : ratio(key, old)
	return was != "" && by < 0.9 * was ? " fell from " text(was) : ""
}

# Is the goal reached?  Empty if that cannot be said.
function verdict(goal, ours, by,   good) {
	if (goal ~ /^<=/)
		good = ours <= substr(goal, 3) + 0
	else if (goal == "-" || by == "")
		return ""
	else
		good = by >= goal + 0
	return good ? "reached" : "MISSED"
}

function goal_of(program, row, size) {
	if ((program, row, size) in goals)
		return goals[program, row, size]
	return (program, row, "-") in goals ? goals[program, row, "-"] : "-"
}

# A figure with three digits or more.
function text(x) {
	if (x == "")
		return "-"
	return sprintf(x < 9.995 ? "%.2f" : x < 99.95 ? "%.1f" : "%.0f", x)
}

function percent(x) {
	return x == "" ? "" : sprintf("%.0f %%", x)
}

# Prints a row.
function show(key,   word, ours, by, goal) {
	split(key, word, SUBSEP)
	goal = goal_of(word[1], word[2], word[3])
	ours = figure(key, "ours")
	by = goal ~ /^<=/ ? "" : ratio(key, value)
	printf format, word[1] " " word[2], word[3], text(ours),
		text(figure(key, "theirs")), unit[key], percent(figure(key, "share")),
		text(by), goal,
		verdict(goal, ours, by) fall(key, by)
}
