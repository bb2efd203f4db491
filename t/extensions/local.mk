# t/extensions/local.mk: extension modules of others.

extension_tests = \
	t/extensions/check_abi3 \
	t/extensions/check_cffi \
	t/extensions/check_pybind \
	t/extensions/check_swig
EXTRA_PROGRAMS += $(extension_tests)
CLEANFILES += $(extension_tests)
extension_sources = t/extensions/extension.c t/extensions/extension.h
t_extensions_check_abi3_SOURCES = t/extensions/check_abi3.c $(extension_sources)
t_extensions_check_cffi_SOURCES = t/extensions/check_cffi.c $(extension_sources)
t_extensions_check_pybind_SOURCES = t/extensions/check_pybind.c $(extension_sources)
t_extensions_check_swig_SOURCES = t/extensions/check_swig.c $(extension_sources)

EXTRA_DIST += \
	t/extensions/extensions.sh \
	t/extensions/pybind_shapes.cpp \
	t/extensions/shapes.h \
	t/extensions/shapes.i

check-modules: all $(extension_tests)
	@$(AM_TESTS_ENVIRONMENT) CXX='$(CXX)' EXTENSIONS='$(EXTENSIONS)' \
	$(SHELL) $(srcdir)/t/extensions/extensions.sh $(extension_tests)

.PHONY: check-modules
