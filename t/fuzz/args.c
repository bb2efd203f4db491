/* args.c: fuzzes the argument parsers: the format and the arguments come from
   the input.

   The variables that a format asks for are laid out by a reading of it that
   is written here anew.  It need not know what is wrong with a format: the
   parser stops there at the latest.

   Promised: 0 with an exception, or 1 without; afterwards, with what the
   caller owns released, every argument has as many references as before, and
   a failure has called each converter's cleanup. */

#include "fuzz.h"

enum { SLOTS = 32, AREA = 24, ARGUMENTS = 6 };

/* A variable.  kind is that of its unit. */
struct slot {
    enum { PLAIN, VIEW, MEMORY, CONVERTED } kind;
    union {
        Py_buffer view;
        char *memory;
        Py_ssize_t size;
        char bytes[96];
    } u;
    char area[AREA]; /* where es# may put its text */
};

static struct slot slots[SLOTS];
static void *variables[SLOTS];
static int nslots, nvariables;
static int held; /* by converters */

static int
convert(PyObject *arg, void *address)
{
    if (arg == NULL) {
        held--;
        return 1;
    }
    if (arg == Py_None) {
        PyErr_SetString(PyExc_ValueError, "None is not converted");
        return 0;
    }
    held++;
    ((struct slot *)address)->kind = CONVERTED;
    return Py_CLEANUP_SUPPORTED;
}

/* For the union is at the address that a unit gets, and the slot around it is
   found by the converter alone. */
static struct slot *
add(int kind)
{
    struct slot *slot = &slots[nslots++];

    memset(slot, 0, sizeof(*slot));
    slot->kind = kind;
    variables[nvariables++] =
        kind == CONVERTED ? (void *)slot : (void *)&slot->u;
    return slot;
}

/* The variables of es and et. */
static const char *
add_encoded(const char *p, struct fuzz_input *in)
{
    static char encodings[][12] = {"utf-8", "ascii", "latin-1", "nonsense"};
    unsigned encoding = fuzz_below(in, 5);

    variables[nvariables++] = encoding == 4 ? NULL : encodings[encoding];
    if (*p != 's' && *p != 't')
        return p;
    struct slot *slot = add(MEMORY);
    if (*++p != '#')
        return p;
    struct slot *size = add(PLAIN);
    if (fuzz_below(in, 2)) {
        slot->u.memory = slot->area;
        size->u.size = AREA;
    }
    return p + 1;
}

static const char *
add_object(const char *p)
{
    static PyTypeObject *const types[] = {&PyLong_Type, &PyList_Type,
                                          &PyUnicode_Type, &PyBaseObject_Type};

    if (*p == '!') {
        variables[nvariables] = (void *)types[nvariables % 4];
        nvariables++;
        add(PLAIN);
        return p + 1;
    }
    if (*p == '&') {
        variables[nvariables++] = (void *)convert;
        add(CONVERTED)->kind = PLAIN;
        return p + 1;
    }
    add(PLAIN);
    return p;
}

static const char *
add_text(const char *p)
{
    if (*p == '*') {
        add(VIEW);
        return p + 1;
    }
    add(PLAIN);
    if (*p != '#')
        return p;
    add(PLAIN);
    return p + 1;
}

/* Lays out the variables; cuts the format where they do not suffice. */
static void
lay_out(char *format, struct fuzz_input *in)
{
    const char *p = format;

    nslots = nvariables = held = 0;
    while (*p != '\0' && *p != ':' && *p != ';') {
        if (nvariables > SLOTS - 3) {
            format[p - format] = '\0';
            return;
        }
        char unit = *p++;
        if (strchr("szyw", unit) != NULL)
            p = add_text(p);
        else if (unit == 'e')
            p = add_encoded(p, in);
        else if (unit == 'O')
            p = add_object(p);
        else if (strchr("bBhHiIlkLKnfdDpcCSYU", unit) != NULL)
            add(PLAIN);
    }
}

/* What the caller owns after a success. */
static void
release(void)
{
    for (int i = 0; i < nslots; i++) {
        struct slot *slot = &slots[i];
        if (slot->kind == VIEW)
            PyBuffer_Release(&slot->u.view);
        else if (slot->kind == MEMORY && slot->u.memory != slot->area)
            PyMem_Free(slot->u.memory);
        else if (slot->kind == CONVERTED)
            held--;
    }
}

#define V(i)                                                                  \
    variables[i], variables[i + 1], variables[i + 2], variables[i + 3],       \
        variables[i + 4], variables[i + 5], variables[i + 6],                 \
        variables[i + 7]
#define VARIABLES V(0), V(8), V(16), V(24)

static char *names[] = {"", "a", "b", "c", "d", "e", "f", NULL};

static int
parse(unsigned how, PyObject *args, PyObject *kwargs, const char *format)
{
    char **keywords = &names[how & 1];

    switch (how) {
    case 0:
    case 1:
    case 2:
    case 3:
        return PyArg_ParseTuple(args, format, VARIABLES);
    case 4:
        return PyArg_Parse(
            PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0) : NULL,
            format, VARIABLES);
    default:
        return PyArg_ParseTupleAndKeywords(args, kwargs, format, keywords,
                                           VARIABLES);
    }
}

static PyObject *
make_kwargs(struct fuzz_input *in)
{
    PyObject *kwargs = PyDict_New();

    for (unsigned n = fuzz_below(in, 4); n > 0; n--) {
        PyObject *value = fuzz_object(in);
        fuzz_check(PyDict_SetItemString(kwargs, names[1 + fuzz_below(in, 6)],
                                        value) == 0);
        Py_DECREF(value);
    }
    return kwargs;
}

static PyObject *
make_args(struct fuzz_input *in)
{
    Py_ssize_t n = (Py_ssize_t)fuzz_below(in, ARGUMENTS);
    PyObject *args = PyTuple_New(n);

    for (Py_ssize_t i = 0; i < n; i++)
        PyTuple_SET_ITEM(args, i, fuzz_object(in));
    return args;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_begin(data, size);
    Py_ssize_t before[ARGUMENTS] = {0};
    char format[64];
    unsigned how = fuzz_below(&in, 8);

    fuzz_text(&in, format, sizeof(format));
    PyObject *args = make_args(&in), *kwargs = make_kwargs(&in);
    lay_out(format, &in);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++)
        before[i] = Py_REFCNT(PyTuple_GET_ITEM(args, i));

    int ok = parse(how, args, kwargs, format);
    fuzz_raised(!ok);
    if (ok)
        release();
    fuzz_check(held == 0);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++)
        fuzz_check(Py_REFCNT(PyTuple_GET_ITEM(args, i)) == before[i]);
    Py_DECREF(args);
    Py_DECREF(kwargs);
    fuzz_end();
    return 0;
}
