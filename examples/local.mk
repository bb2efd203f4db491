# examples/local.mk: programs that a reader can take; make demo runs the
# manual's tutorial against the installed library.

EXTRA_DIST += \
	examples/first.c \
	examples/recipes.c \
	examples/tutorial/listings.awk \
	examples/tutorial/run.sh \
	examples/tutorial/tutorial.c

.PHONY: demo
demo:
	@srcdir='$(srcdir)' CC='$(CC) $(SANITIZE_CFLAGS)' \
		CFLAGS='$(CFLAGS) $(WARN_CFLAGS)' PKG_CONFIG='$(PKG_CONFIG)' \
		libdir='$(libdir)' $(SHELL) $(srcdir)/examples/tutorial/run.sh
