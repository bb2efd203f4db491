# man/local.mk: the manual pages.
#
# Those of section 3 are written from the public headers, one for each group
# of declarations and a line that refers to it for every other name, with the
# examples that examples/reference.c runs.  Which names there are is known only
# then.  Those of pyconfig.h are not ours: every program that uses autoconf has
# its own HAVE_UNISTD_H.

dist_man_MANS = man/pyboehm.7 man/pyboehm-graph.1
page_headers = $(pkginclude_HEADERS:include/pyconfig.h=) $(parts_HEADERS)
page_scripts = man/headers.awk man/examples.awk man/pages.awk
page_examples = examples/reference.c
EXTRA_DIST += $(page_scripts)
CLEANFILES += man/man3.stamp
pagesdir = $(mandir)/man3

# They bear the date of the newest entry in ChangeLog.
noinst_DATA = man/man3.stamp
man/man3.stamp: $(page_headers) $(page_scripts) $(page_examples) ChangeLog
	$(AM_V_GEN)rm -rf man/man3 && $(MKDIR_P) man/man3 && \
	set -- && for script in $(page_scripts); do \
		set -- "$$@" -f "$(srcdir)/$$script"; \
	done && \
	set -- "$$@" -v out=man/man3 -v examples='$(srcdir)/$(page_examples)' \
		-v version='$(PACKAGE_VERSION)' \
		-v date="`sed -n '1s/ .*//p' $(srcdir)/ChangeLog`" && \
	for header in $(page_headers); do \
		set -- "$$@" "$(srcdir)/$$header"; \
	done && LC_ALL=C $(AWK) "$$@" && touch $@

install-data-local: man/man3.stamp
	$(MKDIR_P) '$(DESTDIR)$(pagesdir)'
	$(INSTALL_DATA) man/man3/*.3 '$(DESTDIR)$(pagesdir)'

uninstall-local: man/man3.stamp
	cd man/man3 && for page in *.3; do \
		rm -f "$(DESTDIR)$(pagesdir)/$$page" || exit; \
	done

clean-local:
	-rm -rf man/man3
