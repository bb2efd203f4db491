# plot.awk: from the CSV of bench/run.sh the commands for gnuplot: for each row
# of several sizes that are numbers of objects, PREFIX-PROGRAM-ROW.svg with the
# cost of an object on both sides (-v prefix=...).

BEGIN { FS = "," }

$8 == "ns" && $2 ~ /^(build|release|live|dead)$/ {
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
		if (nsizes[rows[i]] > 1)
			plot(rows[i])
}

# The median of a row's values at a size.
function figure(row, size, side,   list, i) {
	for (i = 1; i <= n[row, size, side]; i++)
		list[i] = value[row, size, side, i] + 0
	return median(list, i - 1)
}

function points(row, side,   i, size) {
	printf "$%s << END\n", side
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
