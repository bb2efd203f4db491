/* sys.c: the module sys. */

#include "Python.h"

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "object/module/module.h"
#include "object/module/stdstream.h"
#include "object/module/sys.h"

/* The module; owned between Py_Initialize and Py_Finalize, else NULL. */
static PyObject *sys;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_NAME "little"
#else
#define BYTE_ORDER_NAME "big"
#endif

/* ------------------------------------------------------------------ */
/* The module                                                          */

/* Appends the part of a colon-separated list from begin up to end; an empty
   one is the current directory. */
static int
append_directory(PyObject *list, const char *begin, const char *end)
{
    PYB_ASSERT_OBJECT(begin <= end && PyList_CheckExact(list), list);
    PyObject *directory = begin == end ? PyUnicode_FromString(".")
                                       : PyUnicode_DecodeFSDefaultAndSize(
                                             begin, (Py_ssize_t)(end - begin));
    return pyb_append_stolen(list, directory);
}

/* The list of directories of Py_SetPath, or in PYBOEHM_PATH; new. */
static PyObject *
make_path(void)
{
    const char *rest = pyb_environment("PYBOEHM_PATH");

    if (pyb_sys_path_set() != NULL)
        return pyb_sys_split_path(pyb_sys_path_set());
    PyObject *list = PyList_New(0);

    while (list != NULL && rest != NULL) {
        const char *end = strchr(rest, ':');
        if (append_directory(list, rest, end ? end : strchr(rest, '\0')) < 0)
            Py_CLEAR(list);
        rest = end ? end + 1 : NULL;
    }
    return list;
}

static int
add_numbers(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "hexversion", PY_VERSION_HEX) < 0 ||
        PyModule_AddIntConstant(module, "api_version", PYTHON_API_VERSION) < 0)
        return -1;
    if (PyModule_AddIntConstant(module, "maxunicode", 0x10ffff) < 0)
        return -1;
    return PyModule_AddIntConstant(module, "maxsize", PY_SSIZE_T_MAX);
}

static int
add_texts(PyObject *module)
{
    if (PyModule_AddStringConstant(module, "version", Py_GetVersion()) < 0 ||
        PyModule_AddStringConstant(module, "platform", Py_GetPlatform()) < 0 ||
        PyModule_AddStringConstant(module, "float_repr_style", "short") < 0)
        return -1;
    return PyModule_AddStringConstant(module, "byteorder", BYTE_ORDER_NAME);
}

/* From now on a call of the type makes no instances. */
static void
seal(PyTypeObject *type)
{
    type->tp_new = NULL;
    type->tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    PyType_Modified(type);
}

/* sys.version_info: the edition of the language. */
static PyObject *
make_version(void)
{
    static PyStructSequence_Field fields[] = {
        {"major", "Major release number"},
        {"minor", "Minor release number"},
        {"micro", "Patch release number"},
        {"releaselevel", "'alpha', 'beta', 'candidate', or 'final'"},
        {"serial", "Serial release number"},
        {NULL, NULL},
    };
    static PyStructSequence_Desc description = {
        "sys.version_info", "Version information as a named tuple.", fields,
        5};
    PyTypeObject *type = PyStructSequence_NewType(&description);
    PyObject *version = type != NULL ? PyStructSequence_New(type) : NULL;

    if (version != NULL)
        seal(type);
    Py_XDECREF(type);
    if (version == NULL)
        return NULL;
    PyStructSequence_SET_ITEM(version, 0, PyLong_FromLong(PY_MAJOR_VERSION));
    PyStructSequence_SET_ITEM(version, 1, PyLong_FromLong(PY_MINOR_VERSION));
    PyStructSequence_SET_ITEM(version, 2, PyLong_FromLong(PY_MICRO_VERSION));
    PyStructSequence_SET_ITEM(version, 3, PyUnicode_FromString("final"));
    PyStructSequence_SET_ITEM(version, 4, PyLong_FromLong(0));
    if (PyErr_Occurred())
        Py_CLEAR(version);
    return version;
}

/* sys.implementation: the name and version. */
static PyObject *
make_implementation(PyObject *version)
{
    PyObject *dict = Py_BuildValue(
        "{s:s,s:O,s:O,s:k}", "name", "pyboehm", "cache_tag", Py_None,
        "version", version, "hexversion", (unsigned long)PY_VERSION_HEX);

    if (dict == NULL)
        return NULL;
    PyObject *implementation = _PyNamespace_New(dict);
    Py_DECREF(dict);
    return implementation;
}

/* The version, and what has it. */
static int
add_version(PyObject *module)
{
    PyObject *version = make_version();
    int result = -1;

    if (version != NULL &&
        PyModule_AddObjectRef(module, "version_info", version) == 0)
        result = PyModule_Add(module, "implementation",
                              make_implementation(version));
    Py_XDECREF(version);
    return result;
}

static int
add_objects(PyObject *module)
{
    PyObject *modules = PyImport_GetModuleDict();

    if (PyModule_AddObjectRef(module, "modules", modules) < 0 ||
        PyModule_Add(module, "path", make_path()) < 0 ||
        add_version(module) < 0 ||
        PyModule_Add(module, "argv", PyList_New(0)) < 0 ||
        pyb_stdstream_add(module) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "unraisablehook", Py_None);
}

/* The key is the module's own, and so the library's. */
int
pyb_sys_enter(PyObject *module)
{
    PyObject *name = PyModule_GetNameObject(module);
    int result = -1;

    if (name != NULL)
        result = PyDict_SetItem(PyImport_GetModuleDict(), name, module);
    Py_XDECREF(name);
    return result;
}

int
pyb_sys_init(void)
{
    sys = PyModule_New("sys");
    if (sys == NULL)
        return -1;
    if (add_numbers(sys) < 0 || add_texts(sys) < 0 || add_objects(sys) < 0)
        return -1;
    return pyb_sys_enter(sys);
}

/* What is reported meanwhile goes to the C library's streams. */
void
pyb_sys_fini(void)
{
    PyObject *module = sys;

    sys = NULL;
    if (module != NULL)
        pyb_module_wipe(module);
    Py_XDECREF(module);
}

/* Where the program has set no __stdout__, the C library's stream stands for
   sys.stdout again. */
void
pyb_sys_finalizing(void)
{
    static const char *const streams[][2] = {{"stdout", "__stdout__"},
                                             {"stderr", "__stderr__"}};
    static const char *const names[] = {"last_exc", "last_type", "last_value",
                                        "last_traceback"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++)
        if (PySys_SetObject(names[i], NULL) < 0)
            PyErr_Clear();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(streams); i++)
        if (PySys_SetObject(streams[i][0], PySys_GetObject(streams[i][1])) < 0)
            PyErr_Clear();
}

PyObject *
PySys_GetObject(const char *name)
{
    pyb_control_need(__func__);
    if (sys == NULL)
        return NULL;
    PyObject *saved = PyErr_GetRaisedException();
    PyObject *value = PyDict_GetItemString(PYB_MODULE(sys)->dict, name);
    PyErr_SetRaisedException(saved);
    return value;
}

int
PySys_GetOptionalAttr(PyObject *name, PyObject **value)
{
    *value = NULL;
    if (!PyUnicode_Check(name))
        return pyb_failf(PyExc_TypeError,
                         "attribute name must be string, not '%.200s'",
                         Py_TYPE(name)->tp_name);
    return sys == NULL ? 0
                       : PyDict_GetItemRef(PYB_MODULE(sys)->dict, name, value);
}

PyObject *
PySys_GetAttr(PyObject *name)
{
    PyObject *value;

    if (PySys_GetOptionalAttr(name, &value) == 0)
        PyErr_Format(PyExc_RuntimeError, "lost sys.%U", name);
    return value;
}

int
PySys_GetOptionalAttrString(const char *name, PyObject **value)
{
    PyObject *text = PyUnicode_FromString(name);
    int result = text != NULL ? PySys_GetOptionalAttr(text, value) : -1;

    if (text == NULL)
        *value = NULL;
    Py_XDECREF(text);
    return result;
}

PyObject *
PySys_GetAttrString(const char *name)
{
    PyObject *text = PyUnicode_FromString(name);
    PyObject *value = text != NULL ? PySys_GetAttr(text) : NULL;

    Py_XDECREF(text);
    return value;
}

int
PySys_SetObject(const char *name, PyObject *value)
{
    if (sys == NULL)
        return pyb_fail(PyExc_RuntimeError, "lost sys module");
    PyObject *dict = PYB_MODULE(sys)->dict;
    if (value != NULL)
        return PyDict_SetItemString(dict, name, value);
    return PyDict_PopString(dict, name, NULL) < 0 ? -1 : 0;
}
