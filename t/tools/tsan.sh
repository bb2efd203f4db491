#!/bin/sh
# tsan.sh DIRECTORY CONFIGURE-ARGUMENT...: programs in which two threads collect
# under the thread sanitizer, in a build of their own in the directory,
# configured as this one but for the sanitizer, and with the arguments.
#
# Nearly every collection is done by two markers, for PYBOEHM_MARKERS lets them
# begin with a few objects.  The tests of PROGRAMS make objects of all our
# types, whose tp_traverse run on both threads.
#
# What forks while a helper is there would not be let go on else, and must not
# start a helper of its own: programs that look at fatal errors, in children of
# each test, are not among them.  libgc, which is not built with the sanitizer,
# starts no thread and needs no suppression.
#
# Boehm stops threads with signals, and here a thread gets those only when it
# calls something that the sanitizer knows; one that waits for a mutex of a
# stopped one never does.  So check_threads_stress has Boehm collect nothing, and
# check_threads_host is not among the programs; nor are check_threads and
# check_threads_fork, for what they do in children.
#
# gcc warns that the sanitizer does not know fences; ours are for Boehm's hooks.
set -u

: "${srcdir=.}" "${MAKE=make}"
: "${PROGRAMS=t/gc/check_marking t/gc/check_gc_garbage t/gc/check_gc_generations
    t/gc/check_gc_search t/gc/check_gc_weakref t/gc/check_untrack
    t/gc/check_traverse
    t/gc/check_attach t/runtime/check_threads_calls t/runtime/check_threads_end
    t/runtime/check_threads_import t/runtime/check_threads_own
    t/runtime/check_threads_stress}"
directory=$1
shift
source=$(cd "$srcdir" && pwd)
configuration=$(./config.status --config) || exit

mkdir -p "$directory" && cd "$directory" || exit
test -e Makefile ||
    eval "sh '$source/configure' --quiet $configuration" \
        "--enable-sanitizers=thread --disable-werror" '"$@"' || {
    echo "not ok - configure --enable-sanitizers=thread"
    exit 1
}
unset MAKELEVEL
PYBOEHM_MARKERS=2,100 TSAN_OPTIONS=die_after_fork=0
CK_TIMEOUT_MULTIPLIER=10
export PYBOEHM_MARKERS TSAN_OPTIONS CK_TIMEOUT_MULTIPLIER
$MAKE --no-print-directory all &&
    $MAKE --no-print-directory check TESTS="$(echo $PROGRAMS)" \
        check_PROGRAMS="$(echo $PROGRAMS)" && exit
status=$?
cat test-suite.log
exit $status
