/* abiinfo.c: can code compiled against some edition of the API run here?

   Manual: "C API and ABI Stability", section "ABI Checking". */

#include "Python.h"

/* Major and minor version of a PY_VERSION_HEX. */
#define EDITION(version) ((version)&0xffff0000u)

/* Raises ImportError, with the module's name before the text.  Always -1. */
static int
refuse(const char *module_name, const char *format, ...)
{
    va_list vargs;

    va_start(vargs, format);
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (text == NULL)
        return -1;
    if (module_name != NULL)
        PyErr_Format(PyExc_ImportError, "%s: %U", module_name, text);
    else
        PyErr_SetObject(PyExc_ImportError, text);
    Py_DECREF(text);
    return -1;
}

/* As refuse, with the version behind the text. */
static int
refuse_version(const char *module_name, const char *what, uint32_t version)
{
    return refuse(module_name, "%s ABI version (%d.%d)", what,
                  (int)(version >> 24), (int)(version >> 16 & 0xff));
}

static int
check_stable(const PyABIInfo *info, const char *module_name)
{
    uint32_t version = info->abi_version;

    if (EDITION(version) > EDITION(PY_VERSION_HEX))
        return refuse_version(module_name, "incompatible future stable",
                              version);
    if (version != 0 && version < Py_PACK_VERSION(3, 2))
        return refuse_version(module_name, "invalid stable", version);
    if (info->flags & PyABIInfo_INTERNAL)
        return refuse(module_name, "cannot use both internal and stable ABI");
    return 0;
}

static int
check_exact(const PyABIInfo *info, const char *module_name)
{
    uint32_t version = info->abi_version;

    if (version == 0)
        return 0;
    if (info->flags & PyABIInfo_INTERNAL && version != PY_VERSION_HEX)
        return refuse(module_name, "incompatible internal ABI (0x%x != 0x%x)",
                      (unsigned)version, (unsigned)PY_VERSION_HEX);
    if (EDITION(version) != EDITION(PY_VERSION_HEX))
        return refuse_version(module_name, "incompatible", version);
    return 0;
}

int
PyABIInfo_Check(PyABIInfo *info, const char *module_name)
{
    if (info == NULL)
        return refuse(module_name, "NULL PyABIInfo");
    if (info->abiinfo_major_version == 0)
        return 0;
    if (info->abiinfo_major_version > 1)
        return refuse(module_name, "PyABIInfo version too high");
    if ((info->flags & PyABIInfo_STABLE ? check_stable
                                        : check_exact)(info, module_name) < 0)
        return -1;
    if ((info->flags & PyABIInfo_FREETHREADING_AGNOSTIC) ==
        PyABIInfo_FREETHREADED)
        return refuse(module_name,
                      "only compatible with free-threaded CPython");
    if (info->abi_version != 0 &&
        !(info->flags & (PyABIInfo_STABLE | _PyB_ABIInfo_OWN)))
        return refuse(module_name, "compiled with CPython's own headers and "
                                   "without Py_LIMITED_API");
    return 0;
}
