/* typeattrs.h: the attributes that every type has. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_OBJECT_TYPE_TYPEATTRS_H
#define PYB_OBJECT_TYPE_TYPEATTRS_H

#include "descrobject.h"

extern PyGetSetDef pyb_typeattrs_getset[];
extern PyMemberDef pyb_typeattrs_members[];

/* pyb_typeattrs_c_name: the UTF-8 text of a str that can be a type's name;
   valid as long as the str.  NULL with ValueError if it cannot. */
const char *pyb_typeattrs_c_name(PyObject *name);

#endif /* PYB_OBJECT_TYPE_TYPEATTRS_H */
