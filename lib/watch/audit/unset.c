/* unset.c: objects that are tracked before their fields are set.  See
   unset.h. */

#include "Python.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "gc/base/fatal.h"
#include "gc/heap/heap.h"
#include "watch/audit/findings.h"
#include "watch/audit/tally.h"
#include "watch/audit/unset.h"
#include "watch/why/edges.h"

enum {
    HEAD = sizeof(PyObject) / sizeof(PyObject *),
    WORDS = 64, /* words of a body that are examined */
    FIELDS_BYTES = 256,
    TRIALS = 64,             /* for each type; then its behaviour is known */
    VISITS_MAX = 1000 * 1000 /* of one call; after more, its loop has no valid
                                bound */
};

/* Immortal, so that code that uses it by mistake does no harm. */
static PyObject unset = {PyObject_HEAD_INIT(&PyBaseObject_Type)};

/* ------------------------------------------------------------------ */
/* One call of tp_traverse that may fail                               */

static struct {
    volatile sig_atomic_t open;
    pthread_t thread;
    sigjmp_buf back;
    struct sigaction segv, bus; /* the handlers before */
} guard;

/* A signal of another thread, or outside of a trial, gets its former
   handler. */
static void
caught(int number)
{
    if (guard.open && pthread_equal(pthread_self(), guard.thread))
        siglongjmp(guard.back, 1);
    sigaction(number, number == SIGBUS ? &guard.bus : &guard.segv, NULL);
}

static void
guard_begin(void)
{
    struct sigaction action = {.sa_handler = caught};

    sigemptyset(&action.sa_mask);
    guard.thread = pthread_self();
    sigaction(SIGSEGV, &action, &guard.segv);
    sigaction(SIGBUS, &action, &guard.bus);
    guard.open = 1;
}

static void
guard_end(void)
{
    guard.open = 0;
    sigaction(SIGSEGV, &guard.segv, NULL);
    sigaction(SIGBUS, &guard.bus, NULL);
}

struct trial {
    size_t visits;
    int seen; /* unset was visited, or there were too many visits */
};

static int
visit(PyObject *op, void *arg)
{
    struct trial *trial = arg;

    trial->seen |= op == &unset || ++trial->visits > VISITS_MAX;
    return trial->seen;
}

/* Does tp_traverse read a word that is not set? */
static int
is_read(PyObject *op)
{
    struct trial trial = {0, 0};

    PYB_ASSERT_OBJECT(guard.open, op);
    if (sigsetjmp(guard.back, 1) != 0)
        return 1;
    Py_TYPE(op)->tp_traverse(op, visit, &trial);
    return trial.seen;
}

/* ------------------------------------------------------------------ */
/* Words                                                               */

static PyObject **
word_of(PyObject *op, int i)
{
    PYB_ASSERT_OBJECT(i >= 0 && i < WORDS, op);
    return (PyObject **)(void *)op + HEAD + i;
}

/* The number of words of a block that are examined. */
static int
count_words(size_t size)
{
    PYB_ASSERT(size >= sizeof(PyObject));
    return (int)Py_MIN(size / sizeof(PyObject *) - HEAD, WORDS);
}

void
pyb_unset_made(PyObject *op, size_t size)
{
    struct pyb_tally *tally = size > 0 && Py_TYPE(op)->tp_traverse != NULL
                                  ? pyb_tally_of(Py_TYPE(op))
                                  : NULL;

    PYB_ASSERT_OBJECT(size <= pyb_heap_block_size(op), op);
    if (tally == NULL)
        return;
    tally->made++;
    for (int i = count_words(size); i-- > 0;)
        *word_of(op, i) = &unset;
}

/* Returns the set of words that are not set, and makes them zero. */
static uint64_t
take_unset(PyObject *op)
{
    uint64_t words = 0;

    for (int i = count_words(pyb_heap_block_size(op)); i-- > 0;)
        if (*word_of(op, i) == &unset) {
            words |= (uint64_t)1 << i;
            *word_of(op, i) = NULL;
        }
    return words;
}

/* Returns those of the words that tp_traverse reads; each is tried alone. */
static uint64_t
try_words(PyObject *op, uint64_t words)
{
    uint64_t read = 0;

    guard_begin();
    for (int i = 0; i < WORDS; i++)
        if (words >> i & 1) {
            *word_of(op, i) = &unset;
            if (is_read(op))
                read |= (uint64_t)1 << i;
            *word_of(op, i) = NULL;
        }
    guard_end();
    return read;
}

/* "+16 (first), +24" */
static char *
name_fields(const PyTypeObject *type, uint64_t words)
{
    char names[FIELDS_BYTES] = "";

    for (int i = 0; i < WORDS; i++) {
        Py_ssize_t offset = (HEAD + i) * (Py_ssize_t)sizeof(PyObject *);
        const char *member = pyb_edge_member(type, offset);
        size_t length = strlen(names);

        if (words >> i & 1)
            snprintf(names + length, sizeof names - length, "%s+%zd%s%.60s%s",
                     length > 0 ? ", " : "", offset,
                     member != NULL ? " (" : "", member != NULL ? member : "",
                     member != NULL ? ")" : "");
    }
    return strdup(names);
}

/* The message names the fields that the first instance has shown. */
static void
notice(struct pyb_tally *tally, const PyTypeObject *type, uint64_t words)
{
    char what[2 * FIELDS_BYTES];
    struct pyb_finding finding = {
        .what = what,
        .n = ++tally->early,
        .of = tally->made,
        .so = "a collection in between has tp_traverse visit what is no "
              "object",
        .slot = tally->maker};

    if (tally->early_fields == NULL)
        tally->early_fields = name_fields(type, words);
    if (tally->early_fields == NULL)
        return;
    snprintf(what, sizeof what, "%.120s is tracked before it has set %s",
             tally->name, tally->early_fields);
    pyb_findings_add(&pyb_findings_noticed, &finding);
}

void
pyb_unset_tracking(PyObject *op)
{
    struct pyb_tally *tally = pyb_tally_of(Py_TYPE(op));
    uint64_t words = take_unset(op);

    if (words == 0 || tally == NULL || Py_TYPE(op)->tp_traverse == NULL)
        return;
    if (tally->tried < TRIALS) {
        tally->tried++;
        words = try_words(op, words);
        tally->early_words |= words;
    }
    words &= tally->early_words;
    if (words != 0)
        notice(tally, Py_TYPE(op), words);
}
