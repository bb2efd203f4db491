# bench/local.mk: make bench: the same source on pyboehm and, where its headers
# are installed, on CPython.

EXTRA_PROGRAMS += bench/figures
bench_figures_LDADD = libpyboehm.la
CLEANFILES += bench/figures bench/figures-cpython

PYTHON_CONFIG = python3-config

bench/figures-cpython: bench/figures.c
	$(AM_V_CCLD)$(CC) -O2 `$(PYTHON_CONFIG) --cflags` -o $@ \
		$(srcdir)/bench/figures.c `$(PYTHON_CONFIG) --embed --ldflags`

bench: bench/figures
	@echo 'pyboehm, ns per object:'
	@bench/figures
	@if command -v $(PYTHON_CONFIG) >/dev/null; then \
		$(MAKE) bench/figures-cpython && \
		echo "`$(PYTHON_CONFIG) --embed --libs`, ns per object:" && \
		bench/figures-cpython; \
	else \
		echo 'no CPython to compare with (python3-dev)'; \
	fi
.PHONY: bench
