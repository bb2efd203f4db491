/* flush.c: what is linked into all that make coverage builds.

   The counters of a process go to their files when it exits; the suite's
   fatal tests abort.  Each object that the linker makes has counters of its
   own, so each writes its own, and calls the handler that it found. */

#include <gcov.h>
#include <signal.h>

static void (*next)(int);

static void
flush(int number)
{
    __gcov_dump();
    if (next != SIG_DFL && next != SIG_IGN)
        next(number);
}

/* abort() kills the process when the handler returns. */
__attribute__((constructor)) static void
install(void)
{
    next = signal(SIGABRT, flush);
}
