/* lock.h: a mutex of one byte.

   The functions here may be called at any time and from any thread, attached
   or not.

   Manual: "Synchronization primitives". */

#ifndef Py_LOCK_H
#define Py_LOCK_H

#include "../pyport.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef Py_LIMITED_API

/* A mutex; all zero is a free one.  It is not copied and not moved. */
typedef struct PyMutex {
    uint8_t _bits;
} PyMutex;

/* PyMutex_Lock: locks it; where it is locked, waits, detached meanwhile if the
   thread was attached.  PyMutex_Unlock: unlocks it; fatal if it is not locked.
   PyMutex_IsLocked: 1 or 0, of a moment ago. */
PyAPI_FUNC(void) PyMutex_Lock(PyMutex *m);
PyAPI_FUNC(void) PyMutex_Unlock(PyMutex *m);
PyAPI_FUNC(int) PyMutex_IsLocked(PyMutex *m);

#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_LOCK_H */
