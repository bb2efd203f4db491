/* check_abi3.c: binaries of the limited API, which were built for CPython and
   are loaded as they are. */

#include "extension.h"

/* ------------------------------------------------------------------ */
/* cryptography: Rust, through PyO3                                    */

#define RUST "cryptography.hazmat.bindings._rust"

static PyObject *
rust(const char *submodule)
{
    PyObject *module = extension(RUST), *part;

    if (module == NULL)
        return NULL;
    part = suite_require(PyObject_GetAttrString(module, submodule));
    suite_drop(module);
    return part;
}

START_TEST(rust_encodes_signatures_of_large_numbers)
{
    PyObject *asn1 = rust("asn1"), *bytes, *pair;
    const char r[] =
        "578960446186580977117854925043439539266349923328202820197"
        "28792003956564819987";
    const char s[] =
        "1606938044258990275541962092341162602522202993782792835301376";
    char text[200];

    if (asn1 == NULL)
        return;
    bytes = suite_require(call(asn1, "encode_dss_signature", "(NN)",
                               PyLong_FromString(r, NULL, 10),
                               PyLong_FromString(s, NULL, 10)));
    ck_assert_int_eq(PyBytes_GET_SIZE(bytes), 65);
    ck_assert_mem_eq(PyBytes_AS_STRING(bytes), "0?\x02!\0\x80\0\0", 8);
    pair = call(asn1, "decode_dss_signature", "(N)", bytes);
    snprintf(text, sizeof text, "(%s, %s)", r, s);
    suite_new_repr(pair, text);
    suite_drop(asn1);
}

START_TEST(rust_refuses_what_is_no_signature)
{
    PyObject *asn1 = rust("asn1");

    if (asn1 == NULL)
        return;
    suite_refused(call(asn1, "decode_dss_signature", "(y)", ""),
                  PyExc_ValueError,
                  "error parsing asn1 value: ParseError { kind: ShortData }");
    suite_refused(call(asn1, "decode_dss_signature", "(i)", 1),
                  PyExc_TypeError, NULL);
    suite_drop(asn1);
}

START_TEST(rust_checks_paddings)
{
    PyObject *module = extension(RUST);

    if (module == NULL)
        return;
    suite_new_same(call(module, "check_pkcs7_padding", "(y)", "abc\2\2"),
                   Py_True);
    suite_new_same(call(module, "check_pkcs7_padding", "(y)", "abc\3\2"),
                   Py_False);
    suite_new_same(call(module, "check_ansix923_padding", "(y#)", "abc\0\2",
                        (Py_ssize_t)5),
                   Py_True);
    suite_drop(module);
}

START_TEST(rust_has_object_identifiers)
{
    PyObject *module = extension(RUST), *one, *other, *name;

    if (module == NULL)
        return;
    one = suite_require(call(module, "ObjectIdentifier", "(s)", "1.2.840"));
    other = suite_require(call(module, "ObjectIdentifier", "(s)", "1.2.840"));
    name = PyObject_GetAttrString(one, "dotted_string");
    suite_new_text(name, "1.2.840");
    ck_assert_int_eq(PyObject_RichCompareBool(one, other, Py_EQ), 1);
    ck_assert_int_eq(PyObject_Hash(one), PyObject_Hash(other));
    suite_refused(
        call(module, "ObjectIdentifier", "(s)", "x"), PyExc_ValueError,
        "error parsing asn1 value: ParseError { kind: InvalidValue }");
    suite_drop(module, one, other);
}

static PyObject *
make_item(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(unused))
{
    return PyList_New(0);
}

static PyMethodDef make_item_def = {"make", make_item, METH_NOARGS, NULL};

/* A pool is no container, so a cycle may only lead to one.  When it dies it
   gives what is left to the method of a list. */
START_TEST(rust_has_pools_that_die_with_cycles)
{
    PyObject *module = extension(RUST), *make, *gone, *append, *pool, *item;
    PyObject *list = PyList_New(0);

    if (module == NULL)
        return;
    make = suite_require(PyCFunction_New(&make_item_def, NULL));
    gone = suite_require(PyList_New(0));
    append = suite_require(PyObject_GetAttrString(gone, "append"));
    pool = suite_require(call(module, "FixedPool", "(OO)", make, append));
    item = suite_require(call(pool, "acquire", "()"));
    suite_new_repr(call(item, "__enter__", "()"), "[]");
    suite_new_same(call(item, "__exit__", "(OOO)", Py_None, Py_None, Py_None),
                   Py_None);
    suite_drop(module, make, append, item);
    ck_assert_int_eq(PyList_Append(list, list), 0);
    ck_assert_int_eq(PyList_Append(list, pool), 0);
    suite_drop(list, pool);
    suite_repr(gone, "[]");
    ck_assert_int_eq(PyGC_Collect(), 1);
    suite_repr(gone, "[[]]");
    suite_drop(gone);
}

/* ------------------------------------------------------------------ */
/* tornado, skytools, sip: C                                           */

START_TEST(tornado_masks)
{
    PyObject *module = extension("tornado.speedups");

    if (module == NULL)
        return;
    suite_new_repr(
        call(module, "websocket_mask", "(yy)", "abcd", "hello world"),
        "b'\\t\\x07\\x0f\\x08\\x0eB\\x14\\x0b\\x13\\x0e\\x07'");
    suite_refused(call(module, "websocket_mask", "(y)", "abcd"),
                  PyExc_TypeError,
                  "function takes exactly 2 arguments (1 given)");
    suite_drop(module);
}

START_TEST(skytools_hashes)
{
    PyObject *module = extension("skytools._chashtext");

    if (module == NULL)
        return;
    suite_new_int(call(module, "hashtext_new", "(s)", "hello"), -1870292951);
    suite_new_int(call(module, "hashtext_old", "(y)", "hello"), 1685722881);
    suite_refused(call(module, "hashtext_new", "(i)", 1), PyExc_TypeError,
                  "a bytes-like object is required, not 'int'");
    suite_drop(module);
}

START_TEST(skytools_quotes)
{
    PyObject *module = extension("skytools._cquoting");

    if (module == NULL)
        return;
    suite_new_text(call(module, "quote_literal", "(s)", "a'b\\c\n"),
                   "E'a''b\\\\c\n'");
    suite_new_text(
        call(module, "quote_bytea_raw", "(y#)", "x\0\xff", (Py_ssize_t)3),
        "x\\000\\377");
    suite_new_repr(call(module, "db_urldecode", "(s)", "a=1&b&c=%20%C3%A9"),
                   "{'a': '1', 'b': None, 'c': ' é'}");
    suite_new_text(
        call(module, "db_urlencode", "({sssO})", "a", "1", "b", Py_None),
        "a=1&b");
    suite_refused(call(module, "db_urlencode", "(i)", 1), PyExc_AttributeError,
                  "'int' object has no attribute 'items'");
    suite_refused(call(module, "unescape", "(y)", "x\xff"),
                  PyExc_UnicodeDecodeError, NULL);
    suite_drop(module);
}

START_TEST(sip_refuses_wrong_arguments)
{
    PyObject *module = extension("sipbuild.code_generator");

    if (module == NULL)
        return;
    suite_refused(call(module, "py2c", "(i)", 1), PyExc_TypeError,
                  "function takes exactly 2 arguments (1 given)");
    suite_refused(call(module, "set_globals", "(is)", 1, "x"), PyExc_TypeError,
                  NULL);
    suite_drop(module);
}
