/* Python.h: the one header that C types written for CPython include.

   This is pyboehm's: CPython's C API on the Boehm collector, without an
   interpreter.  pyboehm.h has what goes beyond CPython's API. */

#ifndef Py_PYTHON_H
#define Py_PYTHON_H

/* Before C's headers: it chooses what they declare. */
#include "pyconfig.h"

/* Sources written for CPython rely on these through Python.h. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "patchlevel.h"
#include "pyport.h"

#include "pydebug.h"
#include "pymem.h"
#include "object.h"
#include "objimpl.h"
#include "typeslots.h"
#include "pyboehm/slots.h"
#include "pyhash.h"

#include "boolobject.h"
#include "longobject.h"
#include "floatobject.h"
#include "complexobject.h"
#include "pystrtod.h"
#include "pytime.h"
#include "unicodeobject.h"
#include "pyboehm/unicodewriter.h"
#include "bytesobject.h"
#include "bytearrayobject.h"
#include "memoryobject.h"
#include "picklebufobject.h"
#include "tupleobject.h"
#include "structseq.h"
#include "listobject.h"
#include "dictobject.h"
#include "odictobject.h"
#include "setobject.h"
#include "iterobject.h"
#include "enumobject.h"
#include "bltinmodule.h"
#include "sliceobject.h"
#include "rangeobject.h"
#include "pycapsule.h"
#include "cellobject.h"
#include "namespaceobject.h"
#include "sentinelobject.h"
#include "code.h"
#include "funcobject.h"
#include "genobject.h"
#include "fileobject.h"
#include "genericaliasobject.h"

#include "methodobject.h"
#include "classobject.h"
#include "descrobject.h"
#include "moduleobject.h"
#include "weakrefobject.h"

#include "pyerrors.h"
#include "codecs.h"
#include "warnings.h"
#include "modsupport.h"
#include "pyboehm/abiinfo.h"
#include "import.h"
#include "sysmodule.h"
#include "pylifecycle.h"
#include "pystate.h"
#include "context.h"
#include "ceval.h"
#include "eval.h"
#include "compile.h"
#include "pythonrun.h"
#include "pyframe.h"
#include "traceback.h"
#include "intrcheck.h"
#include "pythread.h"
#include "pyboehm/lock.h"
#include "critical_section.h"
#include "abstract.h"
#include "osmodule.h"
#ifndef Py_LIMITED_API
#include "pyboehm/oldnames.h"
#endif

#endif /* Py_PYTHON_H */
