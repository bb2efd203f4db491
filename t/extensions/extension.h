/* extension.h: for tests that drive extension modules, which others have
   written, or generators of binding code. */

#ifndef T_EXTENSION_H
#define T_EXTENSION_H

#include "../support/suite.h"

/* extension: the module of that name, a new reference; NULL, and a line
   "# skip: ..." says so, where there is no such file, or another module that
   it asks for is not there.  With EXTENSIONS=all in the environment none may
   be missing. */
PyObject *extension(const char *name);

/* call: module.name(arguments), the arguments as in Py_BuildValue with
   parentheses.  A new reference, or NULL with an exception. */
PyObject *call(PyObject *module, const char *name, const char *format, ...);

/* take_double: the number of a float; takes the reference away. */
double take_double(PyObject *op);

/* dies_in_a_cycle: op, to which the caller's reference is the only one, goes
   into a cycle with a list that its attribute leads to, and a collection
   finds both. Takes the reference away. */
void dies_in_a_cycle(PyObject *op, const char *attribute);

#endif /* T_EXTENSION_H */
