# median.awk: the median of list[1] to list[n], which becomes sorted.

function median(list, n,   i, j, item) {
	for (i = 2; i <= n; i++) {
		item = list[i]
		for (j = i; j > 1 && list[j - 1] > item; j--)
			list[j] = list[j - 1]
		list[j] = item
	}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
