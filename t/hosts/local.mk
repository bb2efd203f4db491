# t/hosts/local.mk: the collector's tests in Boehm hosts of all kinds.

EXTRA_DIST += t/hosts/collecting.txt t/hosts/hosts.sh \
	t/hosts/no-collections.txt

.PHONY: check-hosts
check-hosts: all
	$(MAKE) $(AM_MAKEFLAGS) $(host_tests) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/hosts/hosts.sh \
		$(host_tests)

# Those that are about objects and collections, not about a host of their own.
host_tests = \
	t/check_gc_alloc \
	t/check_gc_finalize \
	t/check_gc_garbage \
	t/check_gc_generations \
	t/check_gc_search \
	t/check_gc_weakref \
	t/check_heaptype \
	t/check_modcycle
