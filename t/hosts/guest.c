/* guest.c: the library as a guest in a program of Boehm's that does not know
   of it; linked with that program and the linker's --wrap.

   PYBOEHM_TEST_GUEST says how the guest behaves, and same.sh that the program
   behaves as if it were alone:

     linked    is never called
     before    Py_Initialize comes before the program's main
     after     Py_Initialize comes after the program's GC_INIT
     beside    also, our garbage is collected before each GC_gcollect of the
               program's
     amid      and made at its allocations, where collections come by
               themselves
     adopting  and objects are adopted there, so that ours collect both heaps
     threads   and all that in whatever thread of the program's
     instead   PyBoehm_GC_CollectAll, with garbage of ours, takes the place of
               its GC_gcollect

   But for "threads" it does all in the thread that began. */

#include <Python.h>
#include <pyboehm.h>

#include <gc/gc.h>
#include <pthread.h>

/* The linker finds them used by the library as well. */
#pragma GCC visibility push(default)

int __real_main(int argc, char **argv);
void __real_GC_init(void);
void __real_GC_gcollect(void);

int __wrap_main(int argc, char **argv);
void __wrap_GC_init(void);
void __wrap_GC_gcollect(void);
void guest_turn(void);

#pragma GCC visibility pop

/* What it does. */
enum {
    BEFORE = 1,
    AFTER = 2,
    BESIDE = 4,
    AMID = 8,
    ADOPTING = 16,
    THREADS = 32,
    INSTEAD = 64,
};

static const struct mode {
    const char *name;
    int does;
} modes[] = {
    {"linked", 0},
    {"before", BEFORE},
    {"after", AFTER},
    {"beside", AFTER | BESIDE},
    {"amid", AFTER | BESIDE | AMID},
    {"adopting", AFTER | BESIDE | AMID | ADOPTING},
    {"threads", AFTER | BESIDE | AMID | ADOPTING | THREADS},
    {"instead", AFTER | INSTEAD},
};

static const struct mode *mode = &modes[0];
static pthread_t thread;
static PyThreadState *detached; /* the first thread's, in "threads" */

static void
need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "guest: %s\n", what);
    abort();
}

static void
initialize(void)
{
    thread = pthread_self();
    Py_Initialize();
    if (mode->does & THREADS)
        detached = PyEval_SaveThread();
}

/* Is it the guest's turn?  If so, the thread is attached until end_turn. */
static int
begin_turn(int what, PyGILState_STATE *state)
{
    if ((mode->does & what) == 0 || !Py_IsInitialized())
        return 0;
    if (!(mode->does & THREADS) && !pthread_equal(thread, pthread_self()))
        return 0;
    *state = PyGILState_Ensure();
    return 1;
}

static void
end_turn(PyGILState_STATE state)
{
    PyGILState_Release(state);
}

/* ------------------------------------------------------------------ */
/* Objects; the thread is attached                                     */

static Py_ssize_t made;    /* containers that were garbage at once */
static Py_ssize_t adopted; /* those that Boehm held for a while */

/* Two lists that hold one another, and text. */
static void
make_garbage(void)
{
    PyObject *a = PyList_New(0), *b = Py_BuildValue("[Os]", a, "garbage");

    need(a != NULL && b != NULL && PyList_Append(a, b) == 0, "no memory");
    Py_DECREF(a);
    Py_DECREF(b);
    made += 2;
}

/* A list takes the place of an older one, which was only Boehm's and is
   whole. */
static void
make_adopted(void)
{
    enum { HELD = 64 };
    static PyObject **held;

    if (held == NULL)
        held = GC_MALLOC_UNCOLLECTABLE(HELD * sizeof *held);
    need(held != NULL, "no memory");
    PyObject **place = &held[adopted % HELD];
    if (*place != NULL)
        need(PyLong_AsSsize_t(PyList_GetItem(*place, 0)) == adopted - HELD,
             "an adopted list has changed");
    *place = PyBoehm_Adopt(Py_BuildValue("[n[]]", adopted));
    need(*place != NULL, "no memory");
    adopted++;
}

/* Collections found all garbage, and of the others what Boehm let go: each is
   two lists. */
static void
check_collected(void)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    Py_ssize_t sum = 0;

    PyBoehm_GC_GetStats(stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        sum += stats[i].collected;
    need(sum >= made, "not all garbage was collected");
    need(sum <= made + 2 * adopted, "more than garbage was collected");
}

/* The program has cleaned the stack of stale pointers before it calls us, and
   so do we before Boehm looks: allocation leaves addresses of blocks there. */
static void __attribute__((noinline)) wipe(void)
{
    char stack[1 << 15];

    memset(stack, 0, sizeof stack);
    __asm__ volatile("" ::"r"(stack) : "memory");
}

/* A finalizer of the program's may call us in the middle of a collection; what
   it leaves is for the next. */
static void
collect(Py_ssize_t (*how)(void))
{
    for (int i = 0; i < 10; i++) {
        make_garbage();
        if (mode->does & ADOPTING)
            make_adopted();
    }
    wipe();
    how();
    wipe();
}

static Py_ssize_t
collect_own_heap(void)
{
    return PyBoehm_GC_Collect(2);
}

/* ------------------------------------------------------------------ */
/* The program's calls                                                 */

static void
finish(void)
{
    if (detached != NULL)
        PyEval_RestoreThread(detached);
    PyGC_Collect();
    check_collected();
    Py_Finalize();
}

int
__wrap_main(int argc, char **argv)
{
    const char *name = getenv("PYBOEHM_TEST_GUEST");

    for (size_t i = 0; name != NULL && i < Py_ARRAY_LENGTH(modes); i++)
        if (strcmp(modes[i].name, name) == 0)
            mode = &modes[i];
    if (mode->does & BEFORE)
        initialize();
    int status = __real_main(argc, argv);
    if (Py_IsInitialized())
        finish();
    fprintf(stderr, "guest: %s, %zd collected, %zd adopted\n", mode->name,
            made, adopted);
    return status;
}

void
__wrap_GC_init(void)
{
    __real_GC_init();
    if ((mode->does & AFTER) && !Py_IsInitialized())
        initialize();
}

void
__wrap_GC_gcollect(void)
{
    PyGILState_STATE state;

    if (begin_turn(INSTEAD, &state)) {
        collect(PyBoehm_GC_CollectAll);
        end_turn(state);
        return;
    }
    if (begin_turn(BESIDE, &state)) {
        collect(collect_own_heap);
        end_turn(state);
    }
    __real_GC_gcollect();
}

/* steady.c calls it at each allocation of the program's. */
void
guest_turn(void)
{
    enum { SOME = 20, MANY = 10000 };
    static unsigned long calls;
    PyGILState_STATE state;

    if (!begin_turn(AMID, &state))
        return;
    if (++calls % SOME == 0)
        make_garbage();
    if ((mode->does & ADOPTING) && calls % SOME == 1)
        make_adopted();
    if (calls % MANY == 0)
        PyGC_Collect();
    end_turn(state);
}
