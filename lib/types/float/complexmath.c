/* complexmath.c: arithmetic on Py_complex values, without objects. */

#include "Python.h"

Py_complex
_Py_c_sum(Py_complex left, Py_complex right)
{
    return (Py_complex){left.real + right.real, left.imag + right.imag};
}

Py_complex
_Py_c_diff(Py_complex left, Py_complex right)
{
    return (Py_complex){left.real - right.real, left.imag - right.imag};
}

Py_complex
_Py_c_neg(Py_complex num)
{
    return (Py_complex){-num.real, -num.imag};
}

Py_complex
_Py_c_prod(Py_complex left, Py_complex right)
{
    return (Py_complex){left.real * right.real - left.imag * right.imag,
                        left.real * right.imag + left.imag * right.real};
}

/* Smith's method: divides by the larger part first, so that finite quotients
   do not overflow on the way. */
Py_complex
_Py_c_quot(Py_complex dividend, Py_complex divisor)
{
    const double re = divisor.real, im = divisor.imag;

    errno = 0;
    if (re == 0.0 && im == 0.0) {
        errno = EDOM;
        return (Py_complex){0.0, 0.0};
    }
    if (isnan(re) || isnan(im))
        return (Py_complex){Py_NAN, Py_NAN};
    if (fabs(re) >= fabs(im)) {
        const double ratio = im / re, scale = re + im * ratio;
        return (Py_complex){(dividend.real + dividend.imag * ratio) / scale,
                            (dividend.imag - dividend.real * ratio) / scale};
    }
    const double ratio = re / im, scale = re * ratio + im;
    return (Py_complex){(dividend.real * ratio + dividend.imag) / scale,
                        (dividend.imag * ratio - dividend.real) / scale};
}

double
_Py_c_abs(Py_complex num)
{
    errno = 0;
    const double size = hypot(num.real, num.imag);
    errno =
        isinf(size) && isfinite(num.real) && isfinite(num.imag) ? ERANGE : 0;
    return size;
}

/* num ** n by squaring, exact where the parts are small whole numbers. */
static Py_complex
whole_power(Py_complex num, unsigned n)
{
    Py_complex power = {1.0, 0.0};

    for (; n != 0; n >>= 1) {
        if (n & 1)
            power = _Py_c_prod(power, num);
        num = _Py_c_prod(num, num);
    }
    return power;
}

/* num ** expo through absolute value and angle. */
static Py_complex
polar_power(Py_complex num, Py_complex expo)
{
    const double size = hypot(num.real, num.imag);
    const double angle = atan2(num.imag, num.real);
    double length = pow(size, expo.real);
    double turn = angle * expo.real;

    if (expo.imag != 0.0) {
        length /= exp(angle * expo.imag);
        turn += expo.imag * log(size);
    }
    /* cppcheck-suppress ignoredReturnValue; it is used */
    return (Py_complex){length * cos(turn), length * sin(turn)};
}

Py_complex
_Py_c_pow(Py_complex num, Py_complex expo)
{
    Py_complex power;

    errno = 0;
    if (expo.real == 0.0 && expo.imag == 0.0)
        return (Py_complex){1.0, 0.0};
    if (num.real == 0.0 && num.imag == 0.0) {
        if (expo.imag != 0.0 || expo.real < 0.0)
            errno = EDOM;
        return (Py_complex){0.0, 0.0};
    }
    const double n = expo.real;
    if (expo.imag == 0.0 && n == floor(n) && fabs(n) <= 100.0) {
        power = whole_power(num, (unsigned)fabs(n));
        if (n < 0)
            power = _Py_c_quot((Py_complex){1.0, 0.0}, power);
        if (errno == EDOM)
            return power; /* num ** |n| is too small: a division by zero */
    } else {
        power = polar_power(num, expo);
    }
    errno = isinf(power.real) || isinf(power.imag) ? ERANGE : 0;
    return power;
}
