# t/faults/local.mk: every allocation made to fail, one after another.

if HAVE_CHECK

# The library's parts, not the library: the linker leads what they allocate to
# t/faults/faults.c.  The modules that some load look for the library's
# functions in the program.
faults_tests = \
	t/faults/check_faults_core \
	t/faults/check_faults_objects \
	t/faults/check_faults_once \
	t/faults/check_faults_types
faults_sources = t/faults/faults.c t/faults/faults.h
faults_ldflags = $(AM_LDFLAGS) -Wl,--export-dynamic \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	-Wl,--wrap=mmap,--wrap=GC_malloc,--wrap=GC_generic_malloc \
	-Wl,--wrap=GC_generic_malloc_many \
	-Wl,--wrap=GC_register_finalizer,--wrap=GC_register_finalizer_no_order
faults_cppflags = $(core_cppflags)

t_faults_check_faults_core_SOURCES = \
	t/faults/check_faults_core.c $(faults_sources)
t_faults_check_faults_core_CPPFLAGS = $(faults_cppflags)
t_faults_check_faults_core_LDFLAGS = $(faults_ldflags)
t_faults_check_faults_core_LDADD = $(core_ldadd)
t_faults_check_faults_types_SOURCES = \
	t/faults/check_faults_types.c $(faults_sources)
t_faults_check_faults_types_CPPFLAGS = $(faults_cppflags)
t_faults_check_faults_types_LDFLAGS = $(faults_ldflags)
t_faults_check_faults_types_LDADD = $(core_ldadd)
t_faults_check_faults_objects_SOURCES = \
	t/faults/check_faults_objects.c $(faults_sources)
t_faults_check_faults_objects_CPPFLAGS = $(faults_cppflags)
t_faults_check_faults_objects_LDFLAGS = $(faults_ldflags)
t_faults_check_faults_objects_LDADD = $(core_ldadd)
t_faults_check_faults_once_SOURCES = \
	t/faults/check_faults_once.c $(faults_sources)
t_faults_check_faults_once_CPPFLAGS = $(faults_cppflags)
t_faults_check_faults_once_LDFLAGS = $(faults_ldflags)
t_faults_check_faults_once_LDADD = $(core_ldadd)

check_PROGRAMS += $(faults_tests)
TESTS += $(faults_tests)

endif
