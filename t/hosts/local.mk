# t/hosts/local.mk: the collector's tests in Boehm hosts of all kinds.

EXTRA_DIST += t/hosts/hosts.sh t/hosts/finalizers-on-demand.txt \
	t/hosts/finding-leaks.txt \
	t/hosts/no-collections.txt \
	t/hosts/rude.txt

.PHONY: check-hosts
check-hosts: all
	$(MAKE) $(AM_MAKEFLAGS) $(host_tests) $(collecting_tests) \
		$(check_LTLIBRARIES)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/t/hosts/hosts.sh \
		$(host_tests) $(collecting_tests)

# Not linked with the library; it is there without Check, too.
check_PROGRAMS += t/hosts/dlopen
TESTS += t/hosts/dlopen
t_hosts_dlopen_SOURCES = t/hosts/dlopen.c
t_hosts_dlopen_LDADD = -lpthread
t_hosts_dlopen_DEPENDENCIES = libpyboehm.la

# Those that are about objects and collections, not about a host of their own.
host_tests = \
	t/gc/check_gc_adoption \
	t/object/check_classes \
	t/types/check_dict \
	t/gc/check_gc_alloc \
	t/gc/check_gc_finalize \
	t/gc/check_gc_garbage \
	t/gc/check_gc_generations \
	t/gc/check_gc_limit \
	t/gc/check_gc_memory \
	t/object/check_gc_module \
	t/gc/check_gc_search \
	t/gc/check_gc_track \
	t/gc/check_gc_weakref \
	t/object/check_heaptype \
	t/object/check_import \
	t/types/check_list \
	t/object/check_modcycle \
	t/gc/check_traverse \
	t/gc/check_untrack \
	t/object/check_weakref

# Some of them again, linked with what collects at allocations.
collecting_tests = \
	t/hosts/check_gc_alloc \
	t/hosts/check_gc_finalize \
	t/hosts/check_gc_garbage \
	t/hosts/check_gc_generations \
	t/hosts/check_gc_memory \
	t/hosts/check_gc_module \
	t/hosts/check_gc_search \
	t/hosts/check_gc_track \
	t/hosts/check_gc_weakref \
	t/hosts/check_heaptype \
	t/hosts/check_modcycle \
	t/hosts/check_weakref
collecting_ldadd = $(core_ldadd) t/hosts/libcollecting.la
collecting_ldflags = $(AM_LDFLAGS) \
	-Wl,--wrap=pyb_collect_automatic,--wrap=pyb_boehm_alloc_many \
	-Wl,--wrap=pyb_boehm_alloc,--wrap=pyb_boehm_set_sentinel \
	-Wl,--wrap=_PyObject_GC_Resize

EXTRA_LTLIBRARIES += t/hosts/libcollecting.la
t_hosts_libcollecting_la_SOURCES = t/hosts/collecting.c
t_hosts_libcollecting_la_CPPFLAGS = $(core_cppflags)

EXTRA_PROGRAMS += $(collecting_tests)
CLEANFILES += $(collecting_tests) t/hosts/libcollecting.la
t_hosts_check_gc_alloc_SOURCES = t/gc/check_gc_alloc.c
t_hosts_check_gc_alloc_LDADD = $(collecting_ldadd)
t_hosts_check_gc_alloc_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_finalize_SOURCES = t/gc/check_gc_finalize.c
t_hosts_check_gc_finalize_LDADD = $(collecting_ldadd)
t_hosts_check_gc_finalize_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_garbage_SOURCES = t/gc/check_gc_garbage.c
t_hosts_check_gc_garbage_LDADD = $(collecting_ldadd)
t_hosts_check_gc_garbage_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_generations_SOURCES = t/gc/check_gc_generations.c
t_hosts_check_gc_generations_LDADD = $(collecting_ldadd)
t_hosts_check_gc_generations_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_memory_SOURCES = t/gc/check_gc_memory.c
t_hosts_check_gc_memory_LDADD = $(collecting_ldadd)
t_hosts_check_gc_memory_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_module_SOURCES = t/object/check_gc_module.c
t_hosts_check_gc_module_LDADD = $(collecting_ldadd)
t_hosts_check_gc_module_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_search_SOURCES = t/gc/check_gc_search.c
t_hosts_check_gc_search_LDADD = $(collecting_ldadd)
t_hosts_check_gc_search_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_track_SOURCES = t/gc/check_gc_track.c
t_hosts_check_gc_track_LDADD = $(collecting_ldadd)
t_hosts_check_gc_track_LDFLAGS = $(collecting_ldflags)
t_hosts_check_gc_weakref_SOURCES = t/gc/check_gc_weakref.c
t_hosts_check_gc_weakref_LDADD = $(collecting_ldadd)
t_hosts_check_gc_weakref_LDFLAGS = $(collecting_ldflags)
t_hosts_check_heaptype_SOURCES = t/object/check_heaptype.c
t_hosts_check_heaptype_LDADD = $(collecting_ldadd)
t_hosts_check_heaptype_LDFLAGS = $(collecting_ldflags)
t_hosts_check_modcycle_SOURCES = t/object/check_modcycle.c
t_hosts_check_modcycle_LDADD = $(collecting_ldadd)
t_hosts_check_modcycle_LDFLAGS = $(collecting_ldflags)
t_hosts_check_weakref_SOURCES = t/object/check_weakref.c
t_hosts_check_weakref_LDADD = $(collecting_ldadd)
t_hosts_check_weakref_LDFLAGS = $(collecting_ldflags)

# Programs that know nothing of the library, each alone and with the library in
# its process: examples/host, and the like of Boehm's own test programs.
EXTRA_DIST += t/hosts/same.sh

same_made = \
	t/hosts/words_alone \
	t/hosts/like_lists_alone \
	t/hosts/like_blocks_alone \
	t/hosts/like_finalizers_alone \
	t/hosts/like_kinds_alone \
	t/hosts/like_threads_alone \
	t/hosts/like_reports_alone \
	t/hosts/words_guest \
	t/hosts/like_lists_guest \
	t/hosts/like_blocks_guest \
	t/hosts/like_finalizers_guest \
	t/hosts/like_kinds_guest \
	t/hosts/like_threads_guest \
	t/hosts/like_reports_guest
check_PROGRAMS += $(same_made)
TESTS += t/hosts/same.sh
t/hosts/same.log: $(same_made)

alone_ldflags = $(AM_LDFLAGS) \
	-Wl,--wrap=GC_malloc,--wrap=GC_malloc_atomic,--wrap=GC_realloc
guest_ldflags = $(alone_ldflags) \
	-Wl,--wrap=main,--wrap=GC_init,--wrap=GC_gcollect
alone_ldadd = $(GC_LIBS) -lpthread
guest_ldadd = libpyboehm.la $(alone_ldadd)

words_sources = \
	examples/host/intern.c \
	examples/host/intern.h \
	examples/host/rope.c \
	examples/host/rope.h \
	examples/host/words.c
alone_sources = t/hosts/steady.c
like_sources = t/hosts/like.c t/hosts/like.h
t_hosts_words_alone_SOURCES = $(words_sources) \
	$(alone_sources)
t_hosts_words_alone_LDADD = $(alone_ldadd)
t_hosts_words_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_lists_alone_SOURCES = t/hosts/like_lists.c $(like_sources) \
	$(alone_sources)
t_hosts_like_lists_alone_LDADD = $(alone_ldadd)
t_hosts_like_lists_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_blocks_alone_SOURCES = t/hosts/like_blocks.c $(like_sources) \
	$(alone_sources)
t_hosts_like_blocks_alone_LDADD = $(alone_ldadd)
t_hosts_like_blocks_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_finalizers_alone_SOURCES = t/hosts/like_finalizers.c $(like_sources) \
	$(alone_sources)
t_hosts_like_finalizers_alone_LDADD = $(alone_ldadd)
t_hosts_like_finalizers_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_kinds_alone_SOURCES = t/hosts/like_kinds.c $(like_sources) \
	$(alone_sources)
t_hosts_like_kinds_alone_LDADD = $(alone_ldadd)
t_hosts_like_kinds_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_threads_alone_SOURCES = t/hosts/like_threads.c $(like_sources) \
	$(alone_sources)
t_hosts_like_threads_alone_LDADD = $(alone_ldadd)
t_hosts_like_threads_alone_LDFLAGS = $(alone_ldflags)
t_hosts_like_reports_alone_SOURCES = t/hosts/like_reports.c $(like_sources) \
	$(alone_sources)
t_hosts_like_reports_alone_LDADD = $(alone_ldadd)
t_hosts_like_reports_alone_LDFLAGS = $(alone_ldflags)
t_hosts_words_guest_SOURCES = $(words_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_words_guest_LDADD = $(guest_ldadd)
t_hosts_words_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_lists_guest_SOURCES = t/hosts/like_lists.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_lists_guest_LDADD = $(guest_ldadd)
t_hosts_like_lists_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_blocks_guest_SOURCES = t/hosts/like_blocks.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_blocks_guest_LDADD = $(guest_ldadd)
t_hosts_like_blocks_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_finalizers_guest_SOURCES = t/hosts/like_finalizers.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_finalizers_guest_LDADD = $(guest_ldadd)
t_hosts_like_finalizers_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_kinds_guest_SOURCES = t/hosts/like_kinds.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_kinds_guest_LDADD = $(guest_ldadd)
t_hosts_like_kinds_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_threads_guest_SOURCES = t/hosts/like_threads.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_threads_guest_LDADD = $(guest_ldadd)
t_hosts_like_threads_guest_LDFLAGS = $(guest_ldflags)
t_hosts_like_reports_guest_SOURCES = t/hosts/like_reports.c $(like_sources) \
	$(alone_sources) t/hosts/guest.c
t_hosts_like_reports_guest_LDADD = $(guest_ldadd)
t_hosts_like_reports_guest_LDFLAGS = $(guest_ldflags)
