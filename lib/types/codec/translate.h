/* translate.h: methods of str. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_TRANSLATE_H
#define PYB_TYPES_CODEC_TRANSLATE_H

#include "Python.h"

PyObject *pyb_str_translate(PyObject *self, PyObject *table);
PyObject *pyb_str_maketrans(PyObject *self, PyObject *args);

#endif /* PYB_TYPES_CODEC_TRANSLATE_H */
