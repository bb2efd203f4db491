/* abstract.h: the protocols, all together: what can be done with any object.

   Manual: "Abstract Objects Layer". */

#ifndef Py_ABSTRACTOBJECT_H
#define Py_ABSTRACTOBJECT_H

#include "objectprotocol.h"
#include "call.h"
#include "numberprotocol.h"
#include "sequenceprotocol.h"
#include "mappingprotocol.h"
#include "iterprotocol.h"
#include "pybuffer.h"

#endif /* Py_ABSTRACTOBJECT_H */
