#!/bin/sh
# rule_visit_names.sh: breaks "Py_VISIT requires the visit and arg parameters
# to have these specific names": a tp_traverse with other names does not
# compile.
set -u

: "${srcdir=.}" "${CC=cc}"
status=0

# compiles VISIT ARG: does a tp_traverse with parameters of these names?
compiles() {
    $CC -x c -std=c11 -I"$srcdir/include" -fsyntax-only \
        -Werror=implicit-function-declaration - 2>/dev/null <<EOF
#include <Python.h>
int t(PyObject *op, visitproc $1, void *$2);
int t(PyObject *op, visitproc $1, void *$2) { Py_VISIT(op); return 0; }
EOF
}

if compiles visit arg; then
    echo 'ok - visit and arg compile'
else
    echo 'not ok - visit and arg do not compile'
    status=1
fi
for names in 'visitor arg' 'visit closure' 'v a'; do
    if compiles $names; then
        echo "not ok - $names compile"
        status=1
    else
        echo "ok - $names do not compile"
    fi
done
exit $status
