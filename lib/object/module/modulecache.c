/* modulecache.c: dictionaries of single-phase modules with global state
   (m_size -1), which are initialised once.  When such a module is imported
   again, the new one gets a copy of the old one's dictionary as it was when
   the first import ended.

   Manual: "Defining extension modules", section "Legacy single-phase
   initialization". */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/module/import.h"
#include "object/once.h"

/* Maps (name, file or None) to definitions, which have the dictionary as
   m_copy.  NULL as long as it would be empty. */
static PyObject *kept;

static PyObject *
make_key(PyObject *name, PyObject *path)
{
    return PyTuple_Pack(2, name, path != NULL ? path : Py_None);
}

int
pyb_modulecache_keep(PyObject *module, PyModuleDef *def, PyObject *name,
                     PyObject *path)
{
    int result = -1;

    if (def->m_size != -1)
        return 0;
    if (kept == NULL && pyb_once(&kept, PyDict_New()) < 0)
        return -1;
    PyObject *key = make_key(name, path);
    PyObject *copy = PyDict_Copy(PyModule_GetDict(module));
    if (key != NULL && copy != NULL)
        result = PyDict_SetItem(kept, key, (PyObject *)def);
    if (result == 0)
        Py_XSETREF(def->m_base.m_copy, Py_NewRef(copy));
    Py_XDECREF(copy);
    Py_XDECREF(key);
    return result;
}

/* Looks up the kept definition, or NULL; -1 with an exception. */
static int
look_up(PyObject *name, PyObject *path, PyModuleDef **def)
{
    PyObject *found, *key;

    *def = NULL;
    if (kept == NULL)
        return 0;
    key = make_key(name, path);
    if (key == NULL)
        return -1;
    int result = PyDict_GetItemRef(kept, key, &found);
    Py_DECREF(key);
    if (result <= 0)
        return result;
    PYB_ASSERT_OBJECT(Py_IS_TYPE(found, &PyModuleDef_Type), found);
    *def = (PyModuleDef *)(void *)found;
    Py_DECREF(found); /* stays kept */
    return 0;
}

PyObject *
pyb_modulecache_again(PyObject *name, PyObject *path, PyModuleDef **def)
{
    if (look_up(name, path, def) < 0 || *def == NULL)
        return NULL;
    PYB_ASSERT((*def)->m_base.m_copy != NULL && (*def)->m_size == -1);
    PyObject *module = PyModule_NewObject(name);
    if (module != NULL &&
        PyDict_Update(PyModule_GetDict(module), (*def)->m_base.m_copy) < 0)
        Py_CLEAR(module);
    return module;
}

void
pyb_modulecache_forget(void)
{
    PyObject *key, *def;
    Py_ssize_t pos = 0;

    while (kept != NULL && PyDict_Next(kept, &pos, &key, &def))
        Py_CLEAR(((PyModuleDef *)(void *)def)->m_base.m_copy);
    Py_CLEAR(kept);
}
