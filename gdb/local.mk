# gdb/local.mk: gdb's support for pyboehm.
#
# When gdb loads a library it runs the script of its full name that it finds
# under auto-load; that one finds the package.  Libraries of two versions may be
# installed side by side, as libpyboehm.so.0 and libpyboehm.so.1, and each has a
# package of its own.

gdbpackagedir = $(pkgdatadir)/gdb/v$(soname_number)/pyboehm_gdb
dist_gdbpackage_DATA = \
	gdb/pyboehm_gdb/__init__.py \
	gdb/pyboehm_gdb/commands.py \
	gdb/pyboehm_gdb/counts.py \
	gdb/pyboehm_gdb/describe.py \
	gdb/pyboehm_gdb/memory.py \
	gdb/pyboehm_gdb/objects.py \
	gdb/pyboehm_gdb/printer.py \
	gdb/pyboehm_gdb/referrers.py \
	gdb/pyboehm_gdb/sidetable.py \
	gdb/pyboehm_gdb/values.py

EXTRA_DIST += gdb/libpyboehm-gdb.py
autoloaddir = $(datadir)/gdb/auto-load$(libdir)

# The library's file has a name that libtool makes up; the first of those in
# libpyboehm.la, where there is none if it is only static.
gdb_script = `. ./libpyboehm.la && set -- $$library_names && \
	test -n "$$1" && echo "$$1-gdb.py"`

install-data-hook: libpyboehm.la
	script=$(gdb_script) || exit 0; \
	$(MKDIR_P) '$(DESTDIR)$(autoloaddir)' && \
	$(INSTALL_DATA) '$(srcdir)/gdb/libpyboehm-gdb.py' \
		"$(DESTDIR)$(autoloaddir)/$$script"

uninstall-hook: libpyboehm.la
	script=$(gdb_script) || exit 0; \
	rm -f "$(DESTDIR)$(autoloaddir)/$$script"
