# doc/html/local.mk: make html, the manual for browsers, and make install-html.
#
# Sphinx makes it, of the documents and of what pandoc makes of the manual
# pages.  It is neither part of make nor of a release.  With SPHINXOPTS=-W its
# warnings are errors.

html_scripts = doc/html/conf.py doc/html/filter.js doc/html/style.css
EXTRA_DIST += $(html_scripts) doc/index.md
html_documents = doc/index.md $(dist_doc_DATA) $(dist_curves_DATA) \
	$(dist_pictures_DATA)

html-local: html/index.html
html/index.html: $(html_documents) $(html_scripts) $(dist_man_MANS) \
		man/man3.stamp
	@test '$(have_html)' = yes || { \
		echo 'make html needs Sphinx and pandoc, which configure did not' \
			'find.  On Debian: apt-get install $(HTML_PACKAGES);' \
			'then run configure again' >&2; \
		exit 1; }
	$(AM_V_GEN)rm -rf html html.src && $(MKDIR_P) html.src && \
	documents='$(html_documents:%=$(srcdir)/%)' \
	overviews='$(dist_man_MANS:%=$(srcdir)/%)' \
	manuals=man/man3 version='$(PACKAGE_VERSION)' PANDOC='$(PANDOC)' \
		$(SPHINX_BUILD) -q $(SPHINXOPTS) -c $(srcdir)/doc/html \
		-d html.src/doctrees html.src html && \
	rm -rf html.src html/.buildinfo

# The pages, and the directories beside them.
install-html-local: html-local
	cd html && find . -type f | while read -r file; do \
		to="$(DESTDIR)$(htmldir)/$${file%/*}" && $(MKDIR_P) "$$to" && \
			$(INSTALL_DATA) "$$file" "$$to" || exit; \
	done

uninstall-local: uninstall-html
.PHONY: uninstall-html
uninstall-html:
	test ! -d html || find html -type f | while read -r file; do \
		rm -f "$(DESTDIR)$(htmldir)/$${file#html/}" || exit; \
	done

clean-local: clean-html
.PHONY: clean-html
clean-html:
	rm -rf html html.src
