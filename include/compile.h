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
#define Py_fstring_input 800

#ifndef Py_LIMITED_API

/* PyCompilerFlags: flags of PyRun_StringFlags and kin. */
typedef struct PyCompilerFlags {
    int cf_flags;
    int cf_feature_version;
} PyCompilerFlags;

/* Bits of cf_flags, besides CO_FUTURE_.... */
#define PyCF_SOURCE_IS_UTF8 0x0100
#define PyCF_DONT_IMPLY_DEDENT 0x0200
#define PyCF_ONLY_AST 0x0400
#define PyCF_IGNORE_COOKIE 0x0800
#define PyCF_TYPE_COMMENTS 0x1000
#define PyCF_ALLOW_TOP_LEVEL_AWAIT 0x2000
#define PyCF_ALLOW_INCOMPLETE_INPUT 0x4000
#define PyCF_MASK                                                             \
    (CO_FUTURE_DIVISION | CO_FUTURE_ABSOLUTE_IMPORT |                         \
     CO_FUTURE_WITH_STATEMENT | CO_FUTURE_PRINT_FUNCTION |                    \
     CO_FUTURE_UNICODE_LITERALS | CO_FUTURE_BARRY_AS_BDFL |                   \
     CO_FUTURE_GENERATOR_STOP | CO_FUTURE_ANNOTATIONS)
#define PyCF_MASK_OBSOLETE CO_NESTED
#define PyCF_COMPILE_MASK                                                     \
    (PyCF_ONLY_AST | PyCF_ALLOW_TOP_LEVEL_AWAIT | PyCF_TYPE_COMMENTS |        \
     PyCF_DONT_IMPLY_DEDENT | PyCF_ALLOW_INCOMPLETE_INPUT)

/* _PyCompilerFlags_INIT: no flags. */
#define _PyCompilerFlags_INIT                                                 \
    {                                                                         \
        0, PY_MINOR_VERSION                                                   \
    }

#endif

#endif /* Py_COMPILE_H */
