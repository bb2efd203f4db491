/* statictypes.c: the library's own static types. */

#include "Python.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "object/error/unraisable.h"
#include "object/module/import.h"
#include "object/module/stdstream.h"
#include "object/type/genericalias.h"
#include "object/type/statictypes.h"

/* All static types except exceptions; object and type come first, since all
   others inherit from them. */
static PyTypeObject *const types[] = {
    &PyBaseObject_Type,
    &PyType_Type,

    &_PyNone_Type,
    &_PyNotImplemented_Type,
    &PyEllipsis_Type,

    &PyLong_Type,
    &PyBool_Type,
    &PyFloat_Type,
    &PyComplex_Type,
    &PyUnicode_Type,
    &PyUnicodeIter_Type,
    &PyBytes_Type,
    &PyBytesIter_Type,
    &PyByteArray_Type,
    &PyByteArrayIter_Type,
    &PyMemoryView_Type,
    &_PyManagedBuffer_Type,
    &_PyMemoryIter_Type,
    &PyPickleBuffer_Type,
    &PyTuple_Type,
    &PyTupleIter_Type,
    &PyList_Type,
    &PyListIter_Type,
    &PyListRevIter_Type,
    &PyDict_Type,
    &PyFrozenDict_Type,
    &PyODict_Type,
    &PyDictProxy_Type,
    &PyDictKeys_Type,
    &PyDictValues_Type,
    &PyDictItems_Type,
    &PyDictIterKey_Type,
    &PyDictIterValue_Type,
    &PyDictIterItem_Type,
    &PyDictRevIterKey_Type,
    &PyDictRevIterValue_Type,
    &PyDictRevIterItem_Type,
    &PySet_Type,
    &PyFrozenSet_Type,
    &PySetIter_Type,
    &PySeqIter_Type,
    &PyCallIter_Type,
    &PyEnum_Type,
    &PyReversed_Type,
    &PyZip_Type,
    &PyMap_Type,
    &PyFilter_Type,
    &PySlice_Type,
    &PyRange_Type,
    &PyRangeIter_Type,
    &PyCapsule_Type,
    &pyb_stdstream_type,
    &PyCell_Type,
    &PyContext_Type,
    &PyContextVar_Type,
    &PyContextToken_Type,
    &_PyNamespace_Type,
    &PySentinel_Type,
    &Py_GenericAliasType,
    &pyb_union_type,

    &PyCode_Type,
    &PyFrame_Type,
    &PyFunction_Type,
    &PyGen_Type,
    &PyCoro_Type,
    &PyAsyncGen_Type,
    &PyTraceBack_Type,
    &PyLongRangeIter_Type,

    &PyCFunction_Type,
    &PyCMethod_Type,
    &PyMethod_Type,
    &PyInstanceMethod_Type,
    &PyMethodDescr_Type,
    &PyClassMethodDescr_Type,
    &PyMemberDescr_Type,
    &PyGetSetDescr_Type,
    &PyWrapperDescr_Type,
    &_PyMethodWrapper_Type,
    &PyClassMethod_Type,
    &PyStaticMethod_Type,
    &PyProperty_Type,
    &PySuper_Type,

    &_PyWeakref_RefType,
    &_PyWeakref_ProxyType,
    &_PyWeakref_CallableProxyType,

    &PyModule_Type,
    &PyModuleDef_Type,
    &pyb_modulespec_type,
    &pyb_unraisable_args_type,
};

int
pyb_statictypes_init(void)
{
    PYB_ASSERT(types[0] == &PyBaseObject_Type && types[1] == &PyType_Type);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (PyType_Ready(types[i]) < 0)
            return -1;
    return 0;
}

int
pyb_statictypes_has(PyTypeObject *type)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++)
        if (types[i] == type)
            return 1;
    return PyExceptionClass_Check(type) &&
           !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) &&
           strchr(type->tp_name, '.') == NULL;
}
