/* pyport.h: what the other headers need from compiler and platform.

   Part of pyboehm; included by Python.h, never on its own. */

#ifndef Py_PYPORT_H
#define Py_PYPORT_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#include <sys/types.h>

#ifdef __cplusplus
#define _PyB_EXTERN_C extern "C"
#else
#define _PyB_EXTERN_C extern
#endif

/* Py_LIMITED_API: a source may define it before it includes Python.h, as an
   edition from 0x03020000 on; 3 means that one.  It promises to use what
   CPython's stable ABI had then.  Later additions to the stable ABI, and the
   unstable and private functions, are then not declared; all else is.  The
   binary interface is always the same. */
#ifndef Py_LIMITED_API
#define _PYB_LIMITED_AT_LEAST(edition) 1
#elif Py_LIMITED_API + 0 < 0x03020000
#define _PYB_LIMITED_AT_LEAST(edition) ((edition) <= 0x03020000)
#else
#define _PYB_LIMITED_AT_LEAST(edition) (Py_LIMITED_API + 0 >= (edition))
#endif

/* PyAPI_FUNC, PyAPI_DATA: a name the library exports.  Where the compiler can,
   a call of a function goes straight to it, past the procedure linkage table:
   an object made, tracked and destroyed costs six calls. */
#if defined(__has_attribute) && defined(__ELF__)
#if __has_attribute(noplt)
#define _PyB_NOPLT noplt,
#endif
#endif
#ifndef _PyB_NOPLT
#define _PyB_NOPLT
#endif
#define PyAPI_FUNC(RTYPE)                                                     \
    __attribute__((_PyB_NOPLT visibility("default"))) RTYPE
#define PyAPI_DATA(RTYPE) extern __attribute__((visibility("default"))) RTYPE

/* PyMODINIT_FUNC: the return type of a module's PyInit_NAME function. */
#ifdef __cplusplus
#define PyMODINIT_FUNC                                                        \
    extern "C" __attribute__((visibility("default"))) PyObject *
#else
#define PyMODINIT_FUNC __attribute__((visibility("default"))) PyObject *
#endif

/* The visibility of a name of one's own. */
#define Py_EXPORTED_SYMBOL __attribute__((visibility("default")))
#define Py_IMPORTED_SYMBOL __attribute__((visibility("default")))
#define Py_LOCAL_SYMBOL __attribute__((visibility("hidden")))

/* Py_LOCAL, Py_LOCAL_INLINE: a function of this file that returns TYPE. */
#define Py_LOCAL(TYPE) static TYPE
#define Py_LOCAL_INLINE(TYPE) static inline TYPE

/* Py_ssize_t: the size of anything, and -1. */
typedef ssize_t Py_ssize_t;
typedef Py_ssize_t Py_hash_t;
typedef size_t Py_uhash_t;
typedef intptr_t Py_intptr_t;
typedef uintptr_t Py_uintptr_t;

/* Limits of it and of C's types. */
#define PY_SSIZE_T_MAX ((Py_ssize_t)(((size_t)-1) >> 1))
#define PY_SSIZE_T_MIN (-PY_SSIZE_T_MAX - 1)
#define PY_SIZE_MAX SIZE_MAX
#define PY_FORMAT_SIZE_T "z"
#define PY_LONG_LONG long long
#define PY_INT32_T int32_t
#define PY_UINT32_T uint32_t
#define PY_INT64_T int64_t
#define PY_UINT64_T uint64_t
#define PY_LLONG_MIN LLONG_MIN
#define PY_LLONG_MAX LLONG_MAX
#define PY_ULLONG_MAX ULLONG_MAX

/* PY_BIG_ENDIAN, PY_LITTLE_ENDIAN: the platform's byte order, 1 or 0. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PY_BIG_ENDIAN 1
#define PY_LITTLE_ENDIAN 0
#else
#define PY_BIG_ENDIAN 0
#define PY_LITTLE_ENDIAN 1
#endif

/* Unicode code point. */
typedef uint32_t Py_UCS4;
typedef uint16_t Py_UCS2;
typedef uint8_t Py_UCS1;

/* Py_UNICODE, Py_MEMCPY: for sources older than 3.12. */
typedef wchar_t PY_UNICODE_TYPE;
typedef wchar_t Py_UNICODE;
#define Py_MEMCPY memcpy

#if defined(__GNUC__)
#define Py_ALIGNED(n) __attribute__((aligned(n)))
#define Py_ALWAYS_INLINE __attribute__((always_inline))
#define Py_NO_INLINE __attribute__((noinline))
#define Py_GCC_ATTRIBUTE(x) __attribute__(x)
#define Py_DEPRECATED(VERSION) __attribute__((__deprecated__))
#define _Py_NO_RETURN __attribute__((__noreturn__))
#define _PyB_LIKELY(x) __builtin_expect(!!(x), 1)
#define _PyB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define Py_ALIGNED(n)
#define Py_ALWAYS_INLINE
#define Py_NO_INLINE
#define Py_GCC_ATTRIBUTE(x)
#define Py_DEPRECATED(VERSION)
#define _Py_NO_RETURN
#define _PyB_LIKELY(x) (x)
#define _PyB_UNLIKELY(x) (x)
#endif

/* Py_ABS and kin: as their names say; they may evaluate an argument twice.
   Py_UNUSED(name) stands for a parameter that is not used. */
#define Py_ABS(x) ((x) < 0 ? -(x) : (x))
#define Py_MIN(x, y) (((x) > (y)) ? (y) : (x))
#define Py_MAX(x, y) (((x) > (y)) ? (x) : (y))
#define Py_STRINGIFY_(x) #x
#define Py_STRINGIFY(x) Py_STRINGIFY_(x)
#define Py_CHARMASK(c) ((unsigned char)((c)&0xff))
#define Py_MEMBER_SIZE(type, member) sizeof(((type *)0)->member)
#define Py_ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define Py_UNUSED(name) _unused_##name __attribute__((unused))
#define Py_UNREACHABLE() __builtin_unreachable()

/* Names of older editions: Py_MEMCPY copies memory; Py_LL, Py_ULL make a
   number a long long; Py_VA_COPY copies a va_list. */
#define Py_MEMCPY memcpy
#define Py_LL(x) x##LL
#define Py_ULL(x) x##ULL
#define Py_VA_COPY va_copy

/* PyFPE_START_PROTECT, PyFPE_END_PROTECT: nothing, as in CPython; old sources
   write them around what may trap. */
#define PyFPE_START_PROTECT(err_string, leave_stmt)
#define PyFPE_END_PROTECT(v)

/* Py_BUILD_ASSERT, Py_BUILD_ASSERT_EXPR: do not compile if the condition does
   not hold; a statement, and an expression of value 0. */
#define Py_BUILD_ASSERT_EXPR(cond) (sizeof(char[1 - 2 * !(cond)]) - 1)
#define Py_BUILD_ASSERT(cond) ((void)Py_BUILD_ASSERT_EXPR(cond))

/* Py_ARITHMETIC_RIGHT_SHIFT: i >> j that keeps the sign, as every compiler
   that we know shifts. */
#define Py_ARITHMETIC_RIGHT_SHIFT(TYPE, i, j) ((i) >> (j))

/* Py_SAFE_DOWNCAST: a narrowing conversion the caller knows to be exact. */
#define Py_SAFE_DOWNCAST(VALUE, WIDE, NARROW) ((NARROW)(VALUE))

/* Doc strings. */
#define PyDoc_VAR(name) static const char name[]
#define PyDoc_STRVAR(name, str) PyDoc_VAR(name) = PyDoc_STR(str)
#define PyDoc_STR(str) str

#endif /* Py_PYPORT_H */
