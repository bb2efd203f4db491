/* check_faults_objects.c: no memory in what built-in types and the calls
   around them do. */

#include "faults.h"

/* A dict that grows, with one copy and its items. */
static int
dict(void)
{
    PyObject *op = PyDict_New(), *copy = NULL, *items = NULL;
    int result = op != NULL ? 0 : -1;

    for (long i = 0; result == 0 && i < 20; i++) {
        PyObject *key = PyLong_FromLong(1000 + i);
        result = key != NULL ? PyDict_SetItem(op, key, op) : -1;
        Py_XDECREF(key);
    }
    if (result == 0)
        copy = PyDict_Copy(op);
    if (copy != NULL)
        items = PyDict_Items(copy);
    if (op != NULL)
        PyDict_Clear(op);
    Py_XDECREF(op);
    Py_XDECREF(copy);
    return faults_drop(items);
}

static int
dict_merge(void)
{
    PyObject *a = Py_BuildValue("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *b =
        a != NULL ? Py_BuildValue("[(s,i),(s,i)]", "b", 3, "c", 4) : NULL;
    int result = b != NULL ? PyDict_MergeFromSeq2(a, b, 1) : -1;

    if (result == 0)
        result = PyDict_Update(a, a);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

/* From a mapping that is no dict: key by key. */
static int
dict_merge_mapping(void)
{
    PyObject *a = Py_BuildValue("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *key = PyLong_FromLong(1000);
    PyObject *op = PyDict_New(), *proxy = NULL;
    int result = -1;

    if (a != NULL && key != NULL && PyDict_SetItem(a, key, key) == 0)
        proxy = PyDictProxy_New(a);
    Py_XDECREF(a);
    Py_XDECREF(key);
    if (proxy != NULL && op != NULL)
        result = PyDict_Merge(op, proxy, 1);
    Py_XDECREF(proxy);
    Py_XDECREF(op);
    return result;
}

static int
dict_views(void)
{
    PyObject *a = Py_BuildValue("{s:i,s:i}", "a", 1, "b", 2);
    PyObject *keys = a != NULL ? PyObject_CallMethod(a, "keys", NULL) : NULL;
    PyObject *list = keys != NULL ? PySequence_List(keys) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(keys);
    return faults_drop(list);
}

static int
list(void)
{
    PyObject *op = PyList_New(0), *slice = NULL;
    int result = op != NULL ? 0 : -1;

    for (long i = 40; result == 0 && i > 0; i--) {
        PyObject *item = PyLong_FromLong(i * 1000);
        result = item != NULL ? PyList_Append(op, item) : -1;
        Py_XDECREF(item);
    }
    if (result == 0)
        result = PyList_Sort(op);
    if (result == 0)
        slice = PyList_GetSlice(op, 3, 30);
    if (slice != NULL)
        result = PyList_SetSlice(op, 1, 2, slice);
    else
        result = -1;
    Py_XDECREF(slice);
    Py_XDECREF(op);
    return result;
}

/* A failing extension leaves a list that can be used. */
static int
list_extend(void)
{
    PyObject *op = PyList_New(2), *more = NULL;
    int result = -1;

    if (op == NULL)
        return -1;
    PyList_SET_ITEM(op, 0, Py_None);
    PyList_SET_ITEM(op, 1, Py_None);
    more = PySequence_Repeat(op, 50);
    if (more != NULL)
        result = PyList_Extend(op, more);
    FAULTS_EXPECT(PyList_GET_SIZE(op) == (result == 0 ? 102 : 2));
    Py_XDECREF(more);
    Py_DECREF(op);
    return result;
}

static int
tuple(void)
{
    PyObject *a = Py_BuildValue("(iii)", 1000, 2000, 3000);
    PyObject *b = a != NULL ? PySequence_Concat(a, a) : NULL;
    PyObject *c = b != NULL ? PyTuple_GetSlice(b, 1, 5) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(b);
    return faults_drop(c);
}

static int
tuple_resize(void)
{
    PyObject *op = PyTuple_New(2);

    if (op == NULL)
        return -1;
    PyTuple_SET_ITEM(op, 0, Py_None);
    PyTuple_SET_ITEM(op, 1, Py_None);
    return _PyTuple_Resize(&op, 50) < 0 ? -1 : faults_drop(op);
}

static int
set(void)
{
    PyObject *a = PySet_New(NULL), *b = NULL, *c = NULL;
    int result = a != NULL ? 0 : -1;

    for (long i = 0; result == 0 && i < 20; i++) {
        PyObject *key = PyLong_FromLong(1000 + i);
        result = key != NULL ? PySet_Add(a, key) : -1;
        Py_XDECREF(key);
    }
    if (result == 0)
        b = PyFrozenSet_New(a);
    if (b != NULL)
        c = PyNumber_Or(b, a);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return faults_drop(c);
}

static int
str(void)
{
    PyObject *a =
        PyUnicode_FromFormat("%s-%R-%d-%p", "text", Py_None, 12345, NULL);
    PyObject *b = a != NULL ? PyUnicode_Concat(a, a) : NULL;
    PyObject *c = b != NULL ? PyObject_CallMethod(b, "split", "s", "-") : NULL;
    PyObject *d = c != NULL ? PyUnicode_Join(a, c) : NULL;
    PyObject *e = d != NULL ? PyObject_CallMethod(d, "upper", NULL) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    Py_XDECREF(d);
    return faults_drop(e);
}

static int
str_percent(void)
{
    PyObject *format = PyUnicode_FromString("%5s|%r|%+08.3f|%x");
    PyObject *args = format != NULL
                         ? Py_BuildValue("(ssdi)", "a", "\xc3\xa9", 1.5, 255)
                         : NULL;
    PyObject *text = args != NULL ? PyUnicode_Format(format, args) : NULL;

    Py_XDECREF(format);
    Py_XDECREF(args);
    return faults_drop(text);
}

static int
codecs(void)
{
    PyObject *text = PyUnicode_FromString("gr\xc3\xbc\xc3\x9f \xe2\x82\xac");
    PyObject *bytes =
        text != NULL ? PyUnicode_AsEncodedString(text, "latin-1", "replace")
                     : NULL;
    PyObject *back =
        bytes != NULL ? PyUnicode_FromEncodedObject(bytes, "latin-1", "strict")
                      : NULL;
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    return faults_drop(back);
}

/* A handler of the registry, called twice each way. */
static int
codec_handlers(void)
{
    static const Py_UCS4 chars[] = {0xd800, 'a', 0xdfff, 0x1f600};
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, 4);
    PyObject *bytes =
        text != NULL
            ? PyUnicode_AsEncodedString(text, "utf-16-be", "surrogatepass")
            : NULL;
    PyObject *back =
        bytes != NULL
            ? PyUnicode_FromEncodedObject(bytes, "utf-16-be", "surrogatepass")
            : NULL;

    Py_XDECREF(text);
    Py_XDECREF(bytes);
    return faults_drop(back);
}

/* Escapes and UTF-7, with a handler that makes no exception. */
static int
escapes(void)
{
    PyObject *text = PyUnicode_DecodeUTF7("a+AOk-\xff+A", 9, "replace");
    PyObject *bytes =
        text != NULL ? PyUnicode_AsEncodedString(text, "utf-7", NULL) : NULL;
    PyObject *escaped =
        bytes != NULL ? PyUnicode_AsUnicodeEscapeString(text) : NULL;
    PyObject *back = escaped != NULL
                         ? PyUnicode_FromEncodedObject(
                               escaped, "unicode-escape", "backslashreplace")
                         : NULL;

    Py_XDECREF(text);
    Py_XDECREF(bytes);
    Py_XDECREF(escaped);
    return faults_drop(back);
}

static int
codec_registry(void)
{
    PyObject *text = PyUnicode_FromString("gr\xc3\xbc\xc3\x9f");
    PyObject *coded =
        text != NULL ? PyCodec_Encode(text, "utf-16-le", NULL) : NULL;
    PyObject *decoder =
        coded != NULL ? PyCodec_IncrementalDecoder("utf-16-le", NULL) : NULL;
    PyObject *back = decoder != NULL
                         ? PyObject_CallMethod(decoder, "decode", "O", coded)
                         : NULL;

    Py_XDECREF(text);
    Py_XDECREF(coded);
    Py_XDECREF(decoder);
    return faults_drop(back);
}

/* By str.maketrans, and by a charmap and back. */
static int
translate(void)
{
    PyObject *table = PyObject_CallMethod((PyObject *)&PyUnicode_Type,
                                          "maketrans", "sss", "ab", "cd", "x");
    PyObject *text = table != NULL ? PyUnicode_FromString("abxc") : NULL;
    PyObject *map = text != NULL ? PyUnicode_BuildEncodingMap(text) : NULL;
    PyObject *changed =
        map != NULL ? PyUnicode_Translate(text, table, "replace") : NULL;
    PyObject *bytes =
        changed != NULL ? PyUnicode_AsCharmapString(text, map) : NULL;
    int result = -1;

    if (bytes != NULL)
        result =
            faults_drop(PyUnicode_DecodeCharmap("\0\1\7", 3, text, "replace"));
    Py_XDECREF(table);
    Py_XDECREF(text);
    Py_XDECREF(map);
    Py_XDECREF(changed);
    Py_XDECREF(bytes);
    return result;
}

static int
bytes(void)
{
    PyObject *a = PyBytes_FromFormat("%s %d", "bytes", 12345);

    if (a == NULL)
        return -1;
    PyBytes_ConcatAndDel(&a, PyBytes_FromString("and more"));
    PyObject *text = a != NULL ? PyObject_Repr(a) : NULL;
    Py_XDECREF(a);
    return faults_drop(text);
}

static int
bytearray(void)
{
    PyObject *a = PyByteArray_FromStringAndSize("abc", 3), *b = NULL;

    if (a != NULL && PyByteArray_Resize(a, 1000) == 0)
        b = PyByteArray_Concat(a, a);
    Py_XDECREF(a);
    return faults_drop(b);
}

static void
drop(PyObject *a, PyObject *b, PyObject *c)
{
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
}

static int
integer(void)
{
    PyObject *a = PyLong_FromString("123456789012345678901234567890", NULL, 0);
    PyObject *b = a != NULL ? PyNumber_Add(a, a) : NULL;
    PyObject *c = b != NULL ? PyObject_Str(b) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(b);
    return faults_drop(c);
}

/* GMP ends the program when it has no memory: it is never asked then. */
static int
big_integer(void)
{
    PyObject *a = PyLong_FromString("123456789012345678901234567890", NULL, 0);
    PyObject *b = a != NULL ? PyNumber_Multiply(a, a) : NULL;
    PyObject *c = b != NULL ? PyNumber_Power(a, b, b) : NULL;
    PyObject *d = c != NULL ? PyNumber_TrueDivide(b, a) : NULL;
    PyObject *e =
        d != NULL ? PyObject_CallMethod(b, "__round__", "i", -9) : NULL;
    PyObject *f = e != NULL ? PyNumber_Divmod(b, a) : NULL;
    PyObject *g =
        f != NULL ? _PyLong_FromByteArray((const unsigned char *)"12345678901",
                                          11, 0, 0)
                  : NULL;

    drop(a, b, c);
    drop(d, e, f);
    return faults_drop(g);
}

static int
floating(void)
{
    PyObject *a = PyFloat_FromDouble(1e300);
    PyObject *b = a != NULL ? PyObject_Repr(a) : NULL;
    PyObject *c = b != NULL ? PyFloat_FromString(b) : NULL;

    Py_XDECREF(a);
    Py_XDECREF(b);
    return faults_drop(c);
}

static int
build_value(void)
{
    return faults_drop(Py_BuildValue("(i[s{s:d}]y#O&)", 1000, "text", "key",
                                     2.5, "ab", (Py_ssize_t)2,
                                     PyLong_FromVoidPtr, &node_type));
}

/* What was converted before the failure is given back. */
static int
parse_arguments(void)
{
    static char *names[] = {"a", "b", "c", NULL};
    PyObject *args = Py_BuildValue("(s)", "text");
    PyObject *kwds =
        args != NULL ? Py_BuildValue("{s:i,s:d}", "b", 7, "c", 2.) : NULL;
    char *copy = NULL;
    int b, result = -1;
    double c;

    if (kwds != NULL && PyArg_ParseTupleAndKeywords(args, kwds, "es|id", names,
                                                    "utf-8", &copy, &b, &c)) {
        PyMem_Free(copy);
        result = 0;
    }
    Py_XDECREF(args);
    Py_XDECREF(kwds);
    return result;
}

/* Raised, fetched, with a cause; or MemoryError in its place. */
static int
exception(void)
{
    PyErr_Format(PyExc_ValueError, "number %d of %s", 7, "many");
    if (PyErr_ExceptionMatches(PyExc_MemoryError))
        return -1;
    PyObject *error = PyErr_GetRaisedException();
    PyObject *text = PyObject_Str(error);
    PyException_SetCause(error, PyErr_NewException("t.E", NULL, NULL));
    PyException_SetCause(error, NULL);
    Py_DECREF(error);
    if (text != NULL)
        PyErr_Clear();
    return faults_drop(text);
}

static int
iterators(void)
{
    PyObject *list = Py_BuildValue("[iii]", 1000, 2000, 3000);
    PyObject *zip = NULL, *all = NULL;

    if (list != NULL)
        zip = PyObject_CallFunctionObjArgs((PyObject *)&PyZip_Type, list, list,
                                           NULL);
    if (zip != NULL)
        all = PySequence_Tuple(zip);
    Py_XDECREF(list);
    Py_XDECREF(zip);
    return faults_drop(all);
}

static int
call_iterator(void)
{
    PyObject *it = PyCallIter_New((PyObject *)&PyList_Type, Py_None);
    PyObject *one = it != NULL ? PyIter_Next(it) : NULL;

    Py_XDECREF(it);
    return faults_drop(one);
}

static int
range(void)
{
    PyObject *op = PyObject_CallFunction((PyObject *)&PyRange_Type, "iii",
                                         1000, 2000, 300);
    PyObject *all = op != NULL ? PySequence_List(op) : NULL;

    Py_XDECREF(op);
    return faults_drop(all);
}

static int
slice(void)
{
    PyObject *list = Py_BuildValue("[iiii]", 1, 2, 3, 4), *part = NULL;
    PyObject *from = PyLong_FromLong(-3);
    PyObject *op = from != NULL ? PySlice_New(from, NULL, NULL) : NULL;

    if (list != NULL && op != NULL)
        part = PyObject_GetItem(list, op);
    Py_XDECREF(list);
    Py_XDECREF(from);
    Py_XDECREF(op);
    return faults_drop(part);
}

static void
release(PyObject *capsule)
{
    PyMem_Free(PyCapsule_GetPointer(capsule, "t.capsule"));
}

static int
capsule(void)
{
    void *memory = PyMem_Malloc(8);
    PyObject *op;

    if (memory == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    op = PyCapsule_New(memory, "t.capsule", release);
    if (op == NULL)
        PyMem_Free(memory);
    return faults_drop(op);
}

static int
cell_and_namespace(void)
{
    PyObject *cell = PyCell_New(Py_None);
    PyObject *text = cell != NULL ? PyObject_Repr(cell) : NULL;

    Py_XDECREF(cell);
    return faults_drop(text);
}

static int
buffer(void)
{
    PyObject *op = PyByteArray_FromStringAndSize("abcd", 4);
    Py_buffer view;
    int result = -1;

    if (op != NULL && PyObject_GetBuffer(op, &view, PyBUF_FULL) == 0) {
        PyBuffer_Release(&view);
        result = 0;
    }
    Py_XDECREF(op);
    return result;
}

static int
representation(void)
{
    PyObject *op = Py_BuildValue("[i(sd)y{s:O}]", 1000, "text", 1.5, "bytes",
                                 "key", Py_None);
    PyObject *text = op != NULL ? PyObject_Repr(op) : NULL;

    Py_XDECREF(op);
    return faults_drop(text);
}

static int
directory(void)
{
    return faults_drop(PyObject_Dir((PyObject *)&PyLong_Type));
}

static int
writer(void)
{
    PyUnicodeWriter *w = PyUnicodeWriter_Create(4);

    if (w == NULL)
        return -1;
    if (PyUnicodeWriter_WriteUTF8(w, "some text that needs room", -1) < 0 ||
        PyUnicodeWriter_WriteRepr(w, (PyObject *)&PyList_Type) < 0) {
        PyUnicodeWriter_Discard(w);
        return -1;
    }
    return faults_drop(PyUnicodeWriter_Finish(w));
}

/* clang-format off */
#define SCENARIOS(X) \
    X(dict) X(dict_merge) X(dict_merge_mapping) X(dict_views) X(list) \
    X(list_extend) X(tuple) X(tuple_resize) X(set) X(str) X(str_percent) \
    X(codecs) X(codec_handlers) X(codec_registry) X(escapes) X(translate) \
    X(bytes) X(bytearray) X(integer) X(big_integer) X(floating) X(build_value) \
    X(parse_arguments) X(iterators) X(call_iterator) X(range) X(slice) X(capsule) \
    X(cell_and_namespace) X(buffer) X(representation) X(directory) X(writer)
/* clang-format on */

#define MAKE(scenario) FAULTS_TEST(scenario, FAULTS_RAISE)

SCENARIOS(MAKE)
FAULTS_TEST(exception, FAULTS_TOLERATE)

int
main(void)
{
    return suite_run_unquarantined("faults: built-in types");
}
