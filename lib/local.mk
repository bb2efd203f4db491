# lib/local.mk: the library.
#
# All of it is built once, into lib/libcore.la: libpyboehm.la is made from
# that, and so are the tests that look behind the API.

noinst_LTLIBRARIES += lib/libcore.la
lib_libcore_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/lib \
	-DPYBOEHM_BUILD -D_GNU_SOURCE $(FUNCTIONS_CPPFLAGS)
lib_libcore_la_CFLAGS = $(own_cflags) $(COVERAGE_CFLAGS)
lib_libcore_la_LIBADD = $(GC_LIBS)
lib_libcore_la_SOURCES = \
	lib/gc/blame.c \
	lib/gc/blame.h \
	lib/gc/boehm.c \
	lib/gc/boehm.h \
	lib/gc/callbacks.c \
	lib/gc/callbacks.h \
	lib/gc/cell.h \
	lib/gc/condemned.c \
	lib/gc/condemned.h \
	lib/gc/container.c \
	lib/gc/container.h \
	lib/gc/control.c \
	lib/gc/control.h \
	lib/gc/crew.c \
	lib/gc/crew.h \
	lib/gc/cycle.c \
	lib/gc/cycle.h \
	lib/gc/dealloc.c \
	lib/gc/dealloc.h \
	lib/gc/debug.c \
	lib/gc/debug.h \
	lib/gc/fatal.c \
	lib/gc/fatal.h \
	lib/gc/generations.c \
	lib/gc/generations.h \
	lib/gc/heap.c \
	lib/gc/heap.h \
	lib/gc/inspect.c \
	lib/gc/inspect.h \
	lib/gc/marking.c \
	lib/gc/marking.h \
	lib/gc/search.c \
	lib/gc/sidetable.c \
	lib/gc/sidetable.h \
	lib/gc/teardown.c \
	lib/gc/teardown.h \
	lib/gc/traverse.c \
	lib/gc/traverse.h \
	lib/gc/underway.c \
	lib/gc/underway.h \
	lib/gc/upcalls.h \
	lib/gc/visit.c \
	lib/gc/walk.c \
	lib/gc/walk.h \
	lib/object/abiinfo.c \
	lib/object/attr.c \
	lib/object/attr.h \
	lib/object/baseobject.c \
	lib/object/bases.c \
	lib/object/bases.h \
	lib/object/boundmethod.c \
	lib/object/buffer.c \
	lib/object/buildvalue.c \
	lib/object/builtins.c \
	lib/object/call.c \
	lib/object/call.h \
	lib/object/cfunction.c \
	lib/object/cfunction.h \
	lib/object/classhooks.c \
	lib/object/classhooks.h \
	lib/object/descr.c \
	lib/object/dir.c \
	lib/object/docstring.c \
	lib/object/docstring.h \
	lib/object/dynload.c \
	lib/object/errors.c \
	lib/object/errors.h \
	lib/object/exceptions.c \
	lib/object/exceptions.h \
	lib/object/excfields.c \
	lib/object/exctree.c \
	lib/object/gclink.c \
	lib/object/gclink.h \
	lib/object/gcmodule.c \
	lib/object/gcmodule.h \
	lib/object/getargs.c \
	lib/object/getargs.h \
	lib/object/getargskw.c \
	lib/object/getargsunit.c \
	lib/object/hookname.c \
	lib/object/import.c \
	lib/object/import.h \
	lib/object/importlevel.c \
	lib/object/inherit.c \
	lib/object/inherit.h \
	lib/object/instancedict.h \
	lib/object/iterprotocol.c \
	lib/object/lifecycle.c \
	lib/object/mapping.c \
	lib/object/member.c \
	lib/object/memory.c \
	lib/object/module.c \
	lib/object/module.h \
	lib/object/modulecache.c \
	lib/object/moduledef.c \
	lib/object/modulefill.c \
	lib/object/moduleload.c \
	lib/object/moduleslots.c \
	lib/object/moduleslots.h \
	lib/object/mro.c \
	lib/object/mro.h \
	lib/object/newexception.c \
	lib/object/number.c \
	lib/object/object.c \
	lib/object/oserror.c \
	lib/object/property.c \
	lib/object/quick.h \
	lib/object/recursion.c \
	lib/object/report.c \
	lib/object/sequence.c \
	lib/object/sequence.h \
	lib/object/singletons.c \
	lib/object/slotinfo.c \
	lib/object/slotnames.c \
	lib/object/slotnames.h \
	lib/object/slotreader.c \
	lib/object/slotreader.h \
	lib/object/slots.c \
	lib/object/slots.h \
	lib/object/spare.c \
	lib/object/spare.h \
	lib/object/subclasses.c \
	lib/object/subclasses.h \
	lib/object/subtype.c \
	lib/object/subtype.h \
	lib/object/super.c \
	lib/object/super.h \
	lib/object/sys.c \
	lib/object/sys.h \
	lib/object/type.c \
	lib/object/typeattrs.c \
	lib/object/typeattrs.h \
	lib/object/typedata.c \
	lib/object/typedata.h \
	lib/object/typefromslots.c \
	lib/object/typelookup.c \
	lib/object/typemethods.c \
	lib/object/typemethods.h \
	lib/object/typenames.c \
	lib/object/typenames.h \
	lib/object/typenew.c \
	lib/object/typenew.h \
	lib/object/typeready.c \
	lib/object/typespec.c \
	lib/object/typeversion.c \
	lib/object/unicodeerror.c \
	lib/object/unraisable.c \
	lib/object/unraisable.h \
	lib/object/warnings.c \
	lib/object/warnings.h \
	lib/object/weakproxy.c \
	lib/object/weakref.c \
	lib/object/weakref.h \
	lib/object/weakreftype.c \
	lib/types/atomic.c \
	lib/types/atomic.h \
	lib/types/bool.c \
	lib/types/bytearray.c \
	lib/types/bytes.c \
	lib/types/bytes.h \
	lib/types/bytesformat.c \
	lib/types/bytesiter.c \
	lib/types/bytesmethods.c \
	lib/types/capsule.c \
	lib/types/cell.c \
	lib/types/codecerrors.c \
	lib/types/codecs.c \
	lib/types/codecs.h \
	lib/types/complex.c \
	lib/types/complexmath.c \
	lib/types/cstring.c \
	lib/types/dict.c \
	lib/types/dict.h \
	lib/types/dictiter.c \
	lib/types/dictmerge.c \
	lib/types/dictproxy.c \
	lib/types/dicttable.c \
	lib/types/dicttype.c \
	lib/types/dictviews.c \
	lib/types/dictviewset.c \
	lib/types/enumerate.c \
	lib/types/float.c \
	lib/types/float.h \
	lib/types/floattext.c \
	lib/types/hash.c \
	lib/types/instancedict.c \
	lib/types/int.c \
	lib/types/int.h \
	lib/types/intconv.c \
	lib/types/intdigits.c \
	lib/types/intern.c \
	lib/types/intmath.c \
	lib/types/intmath.h \
	lib/types/inttext.c \
	lib/types/inttext.h \
	lib/types/iter.c \
	lib/types/iterators.c \
	lib/types/iterators.h \
	lib/types/list.c \
	lib/types/list.h \
	lib/types/listiter.c \
	lib/types/listslice.c \
	lib/types/listsort.c \
	lib/types/listtype.c \
	lib/types/map.c \
	lib/types/namespace.c \
	lib/types/range.c \
	lib/types/reversed.c \
	lib/types/row.c \
	lib/types/row.h \
	lib/types/search.c \
	lib/types/search.h \
	lib/types/set.c \
	lib/types/set.h \
	lib/types/setiter.c \
	lib/types/setops.c \
	lib/types/settype.c \
	lib/types/slice.c \
	lib/types/str.c \
	lib/types/str.h \
	lib/types/strcase.c \
	lib/types/strcase.h \
	lib/types/strchars.c \
	lib/types/strformat.c \
	lib/types/strformat.h \
	lib/types/strindex.c \
	lib/types/strmethods.c \
	lib/types/strops.c \
	lib/types/strpercent.c \
	lib/types/strrepr.c \
	lib/types/strrepr.h \
	lib/types/strsplit.c \
	lib/types/strwriter.c \
	lib/types/text.c \
	lib/types/text.h \
	lib/types/tuple.c \
	lib/types/utf8.c \
	lib/types/utf8.h \
	lib/types/zip.c

# The interface's version, CURRENT:REVISION:AGE.  The policy, at each release:
#
#   nothing changed but code              REVISION + 1
#   names were added, nothing else        CURRENT + 1, REVISION 0, AGE + 1
#   a name went or changed its meaning,
#   a public structure changed            CURRENT + 1, REVISION 0, AGE 0
#
# Public structures are those that users' object files contain: PyTypeObject
# and the other ones that the headers show.  It has nothing to do with the
# version in configure.ac.
lib_LTLIBRARIES += libpyboehm.la
libpyboehm_la_SOURCES =
libpyboehm_la_LIBADD = lib/libcore.la
libpyboehm_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 0:0:0
