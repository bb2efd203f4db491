/* exctree.c: the exception classes without fields, the tree of all classes,
   and the static MemoryError. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/exceptions.h"

/* ------------------------------------------------------------------ */
/* The tree                                                            */

/* All classes.  A base comes before its subclasses.  OTHER: defined elsewhere,
   or a second name. */
/* clang-format off */
#define CLASSES(OTHER, SIMPLE, OS)                                            \
    OTHER(BaseException)                                                      \
    SIMPLE(Exception, BaseException,                                          \
           "Common base class for all non-exit exceptions.")                  \
    OTHER(BaseExceptionGroup)                                                 \
    OTHER(ExceptionGroup)                                                     \
    SIMPLE(ArithmeticError, Exception, "Base class for arithmetic errors.")   \
    SIMPLE(FloatingPointError, ArithmeticError,                               \
           "Floating-point operation failed.")                                \
    SIMPLE(OverflowError, ArithmeticError,                                    \
           "Result too large to be represented.")                             \
    SIMPLE(ZeroDivisionError, ArithmeticError,                                \
           "Second argument to a division or modulo operation was zero.")     \
    SIMPLE(AssertionError, Exception, "Assertion failed.")                    \
    OTHER(AttributeError)                                                     \
    SIMPLE(BufferError, Exception, "Buffer error.")                           \
    SIMPLE(EOFError, Exception, "Read beyond end of file.")                   \
    OTHER(ImportError)                                                        \
    OTHER(ModuleNotFoundError)                                                \
    SIMPLE(LookupError, Exception, "Base class for lookup errors.")           \
    SIMPLE(IndexError, LookupError, "Sequence index out of range.")           \
    OTHER(KeyError)                                                           \
    SIMPLE(MemoryError, Exception, "Out of memory.")                          \
    OTHER(NameError)                                                          \
    OTHER(UnboundLocalError)                                                  \
    OTHER(OSError)                                                            \
    OS(BlockingIOError, OSError, "I/O operation would block.")                \
    OS(ChildProcessError, OSError, "Child process error.")                    \
    OS(ConnectionError, OSError, "Connection error.")                         \
    OS(BrokenPipeError, ConnectionError, "Broken pipe.")                      \
    OS(ConnectionAbortedError, ConnectionError, "Connection aborted.")        \
    OS(ConnectionRefusedError, ConnectionError, "Connection refused.")        \
    OS(ConnectionResetError, ConnectionError, "Connection reset.")            \
    OS(FileExistsError, OSError, "File already exists.")                      \
    OS(FileNotFoundError, OSError, "File not found.")                         \
    OS(InterruptedError, OSError, "Interrupted by signal.")                   \
    OS(IsADirectoryError, OSError, "Operation doesn't work on directories.")  \
    OS(NotADirectoryError, OSError, "Operation only works on directories.")   \
    OS(PermissionError, OSError, "Not enough permissions.")                   \
    OS(ProcessLookupError, OSError, "Process not found.")                     \
    OS(TimeoutError, OSError, "Timeout expired.")                             \
    SIMPLE(ReferenceError, Exception,                                         \
           "Weak ref proxy used after referent went away.")                   \
    SIMPLE(RuntimeError, Exception, "Unspecified run-time error.")            \
    SIMPLE(NotImplementedError, RuntimeError,                                 \
           "Method or function hasn't been implemented yet.")                 \
    SIMPLE(PythonFinalizationError, RuntimeError,                             \
           "Operation blocked during Python finalization.")                   \
    SIMPLE(RecursionError, RuntimeError, "Recursion limit exceeded.")         \
    SIMPLE(StopAsyncIteration, Exception,                                     \
           "Signal the end from iterator.__anext__().")                       \
    OTHER(StopIteration)                                                      \
    OTHER(SyntaxError)                                                        \
    OTHER(IndentationError)                                                   \
    OTHER(TabError)                                                           \
    SIMPLE(SystemError, Exception,                                            \
           "Internal error in the Python interpreter.")                       \
    SIMPLE(TypeError, Exception, "Inappropriate argument type.")              \
    SIMPLE(ValueError, Exception,                                             \
           "Inappropriate argument value (of correct type).")                 \
    SIMPLE(UnicodeError, ValueError, "Unicode related error.")                \
    OTHER(UnicodeDecodeError)                                                 \
    OTHER(UnicodeEncodeError)                                                 \
    OTHER(UnicodeTranslateError)                                              \
    SIMPLE(Warning, Exception, "Base class for warning categories.")          \
    SIMPLE(BytesWarning, Warning,                                             \
           "Base class for warnings about bytes and buffer related "          \
           "problems.")                                                       \
    SIMPLE(DeprecationWarning, Warning,                                       \
           "Base class for warnings about deprecated features.")              \
    SIMPLE(EncodingWarning, Warning,                                          \
           "Base class for warnings about encodings.")                        \
    SIMPLE(FutureWarning, Warning,                                            \
           "Base class for warnings about constructs that will change "       \
           "semantically in the future.")                                     \
    SIMPLE(ImportWarning, Warning,                                            \
           "Base class for warnings about probable mistakes in module "       \
           "imports.")                                                        \
    SIMPLE(PendingDeprecationWarning, Warning,                                \
           "Base class for warnings about features which will be "            \
           "deprecated in the future.")                                       \
    SIMPLE(ResourceWarning, Warning,                                          \
           "Base class for warnings about resource usage.")                   \
    SIMPLE(RuntimeWarning, Warning,                                           \
           "Base class for warnings about dubious runtime behavior.")         \
    SIMPLE(SyntaxWarning, Warning,                                            \
           "Base class for warnings about dubious syntax.")                   \
    SIMPLE(UnicodeWarning, Warning,                                           \
           "Base class for warnings about Unicode related problems.")         \
    SIMPLE(UserWarning, Warning,                                              \
           "Base class for warnings generated by user code.")                 \
    SIMPLE(GeneratorExit, BaseException, "Request that a generator exit.")    \
    SIMPLE(KeyboardInterrupt, BaseException, "Program interrupted by user.")  \
    OTHER(SystemExit)                                                         \
    OTHER(EnvironmentError)                                                   \
    OTHER(IOError)
/* clang-format on */

#define DEFINE_OTHER(NAME)
#define DEFINE_SIMPLE(NAME, BASE, DOC)                                        \
    PYB_EXC_CLASS(NAME, (PyTypeObject *)&pyb_exc_##BASE, base,                \
                  PyBaseExceptionObject, PyDoc_STR(DOC))
#define DEFINE_OS(NAME, BASE, DOC)                                            \
    PYB_EXC_CLASS(NAME, (PyTypeObject *)&pyb_exc_##BASE, os, PyOSErrorObject, \
                  PyDoc_STR(DOC))
CLASSES(DEFINE_OTHER, DEFINE_SIMPLE, DEFINE_OS)

#define ENTRY(NAME) {#NAME, &PyExc_##NAME},
#define ENTRY_OF_CLASS(NAME, BASE, DOC) ENTRY(NAME)
static const struct {
    const char *name;
    PyObject **type;
} tree[] = {CLASSES(ENTRY, ENTRY_OF_CLASS, ENTRY_OF_CLASS)};

int
pyb_exceptions_each(int (*function)(const char *, PyObject *, void *),
                    void *arg)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(tree); i++) {
        int result = function(tree[i].name, *tree[i].type, arg);
        if (result != 0)
            return result;
    }
    return 0;
}

static int
ready(const char *Py_UNUSED(name), PyObject *type, void *Py_UNUSED(arg))
{
    PYB_ASSERT(
        ((PyTypeObject *)type)->tp_base == NULL ||
        PyType_HasFeature(((PyTypeObject *)type)->tp_base, Py_TPFLAGS_READY));
    return PyType_Ready((PyTypeObject *)type);
}

int
pyb_exceptions_init(void)
{
    return pyb_excgroup_init() < 0 ? -1 : pyb_exceptions_each(ready, NULL);
}

/* ------------------------------------------------------------------ */
/* Out of memory                                                       */

/* A static object, so immortal, and never tracked.  Its args stay NULL, which
   reads as no arguments, until they are set. */
static PyBaseExceptionObject no_memory = {
    _PyB_HEAD_BRACED(&pyb_exc_MemoryError).dict = NULL,
};

/* All failed allocations share this object; attributes set for the last one
   are dropped. */
PyObject *
pyb_exceptions_no_memory(void)
{
    PYB_ASSERT(Py_IS_TYPE(&no_memory, &pyb_exc_MemoryError));
    pyb_exc_base_clear((PyObject *)&no_memory);
    no_memory.suppress_context = 0;
    return (PyObject *)&no_memory;
}

void
pyb_exceptions_fini(void)
{
    pyb_exceptions_no_memory();
}
