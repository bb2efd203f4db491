/* cstring.c: PyOS_* on C strings: printing into them, comparing them, reading
   integers from them. */

#include "Python.h"

int
PyOS_vsnprintf(char *str, size_t size, const char *format, va_list va)
{
    int length = vsnprintf(str, size, format, va);

    if (size > 0)
        str[size - 1] = '\0';
    return length;
}

int
PyOS_snprintf(char *str, size_t size, const char *format, ...)
{
    va_list va;

    va_start(va, format);
    int length = PyOS_vsnprintf(str, size, format, va);
    va_end(va);
    return length;
}

int
PyOS_strnicmp(const char *s1, const char *s2, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < size; i++) {
        int difference = (unsigned char)Py_TOLOWER(s1[i]) -
                         (unsigned char)Py_TOLOWER(s2[i]);
        if (difference != 0 || s1[i] == '\0')
            return difference;
    }
    return 0;
}

int
PyOS_stricmp(const char *s1, const char *s2)
{
    return PyOS_strnicmp(s1, s2, PY_SSIZE_T_MAX);
}

/* Skips "0o" or "0b", which strtol does not know, if a digit follows; sets
 *base if it was 0. */
static const char *
skip_prefix(const char *p, int *base)
{
    const int letter = p[0] == '0' ? Py_TOLOWER(p[1]) : 0;
    const int named = letter == 'o' ? 8 : letter == 'b' ? 2 : 0;

    if (named == 0 || (*base != 0 && *base != named))
        return p;
    if (p[2] < '0' || p[2] >= '0' + named)
        return p;
    *base = named;
    return p + 2;
}

unsigned long
PyOS_strtoul(const char *str, char **ptr, int base)
{
    const char *p = str;

    while (Py_ISSPACE(*p))
        p++;
    p = skip_prefix(p, &base);
    if (!Py_ISALNUM(*p)) { /* strtoul would read a sign here */
        if (ptr != NULL)
            *ptr = (char *)(uintptr_t)str;
        return 0;
    }
    return strtoul(p, ptr, base);
}

long
PyOS_strtol(const char *str, char **ptr, int base)
{
    const char *p = str;

    while (Py_ISSPACE(*p))
        p++;
    const int negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const int saved = errno;
    errno = 0;
    unsigned long magnitude = PyOS_strtoul(p, ptr, base);
    if (ptr != NULL && *ptr == p)
        *ptr = (char *)(uintptr_t)str;
    if (errno == ERANGE || magnitude > (unsigned long)LONG_MAX + negative) {
        errno = ERANGE;
        return LONG_MAX; /* as the manual has it, for negative ones too */
    }
    errno = saved;
    return negative ? (long)-magnitude : (long)magnitude;
}
