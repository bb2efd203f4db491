# tools/local.mk: programs for people.

dist_bin_SCRIPTS = tools/pyboehm-graph
