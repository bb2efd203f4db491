/* build.c: what the library is and what it was built for.

   Manual: "Initialization, Finalization, and Threads". */

#include "Python.h"

#if defined(__linux__)
#define PLATFORM "linux"
#elif defined(__APPLE__)
#define PLATFORM "darwin"
#else
#define PLATFORM "unix"
#endif

#ifdef __clang__
#define COMPILER "[Clang " __clang_version__ "]"
#else
#define COMPILER "[GCC " __VERSION__ "]"
#endif

const char *
Py_GetVersion(void)
{
    return PY_VERSION " (pyboehm)";
}

const char *
Py_GetPlatform(void)
{
    return PLATFORM;
}

const char *
Py_GetCompiler(void)
{
    return COMPILER;
}

const char *
Py_GetBuildInfo(void)
{
    return PACKAGE_STRING;
}

const char *
Py_GetCopyright(void)
{
    return "Copyright (c) 2026 The pyboehm developers.";
}
