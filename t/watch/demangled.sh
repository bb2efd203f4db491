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
#include <pyboehm.h>

namespace shop {
struct Till {
    PyObject_HEAD
    PyObject *notes;
};

__attribute__((noinline)) void open_them(int n)
{
    for (int i = 0; i < n; i++)
        (void)PyList_New(0);
    asm volatile("");
}

int visit_nothing(PyObject *, visitproc, void *)
{
    return 0;
}

/* An owner of lists that it does not visit. */
PyTypeObject *make_type()
{
    static PyType_Slot slots[] = {
        {Py_tp_traverse, reinterpret_cast<void *>(visit_nothing)},
        {0, nullptr}};
    static PyType_Spec spec = {"shop.Till", sizeof(Till), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

    return reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&spec));
}
}

int main()
{
    Py_Initialize();
    auto *tills = new shop::Till *[20]; // so that there is C++'s library
    PyTypeObject *type = shop::make_type();

    shop::open_them(3);
    for (int i = 0; i < 20; i++) {
        tills[i] = reinterpret_cast<shop::Till *>(type->tp_alloc(type, 0));
        tills[i]->notes = PyList_New(0);
    }
    PyBoehm_Audit(stdout, 0);
    for (int i = 0; i < 20; i++)
        Py_DECREF(reinterpret_cast<PyObject *>(tills[i]));
    delete[] tills;
    Py_Finalize();
}
END

# says WHAT EXPECTED: is there such a line in what was said?
failed=0
says() {
    if grep -qF "$2" "$work/said"; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        cat "$work/said"
        failed=1
    fi
}

for debug in '' -g; do
    $CXX -w $debug -rdynamic -I"$srcdir/include" -I"$srcdir/include/pyboehm" \
        -I"$builddir/include" "$work/shop.cc" -o "$work/shop" \
        -L"$builddir/.libs" -lpyboehm \
        -Wl,-rpath,"$(cd "$builddir" && pwd)/.libs" || exit
    PYBOEHM_LEAKS=1 PYBOEHM_TRACE=4 "$work/shop" >"$work/said" 2>&1
    says "a call of C++ has its name $debug" '    shop::open_them(int)+0x'
    says "so has a slot $debug" '[shop::visit_nothing(_object*, int (*)(_object*'
done
exit $failed
