# tools/local.mk: programs for people.

dist_bin_SCRIPTS = tools/pyboehm-graph

# What valgrind is not to complain of.
dist_pkgdata_DATA = tools/pyboehm.supp
