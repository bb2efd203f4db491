/* float_packs.c: floats as bytes: PyFloat_Pack2, 4 and 8, and back.
   Manual: "Floating-Point Objects". */

#include "oracle.h"

static void
say_bytes(const char *label, const char *bytes, int size, int failed)
{
    char text[40] = "";

    for (int i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
    if (failed)
        error();
    else
        say("%s %s", label, text);
}

static void
both_ways(double x)
{
    char bytes[8];

    say("-- %a", x);
    for (int le = 0; le < 2; le++) {
        int failed = PyFloat_Pack2(x, bytes, le) < 0;
        say_bytes("2", bytes, 2, failed);
        if (!failed)
            say("   %a", PyFloat_Unpack2(bytes, le));
        failed = PyFloat_Pack4(x, bytes, le) < 0;
        say_bytes("4", bytes, 4, failed);
        if (!failed)
            say("   %a", PyFloat_Unpack4(bytes, le));
        failed = PyFloat_Pack8(x, bytes, le) < 0;
        say_bytes("8", bytes, 8, failed);
        if (!failed)
            say("   %a", PyFloat_Unpack8(bytes, le));
    }
}

void
oracle_program(void)
{
    static const double numbers[] = {
        0.0,     -0.0,    1.0,      -1.5,     0.1,    65504.0, 65519.9,
        65520.0, 65536.0, -65519.0, -65520.0, 1e30,   3.4e38,  3.5e38,
        -1e300,  6e-8,    2.9e-8,   3e-8,     6.1e-5, 6.09e-5, 1e-50,
        5e-324,  2049.0,  2051.0,   1e308,    1e-40,  1024.5,  4097.0};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        both_ways(numbers[i]);
    both_ways(Py_HUGE_VAL);
    both_ways(-Py_HUGE_VAL);
    both_ways(Py_NAN);
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        char bytes[2] = {(char)bits, (char)(bits >> 8)}, again[2];
        double x = PyFloat_Unpack2(bytes, 1);
        wrong += PyFloat_Pack2(x, again, 1) < 0 || memcmp(bytes, again, 2);
    }
    say("wrong: %d", wrong);
}
