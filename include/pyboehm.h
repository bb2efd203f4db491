/* pyboehm.h: the part of the API that is pyboehm's own.

   Unless said otherwise the functions here need an initialised library
   (Py_Initialize) and are called from the attached thread. */

#ifndef PYBOEHM_H
#define PYBOEHM_H

#include "object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PyBoehm_SetUnraisableHook: hook is called for each unraisable exception in
   place of the default report; NULL brings that back.  exception is the
   exception; message is NULL or replaces "Exception ignored in"; object is
   NULL or where it came from; all borrowed.  An exception that the hook leaves
   is reported in the default way. */
PyAPI_FUNC(void)
    PyBoehm_SetUnraisableHook(void (*hook)(PyObject *exception,
                                           const char *message,
                                           PyObject *object, void *arg),
                              void *arg);

/* PyBoehm_SetWarningHook: hook is called for each warning in place of filter
   and output; NULL brings those back.  category (borrowed) is a class and text
   is UTF-8.  With -1 the hook turns the warning into an exception: its own if
   it raised one, else category(text).  Other results mean that all is done. */
PyAPI_FUNC(void) PyBoehm_SetWarningHook(
    int (*hook)(PyObject *category, const char *text, void *arg), void *arg);

#ifdef __cplusplus
}
#endif

#endif /* PYBOEHM_H */
