# plot.awk: from the CSV of bench/run.sh the commands for gnuplot: for each row
# of several sizes that are numbers of objects, PREFIX-PROGRAM-ROW.svg with the
# cost of an object on both sides (-v prefix=...); and PREFIX-pauses-aging.svg
# with the longest pauses, with snapshots and without.

BEGIN { FS = "," }

($8 == "ns" && $2 ~ /^(build|release|live|dead)$/) ||
$3 ~ /^aging.*-longest$/ {
	row = $2 "-" $3
	if (!(row in nsizes))
		rows[++nrows] = row
	if (!((row, $4) in n))
		sizes[row, ++nsizes[row]] = $4
	value[row, $4, $6, ++n[row, $4, $6]] = $7
	n[row, $4]++
	if ($6 == "theirs")
		compared[row] = 1
}

END {
	print "set terminal svg size 720,440 background '#ffffff'"
	print "set logscale x"
	print "set yrange [0:*]"
	print "set xlabel 'objects'"
	print "set ylabel 'ns per object'"
	print "set format x '10^{%L}'"
	print "set grid"
	print "set key top left"
	for (i = 1; i <= nrows; i++)
		if (rows[i] !~ /^pauses/ && nsizes[rows[i]] > 1)
			plot(rows[i])
	if (nsizes["pauses-aging-longest"] > 1)
		plot_pauses("pauses-aging-longest",
			    "pauses-aging-beside-longest")
}

# The median of a row's values at a size.
function figure(row, size, side,   list, i) {
	for (i = 1; i <= n[row, size, side]; i++)
		list[i] = value[row, size, side, i] + 0
	return median(list, i - 1)
}

# The points as NAME, or as side.
function points(row, side, name,   i, size) {
	printf "$%s << END\n", name != "" ? name : side
	for (i = 1; i <= nsizes[row]; i++) {
		size = sizes[row, i]
		if ((row, size, side) in n)
			print size, figure(row, size, side)
	}
	print "END"
}

function plot(row,   title) {
	title = row
	sub(/-/, ": ", title)
	points(row, "ours")
	if (compared[row])
		points(row, "theirs")
	printf "set output '%s-%s.svg'\nset title '%s'\n", prefix, row, title
	printf "plot $ours with linespoints lw 2 title 'pyboehm'"
	if (compared[row])
		printf ", $theirs with linespoints lw 2 title 'CPython'"
	print ""
}

# The last plot, for it changes the axes.
function plot_pauses(row, beside,   line) {
	line = " using 1:($2 / 1000) with linespoints lw 2 title "
	points(row, "ours")
	points(beside, "ours", "beside")
	if (compared[row])
		points(row, "theirs")
	print "set logscale y\nset yrange [*:*]"
	print "set xlabel 'live objects'\nset ylabel 'milliseconds'"
	printf "set output '%s-pauses-aging.svg'\n", prefix
	print "set title 'pauses: the longest, where half of the heap dies'"
	printf "plot $ours%s'pyboehm', $beside%s'with snapshots'", line, line
	if (compared[row])
		printf ", $theirs%s'CPython'", line
	print ""
}
