#!/bin/sh
# limited.sh: sources that define Py_LIMITED_API compile and work, in C and in
# C++; what the stable ABI lacks in that edition is not declared, so that they
# may define it themselves.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}" "${CXX=c++}" "${NM=nm}"
warnings="-Wall -Wextra -Wshadow -Werror -Wno-unused-parameter"
path=$builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

# try WHAT COMMAND...: the command succeeds; otherwise shows what it said.
try() {
    what=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        cat "$work/output"
        status=1
    fi
}

# since EDITION: the names that the stable ABI has since then; never: those
# that it does not have.  Of what the manual's chapter on cyclic garbage
# collection documents all, of the rest what came after 3.11.
since() {
    case $1 in
    3.2) echo _PyObject_GC_New _PyObject_GC_NewVar _PyObject_GC_Resize \
        PyObject_GC_Del PyObject_GC_Track PyObject_GC_UnTrack PyGC_Collect ;;
    3.9) echo PyObject_GC_IsTracked PyObject_GC_IsFinalized ;;
    3.10) echo PyGC_Enable PyGC_Disable PyGC_IsEnabled ;;
    3.12) echo PyErr_GetRaisedException PyErr_SetRaisedException \
        PyException_GetArgs PyException_SetArgs PyVectorcall_NARGS \
        PyVectorcall_Call PyObject_Vectorcall PyObject_VectorcallMethod \
        PyObject_GetTypeData PyType_FromMetaclass PyType_GetTypeDataSize ;;
    3.13) echo PyDict_GetItemRef PyDict_GetItemStringRef \
        PyImport_AddModuleRef PyList_GetItemRef PyMapping_GetOptionalItem \
        PyMapping_GetOptionalItemString PyModule_Add PyObject_GetOptionalAttr \
        PyObject_GetOptionalAttrString PyObject_HasAttrWithError \
        PyObject_HasAttrStringWithError PyType_GetFullyQualifiedName \
        PyType_GetModuleByDef PyType_GetModuleName PyUnicode_EqualToUTF8 \
        PyUnicode_EqualToUTF8AndSize PyWeakref_GetRef Py_IsFinalizing ;;
    3.14) echo PyIter_NextItem PyLong_AsInt32 PyLong_AsInt64 PyLong_AsUInt32 \
        PyLong_AsUInt64 PyLong_AsNativeBytes PyLong_FromInt32 \
        PyLong_FromInt64 PyLong_FromUInt32 PyLong_FromUInt64 \
        PyLong_FromNativeBytes PyLong_FromUnsignedNativeBytes \
        PyType_GetBaseByToken PyUnicode_Equal ;;
    3.15) echo PyDict_SetDefaultRef PyModule_GetStateSize \
        PyModule_GetToken PyType_GetModuleByToken \
        $(grep '_DuringGC$' "$work/declared") ;;
    never) echo PyObject_IS_GC PyObject_CallFinalizer \
        PyObject_CallFinalizerFromDealloc PyObject_VisitManagedDict \
        PyObject_ClearManagedDict PyObject_GetItemData PyType_GetDict \
        PyWeakref_IsDead _PyType_Lookup \
        _PyBytes_Resize _PyLong_AsByteArray _PyLong_Format \
        _PyLong_FromByteArray _PyLong_NumBits _PyLong_Sign \
        _PyObject_GetDictPtr _PyTuple_Resize \
        _Py_HashDouble _Py_c_sum $(grep '^PyUnstable_' "$work/declared") ;;
    esac
}

# clang stops at the twentieth error.
all_errors=
echo | $CC -x c -ferror-limit=0 -fsyntax-only - 2>/dev/null &&
    all_errors=-ferror-limit=0

# declares EDITION NAME...: all names are declared; errors has those that are not.
declares() {
    edition=$1
    shift
    {
        echo '#include <Python.h>'
        echo 'void use(const void *, ...);'
        for name; do
            echo "void test_$name(void) { use((const void *)$name); }"
        done
    } | LC_ALL=C $CC -x c -std=gnu11 ${edition:+-DPy_LIMITED_API=$edition} \
        $all_errors -I"$srcdir/include" -fsyntax-only - 2>"$work/errors"
}

# visible EDITION NAME...: all names are declared in this edition.
visible() {
    try "the edition ${1:-without a limit} declares what it should" \
        declares "$@"
    cat "$work/errors"
}

# hidden EDITION NAME...: none of the names is.
hidden() {
    edition=$1 found=
    shift
    declares "$edition" "$@" && found=all
    for name; do
        grep -q "undeclared .*'$name'\|'$name' undeclared" "$work/errors" ||
            found="$found $name"
    done
    try "the edition $edition does not declare newer or private names$found" \
        test -z "$found"
}

# works EDITION LANGUAGE COMPILER...: the program compiles, links and runs.
works() {
    edition=$1 language=$2
    shift 2
    try "limited.c compiles in $language for $edition" \
        "$@" $warnings -DPy_LIMITED_API="$edition" -I"$srcdir/include" \
        -c "$srcdir/t/tree/limited.c" -o "$work/limited.o"
    try 'its entry function has a C name' \
        sh -c "$NM '$work/limited.o' | grep ' T PyInit_limited\$'"
    try 'it links' $CC "$work/limited.o" -o "$work/limited" \
        -L"$builddir/.libs" -lpyboehm
    try 'it collects its cycles' env LD_LIBRARY_PATH="$path" "$work/limited"
}

sh "$srcdir/t/declared.sh" "$srcdir"/include/*.h "$srcdir"/include/*/*.h >"$work/declared"
old="$(since 3.2) $(since 3.9) $(since 3.10)"
new="$(since 3.12) $(since 3.13) $(since 3.14) $(since 3.15)"
never=$(since never)
visible '' $old $new $never
visible 0x030B0000 $old
hidden 0x030B0000 $new $never
visible 0x030F0000 $old $new
hidden 0x030F0000 $never
visible 3 $(since 3.2)
hidden 3 $(since 3.9) $(since 3.10)

cxx=yes
echo '#include <cstddef>' | $CXX -x c++ -fsyntax-only - 2>/dev/null || cxx=no
test $cxx = yes || echo "# no C++ compiler ($CXX): C++17 is not tried"
if ! test -e "$builddir/.libs/libpyboehm.so"; then
    echo '# no shared library: nothing is linked'
    exit $status
fi
for edition in 0x030B0000 0x030F0000; do
    works $edition C11 $CC -x c -std=gnu11
    test $cxx = no || works $edition C++17 $CXX -x c++ -std=c++17 \
        -fno-exceptions -fno-rtti
done
exit $status
