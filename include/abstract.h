/* abstract.h: the protocols, all together: what can be done with any object.

   Manual: "Abstract Objects Layer". */

#ifndef Py_ABSTRACTOBJECT_H
#define Py_ABSTRACTOBJECT_H

#include "pyboehm/objectprotocol.h"
#include "pyboehm/call.h"
#include "pyboehm/numberprotocol.h"
#include "pyboehm/sequenceprotocol.h"
#include "pyboehm/mappingprotocol.h"
#include "pyboehm/iterprotocol.h"
#include "pybuffer.h"

#endif /* Py_ABSTRACTOBJECT_H */
