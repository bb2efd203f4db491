/* abiinfo.h: what a module was compiled against, and whether that fits.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread.

   Manual: "C API and ABI Stability", section "ABI Checking". */

#ifndef Py_ABIINFO_H
#define Py_ABIINFO_H

#include "../patchlevel.h"
#include "../pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyABIInfo: abiinfo_major_version is 1, or 0 to skip the check; abi_version
   is 0 (any) or laid out as PY_VERSION_HEX. */
typedef struct PyABIInfo {
    uint8_t abiinfo_major_version;
    uint8_t abiinfo_minor_version;
    uint16_t flags;
    uint32_t build_version;
    uint32_t abi_version;
} PyABIInfo;

/* Flags: the stable ABI is used; works with a global lock; works without one;
   internals are used; the structures are those of these headers, not those of
   CPython's. */
#define PyABIInfo_STABLE 0x0001
#define PyABIInfo_GIL 0x0002
#define PyABIInfo_FREETHREADED 0x0004
#define PyABIInfo_INTERNAL 0x0008
#define _PyB_ABIInfo_OWN 0x4000
#define PyABIInfo_FREETHREADING_AGNOSTIC                                      \
    (PyABIInfo_GIL | PyABIInfo_FREETHREADED)

/* What the current code uses. */
#ifdef Py_LIMITED_API
#define PyABIInfo_DEFAULT_FLAGS (PyABIInfo_STABLE | PyABIInfo_GIL)
#define PyABIInfo_DEFAULT_ABI_VERSION                                         \
    (Py_LIMITED_API == 3 ? Py_PACK_VERSION(3, 2) : Py_LIMITED_API)
#else
#define PyABIInfo_DEFAULT_FLAGS (PyABIInfo_GIL | _PyB_ABIInfo_OWN)
#define PyABIInfo_DEFAULT_ABI_VERSION PY_VERSION_HEX
#endif

/* PyABIInfo_VAR: defines a static PyABIInfo that says it. */
#define PyABIInfo_VAR(NAME)                                                   \
    static PyABIInfo NAME = {1, 0, PyABIInfo_DEFAULT_FLAGS, PY_VERSION_HEX,   \
                             PyABIInfo_DEFAULT_ABI_VERSION};

/* PyABIInfo_Check: 0 if code so described can run with this library, or -1
   with ImportError, which names the module unless module_name is NULL. */
PyAPI_FUNC(int) PyABIInfo_Check(PyABIInfo *info, const char *module_name);

#ifdef __cplusplus
}
#endif

#endif /* Py_ABIINFO_H */
