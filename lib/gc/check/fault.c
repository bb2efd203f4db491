/* fault.c: with checks: crashes, above all one that a field of a freed object
   leads to.  See fault.h.

   Manual: sigaction(2), getcontext(3). */

#include "Python.h"

#include <inttypes.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include "gc/base/fatal.h"
#include "gc/base/peek.h"
#include "gc/check/fault.h"
#include "gc/check/quarantine.h"
#include "gc/check/slotwatch.h"
#include "gc/check/traverse.h"

static const int numbers[] = {SIGSEGV, SIGBUS};

/* What is read of the interrupted code: its general registers, and its stack's
   end, which is 0 where the system is not one of these. */
struct registers {
    const uintptr_t *words;
    size_t n;
    uintptr_t stack;
};

static struct registers
registers_of(const ucontext_t *context)
{
    struct registers registers = {NULL, 0, 0};
#if !defined __linux__ || !defined _GNU_SOURCE
    (void)context;
#elif defined __x86_64__
    registers.words = (const uintptr_t *)context->uc_mcontext.gregs;
    registers.n = REG_RIP; /* they come first */
    registers.stack = registers.words[REG_RSP];
#elif defined __aarch64__
    registers.words = (const uintptr_t *)context->uc_mcontext.regs;
    registers.n = Py_ARRAY_LENGTH(context->uc_mcontext.regs);
    registers.stack = context->uc_mcontext.sp;
#elif defined __s390x__
    registers.words = (const uintptr_t *)context->uc_mcontext.gregs;
    registers.n = Py_ARRAY_LENGTH(context->uc_mcontext.gregs);
    registers.stack = registers.words[15];
#else
    (void)context;
#endif
    return registers;
}

/* Was junk used as an address?  x86-64 does not tell addresses that cannot be,
   but says that it was one. */
static int
is_of_junk(const siginfo_t *info, const struct registers *registers)
{
#if defined __linux__ && defined __x86_64__ && defined _GNU_SOURCE
    if (info->si_code == SI_KERNEL)
        for (size_t i = 0; i < registers->n; i++)
            if (pyb_quarantine_is_junk(registers->words[i]))
                return 1;
#else
    (void)registers;
#endif
    return pyb_quarantine_is_junk((uintptr_t)info->si_addr);
}

static PyObject *
freed_object_in(const uintptr_t *words, size_t n)
{
    PyObject *op = NULL;

    PYB_ASSERT(n == 0 || words != NULL);
    for (size_t i = 0; i < n && op == NULL; i++)
        op = pyb_quarantine_find(words[i]);
    return op;
}

static PyObject *
freed_object_on(uintptr_t stack)
{
    enum { NEAR_WORDS = 64 };
    uintptr_t words[NEAR_WORDS];
    ssize_t bytes =
        stack != 0 ? pyb_peek(words, (void *)stack, sizeof words) : -1;
    size_t n = bytes > 0 ? (size_t)bytes / sizeof words[0] : 0;

    return freed_object_in(words, n);
}

#define WHAT "a field of an object that is free already is used as a pointer"

_Py_NO_RETURN static void
report(const char *signal_name, const struct registers *registers)
{
    PyObject *op = freed_object_in(registers->words, registers->n);

    if (op != NULL)
        pyb_fatal_type(signal_name, NULL, op, WHAT);
    op = freed_object_on(registers->stack);
    if (op != NULL)
        pyb_fatal_type(signal_name, NULL, op,
                       WHAT "\nif it is this one: the stack leads to it, and "
                            "no register does any more");
    pyb_fatal_type(signal_name, NULL, NULL, WHAT);
}

/* What has happened, for a message. */
static const char *
describe(const siginfo_t *info)
{
    enum { FIELDS_END = 4096 };

#ifdef SI_KERNEL
    if (info->si_code == SI_KERNEL)
        return "what can be no address is used as one";
#endif
    return (uintptr_t)info->si_addr < FIELDS_END
               ? "NULL, or a field of NULL, is used"
               : "what is no memory, or not to be written, is used";
}

/* Of what is no field of a freed object: in which slot it was. */
static void
tell_place(const char *signal_name, const siginfo_t *info)
{
    const PyObject *op = NULL;
    const char *type = NULL, *slot = pyb_traverse_tried(&op);

    if (slot == NULL)
        slot = pyb_slotwatch_innermost(&op, &type);
    if (slot != NULL)
        pyb_fatal_tell(signal_name, type, op,
                       "%s (at 0x%" PRIxPTR
                       "), in its %s or in what that calls",
                       describe(info), (uintptr_t)info->si_addr, slot);
    else
        pyb_fatal_tell(signal_name, NULL, NULL, "%s (at 0x%" PRIxPTR ")",
                       describe(info), (uintptr_t)info->si_addr);
}

static const char *
name_of(int number)
{
    PYB_ASSERT(number == SIGSEGV || number == SIGBUS);
    return number == SIGBUS ? "SIGBUS" : "SIGSEGV";
}

static volatile sig_atomic_t ending; /* the signal */

static void
let_through(int number)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void
give_up(int Py_UNUSED(alarm))
{
    let_through(ending);
    raise(ending);
}

/* Should this thread have been in malloc, the report waits for it: then the
   signal ends the program. */
static void
limit_time(int number)
{
    enum { SECONDS = 20 };

    ending = number;
    signal(SIGALRM, give_up);
    let_through(SIGALRM);
    alarm(SECONDS);
}

static void
handle(int number, siginfo_t *info, void *context)
{
    struct registers registers = registers_of(context);

    signal(number, SIG_DFL);
    if (info->si_code <= 0) { /* it was sent, by kill for instance */
        raise(number);
    } else if (is_of_junk(info, &registers)) {
        limit_time(number);
        report(name_of(number), &registers);
    } else {
        limit_time(number);
        tell_place(name_of(number), info);
        raise(number); /* pending until this returns */
    }
}

static int
has_handler(int number, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction now;

    if (sigaction(number, NULL, &now) < 0)
        return 0;
    return handler != NULL ? (now.sa_flags & SA_SIGINFO) != 0 &&
                                 now.sa_sigaction == handler
                           : now.sa_handler == SIG_DFL;
}

void
pyb_fault_init(void)
{
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK};

    PYB_ASSERT(pyb_checks);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++)
        if (has_handler(numbers[i], NULL))
            sigaction(numbers[i], &action, NULL);
}

void
pyb_fault_fini(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++)
        if (has_handler(numbers[i], handle))
            signal(numbers[i], SIG_DFL);
}
