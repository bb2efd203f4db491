/* adoption.c: references that are Boehm's.  See adoption.h.

   Manual: "Two heaps" in doc/hosts.md. */

#include "Python.h"

#include "gc/adoption.h"
#include "gc/base/fatal.h"
#include "gc/base/probes.h"
#include "gc/base/upcalls.h"
#include "gc/boehm/boehm.h"
#include "gc/control.h"

/* Boehm's collections that pass before it is asked, at most. */
enum { BACKOFF_MAX = 8 };

/* Immortal objects own themselves. */
static int
is_immortal(const PyObject *op)
{
    return op->ob_refcnt >= _Py_IMMORTAL_MIN;
}

static int
is_adopted(PyObject *op)
{
    return pyb_sidetable_holds(op) && pyb_is_adopted(op);
}

static void
enter(PyObject *op)
{
    PYB_ASSERT_OBJECT(!pyb_is_adopted(op) && !is_immortal(op), op);
    *pyb_adopted_word(op) |= pyb_bit_of(op);
    op->ob_refcnt += PYB_ADOPTED;
    pyb_adoption.n++;
    if (!PyObject_GC_IsTracked(op))
        PyObject_GC_Track(op);
    PYB_ASSERT_OBJECT(op->ob_refcnt < _Py_IMMORTAL_MIN, op);
}

/* Post-condition: op counts as before, without Boehm's reference. */
static void
take_out(PyObject *op)
{
    PYB_ASSERT(pyb_adoption.n > 0);
    PYB_ASSERT_OBJECT(pyb_is_adopted(op), op);
    *pyb_adopted_word(op) &= ~pyb_bit_of(op);
    op->ob_refcnt -= PYB_ADOPTED;
    pyb_adoption.n--;
}

void
pyb_adoption_take_back(PyObject *op)
{
    PYB_ASSERT_OBJECT(op->ob_refcnt > 0, op);
    Py_INCREF(op);
    take_out(op);
}

/* Each pointer in malloc's memory keeps an adopted object alive then, those in
   tables of references that are counted, too. */
static void
warn_if_malloc_is_scanned(void)
{
    static int warned;

    if (warned || !pyb_boehm_scans_malloc())
        return;
    warned = 1;
    pyb_upcalls.write_stderr(
        "pyboehm: PyBoehm_Adopt: Boehm looks at malloc's memory here (bdwgc "
        "was built with --enable-redirect-malloc), and whatever has an "
        "address there holds the object: adopted objects may never die\n");
}

PyObject *
PyBoehm_Adopt(PyObject *op)
{
    pyb_control_require(__func__);
    if (op == NULL || is_immortal(op))
        return op;
    /* Boehm sees pointers to its own blocks only. */
    if (!PyType_IS_GC(Py_TYPE(op)) || !pyb_sidetable_holds(op)) {
        pyb_upcalls.type_error("PyBoehm_Adopt: '%s' object is not a container",
                               Py_TYPE(op)->tp_name);
        Py_DECREF(op);
        return NULL;
    }
    if (!pyb_is_adopted(op)) {
        pyb_boehm_prepare_scan();
        PYB_PROBE1(object__adopt, op);
        enter(op);
    }
    pyb_adoption_note(op);
    Py_DECREF(op);
    return op;
}

int
PyBoehm_IsAdopted(PyObject *op)
{
    pyb_control_require(__func__);
    return is_adopted(op);
}

PyObject *
PyBoehm_Disown(PyObject *op)
{
    pyb_control_require(__func__);
    if (is_immortal(op))
        return op;
    if (!is_adopted(op)) {
        pyb_upcalls.value_error("PyBoehm_Disown: object is not adopted");
        return NULL;
    }
    PYB_PROBE1(object__disown, op);
    Py_INCREF(op);
    take_out(op);
    return op;
}

/* ------------------------------------------------------------------ */
/* When to ask                                                         */

void
pyb_adoption_init(void)
{
    pyb_adoption.asked = pyb_boehm_collections();
    pyb_adoption.query_backoff = 1;
}

int
pyb_adoption_due(void)
{
    PYB_ASSERT(pyb_adoption.query_backoff <= BACKOFF_MAX);
    return pyb_adoption.n > 0 &&
           pyb_boehm_collections() - pyb_adoption.asked >=
               pyb_adoption.query_backoff;
}

void
pyb_adoption_looked(int found)
{
    unsigned long longer = Py_MIN(2 * pyb_adoption.query_backoff, BACKOFF_MAX);

    PYB_ASSERT(pyb_adoption.query_backoff > 0);
    pyb_adoption.asked = pyb_boehm_collections();
    pyb_adoption.query_backoff = found ? 1 : longer;
    warn_if_malloc_is_scanned();
}
