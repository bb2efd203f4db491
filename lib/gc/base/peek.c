/* peek.c: memory that may not be there.  See peek.h.

   Manual: process_vm_readv(2). */

#include "Python.h"

#include "gc/base/peek.h"

#include <sys/uio.h>

ssize_t
pyb_peek(void *to, const void *from, size_t n)
{
#ifdef HAVE_PROCESS_VM_READV
    struct iovec here = {to, n}, there = {(void *)(uintptr_t)from, n};

    return process_vm_readv(getpid(), &here, 1, &there, 1, 0);
#else
    (void)to;
    (void)from;
    (void)n;
    errno = ENOSYS;
    return -1;
#endif
}
