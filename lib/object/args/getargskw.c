/* getargskw.c: parses positional and keyword arguments together:
   PyArg_ParseTupleAndKeywords and kin. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/args/getargs.h"
#include "object/error/errors.h"

/* The arguments of one call.  Keyword arguments are in dict, or named by the
   tuple kwnames and behind the positional ones; both are NULL if there are
   none. */
struct arguments {
    PyObject *const *positional;
    Py_ssize_t npositional;
    PyObject *dict;
    PyObject *kwnames;
    Py_ssize_t nkeywords; /* those not converted yet */
};

/* A parse with names.  The first nnameless parameters are positional-only.
   min counts the parameters before '|', max those before '$'; both are -1
   until the format has come to the mark. */
struct keyword_parse {
    struct pyb_getargs units;
    const char *const *names;
    int nnames, nnameless;
    int min, max;
    int missing;  /* a required positional-only argument is missing */
    int complete; /* nothing can be missing or left over any more */
    int named;    /* errors say an argument's name, not its number */
};

static int
system_error(const char *text)
{
    PyErr_SetString(PyExc_SystemError, text);
    return 0;
}

static int
at_end(const struct keyword_parse *k)
{
    char next = *k->units.format;

    return next == '\0' || next == ':' || next == ';';
}

/* Raises TypeError: FUNCTION takes BOUND LIMIT KIND argument(s) (n given). */
static int
wrong_number(const struct keyword_parse *k, const char *bound, int limit,
             const char *kind, Py_ssize_t n)
{
    PyErr_Format(PyExc_TypeError,
                 "%.200s%s takes %s %d %sargument%s (%zd given)",
                 pyb_getargs_function(&k->units, "function"),
                 pyb_getargs_parens(&k->units), bound, limit, kind,
                 limit == 1 ? "" : "s", n);
    return 0;
}

static int
no_positional(const struct keyword_parse *k)
{
    PyErr_Format(PyExc_TypeError, "%.200s%s takes no positional arguments",
                 pyb_getargs_function(&k->units, "function"),
                 pyb_getargs_parens(&k->units));
    return 0;
}

static int
count_names(struct keyword_parse *k)
{
    int n = 0;

    while (k->names[n] != NULL && k->names[n][0] == '\0')
        n++;
    k->nnameless = n;
    for (; k->names[n] != NULL; n++) {
        if (k->names[n][0] == '\0')
            return system_error("Empty keyword parameter name");
    }
    k->nnames = n;
    return 1;
}

/* ------------------------------------------------------------------ */
/* Keyword arguments                                                   */

/* The i-th parameter's keyword argument, a new reference, or NULL, perhaps
   with an exception. */
static PyObject *
find_keyword(const struct keyword_parse *k, const struct arguments *a, int i)
{
    const char *name = k->names[i];
    PyObject *value = NULL;

    PYB_ASSERT(i >= k->nnameless && i < k->nnames);
    PYB_ASSERT(a->dict == NULL || a->kwnames == NULL);
    if (a->dict != NULL) {
        PyDict_GetItemStringRef(a->dict, name, &value);
        return value;
    }
    if (a->kwnames == NULL)
        return NULL;
    for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(a->kwnames); j++) {
        PyObject *key = PyTuple_GET_ITEM(a->kwnames, j);
        if (PyUnicode_Check(key) && PyUnicode_EqualToUTF8(key, name))
            return Py_NewRef(a->positional[a->npositional + j]);
    }
    return NULL;
}

/* 1 if key is the name of a parameter that takes keywords. */
static int
check_key(const struct keyword_parse *k, PyObject *key)
{
    if (!PyUnicode_Check(key)) {
        PyErr_SetString(PyExc_TypeError, "keywords must be strings");
        return 0;
    }
    for (int i = k->nnameless; i < k->nnames; i++) {
        if (PyUnicode_EqualToUTF8(key, k->names[i]))
            return 1;
    }
    PyErr_Format(PyExc_TypeError,
                 "'%U' is an invalid keyword argument for %.200s%s", key,
                 pyb_getargs_function(&k->units, "this function"),
                 pyb_getargs_parens(&k->units));
    return 0;
}

static int
check_keys(const struct keyword_parse *k, const struct arguments *a)
{
    PyObject *key;
    Py_ssize_t position = 0;

    while (a->dict != NULL && PyDict_Next(a->dict, &position, &key, NULL)) {
        if (!check_key(k, key))
            return 0;
    }
    for (Py_ssize_t j = 0;
         a->kwnames != NULL && j < PyTuple_GET_SIZE(a->kwnames); j++) {
        if (!check_key(k, PyTuple_GET_ITEM(a->kwnames, j)))
            return 0;
    }
    return 1;
}

/* Raises TypeError for keyword arguments that were not used. */
static int
reject_keywords(const struct keyword_parse *k, const struct arguments *a)
{
    PYB_ASSERT(a->nkeywords > 0);
    for (int i = k->nnameless; i < k->nnames && i < a->npositional; i++) {
        PyObject *value = find_keyword(k, a, i);
        if (value == NULL && PyErr_Occurred())
            return 0;
        if (value == NULL)
            continue;
        Py_DECREF(value);
        PyErr_Format(PyExc_TypeError,
                     "argument for %.200s%s given by name ('%s') and "
                     "position (%d)",
                     pyb_getargs_function(&k->units, "function"),
                     pyb_getargs_parens(&k->units), k->names[i], i + 1);
        return 0;
    }
    return check_keys(k, a);
}

/* ------------------------------------------------------------------ */
/* The parse                                                           */

/* Handles '|' and '$' in front of parameter i. */
static int
pass_marks(struct keyword_parse *k, const struct arguments *a, int i)
{
    PYB_ASSERT(k->min <= i && k->max <= i);
    if (*k->units.format == '|') {
        if (k->min >= 0)
            return system_error("Invalid format string (| specified twice)");
        if (k->max >= 0)
            return system_error("Invalid format string ($ before |)");
        k->min = i;
        k->units.format++;
    }
    if (*k->units.format == '$') {
        if (k->max >= 0)
            return system_error("Invalid format string ($ specified twice)");
        if (i < k->nnameless)
            return system_error("Empty parameter name after $");
        k->max = i;
        k->units.format++;
        if (!k->missing && i == 0 && a->npositional > 0)
            return no_positional(k);
        if (!k->missing && i < a->npositional)
            return wrong_number(k, k->min >= 0 ? "at most" : "exactly", i,
                                "positional ", a->npositional);
    }
    if (at_end(k)) {
        PyErr_Format(PyExc_SystemError,
                     "More keyword list entries (%d) than "
                     "format specifiers (%d)",
                     k->nnames, i);
        return 0;
    }
    return 1;
}

/* Stores parameter i's argument, a new reference, in *arg, or NULL if there is
   none; takes a keyword argument off the number of those to come. */
static int
find_argument(const struct keyword_parse *k, struct arguments *a, int i,
              PyObject **arg)
{
    if (i < a->npositional) {
        *arg = Py_NewRef(a->positional[i]);
        return 1;
    }
    *arg = NULL;
    if (a->nkeywords == 0 || i < k->nnameless)
        return 1;
    *arg = find_keyword(k, a, i);
    a->nkeywords -= *arg != NULL;
    PYB_ASSERT(a->nkeywords >= 0);
    return *arg != NULL || !PyErr_Occurred();
}

/* Notes that parameter i has no argument: 1 if it is optional.  If a
   positional-only argument is missing, parsing goes on to the marks, which the
   message needs. */
static int
check_missing(struct keyword_parse *k, int i)
{
    PYB_ASSERT(i >= 0 && i < k->nnames);
    PYB_ASSERT(k->min < 0 || k->min <= i);
    if (k->min >= 0)
        return 1;
    if (i < k->nnameless) {
        k->missing = 1;
        return 1;
    }
    if (k->missing)
        return 1;
    PyErr_Format(PyExc_TypeError,
                 "%.200s%s missing required argument '%s' (pos %d)",
                 pyb_getargs_function(&k->units, "function"),
                 pyb_getargs_parens(&k->units), k->names[i], i + 1);
    return 0;
}

static int
convert_argument(struct keyword_parse *k, PyObject *arg, int i)
{
    int result = pyb_getargs_convert(&k->units, arg);

    PYB_ASSERT(Py_REFCNT(arg) > 0);
    Py_DECREF(arg);
    if (k->named)
        k->units.argument = k->names[i];
    if (result < 0)
        pyb_getargs_report(&k->units, i + 1, 0);
    return result == 0;
}

static int
skip_unit(struct keyword_parse *k)
{
    if (pyb_getargs_convert(&k->units, NULL) == 0)
        return 1;
    if (!PyErr_Occurred()) {
        const char *problem = k->units.problem; /* in parentheses */
        PYB_ASSERT(problem[0] == '(' && problem[strlen(problem) - 1] == ')');
        PyErr_Format(PyExc_SystemError, "%.*s: '%s'", (int)strlen(problem) - 2,
                     problem + 1, k->units.format);
    }
    return 0;
}

/* Stops, as CPython does, when only optional parameters remain and no
   arguments; errors in the rest of the format are not detected. */
static int
convert_all(struct keyword_parse *k, struct arguments *a)
{
    for (int i = 0; i < k->nnames && !k->complete; i++) {
        PyObject *arg = NULL;

        if (!pass_marks(k, a, i))
            return 0;
        if (!k->missing && !find_argument(k, a, i, &arg))
            return 0;
        if (arg != NULL) {
            if (!convert_argument(k, arg, i))
                return 0;
            continue;
        }
        if (!check_missing(k, i))
            return 0;
        k->complete = !k->missing && a->nkeywords == 0;
        if (!k->complete && !skip_unit(k))
            return 0;
    }
    return 1;
}

/* All units have been seen: 1 if nothing is missing or left over. */
static int
check_rest(const struct keyword_parse *k, const struct arguments *a)
{
    const char *rest = k->units.format;

    PYB_ASSERT(k->min < 0 || k->max < 0 || k->min <= k->max);
    PYB_ASSERT(k->max <= k->nnames);
    if (k->missing) {
        int positional = k->max >= 0 ? k->max : k->nnames;
        int required = k->min >= 0 ? k->min : positional;
        int least = Py_MIN(k->nnameless, required);
        return wrong_number(k, least < positional ? "at least" : "exactly",
                            least, "positional ", a->npositional);
    }
    if (!at_end(k) && *rest != '|' && *rest != '$') {
        PyErr_Format(PyExc_SystemError,
                     "more argument specifiers than keyword list entries "
                     "(remaining format:'%s')",
                     rest);
        return 0;
    }
    return a->nkeywords == 0 || reject_keywords(k, a);
}

static int
run(struct keyword_parse *k, struct arguments *a)
{
    if (!count_names(k))
        return 0;

    Py_ssize_t n = a->npositional + a->nkeywords;
    PYB_ASSERT(a->npositional >= 0 && a->nkeywords >= 0);
    if (n > k->nnames)
        return wrong_number(k, "at most", k->nnames,
                            a->npositional == 0 ? "keyword " : "", n);
    return convert_all(k, a) && (k->complete || check_rest(k, a));
}

static int
parse(struct keyword_parse *k, struct arguments *a, const char *format,
      va_list va)
{
    k->min = k->max = -1;
    pyb_getargs_begin(&k->units, format, va);
    return pyb_getargs_end(&k->units, run(k, a));
}

static struct arguments
of_tuple(PyObject *args, PyObject *kwargs)
{
    PYB_ASSERT(PyTuple_Check(args));
    return (struct arguments){
        .positional = ((PyTupleObject *)args)->ob_item,
        .npositional = PyTuple_GET_SIZE(args),
        .dict = kwargs,
        .nkeywords = kwargs == NULL ? 0 : PyDict_Size(kwargs),
    };
}

int
pyb_getargs_named(PyObject *args, PyObject *kwargs, const char *format,
                  char **names, ...)
{
    struct keyword_parse k = {.names = (const char *const *)names, .named = 1};
    struct arguments a = of_tuple(args, kwargs);
    va_list va;

    va_start(va, names);
    int ok = parse(&k, &a, format, va);
    va_end(va);
    return ok;
}

/* ------------------------------------------------------------------ */

int
PyArg_VaParseTupleAndKeywords(PyObject *args, PyObject *kwargs,
                              const char *format, _PyB_keywords keywords,
                              va_list va)
{
    if (args == NULL || !PyTuple_Check(args) ||
        (kwargs != NULL && !PyDict_Check(kwargs)) || format == NULL ||
        keywords.names == NULL)
        return PYB_BAD_CALL(0);

    struct keyword_parse k = {.names = keywords.names};
    struct arguments a = of_tuple(args, kwargs);
    return parse(&k, &a, format, va);
}

int
PyArg_ParseTupleAndKeywords(PyObject *args, PyObject *kwargs,
                            const char *format, _PyB_keywords keywords, ...)
{
    va_list va;

    va_start(va, keywords);
    int ok = PyArg_VaParseTupleAndKeywords(args, kwargs, format, keywords, va);
    va_end(va);
    return ok;
}

int
PyArg_ParseArrayAndKeywords(PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames, const char *format,
                            _PyB_keywords keywords, ...)
{
    va_list va;

    if ((args == NULL && nargs != 0) || nargs < 0 ||
        (kwnames != NULL && !PyTuple_Check(kwnames)) || format == NULL ||
        keywords.names == NULL)
        return PYB_BAD_CALL(0);

    struct arguments a = {
        .positional = args,
        .npositional = nargs,
        .kwnames = kwnames,
        .nkeywords = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames),
    };
    struct keyword_parse k = {.names = keywords.names};
    va_start(va, keywords);
    int ok = parse(&k, &a, format, va);
    va_end(va);
    return ok;
}

int
PyArg_ValidateKeywordArguments(PyObject *kwargs)
{
    PyObject *key;
    Py_ssize_t position = 0;

    if (!PyDict_Check(kwargs))
        return PYB_BAD_CALL(0);
    while (PyDict_Next(kwargs, &position, &key, NULL)) {
        if (!PyUnicode_Check(key)) {
            PyErr_SetString(PyExc_TypeError, "keywords must be strings");
            return 0;
        }
    }
    return 1;
}

int
pyb_getargs_no_keywords(const char *function, PyObject *kwargs)
{
    if (kwargs == NULL || PyDict_Size(kwargs) == 0)
        return 1;
    PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                 function);
    return 0;
}

int
pyb_getargs_int(PyObject *arg, void *value)
{
    int number = PyLong_AsInt(arg);

    *(int *)value = number;
    return number != -1 || !PyErr_Occurred();
}
