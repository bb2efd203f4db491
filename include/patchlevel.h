/* patchlevel.h: the edition of CPython's C API that pyboehm implements.

   What is here may be used at any time and from any thread.

   Manual: "API and ABI Versioning". */

#ifndef Py_PATCHLEVEL_H
#define Py_PATCHLEVEL_H

#include "pyconfig.h"
#include "pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of PY_RELEASE_LEVEL. */
#define PY_RELEASE_LEVEL_ALPHA 0xA
#define PY_RELEASE_LEVEL_BETA 0xB
#define PY_RELEASE_LEVEL_GAMMA 0xC
#define PY_RELEASE_LEVEL_FINAL 0xF

/* The API's edition: that of the newest manual the contract is taken from. */
#define PY_MAJOR_VERSION 3
#define PY_MINOR_VERSION 15
#define PY_MICRO_VERSION 0
#define PY_RELEASE_LEVEL PY_RELEASE_LEVEL_FINAL
#define PY_RELEASE_SERIAL 0
#define PY_VERSION "3.15.0"

/* Py_PACK_FULL_VERSION, Py_PACK_VERSION: a version as one number, to be
   compared with PY_VERSION_HEX, also in an #if. */
PyAPI_FUNC(uint32_t) Py_PACK_FULL_VERSION(int major, int minor, int micro,
                                          int level, int serial);
PyAPI_FUNC(uint32_t) Py_PACK_VERSION(int major, int minor);
#define Py_PACK_FULL_VERSION(X, Y, Z, LEVEL, SERIAL)                          \
    _PyB_PACK_VERSION((X), (Y), (Z), (LEVEL), (SERIAL))
#define _PyB_PACK_VERSION(X, Y, Z, LEVEL, SERIAL)                             \
    ((((X)&0xff) << 24) | (((Y)&0xff) << 16) | (((Z)&0xff) << 8) |            \
     (((LEVEL)&0xf) << 4) | (((SERIAL)&0xf) << 0))
#define Py_PACK_VERSION(X, Y) Py_PACK_FULL_VERSION(X, Y, 0, 0, 0)
#define PY_VERSION_HEX                                                        \
    Py_PACK_FULL_VERSION(PY_MAJOR_VERSION, PY_MINOR_VERSION,                  \
                         PY_MICRO_VERSION, PY_RELEASE_LEVEL,                  \
                         PY_RELEASE_SERIAL)

/* Py_Version: PY_VERSION_HEX of the library that is loaded. */
PyAPI_DATA(const unsigned long) Py_Version;

#ifdef __cplusplus
}
#endif

#endif /* Py_PATCHLEVEL_H */
