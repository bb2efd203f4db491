/* memory.c: fuzzes formats of items, and memoryviews that have them: two
   formats, the memory, a cast, a slice and a value to store come from the
   input.

   Promised: a size or an exception; nothing outside of the items is read (they
   are in blocks of just that size); any two views can be compared; no
   reference is kept. */

#include "fuzz.h"

enum { ITEMS = 3, LARGEST = 4096 };

/* A view of ITEMS items of the format in memory of their own, which is stored;
   NULL if there is no such format, or it is too large. */
static PyObject *
view_of(struct fuzz_input *in, char *format, char **memory)
{
    static Py_ssize_t shape[] = {ITEMS};
    Py_ssize_t size = PyBuffer_SizeFromFormat(format);

    fuzz_raised(size < 0);
    *memory = NULL;
    if (size < 0 || size > LARGEST)
        return NULL;
    size_t bytes = (size_t)size * ITEMS;
    *memory = PyMem_Malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        (*memory)[i] = (char)fuzz_below(in, 256);
    Py_buffer info = {.buf = *memory,
                      .len = (Py_ssize_t)bytes,
                      .itemsize = size,
                      .ndim = 1,
                      .format = format,
                      .shape = shape};
    PyObject *view = PyMemoryView_FromBuffer(&info);
    fuzz_check(view != NULL);
    return view;
}

static void
compare(PyObject *a, PyObject *b)
{
    PyObject *equal = PyObject_RichCompare(a, b, Py_EQ);

    fuzz_raised(equal == NULL);
    fuzz_check(equal != NULL);
    Py_DECREF(equal);
}

/* A slice of the view, and what may be done with it. */
static void
use(struct fuzz_input *in, PyObject *view, PyObject *value)
{
    PyObject *slice = PySlice_New(NULL, NULL, NULL), *part, *list;
    PyObject *zero = PyLong_FromLong(0);

    Py_SETREF(((PySliceObject *)slice)->step,
              PyLong_FromLong((long)fuzz_below(in, 7) - 3));
    part = PyObject_GetItem(view, slice);
    fuzz_raised(part == NULL);
    if (part != NULL) {
        list = PyObject_CallMethod(part, "tolist", NULL);
        fuzz_raised(list == NULL);
        Py_XDECREF(list);
        fuzz_raised(PyObject_SetItem(view, slice, part) < 0);
        Py_DECREF(part);
    }
    fuzz_raised(PyObject_SetItem(view, zero, value) < 0);
    Py_DECREF(zero);
    Py_DECREF(slice);
}

static void
cast(PyObject *view, PyObject *format)
{
    PyObject *op = PyObject_CallMethod(view, "cast", "O", format);

    fuzz_raised(op == NULL);
    Py_XDECREF(op);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    char format[64], other[64], *memory, *more;

    fuzz_text(&in, format, sizeof format);
    fuzz_text(&in, other, sizeof other);
    PyObject *value = fuzz_object(&in), *text = fuzz_str(&in);
    Py_ssize_t before = Py_REFCNT(value);
    PyObject *a = view_of(&in, format, &memory);
    PyObject *b = view_of(&in, other, &more);

    if (a != NULL && b != NULL)
        compare(a, b);
    if (a != NULL) {
        compare(a, a);
        cast(a, text);
        use(&in, a, value);
    }
    fuzz_check(Py_REFCNT(value) == before);
    Py_XDECREF(a);
    Py_XDECREF(b);
    PyMem_Free(memory);
    PyMem_Free(more);
    Py_DECREF(text);
    Py_DECREF(value);
    fuzz_end();
    return 0;
}
