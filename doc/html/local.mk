# doc/html/local.mk: make html, the manual for browsers, and make install-html.
#
# It is made of the documents and of what the manual pages are made of.  It is
# neither part of make nor of a release: it needs cmark-gfm and mandoc.

html_scripts = doc/html/book.sh doc/html/frame.awk doc/html/link.awk \
	doc/html/manual.awk doc/html/names.awk doc/html/style.css man/html.awk
EXTRA_DIST += $(html_scripts) doc/index.md

# All documents in Markdown: those that dist_doc_DATA names.
html-local: html/index.html
html/index.html: $(dist_doc_DATA) $(dist_curves_DATA) $(dist_pictures_DATA) \
		doc/index.md $(page_headers) $(page_scripts) $(html_scripts) \
		$(dist_man_MANS)
	@test -n '$(CMARK)' && test -n '$(MANDOC)' || { \
		echo 'make html needs cmark-gfm and mandoc, which configure did' \
			'not find; on Debian: apt-get install cmark-gfm mandoc' >&2; \
		exit 1; }
	$(AM_V_GEN)set -- && \
	for document in doc/index.md $(dist_doc_DATA); do \
		case $$document in NEWS | *.md) \
			set -- "$$@" "$(srcdir)/$$document" ;; \
		esac; \
	done && \
	headers='$(page_headers)' manuals='$(dist_man_MANS)' srcdir='$(srcdir)' \
		AWK='$(AWK)' CMARK='$(CMARK)' MANDOC='$(MANDOC)' \
		version='$(PACKAGE_VERSION)' $(SHELL) \
		$(srcdir)/doc/html/book.sh html "$$@"

# The pages, and the pictures in directories beside them.
install-html-local: html-local
	cd html && for file in *.* */*.*; do \
		case $$file in \
		*/*) to="$(DESTDIR)$(htmldir)/$${file%/*}" ;; \
		*) to="$(DESTDIR)$(htmldir)" ;; \
		esac && $(MKDIR_P) "$$to" && $(INSTALL_DATA) "$$file" "$$to" || \
			exit; \
	done

uninstall-local: uninstall-html
.PHONY: uninstall-html
uninstall-html:
	for file in html/*.* html/*/*.*; do \
		rm -f "$(DESTDIR)$(htmldir)/$${file#html/}" || exit; \
	done

clean-local: clean-html
.PHONY: clean-html
clean-html:
	rm -rf html
