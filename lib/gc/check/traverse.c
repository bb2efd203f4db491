/* traverse.c: with checks: what is looked at when tp_traverse is called.  See
   traverse.h. */

#include "Python.h"

#include <pthread.h>

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/base/upcalls.h"
#include "gc/check/inspect.h"
#include "gc/check/plains.h"
#include "gc/check/quarantine.h"
#include "gc/check/slotwatch.h"
#include "gc/check/traverse.h"
#include "gc/control.h"

/* One call, and what it must leave alone. */
struct quiet {
    PyObject *parent;
    size_t refcnts; /* the sum; those of immortal objects make it wrap */
    unsigned long activity;
};

static const char slot[] = "tp_traverse";

/* Where parent has the address, to stand behind it in a message. */
struct where {
    char text[110];
};

static struct where
where_of(PyObject *parent, const void *address)
{
    struct where where = {""};

    if (pyb_events != NULL)
        pyb_events->field(parent, address, where.text, sizeof where.text);
    return where;
}

/* The object that was freed is what the history is told of.  Its tp_traverse
   may be right: what it owns was freed too early then. */
_Py_NO_RETURN static void
fail_freed(PyObject *parent, PyObject *op)
{
    pyb_fatal_about(
        op, "Py_DECREF or tp_traverse", Py_TYPE(parent)->tp_name, parent,
        "visits a freed object of type %s at %p%s\n"
        "one Py_DECREF too many where that was freed, or before, or "
        "a Py_INCREF was forgotten; or it does not own what it "
        "visits",
        pyb_inspect_type(op), (void *)op, where_of(parent, op).text);
}

/* What parent visits is no object, or has no references.  It may have been one
   that was freed where not all of these are kept. */
_Py_NO_RETURN static void
fail_dead(PyObject *parent, PyObject *op)
{
    int is_object = pyb_inspect_is_object(op);

    pyb_fatal_type(
        pyb_quarantine_has_all() ? slot : "Py_DECREF or tp_traverse",
        Py_TYPE(parent)->tp_name, parent, "visits %s%s at %p%s%s",
        is_object ? "a dead object of type " : "what is no object,",
        is_object ? Py_TYPE(op)->tp_name : "", (void *)op,
        where_of(parent, op).text,
        pyb_quarantine_has_all()
            ? ""
            : "\nan object there may have been freed by one Py_DECREF too "
              "many: PYBOEHM_QUARANTINE=1000000, without "
              "PYBOEHM_MALLOC=plain, may tell");
}

/* Has a word come from the redzone, one half of it at least? */
static int
is_redzone(uintptr_t word)
{
    return word >> 32 == PYB_REDZONE_WORD >> 32 ||
           (uint32_t)word == (uint32_t)PYB_REDZONE_WORD;
}

_Py_NO_RETURN static void
fail_overread(PyObject *parent)
{
    PyTypeObject *type = Py_TYPE(parent);

    if (type->tp_itemsize != 0)
        pyb_fatal_type("tp_basicsize or tp_itemsize", type->tp_name, parent,
                       "tp_traverse reads past the object's end: %zd, and %zd "
                       "for each item, is less than the structure has",
                       type->tp_basicsize, type->tp_itemsize);
    pyb_fatal_type("tp_basicsize", type->tp_name, parent,
                   "tp_traverse reads past the object's end: %zd is less "
                   "than the structure has",
                   type->tp_basicsize);
}

/* The object whose tp_traverse is tried, whether its tp_clear was called just
   before, and the thread that does it. */
static PyObject *tried;
static int cleared;
static pthread_t trying;

static void
begin_trial(PyObject *op, int was_cleared)
{
    PYB_ASSERT(tried == NULL);
    tried = op;
    cleared = was_cleared;
    trying = pthread_self();
}

_Py_NO_RETURN static void
fail_cleared(PyObject *parent, PyObject *op)
{
    const char *type = Py_TYPE(parent)->tp_name;

    PYB_ASSERT(tried == parent && !pyb_inspect_is_live(op));
    if (pyb_inspect_is_freed(op) || pyb_inspect_is_object(op))
        pyb_fatal_about(op, "tp_clear", type, parent,
                        "gives up an object of type %s at %p and leaves it in "
                        "its place%s: use Py_CLEAR",
                        pyb_inspect_type(op), (void *)op,
                        where_of(parent, op).text);
    pyb_fatal_type("tp_clear", type, parent,
                   "leaves what tp_traverse visits and is no object, at %p%s",
                   (void *)op, where_of(parent, op).text);
}

/* Fatal unless parent may visit op: a living object.  The slot to blame may be
   the tp_dealloc of one that is dying and should not be seen any more. */
static void
check_visited(PyObject *parent, PyObject *op)
{
    const char *type = Py_TYPE(parent)->tp_name;
    const char *call = pyb_slotwatch_slot(parent);

    PYB_ASSERT(tried == parent);
    if (call != NULL && parent->ob_refcnt == 0 && !pyb_inspect_is_live(op))
        pyb_fatal_type(call, type, parent,
                       "gave up what it still shows to tp_traverse");
    if (is_redzone((uintptr_t)op))
        fail_overread(parent);
    if (op == NULL)
        pyb_fatal_type(slot, type, parent, "visits NULL");
    if (cleared && !pyb_inspect_is_live(op))
        fail_cleared(parent, op);
    if (pyb_inspect_is_freed(op))
        fail_freed(parent, op);
    if (!pyb_inspect_is_object(op) || !pyb_inspect_is_live(op))
        fail_dead(parent, op);
}

static int
visit_sum(PyObject *op, void *arg)
{
    struct quiet *quiet = arg;

    check_visited(quiet->parent, op);
    quiet->refcnts += (size_t)op->ob_refcnt;
    return 0;
}

/* The reference counts of op, of its type and of all that it visits. */
static size_t
sum_refcnts(PyObject *op)
{
    struct quiet quiet = {.parent = op};

    PYB_ASSERT_OBJECT(PyType_IS_GC(Py_TYPE(op)), op);
    quiet.refcnts =
        (size_t)op->ob_refcnt + (size_t)Py_REFCNT((PyObject *)Py_TYPE(op));
    Py_TYPE(op)->tp_traverse(op, visit_sum, &quiet);
    return quiet.refcnts;
}

static struct quiet
quiet_begin(PyObject *op)
{
    unsigned long activity = pyb_control_activity();

    return (struct quiet){op, sum_refcnts(op), activity};
}

/* Dies naming the type whose tp_traverse was not quiet. */
static void
quiet_end(struct quiet before)
{
    const char *deed = NULL;

    PYB_ASSERT(before.activity <= pyb_control_activity());
    /* Raising allocates, too: it comes first.  What was freed has no count. */
    if (pyb_upcalls.take_error() != NULL)
        deed = "raised an exception";
    else if (pyb_control_activity() != before.activity)
        deed = "allocated, freed or tracked an object, or collected";
    else if (sum_refcnts(before.parent) != before.refcnts)
        deed = "changed a reference count";
    if (deed != NULL)
        pyb_fatal_type(slot, Py_TYPE(before.parent)->tp_name, before.parent,
                       "%s", deed);
}

static int
visit_nothing(PyObject *Py_UNUSED(op), void *Py_UNUSED(arg))
{
    return 0;
}

static int
visit_plain(PyObject *op, void *parent)
{
    pyb_plains_visit(parent, op);
    return 0;
}

static void
try_with(PyObject *op, visitproc visit)
{
    struct quiet before;
    PyObject *error;

    if (tried != NULL) /* a tp_traverse tracks: quiet_end finds that */
        return;
    begin_trial(op, 0);
    error = pyb_upcalls.take_error();
    if (Py_TYPE(op)->tp_traverse == NULL)
        pyb_fatal_type(slot, Py_TYPE(op)->tp_name, op,
                       "is NULL though the type has Py_TPFLAGS_HAVE_GC");
    before = quiet_begin(op);
    Py_TYPE(op)->tp_traverse(op, visit, op);
    quiet_end(before);
    pyb_upcalls.put_error(error);
    pyb_traverse_abandon();
}

void
pyb_traverse_try(PyObject *op)
{
    try_with(op, visit_nothing);
}

/* Only what it visits matters: where its module, or its type, has been cleared
   it may do what else is wrong. */
void
pyb_traverse_try_cleared(PyObject *op)
{
    struct quiet quiet = {.parent = op};
    PyObject *error;

    PYB_ASSERT(pyb_checks);
    if (tried != NULL || Py_TYPE(op)->tp_traverse == NULL)
        return;
    error = pyb_upcalls.take_error();
    begin_trial(op, 1);
    Py_TYPE(op)->tp_traverse(op, visit_sum, &quiet);
    pyb_traverse_abandon();
    Py_XDECREF(pyb_upcalls.take_error());
    pyb_upcalls.put_error(error);
}

void
pyb_traverse_abandon(void)
{
    tried = NULL;
}

void
pyb_traverse_try_all(struct pyb_walk candidates)
{
    pyb_plains_begin_visits();
    PYB_FOR_EACH (op, i, candidates)
        try_with(op, visit_plain);
}

const char *
pyb_traverse_tried(const PyObject **op)
{
    *op = tried;
    if (tried == NULL || !pthread_equal(trying, pthread_self()))
        return NULL;
    return cleared ? "tp_traverse, after its tp_clear," : "tp_traverse";
}
