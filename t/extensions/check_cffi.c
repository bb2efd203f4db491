/* check_cffi.c: binaries of the limited API that call C libraries through
   cffi.  They are driven where its _cffi_backend, compiled against these
   headers, can be imported: CFFI_BACKEND is the directory it is in. */

#include "extension.h"

#include <stdbool.h>
#include <string.h>

/* _io._IOBase is a base of one of the backend's types, and all that it asks
   for beyond its own code. */
static void
enter_io(void)
{
    PyObject *io = suite_require(PyModule_New("_io"));
    PyObject *base = suite_require(
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(O)N", "_IOBase",
                              &PyBaseObject_Type, PyDict_New()));

    ck_assert_int_eq(PyModule_AddObjectRef(io, "_IOBase", base), 0);
    ck_assert_int_eq(PyDict_SetItemString(PyImport_GetModuleDict(), "_io", io),
                     0);
    suite_drop(io, base);
}

/* binding: lib and ffi of the module, new references; false where it cannot
   be driven, which is said. */
static bool
binding(const char *name, PyObject **lib, PyObject **ffi)
{
    PyObject *module, *backend;

    if (getenv("CFFI_BACKEND") == NULL) {
        printf("# skip: %s needs CFFI_BACKEND\n", name);
        fflush(stdout);
        return false;
    }
    enter_io();
    backend = suite_require(PyImport_ImportModule("_cffi_backend"));
    module = extension(name);
    if (module != NULL) {
        *lib = suite_require(PyObject_GetAttrString(module, "lib"));
        *ffi = suite_require(PyObject_GetAttrString(module, "ffi"));
        suite_drop(module);
    }
    suite_drop(backend);
    return module != NULL;
}

/* new_of: ffi.new(type, size), an array of that size. */
static PyObject *
new_of(PyObject *ffi, const char *type, Py_ssize_t size)
{
    return suite_require(call(ffi, "new", "(sn)", type, size));
}

/* what_is_at: pointer[0], a new reference. */
static PyObject *
what_is_at(PyObject *pointer)
{
    PyObject *zero = suite_require(PyLong_FromLong(0));
    PyObject *item = suite_require(PyObject_GetItem(pointer, zero));

    suite_drop(zero);
    return item;
}

/* bytes_of: the first size bytes of an array. */
static PyObject *
bytes_of(PyObject *ffi, PyObject *array, Py_ssize_t size)
{
    PyObject *buffer = suite_require(call(ffi, "buffer", "(On)", array, size));
    PyObject *bytes = suite_require(PyBytes_FromObject(buffer));

    suite_drop(buffer);
    return bytes;
}

/* with_destructor: ffi.gc(op, lib.name), which calls the function when the
   object that is returned dies.  Takes the reference to op away. */
static PyObject *
with_destructor(PyObject *ffi, PyObject *lib, PyObject *op, const char *name)
{
    PyObject *function = suite_require(PyObject_GetAttrString(lib, name));

    return suite_require(call(ffi, "gc", "(NN)", suite_require(op), function));
}

/* The vector is of the tests of OpenBSD's bcrypt. */
START_TEST(bcrypt_hashes)
{
    PyObject *lib, *ffi, *hashed;

    if (!binding("bcrypt._bcrypt", &lib, &ffi))
        return;
    hashed = new_of(ffi, "char[]", 128);
    suite_new_int(call(lib, "bcrypt_hashpass", "(yyOi)", "U*U",
                       "$2a$05$CCCCCCCCCCCCCCCCCCCCC.", hashed, 128),
                  0);
    suite_new_repr(
        call(ffi, "string", "(O)", hashed),
        "b'$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'");
    suite_refused(call(lib, "bcrypt_hashpass", "(yyO)", "a", "b", hashed),
                  PyExc_TypeError,
                  "bcrypt_hashpass expected 4 arguments, got 3");
    suite_drop(lib, ffi, hashed);
}

/* A key pair is made, and a message signed; changed, it is refused. */
START_TEST(sodium_signs)
{
    PyObject *lib, *ffi, *public, *secret, *text, *opened, *length;

    if (!binding("nacl._sodium", &lib, &ffi))
        return;
    suite_new_int(call(lib, "sodium_init", "()"), 0);
    public = new_of(ffi, "unsigned char[]", 32);
    secret = new_of(ffi, "unsigned char[]", 64);
    text = new_of(ffi, "unsigned char[]", 70);
    opened = new_of(ffi, "unsigned char[]", 70);
    length = suite_require(call(ffi, "new", "(s)", "unsigned long long *"));
    suite_new_int(call(lib, "crypto_sign_keypair", "(OO)", public, secret), 0);
    suite_new_int(
        call(lib, "crypto_sign", "(OOyiO)", text, length, "at six", 6, secret),
        0);
    suite_new_int(what_is_at(length), 70);
    suite_new_int(call(lib, "crypto_sign_open", "(OOOiO)", opened, length,
                       text, 70, public),
                  0);
    suite_new_int(what_is_at(length), 6);
    suite_new_repr(bytes_of(ffi, opened, 6), "b'at six'");
    suite_new_same(call(ffi, "memmove", "(Oyi)", text, "?", 1), Py_None);
    suite_new_int(call(lib, "crypto_sign_open", "(OOOiO)", opened, length,
                       text, 70, public),
                  -1);
    suite_drop(lib, ffi, public, secret, text, opened, length);
}

/* ed25519: a new pair of keys, which is freed with the object. */
static PyObject *
ed25519(PyObject *lib, PyObject *ffi)
{
    PyObject *id =
        suite_require(PyObject_GetAttrString(lib, "EVP_PKEY_ED25519"));
    PyObject *null = suite_require(PyObject_GetAttrString(ffi, "NULL"));
    PyObject *context = with_destructor(
        ffi, lib, call(lib, "EVP_PKEY_CTX_new_id", "(NO)", id, null),
        "EVP_PKEY_CTX_free");
    PyObject *cell = suite_require(call(ffi, "new", "(s)", "EVP_PKEY **"));
    PyObject *keys;

    suite_new_int(call(lib, "EVP_PKEY_keygen_init", "(O)", context), 1);
    suite_new_int(call(lib, "EVP_PKEY_keygen", "(OO)", context, cell), 1);
    keys = with_destructor(ffi, lib, what_is_at(cell), "EVP_PKEY_free");
    suite_drop(null, context, cell);
    return keys;
}

/* digest: EVP_name over the message in one step, with the signature. */
static PyObject *
digest(PyObject *lib, PyObject *ffi, PyObject *keys, const char *init,
       const char *name, PyObject *signature, PyObject *size,
       const char *message)
{
    PyObject *null = suite_require(PyObject_GetAttrString(ffi, "NULL"));
    PyObject *context = with_destructor(
        ffi, lib, call(lib, "EVP_MD_CTX_new", "()"), "EVP_MD_CTX_free");
    PyObject *result;

    suite_new_int(call(lib, init, "(OOOOO)", context, null, null, null, keys),
                  1);
    result = call(lib, name, "(OOOyn)", context, signature, size, message,
                  (Py_ssize_t)strlen(message));
    suite_drop(null, context);
    return result;
}

START_TEST(openssl_signs_with_keys_that_die_in_cycles)
{
    PyObject *lib, *ffi, *keys, *signature, *size, *list;

    if (!binding("cryptography.hazmat.bindings._openssl", &lib, &ffi))
        return;
    keys = ed25519(lib, ffi);
    signature = new_of(ffi, "unsigned char[]", 64);
    size = suite_require(call(ffi, "new", "(si)", "size_t *", 64));
    suite_new_int(digest(lib, ffi, keys, "EVP_DigestSignInit",
                         "EVP_DigestSign", signature, size, "at six"),
                  1);
    suite_drop(size);
    size = suite_require(PyLong_FromLong(64));
    suite_new_int(digest(lib, ffi, keys, "EVP_DigestVerifyInit",
                         "EVP_DigestVerify", signature, size, "at six"),
                  1);
    suite_new_int(digest(lib, ffi, keys, "EVP_DigestVerifyInit",
                         "EVP_DigestVerify", signature, size, "at ten"),
                  0);
    list = suite_require(PyList_New(0));
    ck_assert_int_eq(PyList_Append(list, list), 0);
    ck_assert_int_eq(PyList_Append(list, keys), 0);
    suite_drop(keys, list);
    ck_assert_int_ge(PyGC_Collect(), 1);
    suite_drop(lib, ffi, signature, size);
}
