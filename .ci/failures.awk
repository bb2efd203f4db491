# failures.awk: what failed in a step, from what the step said: each test with
# the last ten lines of its own output and the command that repeats it.
#
# What t/driver.sh says of a test begins with "# failed: "; in a step that does
# without automake's tests "not ok" is such a beginning.  It goes on until the
# next verdict, and may have a line "# again: " with a command for the
# directory of the build, if there still is one.  A step that failed without any of this ends with its
# last lines.

# print_tail FIRST LAST: at most the last ten of these lines.
function print_tail(first, last,    i) {
	for (i = last - first < 10 ? first : last - 9; i <= last; i++)
		print "    " line[i]
}

# print_failure FIRST: the failure that begins there.
function print_failure(first,    i, last, again) {
	last = first
	again = script " " step
	for (i = first + 1; i <= NR && line[i] !~ verdict; i++)
		if (sub(/^# again: /, "", line[i])) {
			if (tree != "")
				again = "cd " tree " && " line[i]
			break
		} else
			last = i
	print step ": " line[first]
	print_tail(first + 1, last)
	print "    again: " again
}

BEGIN {
	verdict = "^(ok|not ok|# failed:|[A-Z]+:|[0-9]+%:|===)"
	most = 12
}

{ line[NR] = $0 }
/^# failed: / { driven = 1 }

END {
	beginning = driven ? "^(# failed:|SKIP:)" : "^(not ok|SKIP:)"
	for (i = 1; i <= NR; i++)
		if (line[i] ~ beginning && ++failures <= most)
			print_failure(i)
	if (failures > most)
		print step ": and " failures - most " more"
	if (failures == 0) {
		print step ": its last lines"
		print_tail(1, NR)
		print "    again: " script " " step
	}
}
