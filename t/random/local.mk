# t/random/local.mk: programs made by chance, for t/world and t/heaps.

random_headers = \
	t/random/bytecode.h \
	t/random/child.h \
	t/random/command.h \
	t/random/driver.h
random_sources = \
	t/random/bytecode.c
random_main = \
	t/random/command.c \
	t/random/shrink.c
