#!/bin/sh
# demangled.sh: functions of C++ have the names in reports that they have in the
# source.
set -u

: "${srcdir=.}" "${builddir=.}" "${CXX=c++}"
command -v "${CXX%% *}" >/dev/null || {
    echo "# no C++ compiler"
    exit 77
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

cat >"$work/shop.cc" <<'END'
#include <Python.h>

namespace shop {
struct Till {
    __attribute__((noinline)) void open(int n) const
    {
        for (int i = 0; i < n; i++)
            (void)PyList_New(0);
        asm volatile("");
    }
};
}

int main()
{
    Py_Initialize();
    auto *till = new shop::Till;
    till->open(3);
    delete till;
    Py_Finalize();
}
END
$CXX -w -rdynamic -I"$srcdir/include" "$work/shop.cc" -o "$work/shop" \
    -L"$builddir/.libs" -lpyboehm \
    -Wl,-rpath,"$(cd "$builddir" && pwd)/.libs" || exit
PYBOEHM_LEAKS=1 PYBOEHM_TRACE=4 "$work/shop" >"$work/said" 2>&1
if grep -q '^    shop::Till::open(int) const+0x' "$work/said"; then
    echo 'ok - a function of C++ has its name'
else
    echo 'not ok - a function of C++ has its name'
    cat "$work/said"
    exit 1
fi
