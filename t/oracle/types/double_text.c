/* double_text.c: PyOS_double_to_string, with all flags.  Manual: "String
   conversion and formatting". */

#include "oracle.h"

static void
texts(double value, char code, int precision)
{
    enum { FLAGS = Py_DTSF_SIGN | Py_DTSF_ADD_DOT_0 | Py_DTSF_ALT };

    for (int flags = 0; flags <= FLAGS; flags++) {
        char *text =
            PyOS_double_to_string(value, code, precision, flags, NULL);

        say("%.17g %c %d %d: %s", value, code, precision, flags,
            text != NULL ? text : "none");
        PyMem_Free(text);
    }
}

void
oracle_program(void)
{
    static const double values[] = {0.0,   -0.0,     7.0,  9.99, 70.0, 312.0,
                                    0.095, 123456.0, 1e-5, 1e16, -2.5, 1e300};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(values); i++)
        for (const char *code = "eEfFgG"; *code != '\0'; code++)
            for (int precision = 0; precision < 5; precision++)
                texts(values[i], *code, precision);
}
