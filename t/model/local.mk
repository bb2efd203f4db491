# t/model/local.mk: the states of condemned sets, two threads and a host, in every
# order of events, by spin.  See seam.pml.

EXTRA_DIST += t/model/model.sh t/model/seam.pml

check-model:
	@$(AM_TESTS_ENVIRONMENT) CC='$(CC)' $(SHELL) \
		$(srcdir)/t/model/model.sh

.PHONY: check-model
