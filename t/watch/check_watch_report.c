/* check_watch_report.c: the heap as a page: what its data say, and what
   happens where it cannot be written; what grew. */

#include "../support/node.h"
#include "../support/suite.h"

#include <stdio.h>
#include <string.h>

#include "pyboehm.h"

/* What is true of an object; see doc/report.md. */
enum { OWN = 1, GARBAGE = 2, ADOPTED = 4, PLAIN = 64, OUTSIDE = 128 };

/* A row of an object, as far as numbers go. */
struct row {
    char address[32];
    unsigned type, state;
    size_t bytes, retained, owners;
    long references, outside, keeper;
};

/* The page; the caller frees it.  gcc would warn of text's address if it saw
   what becomes of it. */
static __attribute__((noinline)) char *
page(void)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    ck_assert_int_eq(PyBoehm_WriteReport(file, PyBoehm_REPORT_HTML), 0);
    fclose(file);
    ck_assert_uint_eq(strlen(text), length);
    return text;
}

/* Its data, cut out. */
static char *
data(void)
{
    static const char mark[] =
        "<script type=\"application/json\" id=\"heap\">";
    char *text = page(), *begin, *end, *cut;

    begin = suite_require(strstr(text, mark));
    begin = strchr(begin, '\n') + 1;
    end = suite_require(strstr(begin, "</script>"));
    cut = strndup(begin, (size_t)(end - begin));
    free(text);
    return cut;
}

static int
read_row(const char *text, struct row *row)
{
    return sscanf(text, "\n[\"%31[0-9a-fx]\",%u,%zu,%zu,%ld,%ld,%u,%ld,%zu,",
                  row->address, &row->type, &row->bytes, &row->retained,
                  &row->references, &row->outside, &row->state, &row->keeper,
                  &row->owners) == 9;
}

/* The first row of an object. */
static const char *
rows(const char *text)
{
    return suite_require(strstr(text, "\"listed\": [")) +
           strlen("\"listed\": [");
}

/* The next row; NULL behind the last one. */
static const char *
after(const char *at)
{
    at = strchr(at + 1, '\n');
    return at != NULL && at[1] == '[' ? at : NULL;
}

/* The row of an object, and its place. */
static struct row
row_of(const char *text, const void *op, long *place)
{
    char address[32];
    struct row row;
    long n = 0;

    snprintf(address, sizeof address, "%p", op);
    for (const char *at = rows(text); at != NULL; at = after(at), n++)
        if (read_row(at, &row) && strcmp(row.address, address) == 0) {
            if (place != NULL)
                *place = n;
            return row;
        }
    ck_abort_msg("%s is not listed", address);
    return row;
}

static size_t
bytes_of_keys(const char *text, PyObject *dict)
{
    size_t bytes = 0;
    Py_ssize_t at = 0;
    PyObject *key;

    while (PyDict_Next(dict, &at, &key, NULL))
        bytes += row_of(text, key, NULL).bytes;
    return bytes;
}

/* What only the dict leads to, its keys, too, is retained by it; what another
   list has, too, is not. */
START_TEST(a_dict_keeps_what_only_it_has)
{
    PyObject *dict = PyDict_New(), *own = PyList_New(0), *shared;
    PyObject *inner = PyTuple_Pack(1, own), *outer = PyList_New(0);
    long place;

    shared = Py_BuildValue("[[]]");
    ck_assert_int_eq(PyDict_SetItemString(dict, "inner", inner), 0);
    ck_assert_int_eq(PyDict_SetItemString(dict, "shared", shared), 0);
    ck_assert_int_eq(PyList_Append(outer, dict), 0);
    ck_assert_int_eq(PyList_Append(outer, shared), 0);
    suite_drop(own, inner, shared, dict);

    char *text = data();
    struct row of_dict = row_of(text, dict, &place);
    struct row of_inner = row_of(text, inner, NULL);
    struct row of_own = row_of(text, own, NULL);
    struct row of_outer = row_of(text, outer, NULL);
    struct row of_shared = row_of(text, shared, NULL);
    size_t of_keys = bytes_of_keys(text, dict);

    ck_assert_uint_eq(of_own.retained, of_own.bytes);
    ck_assert_uint_eq(of_inner.retained, of_inner.bytes + of_own.bytes);
    ck_assert_int_eq(of_inner.keeper, place);
    ck_assert_uint_eq(of_dict.retained,
                      of_dict.bytes + of_inner.retained + of_keys);
    ck_assert_uint_lt(of_dict.retained, of_dict.bytes + of_inner.retained +
                                            of_keys + of_shared.retained);
    row_of(text, outer, &place);
    ck_assert_int_eq(of_shared.keeper, place);
    ck_assert_int_eq(of_dict.keeper, place);
    ck_assert_uint_eq(of_shared.owners, 2);
    ck_assert_uint_eq(of_outer.retained,
                      of_outer.bytes + of_dict.retained + of_shared.retained);
    ck_assert_int_eq(of_outer.keeper, -1);
    ck_assert_uint_eq(of_outer.state, OUTSIDE);
    ck_assert_int_eq(of_outer.outside, 1);
    free(text);
    Py_DECREF(outer);
}

/* A str that C code has, too, does not go with the list. */
START_TEST(what_c_code_has_is_not_retained)
{
    PyObject *text = PyUnicode_FromString("some text that C code has");
    PyObject *list = PyList_New(0);

    ck_assert_int_eq(PyList_Append(list, text), 0);
    char *found = data();
    struct row of_list = row_of(found, list, NULL);
    struct row of_text = row_of(found, text, NULL);

    ck_assert_uint_eq(of_list.retained, of_list.bytes);
    ck_assert_int_eq(of_text.keeper, -1);
    ck_assert_uint_eq(of_text.state, PLAIN | OUTSIDE);
    ck_assert_int_eq(of_text.outside, 1);
    free(found);
    Py_DECREF(text);
    found = data();
    of_list = row_of(found, list, NULL);
    ck_assert_uint_eq(of_list.retained, of_list.bytes + of_text.bytes);
    free(found);
    Py_DECREF(list);
}

/* What a list retains within another one is not retained twice. */
START_TEST(types_retain_once)
{
    PyObject *outer = Py_BuildValue("[[[],[]],[]]"), *dict = PyDict_New();
    PyObject *other = PyList_New(0);
    size_t n, bytes, retained;

    ck_assert_int_eq(PyDict_SetItemString(dict, "outer", outer), 0);
    ck_assert_int_eq(PyDict_SetItemString(dict, "other", other), 0);
    suite_drop(outer, other);
    char *text = data();
    char *row = suite_require(strstr(text, "\n[\"list\","));
    ck_assert_int_eq(
        sscanf(row, "\n[\"list\",%zu,%zu,%zu,", &n, &bytes, &retained), 3);
    ck_assert_uint_eq(n, 6);
    ck_assert_uint_eq(retained, bytes);
    ck_assert_uint_eq(retained, row_of(text, outer, NULL).retained +
                                    row_of(text, other, NULL).retained);
    free(text);
    Py_DECREF(dict);
}

/* The table of a list is malloc memory that the list has. */
START_TEST(tables_count)
{
    PyObject *list = PyList_New(1000), *set = PySet_New(NULL);
    char *text;

    for (int i = 0; i < 1000; i++) {
        PyObject *number = PyLong_FromLong(1000 + i);

        ck_assert_int_eq(PySet_Add(set, number), 0);
        PyList_SET_ITEM(list, i, number);
    }
    text = data();
    ck_assert_uint_ge(row_of(text, list, NULL).bytes, 1000 * sizeof list);
    ck_assert_uint_ge(row_of(text, set, NULL).bytes, 1000 * 3 * sizeof list);
    ck_assert_uint_lt(row_of(text, set, NULL).bytes, 20 * 1000 * sizeof list);
    free(text);
    suite_drop(list, set);
}

START_TEST(states_are_told)
{
    PyObject *adopted = PyBoehm_Adopt(PyList_New(0));
    struct node *ring = node_ring(&node_type, 2);
    PyObject *lost = (PyObject *)ring;

    Py_DECREF(lost);
    char *text = data();
    ck_assert_uint_eq(row_of(text, adopted, NULL).state, ADOPTED);
    ck_assert_uint_eq(row_of(text, lost, NULL).state, GARBAGE);
    ck_assert_int_eq(row_of(text, lost, NULL).keeper, -1);
    free(text);
    Py_DECREF(PyBoehm_Disown(adopted));
    ck_assert_int_eq(PyGC_Collect(), 2);
}

static size_t
count_not_own(const char *text)
{
    size_t n = 0;
    struct row row;

    for (const char *at = rows(text); at != NULL; at = after(at))
        n += read_row(at, &row) && (row.state & OWN) == 0;
    return n;
}

/* So ten lists that leak are seen among all that the library has. */
START_TEST(what_is_pyboehms_own_is_told_apart)
{
    char *text = data();
    PyObject *lists[10];

    ck_assert_uint_eq(count_not_own(text), 0);
    free(text);
    for (int i = 0; i < 10; i++)
        lists[i] = PyList_New(0);
    text = data();
    ck_assert_uint_eq(count_not_own(text), 10);
    free(text);
    for (int i = 0; i < 10; i++)
        Py_DECREF(lists[i]);
}

START_TEST(owners_are_named)
{
    PyObject *list = Py_BuildValue("[{s:[]}]", "k<");
    PyObject *dict = PyList_GET_ITEM(list, 0);
    char *text = data(), row[64];

    snprintf(row, sizeof row, "\n[\"%p\",",
             (void *)PyDict_GetItemString(dict, "k<"));
    char *at = suite_require(strstr(text, row));
    *strchr(at + 1, '\n') = '\0';
    ck_assert_ptr_ne(strstr(at, "\"['k\\u003c']\""), NULL);
    free(text);
    Py_DECREF(list);
}

/* Nothing that stands in a text can end a string, or the element. */
START_TEST(texts_cannot_end_the_data)
{
    static PyTypeObject type = {
        .ob_base = PyVarObject_HEAD_INIT(NULL, 0).tp_name =
            "</script><!--\"\\\n\t\x80\xc0\xaf\x01&",
        .tp_basicsize = sizeof(PyObject),
        .tp_new = PyType_GenericNew,
    };
    PyObject *list =
        Py_BuildValue("[s,y]", "</SCRIPT>\"\\\n\xe2\x80\xa8", "</script>\x01");

    ck_assert_int_eq(PyType_Ready(&type), 0);
    PyObject *op = PyObject_CallNoArgs((PyObject *)&type);
    ck_assert_int_eq(PyList_Append(list, op), 0);
    char *text = data();
    for (const char *c = text; *c != '\0'; c++)
        ck_assert_msg(*c != '<' && *c != '>' && *c != '&' &&
                          (*c == '\n' || (unsigned char)*c >= ' '),
                      "%.60s", c);
    ck_assert_ptr_ne(strstr(text, "[\"\\u003c/script\\u003e\\u003c!--\\\"\\\\"
                                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                  "\\u0026\","),
                     NULL);
    ck_assert_ptr_ne(strstr(text, "'\\u003c/SCRIPT\\u003e\\\"\\\\"), NULL);
    free(text);
    suite_drop(op, list);
}

/* A page of a large heap is small, and each number in it has its row. */
START_TEST(a_large_heap)
{
    enum { LENGTH = 100000, MEGABYTES = 10 };
    PyObject *chain = PyList_New(0), *wide = PyList_New(0);
    long n = 0;
    struct row row;

    for (int i = 0; i < LENGTH; i++) {
        PyObject *next = PyList_New(0), *item = PyTuple_Pack(1, wide);

        ck_assert_int_eq(PyList_Append(next, chain), 0);
        Py_SETREF(chain, next);
        ck_assert_int_eq(PyList_Append(wide, item), 0);
        Py_DECREF(item);
    }
    char *text = data();
    ck_assert_uint_lt(strlen(text), MEGABYTES * 1000000);
    for (const char *at = rows(text); at != NULL; at = after(at))
        n++;
    ck_assert_int_gt(n, 1000);
    ck_assert_int_le(n, 20000);
    for (const char *at = rows(text); at != NULL; at = after(at)) {
        ck_assert(read_row(at, &row));
        ck_assert(row.keeper >= -2 && row.keeper < n);
    }
    free(text);
    PySequence_DelSlice(wide, 0, LENGTH);
    suite_drop(chain, wide);
}

static void
fails(FILE *file, int format, PyObject *error)
{
    ck_assert_int_eq(PyBoehm_WriteReport(file, format), -1);
    ck_assert(PyErr_ExceptionMatches(error));
    PyErr_Clear();
}

START_TEST(bad_arguments)
{
    FILE *full = fopen("/dev/full", "w");

    fails(stdout, 0, PyExc_ValueError);
    fails(stdout, 3, PyExc_ValueError);
    if (full != NULL) {
        fails(full, PyBoehm_REPORT_HTML, PyExc_OSError);
        fclose(full);
    }
}

START_TEST(folded_needs_a_record)
{
    fails(stdout, PyBoehm_REPORT_FOLDED, PyExc_RuntimeError);
}

static void
try_all(const char *Py_UNUSED(phase), const PyBoehm_GC_Info *Py_UNUSED(info),
        void *done)
{
    fails(stdout, PyBoehm_REPORT_HTML, PyExc_RuntimeError);
    ck_assert_int_eq(PyBoehm_Growth(NULL), -1);
    ck_assert(PyErr_ExceptionMatches(PyExc_RuntimeError));
    PyErr_Clear();
    ++*(int *)done;
}

START_TEST(not_in_a_collection)
{
    int done = 0;

    ck_assert_int_eq(PyBoehm_GC_AddCallback(try_all, &done), 0);
    PyGC_Collect();
    ck_assert_int_eq(done, 2);
    PyBoehm_GC_RemoveCallback(try_all, &done);
}

/* ------------------------------------------------------------------ */
/* What grew                                                           */

/* What PyBoehm_Growth says, which the caller frees. */
static char *
growth(int types)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    ck_assert_int_eq(PyBoehm_Growth(file), types);
    fclose(file);
    return text;
}

static void
says(int types, const char *what)
{
    char *text = growth(types);

    ck_assert_msg(strstr(text, what) != NULL, "not \"%s\": %s", what, text);
    free(text);
}

START_TEST(what_grew)
{
    PyObject *lists = PyList_New(0), *tuple;
    size_t more, more_bytes, n, bytes;
    char *text, *line;

    says(0, "pyboehm: 1 object, ");
    says(0, "pyboehm: nothing grew in ");
    for (int i = 0; i < 10; i++) {
        PyObject *list = PyList_New(0);

        ck_assert_int_eq(PyList_Append(lists, list), 0);
        Py_DECREF(list);
    }
    tuple = PyTuple_Pack(1, lists);
    text = growth(2);
    ck_assert_ptr_ne(strstr(text, "pyboehm: what grew in "), NULL);
    line = strchr(strchr(text, '\n') + 1, '\n') + 1;
    ck_assert_int_eq(
        sscanf(line, "%zu %zu %zu %zu  list", &more, &more_bytes, &n, &bytes),
        4);
    ck_assert_uint_eq(more, 10);
    ck_assert_uint_eq(n, 11);
    ck_assert_uint_ge(more_bytes, 10 * sizeof(PyListObject));
    ck_assert_uint_gt(bytes, more_bytes);
    free(text);
    Py_DECREF(tuple);
    says(0, "pyboehm: nothing grew in ");
    ck_assert_int_eq(PyBoehm_Growth(NULL), 0);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(PyList_Append(lists, Py_None), 0);
    says(1, "          0 ");
    Py_DECREF(lists);
}

/* Another type with that name may have its address, or another one. */
START_TEST(types_are_compared_by_name)
{
    PyObject *kept = NULL;

    for (int i = 0; i < 3; i++) {
        PyObject *type = suite_class("s(O){}", "Same", &PyBaseObject_Type);

        Py_XDECREF(kept);
        kept = PyObject_CallNoArgs(type);
        Py_DECREF(type);
        PyGC_Collect();
        ck_assert_int_eq(PyBoehm_Growth(NULL), 0);
    }
    Py_DECREF(kept);
}
