/* absent.c: the functions for which there is no interpreter.  They exist, so
   that modules load, and raise NotImplementedError with their name; those of
   which the manual says that there may be nothing to give say so.

   doc/stable-abi.md lists them. */

#include "Python.h"

#include "marshal.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"

/* Nothing here looks at its arguments. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Raises for the function.  Always NULL. */
static void *
raise_absent(const char *function)
{
    PyErr_Format(PyExc_NotImplementedError,
                 "%s needs an interpreter of Python, which pyboehm does not "
                 "have",
                 function);
    return NULL;
}

/* The same where the caller cannot see the exception.  Always -1. */
static int
print_absent(const char *function)
{
    raise_absent(function);
    PyErr_Print();
    return -1;
}

/* A function that raises and returns NULL, or -1; that prints; that has
   nothing to give and returns RESULT. */
#define ABSENT(TYPE, NAME, PARAMETERS)                                        \
    TYPE *NAME PARAMETERS                                                     \
    {                                                                         \
        return raise_absent(#NAME);                                           \
    }
#define ABSENT_NUMBER(TYPE, NAME, PARAMETERS)                                 \
    TYPE NAME PARAMETERS                                                      \
    {                                                                         \
        raise_absent(#NAME);                                                  \
        return -1;                                                            \
    }
#define PRINTS(NAME, PARAMETERS)                                              \
    int NAME PARAMETERS                                                       \
    {                                                                         \
        return print_absent(#NAME);                                           \
    }
#define NOTHING(TYPE, NAME, PARAMETERS, RESULT)                               \
    TYPE NAME PARAMETERS                                                      \
    {                                                                         \
        return RESULT;                                                        \
    }
#define INERT(NAME, PARAMETERS)                                               \
    void NAME PARAMETERS                                                      \
    {                                                                         \
    }

/* ------------------------------------------------------------------ */
/* Compiling and running                                               */

ABSENT(PyObject, Py_CompileString,
       (const char *str, const char *filename, int start))
ABSENT(PyObject, Py_CompileStringExFlags,
       (const char *str, const char *filename, int start,
        PyCompilerFlags *flags, int optimize))
ABSENT(PyObject, Py_CompileStringObject,
       (const char *str, PyObject *filename, int start, PyCompilerFlags *flags,
        int optimize))
ABSENT(PyObject, PyRun_StringFlags,
       (const char *str, int start, PyObject *globals, PyObject *locals,
        PyCompilerFlags *flags))
ABSENT(PyObject, PyRun_FileExFlags,
       (FILE * fp, const char *filename, int start, PyObject *globals,
        PyObject *locals, int closeit, PyCompilerFlags *flags))
PRINTS(PyRun_SimpleStringFlags, (const char *command, PyCompilerFlags *flags))
PRINTS(PyRun_SimpleFileExFlags,
       (FILE * fp, const char *filename, int closeit, PyCompilerFlags *flags))
PRINTS(PyRun_AnyFileExFlags,
       (FILE * fp, const char *filename, int closeit, PyCompilerFlags *flags))

ABSENT(PyObject, PyEval_EvalCode,
       (PyObject * code, PyObject *globals, PyObject *locals))
ABSENT(PyObject, PyEval_EvalCodeEx,
       (PyObject * code, PyObject *globals, PyObject *locals,
        PyObject *const *args, int argcount, PyObject *const *kws, int kwcount,
        PyObject *const *defs, int defcount, PyObject *kwdefs,
        PyObject *closure))
ABSENT(PyObject, PyEval_EvalFrame, (PyFrameObject * frame))
ABSENT(PyObject, PyEval_EvalFrameEx, (PyFrameObject * frame, int exc))

/* Without an interpreter no call of Python's has begun. */
NOTHING(PyFrameObject *, PyEval_GetFrame, (void), NULL)
NOTHING(PyFrameObject *, PyThreadState_GetFrame, (PyThreadState * tstate),
        NULL)
NOTHING(PyObject *, PyEval_GetGlobals, (void), NULL)
NOTHING(PyObject *, PyEval_GetFrameGlobals, (void), NULL)
NOTHING(PyObject *, PyEval_GetLocals, (void),
        pyb_raise(PyExc_SystemError, "frame does not exist"))
NOTHING(PyObject *, PyEval_GetFrameLocals, (void),
        pyb_raise(PyExc_SystemError, "frame does not exist"))

/* Exceptions have no traceback, and there is no loop to interrupt. */
NOTHING(int, PyTraceBack_Here, (PyFrameObject * frame), 0)
NOTHING(int, PyTraceBack_Print, (PyObject * tb, PyObject *file),
        tb == NULL ? 0 : PYB_BAD_CALL(-1))
NOTHING(int, PyThreadState_SetAsyncExc, (unsigned long id, PyObject *exc), 0)

/* ------------------------------------------------------------------ */
/* Functions of Python's                                               */

ABSENT(PyObject, PyFunction_New, (PyObject * code, PyObject *globals))
ABSENT(PyObject, PyFunction_NewWithQualName,
       (PyObject * code, PyObject *globals, PyObject *qualname))
NOTHING(PyObject *, PyFunction_GetCode, (PyObject * op), PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetGlobals, (PyObject * op), PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetModule, (PyObject * op), PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetDefaults, (PyObject * op),
        PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetKwDefaults, (PyObject * op),
        PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetClosure, (PyObject * op), PYB_BAD_CALL(NULL))
NOTHING(PyObject *, PyFunction_GetAnnotations, (PyObject * op),
        PYB_BAD_CALL(NULL))

/* ------------------------------------------------------------------ */
/* Modules of code                                                     */

ABSENT(PyObject, PyImport_ExecCodeModule, (const char *name, PyObject *code))
ABSENT(PyObject, PyImport_ExecCodeModuleEx,
       (const char *name, PyObject *code, const char *pathname))
ABSENT(PyObject, PyImport_ExecCodeModuleWithPathnames,
       (const char *name, PyObject *code, const char *pathname,
        const char *cpathname))
ABSENT(PyObject, PyImport_ExecCodeModuleObject,
       (PyObject * name, PyObject *code, PyObject *pathname,
        PyObject *cpathname))
NOTHING(PyObject *, PyImport_GetImporter, (PyObject * path),
        Py_NewRef(Py_None))
ABSENT_NUMBER(long, PyImport_GetMagicNumber, (void))
ABSENT(const char, PyImport_GetMagicTag, (void))
ABSENT_NUMBER(int, PyImport_ImportFrozenModule, (const char *name))
ABSENT_NUMBER(int, PyImport_ImportFrozenModuleObject, (PyObject * name))
ABSENT(PyObject, PyMarshal_ReadObjectFromString,
       (const char *data, Py_ssize_t len))
ABSENT(PyObject, PyMarshal_WriteObjectToString,
       (PyObject * value, int version))

/* ------------------------------------------------------------------ */
/* Programs and interpreters                                           */

/* Library and program may not have been initialised, so there is no exception;
   the result is a process's exit status. */
static int
refuse_main(const char *function)
{
    fprintf(stderr,
            "%s needs an interpreter of Python, which pyboehm does not have\n",
            function);
    return 1;
}

NOTHING(int, Py_Main, (int argc, wchar_t **argv), refuse_main(__func__))
NOTHING(int, Py_BytesMain, (int argc, char **argv), refuse_main(__func__))
NOTHING(int, Py_RunMain, (void), refuse_main(__func__))

NOTHING(PyThreadState *, Py_NewInterpreter, (void), NULL)
NOTHING(PyInterpreterState *, PyInterpreterState_New, (void), NULL)
INERT(PyInterpreterState_Clear, (PyInterpreterState * interp))
INERT(PyInterpreterState_Delete, (PyInterpreterState * interp))

void
Py_EndInterpreter(PyThreadState *tstate)
{
    pyb_fatal_format(__func__, "not an interpreter of Py_NewInterpreter");
}

/* ------------------------------------------------------------------ */
/* Old calls about threads                                             */

/* Before thread states: no thread of today needs them. */
INERT(PyEval_AcquireLock, (void))
INERT(PyEval_ReleaseLock, (void))
INERT(_PyThreadState_Init, (PyThreadState * tstate))
NOTHING(PyThreadState *, _PyThreadState_Prealloc,
        (PyInterpreterState * interp), PyThreadState_New(interp))
