/* onsignal.c: reports when a signal comes.  See onsignal.h.

   Manual: doc/report.md. */

#include "Python.h"
#include "pyboehm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/upcalls.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "watch/audit/audit.h"
#include "watch/graph/graph.h"
#include "watch/log/onsignal.h"
#include "watch/log/output.h"
#include "watch/report/heapreport.h"

#include <atomic_ops.h>

static void obey(void *arg);

static struct {
    int number;  /* of the signal; 0: there is none */
    AO_t called; /* the call below is in the list, or waits for its time */
    int late;    /* it waits: what was under way is not over yet */
    int busy;    /* reports are being written */
    unsigned n;  /* times that reports were written */
    pid_t process;
    struct sigaction before;
    struct pyb_deferred call;
} on = {.call = {.run = obey}};

/* ------------------------------------------------------------------ */
/* The reports                                                         */

static int
wants(const char *name)
{
    const char *wish = pyb_environment(name);

    return wish != NULL && strcmp(wish, "0") != 0;
}

/* Writes the file that a variable names, under a number of its own. */
static int
write_numbered(const char *name, int (*write_to)(const char *))
{
    char *numbered =
        name != NULL ? pyb_output_numbered(name, on.n, on.process) : NULL;

    if (numbered != NULL && write_to(numbered) == 0)
        fprintf(stderr, "pyboehm: %s is written\n", numbered);
    free(numbered);
    return name != NULL;
}

/* What the environment asks for; else what grew. */
static void
write_all(void)
{
    int any;

    PYB_ASSERT(on.busy && on.number != 0);
    on.n++;
    any =
        write_numbered(pyb_environment("PYBOEHM_REPORT"), pyb_report_write_to);
    any |=
        write_numbered(pyb_environment("PYBOEHM_GRAPH"), pyb_graph_write_to);
    if (wants("PYBOEHM_LEAKS")) {
        any = 1;
        PyBoehm_WriteLeaks(stderr);
    }
    if (wants("PYBOEHM_AUDIT")) {
        any = 1;
        pyb_audit_now();
    }
    if (wants("PYBOEHM_STATS")) {
        any = 1;
        PyBoehm_WriteStats(stderr);
    }
    if (!any)
        PyBoehm_Growth(stderr);
    if (PyErr_Occurred() != NULL)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_SIGNAL");
    fflush(stderr);
}

/* At a safe place of the attached thread, whose exception and errno stay. */
static void
obey(void *Py_UNUSED(arg))
{
    PyObject *error;
    int number = errno;

    PYB_ASSERT(pyb_gil_is_held());
    pyb_control_set_limit();
    if (on.busy || pyb_collect_is_under_way()) {
        on.late = 1;
        return;
    }
    AO_store_full(&on.called, 0);
    if (on.number == 0)
        return;
    on.busy = 1;
    error = pyb_upcalls.take_error();
    write_all();
    pyb_upcalls.put_error(error);
    on.busy = 0;
    pyb_onsignal_idle();
    errno = number;
}

void
pyb_onsignal_idle(void)
{
    if (!on.late || on.busy)
        return;
    on.late = 0;
    pyb_gil_defer_later(&on.call);
    pyb_control_hurry();
}

/* ------------------------------------------------------------------ */
/* The signal                                                          */

static void
handle(int Py_UNUSED(number))
{
    if (!AO_compare_and_swap_full(&on.called, 0, 1))
        return;
    pyb_gil_defer_later(&on.call);
    pyb_control_hurry();
}

/* Those that a program can do without. */
static const struct {
    const char *name;
    int number;
} signals[] = {
    {"HUP", SIGHUP},     {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
    {"USR2", SIGUSR2},   {"URG", SIGURG},
#ifdef SIGWINCH
    {"WINCH", SIGWINCH},
#endif
#ifdef SIGINFO
    {"INFO", SIGINFO},
#endif
};

static int
is_realtime(long number)
{
#ifdef SIGRTMIN
    return number >= SIGRTMIN && number <= SIGRTMAX;
#else
    return 0;
#endif
}

/* The number of a signal by its name, with or without SIG, or its number; 0 if
   it is none that will do. */
static int
find(const char *wish)
{
    char *end;
    long number = strtol(wish, &end, 10);
    const char *name = strncasecmp(wish, "SIG", 3) == 0 ? wish + 3 : wish;

    if (*end != '\0')
        number = 0;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(signals); i++)
        if (strcasecmp(name, signals[i].name) == 0 ||
            number == signals[i].number)
            return signals[i].number;
    return is_realtime(number) ? (int)number : 0;
}

static int
is_free(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) == 0 &&
           (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

void
pyb_onsignal_begin(void)
{
    const char *wish = pyb_environment("PYBOEHM_SIGNAL");
    struct sigaction action = {.sa_handler = handle,
                               .sa_flags = SA_RESTART | SA_ONSTACK};
    int number = wish != NULL && strcmp(wish, "0") != 0 ? find(wish) : -1;

    PYB_ASSERT(on.number == 0); /* the handler of an earlier life has gone */
    if (number < 0)
        return;
    if (number == 0) {
        fprintf(stderr,
                "pyboehm: PYBOEHM_SIGNAL: %s: give HUP, QUIT, URG, USR1, USR2 "
                "or WINCH, or the number of a real-time signal\n",
                wish);
        return;
    }
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &on.before) == 0 && !is_free(&on.before)) {
        fprintf(stderr,
                "pyboehm: PYBOEHM_SIGNAL: %s: the program has a handler for "
                "it; choose another signal\n",
                wish);
        return;
    }
    on.process = getpid();
    on.number = number;
    if (sigaction(number, &action, NULL) < 0) {
        fprintf(stderr, "pyboehm: PYBOEHM_SIGNAL: %s: %s\n", wish,
                strerror(errno));
        on.number = 0;
    }
}

/* A handler that the program has put there since stays. */
void
pyb_onsignal_end(void)
{
    struct sigaction now;

    if (on.number == 0)
        return;
    if (sigaction(on.number, NULL, &now) == 0 && now.sa_handler == handle)
        sigaction(on.number, &on.before, NULL);
    pyb_gil_run_deferred();
    on.number = 0;
    on.late = 0;
    AO_store_full(&on.called, 0);
}
