/* docstring.c: doc strings of C functions and static types, and the signatures
   at their heads. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/attr/docstring.h"
#include "object/type/typenames.h"

static const char signature_end[] = ")\n--\n\n";

/* The "(" of the signature header in doc, or NULL if there is none; *end
   becomes the end of the header. */
static const char *
find_signature(const char *name, const char *doc, const char **end)
{
    name = pyb_typenames_last(name);
    if (doc == NULL || strncmp(doc, name, strlen(name)) != 0 ||
        doc[strlen(name)] != '(')
        return NULL;
    const char *start = doc + strlen(name);
    const char *close = strstr(start, signature_end);
    const char *paragraph = strstr(start, "\n\n");
    if (close == NULL || paragraph < close)
        return NULL;
    *end = close + strlen(signature_end);
    return start;
}

PyObject *
pyb_docstring_text(const char *name, const char *doc)
{
    if (doc != NULL)
        (void)find_signature(name, doc, &doc);
    if (doc == NULL || *doc == '\0')
        Py_RETURN_NONE;
    return PyUnicode_FromString(doc);
}

PyObject *
pyb_docstring_signature(const char *name, const char *doc)
{
    const char *end;
    const char *start = find_signature(name, doc, &end);

    if (start == NULL)
        Py_RETURN_NONE;
    end -= strlen(signature_end) - 1; /* keep the ")" */
    PYB_ASSERT(*start == '(' && end > start && end[-1] == ')');
    return PyUnicode_FromStringAndSize(start, end - start);
}
