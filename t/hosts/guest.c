/* guest.c: the library as a guest in a program of Boehm's that does not know
   of it; linked with that program and the linker's --wrap.

   PYBOEHM_TEST_GUEST says how the guest behaves, and same.sh that the program
   behaves as if it were alone:

     linked   is never called
     before   Py_Initialize comes before the program's main
     after    Py_Initialize comes after the program's GC_INIT
     beside   also, our garbage is collected before each GC_gcollect of the
              program's
     amid     and made at its allocations, where collections come by themselves
     instead  PyBoehm_GC_CollectAll, with garbage of ours, takes the place of
              its GC_gcollect

   Whatever it does, it does in the thread that began. */

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
    INSTEAD = 16,
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
    {"instead", AFTER | INSTEAD},
};

static const struct mode *mode = &modes[0];
static pthread_t thread;
static Py_ssize_t made; /* containers that were garbage at once */

/* Is it the guest's turn? */
static int
may(int what)
{
    return (mode->does & what) != 0 && Py_IsInitialized() &&
           pthread_equal(thread, pthread_self());
}

static void
need(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "guest: %s\n", what);
    abort();
}

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

/* How many were collected, since Py_Initialize. */
static Py_ssize_t
collected(void)
{
    PyBoehm_GC_Stats stats[PyBoehm_GC_GENERATIONS];
    Py_ssize_t sum = 0;

    PyBoehm_GC_GetStats(stats);
    for (int i = 0; i < PyBoehm_GC_GENERATIONS; i++)
        sum += stats[i].collected;
    return sum;
}

static void
initialize(void)
{
    thread = pthread_self();
    Py_Initialize();
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
    for (int i = 0; i < 10; i++)
        make_garbage();
    wipe();
    how();
    wipe();
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
    if (Py_IsInitialized()) {
        PyGC_Collect();
        need(collected() == made, "not all garbage was collected");
        Py_Finalize();
    }
    fprintf(stderr, "guest: %s, %zd collected\n", mode->name, made);
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
    if (may(INSTEAD)) {
        collect(PyBoehm_GC_CollectAll);
        return;
    }
    if (may(BESIDE))
        collect(PyGC_Collect);
    __real_GC_gcollect();
}

/* steady.c calls it at each allocation of the program's. */
void
guest_turn(void)
{
    enum { SOME = 20, MANY = 10000 };
    static unsigned long calls;

    if (!may(AMID))
        return;
    if (++calls % SOME == 0)
        make_garbage();
    if (calls % MANY == 0)
        PyGC_Collect();
}
