/* memory_views.c: memoryviews: attributes, items, slices, casts, copies,
   release, comparison; in chance-made layouts too.
   Manual: "MemoryView objects". */

#include "oracle.h"

static const char *const attributes[] = {
    "nbytes",       "readonly",     "itemsize",   "format",
    "ndim",         "shape",        "strides",    "suboffsets",
    "c_contiguous", "f_contiguous", "contiguous", "obj"};

static void
describe(PyObject *op)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        show(attributes[i], PyObject_GetAttrString(op, attributes[i]));
    show("tolist", PyObject_CallMethod(op, "tolist", NULL));
    show("tobytes", PyObject_CallMethod(op, "tobytes", NULL));
    show("hex", PyObject_CallMethod(op, "hex", NULL));
    show("C", PyObject_CallMethod(op, "tobytes", "s", "C"));
    show("F", PyObject_CallMethod(op, "tobytes", "s", "F"));
    show("A", PyObject_CallMethod(op, "tobytes", "s", "A"));
    show("bytes", PyBytes_FromObject(op));
    result("hash", PyObject_Hash(op) == -1 ? -1 : 0);
}

/* Takes the reference away, as all functions here that look at op. */
static void
look(const char *label, PyObject *op)
{
    say("-- %s", label);
    if (op == NULL) {
        error();
        return;
    }
    describe(op);
    if (PyMemoryView_Check(op) && PyMemoryView_GET_BUFFER(op)->ndim > 0)
        result("length", PyObject_Size(op));
    show("list", PySequence_List(op));
    Py_DECREF(op);
}

static PyObject *
view_of(const char *text)
{
    PyObject *bytes = need(PyBytes_FromString(text));
    PyObject *op = need(PyMemoryView_FromObject(bytes));

    Py_DECREF(bytes);
    return op;
}

static PyObject *
writable(const char *text)
{
    PyObject *array =
        need(PyByteArray_FromStringAndSize(text, (Py_ssize_t)strlen(text)));
    PyObject *op = need(PyMemoryView_FromObject(array));

    Py_DECREF(array);
    return op;
}

/* op cast, and the reference to op taken away. */
static PyObject *
cast(PyObject *op, const char *format, PyObject *shape)
{
    PyObject *to = shape == NULL
                       ? PyObject_CallMethod(op, "cast", "s", format)
                       : PyObject_CallMethod(op, "cast", "sN", format, shape);

    Py_DECREF(op);
    return to;
}

static PyObject *
slice(Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step)
{
    return need(PySlice_New(need(PyLong_FromSsize_t(start)),
                            need(PyLong_FromSsize_t(stop)),
                            need(PyLong_FromSsize_t(step))));
}

/* op[key], and the references to both taken away. */
static PyObject *
part(PyObject *op, PyObject *key)
{
    PyObject *result = PyObject_GetItem(op, key);

    drop_all(op, key);
    return result;
}

#define SHAPE(...) need(Py_BuildValue(__VA_ARGS__))

static void
casts(void)
{
    look("plain", view_of("abcdefghijkl"));
    look("empty", view_of(""));
    look("empty sliced", part(view_of(""), slice(0, 9, 2)));
    look("writable", writable("abc"));
    look("B 3 4", cast(view_of("abcdefghijkl"), "B", SHAPE("[ii]", 3, 4)));
    look("H", cast(view_of("abcdefghijkl"), "H", NULL));
    look("@i 3 1", cast(view_of("abcdefghijkl"), "@i", SHAPE("(ii)", 3, 1)));
    look("scalar", cast(view_of("a"), "c", SHAPE("()")));
    look("scalar i", cast(view_of("abcd"), "i", SHAPE("()")));
    look("and back",
         cast(cast(view_of("abcdef"), "B", SHAPE("(ii)", 2, 3)), "h", NULL));
    look("H to I", cast(cast(view_of("abcd"), "H", NULL), "I", NULL));
    look("length", cast(view_of("abc"), "H", NULL));
    look("<i", cast(view_of("abcd"), "<i", NULL));
    look("ii", cast(view_of("abcd"), "ii", NULL));
    look("nothing", cast(view_of("abcd"), "", NULL));
    look("s", cast(view_of("abcd"), "s", NULL));
    look("not ASCII", cast(view_of("abcd"), "\xc3\xa9", NULL));
    look("shape", cast(view_of("abcd"), "B", SHAPE("i", 4)));
    look("shape 5", cast(view_of("abcd"), "B", SHAPE("[i]", 5)));
    look("shape 0", cast(view_of("abcd"), "B", SHAPE("[i]", 0)));
    look("shape -1", cast(view_of("abcd"), "B", SHAPE("[i]", -1)));
    look("shape s", cast(view_of("abcd"), "B", SHAPE("[s]", "x")));
    look("shape large",
         cast(view_of("abcd"), "B", SHAPE("[LL]", 1LL << 40, 1LL << 40)));
    look("ND to ND", cast(cast(view_of("abcdef"), "B", SHAPE("(ii)", 2, 3)),
                          "B", SHAPE("(ii)", 3, 2)));
    look("zero", cast(view_of(""), "B", SHAPE("[i]", 1)));
    look("sliced", cast(part(view_of("abcdef"), slice(0, 6, 2)), "c", NULL));
}

static void
get(const char *label, PyObject *op, PyObject *key)
{
    if (key == NULL)
        PyErr_Clear();
    else
        show(label, part(Py_NewRef(op), key));
}

static void
items(PyObject *op)
{
    say("-- items");
    if (op == NULL) {
        error();
        return;
    }
    get("1", op, PyLong_FromLong(1));
    get("-1", op, PyLong_FromLong(-1));
    get("99", op, PyLong_FromLong(99));
    get("-99", op, PyLong_FromLong(-99));
    get("large", op,
        PyLong_FromString("1"
                          "0000000000"
                          "0000000000",
                          NULL, 10));
    get("(1,)", op, Py_BuildValue("(i)", 1));
    get("(0, -1)", op, Py_BuildValue("(ii)", 0, -1));
    get("(0, 9)", op, Py_BuildValue("(ii)", 0, 9));
    get("(0, 0, 0)", op, Py_BuildValue("(iii)", 0, 0, 0));
    get("()", op, PyTuple_New(0));
    get("(s)", op, Py_BuildValue("(s)", "x"));
    get("(1, s)", op, Py_BuildValue("(is)", 1, "x"));
    get("(:, :)", op, Py_BuildValue("(NN)", slice(0, 1, 1), slice(0, 1, 1)));
    get("str", op, PyUnicode_FromString("x"));
    get("step 0", op, slice(0, 1, 0));
    result("contains", PySequence_Contains(op, Py_True));
    show("list", PySequence_List(op));
    Py_DECREF(op);
}

static void
set(const char *label, PyObject *op, PyObject *key, PyObject *value)
{
    result(label, PyObject_SetItem(op, key, value));
    drop_all(key, value);
    show("    now", PyObject_CallMethod(op, "tolist", NULL));
}

static void
assignments(const char *format, PyObject *op)
{
    static const char *const texts[] = {"0",
                                        "1",
                                        "-1",
                                        "127",
                                        "128",
                                        "255",
                                        "256",
                                        "-128",
                                        "-129",
                                        "65535",
                                        "65536",
                                        "4294967295",
                                        "4294967296",
                                        "-2147483648",
                                        "-2147483649",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "-9223372036854775808",
                                        "-9223372036854775809"};

    say("-- assignments %s", format);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        set(texts[i], op, PyLong_FromLong(1),
            need(PyLong_FromString(texts[i], NULL, 10)));
    set("float", op, PyLong_FromLong(1), PyFloat_FromDouble(2.5));
    set("bytes", op, PyLong_FromLong(-1), PyBytes_FromString("x"));
    set("more bytes", op, PyLong_FromLong(0), PyBytes_FromString("xy"));
    set("str", op, PyLong_FromLong(0), PyUnicode_FromString("x"));
    set("None", op, PyLong_FromLong(0), Py_NewRef(Py_None));
    set("tuple", op, Py_BuildValue("(i)", 0), PyLong_FromLong(1));
    set("index", op, PyLong_FromLong(77), PyLong_FromLong(1));
    Py_DECREF(op);
}

static void
all_assignments(void)
{
    static const char *const formats[] = {"b", "B", "h", "H",  "i",  "I", "l",
                                          "L", "q", "Q", "n",  "N",  "?", "c",
                                          "f", "d", "P", "@i", "@c", "@d"};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char zeros[33] = "";
        PyObject *array = need(PyByteArray_FromStringAndSize(zeros, 16));
        PyObject *op = need(PyMemoryView_FromObject(array));
        Py_DECREF(array);
        assignments(formats[i], need(cast(op, formats[i], NULL)));
    }
}

static void
slice_assignments(void)
{
    PyObject *op = writable("abcdefghij");
    PyObject *plane = cast(Py_NewRef(op), "B", SHAPE("(ii)", 2, 5));
    PyObject *scalar;

    set("same", op, slice(0, 3, 1), PyBytes_FromString("XYZ"));
    set("other length", op, slice(0, 3, 1), PyBytes_FromString("XY"));
    set("none", op, slice(3, 3, 1), PyBytes_FromString(""));
    set("steps", op, slice(1, 10, 3), PyBytes_FromString("123"));
    set("back", op, slice(9, 0, -4), PyBytes_FromString("-+*"));
    set("no buffer", op, slice(0, 3, 1), PyLong_FromLong(3));
    set("overlap", op, slice(2, 8, 1), part(Py_NewRef(op), slice(0, 6, 1)));
    set("overlap back", op, slice(0, 6, 1),
        part(Py_NewRef(op), slice(7, 1, -1)));
    set("format", op, slice(0, 4, 1), cast(view_of("abcd"), "b", NULL));
    set("@", op, slice(0, 4, 1), cast(view_of("abcd"), "@B", NULL));
    set("plane", op, slice(0, 4, 1), Py_NewRef(plane));
    set("key", op, PyUnicode_FromString("x"), PyLong_FromLong(1));
    set("in a plane", plane, Py_BuildValue("(ii)", 1, 2), PyLong_FromLong(1));
    set("a row", plane, PyLong_FromLong(1), PyLong_FromLong(1));
    set("one index", plane, Py_BuildValue("(i)", 1), PyLong_FromLong(1));
    set("three", plane, Py_BuildValue("(iii)", 1, 1, 1), PyLong_FromLong(1));
    set("rows", plane, slice(0, 1, 1), Py_NewRef(plane));
    set("slices", plane, Py_BuildValue("(NN)", slice(0, 1, 1), slice(0, 1, 1)),
        Py_NewRef(plane));
    RESULT(PyObject_DelItem(op, Py_None));
    scalar = need(cast(writable("a"), "B", SHAPE("()")));
    set("scalar", scalar, PyTuple_New(0), PyLong_FromLong(7));
    set("scalar ...", scalar, Py_NewRef(Py_Ellipsis), PyLong_FromLong(8));
    set("scalar 0", scalar, PyLong_FromLong(0), PyLong_FromLong(8));
    get("scalar ...", scalar, Py_NewRef(Py_Ellipsis));
    drop_all(scalar, plane);
    Py_SETREF(op, need(PyObject_CallMethod(op, "toreadonly", NULL)));
    set("read-only", op, PyLong_FromLong(0), PyLong_FromLong(1));
    Py_DECREF(op);
}

/* Views of the same chance-made bytes, sliced again and again. */
static void
by_chance(void)
{
    static const char *const formats[] = {"B", "b", "h", "H", "i", "c"};
    for (int round = 0; round < 60; round++) {
        const char *format = formats[pick(6)];
        PyObject *op = cast(view_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"
                                    "OPQRSTUV"),
                            format, NULL);
        int rows = pick(4) + 1;
        if (pick(2) && *format == 'B')
            op = cast(op, "B", SHAPE("(iii)", rows, 2, 24 / rows));
        for (int n = pick(3); op != NULL && n >= 0; n--) {
            int start = pick(60) - 30, stop = pick(60) - 30;
            int step = pick(9) - 4;
            say("%s [%d:%d:%d]", format, start, stop, step);
            op = part(op, slice(start, stop, step));
        }
        look("by chance", op);
    }
}

/* ------------------------------------------------------------------ */
/* The life of a memoryview                                            */

static void
released(void)
{
    PyObject *array = need(PyByteArray_FromStringAndSize("abc", 3));
    PyObject *a = need(PyMemoryView_FromObject(array));
    PyObject *b = need(PyMemoryView_FromObject(a));
    Py_buffer view;

    say("-- released");
    result("references", Py_REFCNT(array));
    RESULT(PyByteArray_Resize(array, 10));
    SHOW(PyObject_CallMethod(a, "release", NULL));
    SHOW(PyObject_CallMethod(a, "release", NULL));
    RESULT(PyByteArray_Resize(array, 10));
    RESULT(PyObject_RichCompareBool(a, b, Py_EQ));
    SHOW(PyObject_RichCompare(a, b, Py_EQ));
    SHOW(PyObject_RichCompare(a, a, Py_EQ));
    SHOW(PyObject_RichCompare(b, a, Py_NE));
    describe(a);
    items(Py_NewRef(a));
    RESULT(PyObject_SetItem(a, Py_None, Py_None));
    SHOW(PyMemoryView_FromObject(a));
    SHOW(PyObject_CallMethod(a, "cast", "s", "B"));
    SHOW(PyObject_CallMethod(a, "toreadonly", NULL));
    SHOW(PyObject_CallMethod(a, "__enter__", NULL));
    SHOW(PyObject_CallMethod(a, "__exit__", "OOO", Py_None, Py_None, Py_None));
    RESULT(PyObject_GetBuffer(a, &view, PyBUF_SIMPLE));
    RESULT(PyObject_GetBuffer(b, &view, PyBUF_SIMPLE));
    RESULT(view.obj == b);
    SHOW(PyObject_CallMethod(b, "release", NULL));
    SHOW(PyObject_CallMethod(b, "__exit__", NULL));
    PyBuffer_Release(&view);
    SHOW(PyObject_CallMethod(b, "release", NULL));
    RESULT(PyByteArray_Resize(array, 10));
    result("references", Py_REFCNT(array));
    drop_all(a, b, array);
}

static void
request(PyObject *op, const char *name, int flags)
{
    Py_buffer view;

    if (PyObject_GetBuffer(op, &view, flags) < 0) {
        printf("    %s: ", name);
        error();
        return;
    }
    say("    %s: len %ld, itemsize %ld, ndim %d, format %s, shape %d, "
        "strides %d, readonly %d",
        name, (long)view.len, (long)view.itemsize, view.ndim,
        view.format != NULL ? view.format : "NULL", view.shape != NULL,
        view.strides != NULL, view.readonly);
    PyBuffer_Release(&view);
}

#define REQUEST(FLAGS) request(op, #FLAGS, FLAGS)

static void
requests(const char *label, PyObject *op)
{
    say("-- requests: %s", label);
    REQUEST(PyBUF_SIMPLE);
    REQUEST(PyBUF_WRITABLE);
    REQUEST(PyBUF_FORMAT);
    REQUEST(PyBUF_ND);
    REQUEST(PyBUF_ND | PyBUF_FORMAT);
    REQUEST(PyBUF_STRIDES);
    REQUEST(PyBUF_C_CONTIGUOUS);
    REQUEST(PyBUF_F_CONTIGUOUS);
    REQUEST(PyBUF_ANY_CONTIGUOUS);
    REQUEST(PyBUF_INDIRECT);
    REQUEST(PyBUF_FULL);
    REQUEST(PyBUF_FULL_RO);
    Py_DECREF(op);
}

static void
from_c(void)
{
    static char memory[] = "ABCDEFGHIJKL", one[] = "one", two[] = "two";
    static char *rows[] = {one, two};
    Py_ssize_t shape[] = {2, 3}, strides[] = {1, 2}, suboffsets[] = {0, -1};
    Py_ssize_t row_strides[] = {sizeof(char *), 1};
    Py_buffer info = {.buf = memory,
                      .len = 6,
                      .itemsize = 1,
                      .readonly = 1,
                      .ndim = 2,
                      .format = (char *)"B",
                      .shape = shape,
                      .strides = strides};

    look("memory", PyMemoryView_FromMemory(memory, 4, PyBUF_READ));
    look("writable memory", PyMemoryView_FromMemory(memory, 4, PyBUF_WRITE));
    look("Fortran", PyMemoryView_FromBuffer(&info));
    items(PyMemoryView_FromBuffer(&info));
    requests("Fortran", PyMemoryView_FromBuffer(&info));
    PyObject *fortran = need(PyMemoryView_FromBuffer(&info));
    look("C", PyMemoryView_GetContiguous(fortran, PyBUF_READ, 'C'));
    look("F", PyMemoryView_GetContiguous(fortran, PyBUF_READ, 'F'));
    look("A", PyMemoryView_GetContiguous(fortran, PyBUF_READ, 'A'));
    look("W", PyMemoryView_GetContiguous(fortran, PyBUF_WRITE, 'C'));
    Py_DECREF(fortran);
    strides[0] = 6;
    look("gaps", PyMemoryView_FromBuffer(&info));
    requests("gaps", PyMemoryView_FromBuffer(&info));
    look("gaps A", PyMemoryView_GetContiguous(
                       need(PyMemoryView_FromBuffer(&info)), PyBUF_READ, 'A'));
    info.readonly = 0;
    look("gaps W",
         PyMemoryView_GetContiguous(need(PyMemoryView_FromBuffer(&info)),
                                    PyBUF_WRITE, 'F'));
    info.buf = rows;
    info.strides = row_strides;
    info.suboffsets = suboffsets;
    look("pointers", PyMemoryView_FromBuffer(&info));
    look("pointers sliced",
         part(PyMemoryView_FromBuffer(&info), slice(1, -3, -1)));
    items(PyMemoryView_FromBuffer(&info));
    requests("pointers", PyMemoryView_FromBuffer(&info));
    info.buf = NULL;
    SHOW(PyMemoryView_FromBuffer(&info));
    SHOW(PyMemoryView_FromObject(Py_None));
    SHOW(PyMemoryView_GetContiguous(Py_None, PyBUF_READ, 'C'));
}

static void
copies(void)
{
    PyObject *to = writable("abcdefghijkl");
    PyObject *plane = cast(Py_NewRef(to), "B", SHAPE("(ii)", 3, 4));
    PyObject *columns = part(Py_NewRef(to), slice(0, 12, 2));

    say("-- copies");
    RESULT(PyObject_CopyData(to, view_of("123")));
    SHOW(PyObject_CallMethod(to, "tobytes", NULL));
    RESULT(PyObject_CopyData(to, view_of("1234567890123")));
    RESULT(PyObject_CopyData(plane, view_of("abcdefghijkl")));
    RESULT(
        PyObject_CopyData(columns, part(view_of("123456"), slice(5, -7, -1))));
    SHOW(PyObject_CallMethod(to, "tobytes", NULL));
    RESULT(PyObject_CopyData(view_of("abc"), view_of("abc")));
    RESULT(PyObject_CopyData(Py_None, to));
    RESULT(PyObject_CopyData(to, Py_None));
    drop_all(columns, plane, to);
}

static void
type(void)
{
    PyObject *type = (PyObject *)&PyMemoryView_Type;
    PyObject *args = need(PyTuple_New(0));
    PyObject *kwds = need(Py_BuildValue("{s:y}", "object", "abc"));

    say("-- type");
    SHOW(PyObject_CallNoArgs(type));
    SHOW(PyObject_Call(type, args, kwds));
    SHOW(PyObject_CallFunction(type, "i", 1));
    SHOW(PyObject_CallFunction(type, "ii", 1, 2));
    result("gc", PyType_IS_GC(&PyMemoryView_Type));
    result("basetype", (int)PyType_HasFeature(&PyMemoryView_Type,
                                              Py_TPFLAGS_BASETYPE) != 0);
    SHOW(PyObject_CallMethod(view_of("a"), "tobytes", "i", 1));
    SHOW(PyObject_CallMethod(view_of("a"), "tobytes", "s", "CC"));
    SHOW(PyObject_CallMethod(view_of("a"), "tobytes", "O", Py_None));
    SHOW(PyObject_CallMethod(view_of("a"), "cast", NULL));
    SHOW(PyObject_CallMethod(view_of("a"), "cast", "i", 1));
    drop_all(kwds, args);
}

static void
old_calls(void)
{
    PyObject *array = need(PyByteArray_FromStringAndSize("abc", 3));
    PyObject *bytes = need(PyBytes_FromString("abcd"));
    Py_buffer view;
    char block[8] = "";

    say("-- PyBuffer_ToContiguous");
    PyObject_GetBuffer(bytes, &view, PyBUF_FULL_RO);
    RESULT(PyBuffer_ToContiguous(block, &view, 3, 'C'));
    RESULT(PyBuffer_ToContiguous(block, &view, 4, 'F'));
    say("%s", block);
    PyBuffer_Release(&view);
    PyObject_GetBuffer(array, &view, PyBUF_FULL);
    RESULT(PyBuffer_FromContiguous(&view, "12345", 5, 'C'));
    show_kept("array", array);
    PyBuffer_Release(&view);
    drop_all(array, bytes);
}

/* An index that releases the view it is for. */
static PyObject *its_view;

static PyObject *
release_index(PyObject *Py_UNUSED(op))
{
    Py_DECREF(need(PyObject_CallMethod(its_view, "release", NULL)));
    return PyLong_FromLong(1);
}

static PyNumberMethods as_index = {.nb_index = release_index};
static PyTypeObject Releasing = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "oracle.Releasing",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_number = &as_index,
    .tp_new = PyType_GenericNew,
};

static void
released_meanwhile(void)
{
    PyObject *array = need(PyByteArray_FromStringAndSize("abcd", 4));
    PyObject *value = need(PyBytes_FromString("Z"));

    say("-- released meanwhile");
    need_ready(&Releasing);
    PyObject *index = need(PyObject_CallNoArgs((PyObject *)&Releasing));
    PyObject *bounds = need(PySlice_New(NULL, index, NULL));
    its_view = need(PyMemoryView_FromObject(array));
    RESULT(PyObject_SetItem(its_view, bounds, value));
    say("%s", error_text());
    its_view = need(PyMemoryView_FromObject(array));
    SHOW(PyObject_CallMethod(its_view, "hex", "sO", ":", index));
    its_view = need(PyMemoryView_FromObject(array));
    SHOW(PyObject_GetItem(its_view, index));
    show_kept("array", array);
    drop_all(bounds, index, value, array);
}

void
oracle_program(void)
{
    pick_seed = 1;
    casts();
    items(view_of("abc"));
    items(cast(view_of("abcdef"), "B", SHAPE("(ii)", 2, 3)));
    items(cast(view_of("a"), "B", SHAPE("()")));
    all_assignments();
    slice_assignments();
    by_chance();
    released();
    released_meanwhile();
    requests("bytes", view_of("abcd"));
    requests("bytearray", cast(writable("abcd"), "H", NULL));
    requests("steps", part(view_of("abcd"), slice(0, 4, 2)));
    requests("scalar", cast(view_of("a"), "B", SHAPE("()")));
    from_c();
    copies();
    type();
    old_calls();
}
