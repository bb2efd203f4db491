/* mod_export.c: a shared module with an export hook, for check_import.c.  It
   can also be loaded under other names, which are not C identifiers. */

#include <Python.h>

static int
execute(PyObject *module)
{
    long *state = (long *)PyModule_GetState(module);

    *state = 42;
    return PyModule_AddIntConstant(module, "answer", *state);
}

PyABIInfo_VAR(abi_info);

static PySlot slots[] = {
    PySlot_STATIC_DATA(Py_mod_abi, &abi_info),
    PySlot_STATIC_DATA(Py_mod_name, "mod_export"),
    PySlot_STATIC_DATA(Py_mod_doc, "Exported."),
    PySlot_SIZE(Py_mod_state_size, sizeof(long)),
    PySlot_FUNC(Py_mod_exec, execute),
    PySlot_END,
};

PyMODEXPORT_FUNC PyModExport_mod_export(void);
PyMODEXPORT_FUNC PyModExportU_gre_6ka8i(void);
PyMODEXPORT_FUNC PyModExport_mod_with_hyphens(void);
PyMODEXPORT_FUNC PyModExport_mod_export_null(void);
PyMODEXPORT_FUNC PyModExport_mod_export_raising(void);
PyMODINIT_FUNC PyInit_mod_export(void);
PyMODINIT_FUNC PyInitU_wgv71a(void);

PyMODEXPORT_FUNC
PyModExport_mod_export(void)
{
    return slots;
}

PyMODEXPORT_FUNC
PyModExportU_gre_6ka8i(void)
{
    return slots;
}

PyMODEXPORT_FUNC
PyModExport_mod_with_hyphens(void)
{
    return slots;
}

PyMODEXPORT_FUNC
PyModExport_mod_export_null(void)
{
    return NULL;
}

PyMODEXPORT_FUNC
PyModExport_mod_export_raising(void)
{
    PyErr_SetString(PyExc_KeyError, "export");
    return slots;
}

/* Not called: the export hook goes first. */
PyMODINIT_FUNC
PyInit_mod_export(void)
{
    PyErr_SetString(PyExc_AssertionError, "PyInit was called");
    return NULL;
}

/* Of one phase, which a name that is not ASCII does not allow. */
PyMODINIT_FUNC
PyInitU_wgv71a(void)
{
    return PyModule_New("japan");
}
