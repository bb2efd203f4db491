/* compile.h: what sources say to a compiler, which is not there.

   Part of pyboehm; included by Python.h. */

#ifndef Py_COMPILE_H
#define Py_COMPILE_H

#include "code.h"

/* What Py_CompileString is to take a text for. */
#define Py_single_input 256
#define Py_file_input 257
#define Py_eval_input 258
#define Py_func_type_input 345

#ifndef Py_LIMITED_API

/* PyCompilerFlags: flags of PyRun_StringFlags and kin. */
typedef struct PyCompilerFlags {
    int cf_flags;
    int cf_feature_version;
} PyCompilerFlags;

/* _PyCompilerFlags_INIT: no flags. */
#define _PyCompilerFlags_INIT                                                 \
    {                                                                         \
        0, PY_MINOR_VERSION                                                   \
    }

#endif

#endif /* Py_COMPILE_H */
