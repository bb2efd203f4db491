/* codecinfo.h: what the registry has of the library's own encodings. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_TYPES_CODEC_CODECINFO_H
#define PYB_TYPES_CODEC_CODECINFO_H

#include "types/codec/natives.h"

/* The type of pyb_codecinfo_new, a subtype of tuple; those of incremental
   encoders and decoders. */
extern PyTypeObject pyb_codecinfo_type, pyb_incremental_encoder_type,
    pyb_incremental_decoder_type;

/* pyb_incremental_new: one of these for the encoding, with what follows its
   class in a call: "(errors='strict')".  A new reference, or NULL with an
   exception. */
PyObject *pyb_incremental_new(PyTypeObject *type,
                              const struct pyb_native *native, PyObject *args,
                              PyObject *kwargs);

#endif /* PYB_TYPES_CODEC_CODECINFO_H */
