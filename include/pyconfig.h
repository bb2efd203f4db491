/* pyconfig.h: what sources ask of CPython's configuration.

   Part of pyboehm; included by Python.h.  One file serves every platform: they
   all have 64 bits, and what is said to be there is part of C11 or of POSIX.
   Numbers stand as a source's own config.h would have them.  A debug build and
   one without the GIL do not exist, so nothing is defined for them.

   Manual: "Introduction", part "Include Files". */

#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

/* As CPython's: C's headers declare all that they have.  Only where Python.h
   comes first.  The library itself makes do with POSIX. */
#if !defined(_GNU_SOURCE) && !defined(PYBOEHM_BUILD)
#define _GNU_SOURCE 1
#endif

/* There are threads. */
#define WITH_THREAD 1

/* The sizes of C's types, in bytes. */
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF__BOOL 1
#ifdef __s390x__
#define ALIGNOF_MAX_ALIGN_T 8
#else
#define ALIGNOF_MAX_ALIGN_T 16
#endif
#if __SIZEOF_LONG__ != 8 || __SIZEOF_POINTER__ != 8 || __SIZEOF_WCHAR_T__ != 4
#error "pyboehm needs a platform of 64 bits"
#endif

/* WORDS_BIGENDIAN: defined where the highest byte of a number comes first. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif

/* Headers of C11. */
#define STDC_HEADERS 1
#define HAVE_ERRNO_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_SIGNAL_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_WCHAR_H 1

/* Headers of POSIX. */
#define HAVE_DLFCN_H 1
#define HAVE_FCNTL_H 1
#define HAVE_STRINGS_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1

/* Types and functions of C11 and POSIX. */
#define HAVE_LONG_LONG 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_SSIZE_T 1
#define HAVE_UINTPTR_T 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_COPYSIGN 1
#define HAVE_DECL_ISFINITE 1
#define HAVE_DECL_ISINF 1
#define HAVE_DECL_ISNAN 1
#define HAVE_HYPOT 1
#define HAVE_MMAP 1
#define HAVE_ROUND 1
#define HAVE_SNPRINTF 1
#define HAVE_STRFTIME 1

#endif /* Py_PYCONFIG_H */
