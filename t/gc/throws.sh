#!/bin/sh
# throws.sh: exceptions of C++ leave tp_traverse, tp_clear and tp_finalize: the
# next collection says so, and those after it find what there is.
set -u

: "${srcdir=.}" "${builddir=.}" "${CXX=c++}"
command -v "${CXX%% *}" >/dev/null || {
    echo "# no C++ compiler"
    exit 77
}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

cat >"$work/throws.cc" <<'END'
#include <Python.h>
#include <pyboehm.h>
#include <cstdio>

static int throw_from, thrown;

static void throws_in(int slot)
{
    if (slot == throw_from) {
        throw_from = 0;
        throw slot;
    }
}

struct Node {
    PyObject_HEAD
    PyObject *self;
};

static int traverse(PyObject *op, visitproc visit, void *arg)
{
    throws_in(1);
    Py_VISIT(reinterpret_cast<Node *>(op)->self);
    return 0;
}

static int clear(PyObject *op)
{
    throws_in(2);
    Py_CLEAR(reinterpret_cast<Node *>(op)->self);
    return 0;
}

static void finalize(PyObject *)
{
    throws_in(3);
}

static void dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    PyObject_GC_Del(op);
}

static PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};

static void drop_cycle()
{
    Node *node = PyObject_GC_New(Node, &type);

    node->self = reinterpret_cast<PyObject *>(node);
    PyObject_GC_Track(reinterpret_cast<PyObject *>(node));
}

int main()
{
    Py_Initialize();
    type.tp_name = "t.Node";
    type.tp_basicsize = sizeof(Node);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
    type.tp_traverse = traverse;
    type.tp_clear = clear;
    type.tp_finalize = finalize;
    type.tp_dealloc = dealloc;
    if (PyType_Ready(&type) < 0)
        return 1;
    for (int slot = 1; slot <= 3; slot++) {
        drop_cycle();
        throw_from = slot;
        try {
            PyGC_Collect();
        } catch (int from) {
            thrown += from == slot;
        }
        PyGC_Collect();
        drop_cycle();
        std::printf("%d: %d\n", slot, static_cast<int>(PyGC_Collect()));
    }
    std::printf("thrown %d\n", thrown);
}
END
$CXX -w -I"$srcdir/include" "$work/throws.cc" -o "$work/throws" \
    -L"$builddir/.libs" -lpyboehm \
    -Wl,-rpath,"$(cd "$builddir" && pwd)/.libs" || exit
"$work/throws" >"$work/said" 2>"$work/told"
cat >"$work/expected" <<'END'
1: 1
2: 1
3: 1
thrown 3
END
if diff "$work/expected" "$work/said" &&
    test "$(grep -c 'a collection has been left by a jump' "$work/told")" = 3
then
    echo 'ok - collections go on after exceptions of C++'
else
    echo 'not ok - collections go on after exceptions of C++'
    cat "$work/told"
    exit 1
fi
