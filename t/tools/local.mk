# t/tools/local.mk: what finds faults without a test for each of them.
#
#   make check-absent      those of the collector where the system has nothing
#                          but C11 and POSIX
#   make check-cross HOST=aarch64-linux-gnu
#                          the test programs on that machine, under qemu
#   make check-valgrind    the test programs under memcheck
#   make check-cppcheck    cppcheck and
#   make check-tidy        clang-tidy on the library's sources
#   make check-packages    Debian's packages: builds them, and asks lintian;
#                          with INSTALLED=yes, as root, installs them on this
#                          machine, tries them, and purges them
#
#   make debian-symbols    adds the names that are new to Debian's list

EXTRA_DIST += .clang-tidy t/tools/absent.sh \
	t/tools/cppcheck.sh t/tools/cross.sh t/tools/cross.txt \
	t/tools/packages.sh t/tools/tidy.sh t/tools/valgrind.sh

# A build of its own, in a directory of this name.
check-absent:
	+@srcdir='$(srcdir)' MAKE='$(MAKE)' CC='$(CC)' \
		GC_CFLAGS='$(GC_CFLAGS) $(GMP_CFLAGS)' $(SHELL) $(srcdir)/t/tools/absent.sh $@

clean-local: clean-tools
clean-tools:
	rm -rf check-absent check-cross-* t/*/*.valgrind

if HAVE_CHECK
VALGRIND_TESTS = $(api_tests) $(core_tests) $(rule_tests)
check-valgrind: $(check_PROGRAMS) $(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/tools/valgrind.sh \
		$(VALGRIND_TESTS)

HOST =
CROSS_TESTS = $(api_tests) $(rule_tests) $(core_tests)
check-cross:
	+@srcdir='$(srcdir)' MAKE='$(MAKE)' $(SHELL) \
		$(srcdir)/t/tools/cross.sh '$(HOST)' $(CROSS_TESTS)
endif

checker_cppflags = -I$(abs_top_srcdir)/include -I$(abs_top_srcdir)/lib \
	-DPYBOEHM_BUILD -D_GNU_SOURCE -DPACKAGE_STRING=__VERSION__ \
	-DPYBOEHM_SUPPRESSIONS=__VERSION__ -DPYB_BOEHM_STACK=$(BOEHM_STACK) \
	$(FUNCTIONS_CPPFLAGS) \
	$(CHECKS_CPPFLAGS) $(GC_CFLAGS)

check-cppcheck:
	@srcdir='$(srcdir)' CC='$(CC)' FLAGS='$(checker_cppflags)' \
		$(SHELL) $(srcdir)/t/tools/cppcheck.sh $(lib_libcore_la_SOURCES)

check-tidy:
	@srcdir='$(srcdir)' FLAGS='$(LANG_CFLAGS) $(checker_cppflags)' \
		$(SHELL) $(srcdir)/t/tools/tidy.sh $(lib_libcore_la_SOURCES)

# From the release, as a packager builds them.
INSTALLED = no
check-packages: dist
	@srcdir='$(srcdir)' $(SHELL) $(srcdir)/t/tools/packages.sh \
		$(distdir).tar.gz $(INSTALLED)

# The release that brings a name stands behind it; names never go.
symbols = debian/libpyboehm0.symbols
debian-symbols: libpyboehm.la
	cd $(srcdir) && dpkg-gensymbols -q -t -c0 -plibpyboehm0 \
		-v$(PACKAGE_VERSION) -I$(symbols) -O$(symbols) \
		-e'$(abs_builddir)/.libs/libpyboehm.so.0'

.PHONY: check-absent check-cross check-valgrind check-cppcheck check-tidy \
	check-packages clean-tools debian-symbols
