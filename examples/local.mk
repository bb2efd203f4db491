# examples/local.mk: programs that a reader can take; make demo runs the
# manual's tutorial against the installed library.

# make in the installed directory builds these.
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	examples/Makefile \
	examples/family.c \
	examples/first.c \
	examples/pictures.c \
	examples/recipes.c \
	examples/reference.c \
	examples/statistics.c
ecldir = $(pkgdatadir)/ecl
dist_ecl_DATA = examples/ecl/pyboehm.lisp

EXTRA_DIST += \
	examples/ecl/run.sh \
	examples/ecl/test.lisp \
	examples/tutorial/listings.awk \
	examples/tutorial/run.sh \
	examples/tutorial/tutorial.c

.PHONY: demo
demo:
	@srcdir='$(srcdir)' CC='$(CC) $(SANITIZE_CFLAGS)' \
		CFLAGS='$(CFLAGS) $(WARN_CFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' \
		libdir='$(libdir)' $(SHELL) $(srcdir)/examples/tutorial/run.sh

# The graphs of doc/pictures.md, after make demo: doc/pictures/*.svg.
.PHONY: pictures
pictures: all
	cd examples && $(CC) $(CFLAGS) $(WARN_CFLAGS) \
		`PKG_CONFIG_PATH='$(libdir)/pkgconfig' $(PKG_CONFIG) --cflags \
		pyboehm` '$(abs_srcdir)/examples/pictures.c' -o pictures \
		`PKG_CONFIG_PATH='$(libdir)/pkgconfig' $(PKG_CONFIG) --libs \
		pyboehm` -Wl,-rpath,'$(libdir)'
	cd examples && PYBOEHM_PATH=tutorial/modules ./pictures
	for name in cycle leak module many; do \
		$(SHELL) '$(srcdir)/tools/pyboehm-graph' -o examples/$$name.svg \
			examples/$$name.dot || exit; \
	done
	cp examples/cycle.svg examples/leak.svg '$(srcdir)/doc/pictures/'
CLEANFILES += examples/pictures examples/*.dot examples/*.svg

# ECL with the library that was built here.
.PHONY: check-ecl
check-ecl: all
	@srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' CC='$(CC)' \
		$(SHELL) $(srcdir)/examples/ecl/run.sh || test $$? = 77

# Not in Guile's own directory: configure does not know Guile, and that one may
# lie under another prefix.  Guile finds it by GUILE_LOAD_PATH.
guiledir = $(pkgdatadir)/guile
dist_guile_DATA = examples/guile/pyboehm.scm
guilepartsdir = $(guiledir)/pyboehm
dist_guileparts_DATA = \
	examples/guile/pyboehm/c.scm \
	examples/guile/pyboehm/control.scm
EXTRA_DIST += examples/guile/run.sh examples/guile/test.scm

.PHONY: check-guile
check-guile: all
	@srcdir='$(abs_srcdir)' CC='$(CC)' $(SHELL) \
		$(srcdir)/examples/guile/run.sh

clean-local: clean-guile
.PHONY: clean-guile
clean-guile:
	rm -rf examples/guile/work
