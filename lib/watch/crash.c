/* crash.c: the crash of a program that is looked at, but not with checks.  See
   crash.h; gc/check/fault.c is what checks say.

   Manual: sigaction(2), signal-safety(7). */

#include "Python.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "watch/crash.h"

static int
is_wanted(const char *name)
{
    const char *value = pyb_environment(name);

    return value != NULL && strcmp(value, "") != 0 && strcmp(value, "0") != 0;
}

/* The system has restored the default action: the instruction is repeated, and
   ends the program. */
static void
hint(int number, siginfo_t *info, void *Py_UNUSED(context))
{
    static const char text[] = "pyboehm: a crash: PYBOEHM_CHECK=1 ./program "
                               "may say why\n";

    if (info->si_code <= 0) /* it was sent */
        raise(number);
    else if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return;
}

static int
has_handler(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction now;

    if (sigaction(SIGSEGV, NULL, &now) < 0)
        return 0;
    return handler == NULL ? now.sa_handler == SIG_DFL
                           : (now.sa_flags & SA_SIGINFO) != 0 &&
                                 now.sa_sigaction == handler;
}

void
pyb_crash_begin(void)
{
    static const char *const names[] = {"PYBOEHM_AUDIT", "PYBOEHM_LEAKS",
                                        "PYBOEHM_REPORT", "PYBOEHM_STATS"};
    struct sigaction action = {.sa_sigaction = hint,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK |
                                           (int)SA_RESETHAND};
    int wanted = 0;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        wanted |= is_wanted(names[i]);
    sigemptyset(&action.sa_mask);
    if (wanted && !pyb_checks && has_handler(NULL))
        sigaction(SIGSEGV, &action, NULL);
}

void
pyb_crash_end(void)
{
    if (has_handler(hint))
        signal(SIGSEGV, SIG_DFL);
}
