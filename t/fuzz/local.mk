# t/fuzz/local.mk: the fuzzers, with clang's libFuzzer.
#
#   make check-fuzz               builds them and what they need in a directory
#                                 of that name and runs each for a fixed number
#                                 of inputs that a fixed seed makes
#   make check-fuzz FUZZ_SEED=n FUZZ_RUNS=n
#
# A fuzzer has its first inputs in corpus/NAME beside it.

EXTRA_DIST += t/fuzz/run.sh $(fuzz_corpus)

fuzzers = \
	t/fuzz/args \
	t/fuzz/build \
	t/fuzz/codec \
	t/fuzz/fieldspec \
	t/fuzz/format \
	t/fuzz/memory \
	t/fuzz/number \
	t/fuzz/percent \
	t/fuzz/spec \
	t/fuzz/text \
	t/world/fuzz
fuzz_corpus = \
	t/fuzz/corpus/args/keywords \
	t/fuzz/corpus/args/kinds \
	t/fuzz/corpus/args/nested \
	t/fuzz/corpus/build/all \
	t/fuzz/corpus/build/doubles \
	t/fuzz/corpus/build/unbalanced \
	t/fuzz/corpus/codec/escape \
	t/fuzz/corpus/codec/octal \
	t/fuzz/corpus/codec/utf16 \
	t/fuzz/corpus/codec/utf7 \
	t/fuzz/corpus/fieldspec/number \
	t/fuzz/corpus/fieldspec/template \
	t/fuzz/corpus/format/integers \
	t/fuzz/corpus/format/objects \
	t/fuzz/corpus/memory/counts \
	t/fuzz/corpus/memory/orders \
	t/fuzz/corpus/number/decimal \
	t/fuzz/corpus/number/float \
	t/fuzz/corpus/percent/float \
	t/fuzz/corpus/percent/mapping \
	t/fuzz/corpus/spec/plain \
	t/fuzz/corpus/text/utf8 \
	t/world/corpus/fuzz/callback

EXTRA_PROGRAMS += $(fuzzers)
EXTRA_LTLIBRARIES += t/fuzz/libfuzz.la
t_fuzz_libfuzz_la_SOURCES = t/fuzz/fuzz.c t/fuzz/fuzz.h
fuzz_ldadd = t/fuzz/libfuzz.la libpyboehm.la $(GC_LIBS)
fuzz_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer

t_fuzz_args_LDADD = $(fuzz_ldadd)
t_fuzz_args_LDFLAGS = $(fuzz_ldflags)
t_fuzz_build_LDADD = $(fuzz_ldadd)
t_fuzz_build_LDFLAGS = $(fuzz_ldflags)
t_fuzz_fieldspec_LDADD = $(fuzz_ldadd)
t_fuzz_fieldspec_LDFLAGS = $(fuzz_ldflags)
t_fuzz_codec_LDADD = $(fuzz_ldadd)
t_fuzz_codec_LDFLAGS = $(fuzz_ldflags)
t_fuzz_format_LDADD = $(fuzz_ldadd)
t_fuzz_format_LDFLAGS = $(fuzz_ldflags)
t_fuzz_memory_LDADD = $(fuzz_ldadd)
t_fuzz_memory_LDFLAGS = $(fuzz_ldflags)
t_fuzz_number_LDADD = $(fuzz_ldadd)
t_fuzz_number_LDFLAGS = $(fuzz_ldflags)
t_fuzz_percent_LDADD = $(fuzz_ldadd)
t_fuzz_percent_LDFLAGS = $(fuzz_ldflags)
t_fuzz_spec_LDADD = $(fuzz_ldadd)
t_fuzz_spec_LDFLAGS = $(fuzz_ldflags)
t_fuzz_text_LDADD = $(fuzz_ldadd)
t_fuzz_text_LDFLAGS = $(fuzz_ldflags)

# Only a build with clang's -fsanitize=fuzzer-no-link has use for it.
fuzzers: $(fuzzers)

FUZZ_CC = clang
FUZZ_RUNS = 20000
FUZZ_SEED = 1
fuzz_env = srcdir='$(srcdir)' MAKE='$(MAKE)' FUZZ_CC='$(FUZZ_CC)' \
	FUZZ_RUNS='$(FUZZ_RUNS)' FUZZ_SEED='$(FUZZ_SEED)'

fuzz:
	+@$(fuzz_env) $(SHELL) $(srcdir)/t/fuzz/run.sh build
check-fuzz: fuzz
	@$(fuzz_env) $(SHELL) $(srcdir)/t/fuzz/run.sh run $(fuzzers)

clean-local: clean-fuzz
clean-fuzz:
	rm -rf check-fuzz $(fuzzers)

.PHONY: check-fuzz clean-fuzz fuzz fuzzers
