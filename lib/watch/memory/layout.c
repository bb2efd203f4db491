/* layout.c: the layout of structures, for debuggers.

   A debugger that reads a process or a core file cannot call functions in it,
   and an installed library has no debug information.  So the library has an
   exported table of what gdb's printers need: addresses, offsets, sizes and
   constants.  A change to one of these structures needs no change in the
   printers, unless a field is removed; then this file does not compile. */

#include "Python.h"
#include "pyboehm/watch.h"

#include "gc/adoption.h"
#include "gc/check/dead.h"
#include "gc/heap/heap.h"
#include "object/module/module.h"
#include "runtime/sharedkeys.h"
#include "types/dict/dict.h"

#define NUMBER(name, number)                                                  \
    {                                                                         \
        name, (const void *)(uintptr_t)(number)                               \
    }
#define CONSTANT(constant) NUMBER(#constant, constant)
#define SIZE(type) NUMBER(#type, sizeof(type))
#define FIELD(type, field) NUMBER(#type "." #field, offsetof(type, field))
#define ADDRESS(variable)                                                     \
    {                                                                         \
#variable, &variable                                                  \
    }

const struct PyBoehm_LayoutItem PyBoehm_Layout[] = {
    /* First: in a file that is not loaded yet, its own address differs. */
    {"PyBoehm_Layout", PyBoehm_Layout},

    /* The side table and the heap. */
    ADDRESS(pyb_sidetable),
    FIELD(struct pyb_sidetable, lowest),
    FIELD(struct pyb_sidetable, limit),
    FIELD(struct pyb_sidetable, regions),
    FIELD(struct pyb_sidetable, first),
    FIELD(struct pyb_region, lines),
    FIELD(struct pyb_region, adopted),
    FIELD(struct pyb_region, freed),
    FIELD(struct pyb_region, pages),
    FIELD(struct pyb_region, pages_begin),
    FIELD(struct pyb_region, pages_end),
    FIELD(struct pyb_region, base),
    FIELD(struct pyb_region, next),
    SIZE(struct pyb_line),
    FIELD(struct pyb_line, held),
    FIELD(struct pyb_line, tracked),
    FIELD(struct pyb_line, condemned),
    FIELD(struct pyb_line, age1),
    FIELD(struct pyb_line, finalized),
    FIELD(struct pyb_line, age2),
    CONSTANT(PYB_GRANULE_SHIFT),
    CONSTANT(PYB_LINE_SHIFT),
    CONSTANT(PYB_PAGE_SHIFT),
    CONSTANT(PYB_REGION_SHIFT),
    CONSTANT(PYB_LARGE),
    CONSTANT(PYB_DEAD_REFCNT),
    CONSTANT(PYB_DEAD_SLACK),
    ADDRESS(pyb_dead_type),
    CONSTANT(PYB_ADOPTED),
    CONSTANT(_Py_IMMORTAL_MIN),

    /* Objects and types. */
    FIELD(PyObject, ob_refcnt),
    FIELD(PyObject, ob_type),
    FIELD(PyVarObject, ob_size),
    SIZE(PyTypeObject),
    FIELD(PyTypeObject, tp_name),
    FIELD(PyTypeObject, tp_basicsize),
    FIELD(PyTypeObject, tp_itemsize),
    FIELD(PyTypeObject, tp_flags),
    FIELD(PyTypeObject, tp_members),
    FIELD(PyTypeObject, tp_base),
    FIELD(PyTypeObject, tp_dict),
    FIELD(PyTypeObject, tp_bases),
    FIELD(PyTypeObject, tp_mro),
    FIELD(PyTypeObject, tp_cache),
    FIELD(PyTypeObject, tp_subclasses),
    FIELD(PyTypeObject, tp_weaklist),
    FIELD(PyTypeObject, tp_weaklistoffset),
    FIELD(PyTypeObject, tp_dictoffset),
    SIZE(PyHeapTypeObject),
    FIELD(PyHeapTypeObject, ht_name),
    FIELD(PyHeapTypeObject, ht_slots),
    FIELD(PyHeapTypeObject, ht_qualname),
    FIELD(PyHeapTypeObject, ht_module),
    FIELD(PyHeapTypeObject, ht_cached_keys),
    FIELD(struct _dictkeysobject, names),
    SIZE(PyMemberDef),
    FIELD(PyMemberDef, name),
    FIELD(PyMemberDef, type),
    FIELD(PyMemberDef, offset),
    CONSTANT(Py_TPFLAGS_HEAPTYPE),
    CONSTANT(Py_TPFLAGS_MANAGED_DICT),
    CONSTANT(Py_TPFLAGS_MANAGED_WEAKREF),
    CONSTANT(Py_TPFLAGS_TYPE_SUBCLASS),
    CONSTANT(Py_TPFLAGS_BASE_EXC_SUBCLASS),

    /* The objects of the types below. */
    FIELD(PyLongObject, _pyb_size),
    FIELD(PyLongObject, _pyb_number),
    FIELD(PyFloatObject, ob_fval),
    FIELD(PyComplexObject, cval),
    FIELD(PyUnicodeObject, _pyb_text),
    FIELD(PyUnicodeObject, _pyb_size),
    FIELD(PyBytesObject, ob_sval),
    FIELD(PyByteArrayObject, ob_start),
    FIELD(PyListObject, ob_item),
    FIELD(PyListObject, allocated),
    FIELD(PyTupleObject, ob_item),
    FIELD(PyDictObject, ma_used),
    FIELD(PyDictObject, _pyb_table),
    FIELD(PyDictObject, _pyb_unseen),
    FIELD(struct pyb_dict_table, nentries),
    FIELD(struct pyb_dict_table, entries),
    SIZE(struct pyb_dict_entry),
    FIELD(struct pyb_dict_entry, key),
    FIELD(struct pyb_dict_entry, value),
    FIELD(PySetObject, weakreflist),
    FIELD(PyCellObject, ob_ref),
    FIELD(PySliceObject, start),
    FIELD(PySliceObject, stop),
    FIELD(PySliceObject, step),
    FIELD(struct pyb_module, dict),
    FIELD(struct pyb_module, weaklist),
    FIELD(PyBaseExceptionObject, dict),
    FIELD(PyBaseExceptionObject, args),
    FIELD(PyBaseExceptionObject, notes),
    FIELD(PyBaseExceptionObject, traceback),
    FIELD(PyBaseExceptionObject, context),
    FIELD(PyBaseExceptionObject, cause),
    FIELD(PyCFunctionObject, m_ml),
    FIELD(PyCFunctionObject, m_self),
    FIELD(PyCFunctionObject, m_module),
    FIELD(PyMethodDef, ml_name),
    FIELD(PyMethodObject, im_func),
    FIELD(PyMethodObject, im_self),
    FIELD(PyDescrObject, d_type),
    FIELD(PyDescrObject, d_name),
    FIELD(PyDescrObject, d_qualname),
    FIELD(PyWeakReference, wr_hidden),
    FIELD(PyWeakReference, wr_callback),

    /* The types. */
    ADDRESS(PyBaseObject_Type),
    ADDRESS(PyType_Type),
    ADDRESS(_PyNone_Type),
    ADDRESS(_PyNotImplemented_Type),
    ADDRESS(PyEllipsis_Type),
    ADDRESS(PyBool_Type),
    ADDRESS(PyLong_Type),
    ADDRESS(PyFloat_Type),
    ADDRESS(PyComplex_Type),
    ADDRESS(PyUnicode_Type),
    ADDRESS(PyBytes_Type),
    ADDRESS(PyByteArray_Type),
    ADDRESS(PyList_Type),
    ADDRESS(PyTuple_Type),
    ADDRESS(PyDict_Type),
    ADDRESS(PySet_Type),
    ADDRESS(PyFrozenSet_Type),
    ADDRESS(PyCell_Type),
    ADDRESS(PySlice_Type),
    ADDRESS(PyModule_Type),
    ADDRESS(PyCFunction_Type),
    ADDRESS(PyMethod_Type),
    ADDRESS(PyMethodDescr_Type),
    ADDRESS(PyClassMethodDescr_Type),
    ADDRESS(PyMemberDescr_Type),
    ADDRESS(PyGetSetDescr_Type),
    ADDRESS(_PyWeakref_RefType),

    {NULL, NULL},
};
