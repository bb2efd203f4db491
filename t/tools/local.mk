# t/tools/local.mk: what finds faults without a test for each of them.
#
#   make check-asan      the suite under the address sanitizer,
#   make check-ubsan     and under that of undefined behaviour
#   make check-tsan      collections by two threads under that of threads
#   make check-valgrind  the test programs under memcheck
#   make check-cppcheck  cppcheck and
#   make check-tidy      clang-tidy on the library's sources

EXTRA_DIST += .clang-tidy t/valgrind.supp t/tools/cppcheck.sh \
	t/tools/sanitize.sh t/tools/tidy.sh t/tools/tsan.sh t/tools/valgrind.sh

# Builds of their own, in directories of these names, configured as this one,
# and as SANITIZED says.
SANITIZED =
check-asan check-ubsan:
	@sanitizer=address; test $@ = check-asan || sanitizer=undefined; \
	srcdir='$(srcdir)' MAKE='$(MAKE)' $(SHELL) \
		$(srcdir)/t/tools/sanitize.sh $@ $$sanitizer $(SANITIZED)

# The same, in the ordinary build and, for the passes, in the checked one.
check-tsan:
	@srcdir='$(srcdir)' MAKE='$(MAKE)' $(SHELL) \
		$(srcdir)/t/tools/tsan.sh $@-no --enable-checks=no
	@srcdir='$(srcdir)' MAKE='$(MAKE)' PROGRAMS=t/check_marking $(SHELL) \
		$(srcdir)/t/tools/tsan.sh $@-yes --enable-checks=yes

clean-local: clean-tools
clean-tools:
	rm -rf check-asan check-ubsan check-tsan-* t/*.valgrind

if HAVE_CHECK
VALGRIND_TESTS = $(api_tests) $(core_tests) $(rule_tests)
check-valgrind: $(check_PROGRAMS) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/tools/valgrind.sh \
		$(VALGRIND_TESTS)
endif

checker_cppflags = -I$(abs_top_srcdir)/include -I$(abs_top_srcdir)/lib \
	-DPYBOEHM_BUILD -D_GNU_SOURCE $(CHECKS_CPPFLAGS) $(GC_CFLAGS)

check-cppcheck:
	@srcdir='$(srcdir)' CC='$(CC)' FLAGS='$(checker_cppflags)' \
		$(SHELL) $(srcdir)/t/tools/cppcheck.sh $(lib_libcore_la_SOURCES)

check-tidy:
	@srcdir='$(srcdir)' FLAGS='$(LANG_CFLAGS) $(checker_cppflags)' \
		$(SHELL) $(srcdir)/t/tools/tidy.sh $(lib_libcore_la_SOURCES)

.PHONY: check-asan check-ubsan check-tsan check-valgrind check-cppcheck \
	check-tidy clean-tools
