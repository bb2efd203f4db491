#!/bin/sh
# hashseed.sh: str and bytes hash with a secret of each process, which
# PYBOEHM_HASHSEED fixes; what CPython makes of PYTHONHASHSEED is made of it.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0
unset PYBOEHM_HASHSEED

case $CC in
*-fsanitize*)
    echo '# sanitizers come before functions of the program'
    exit 77
    ;;
esac

# What stands for a system without random numbers, or with fewer ways to them.
cat >"$work/hashes.c" <<'END'
#include <Python.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

int main(void)
{
    PyObject *bytes, *str;

    Py_Initialize();
    bytes = PyBytes_FromString("abc");
    str = PyUnicode_FromString("0123456789");
    printf("%zd %zd\n", PyObject_Hash(bytes), PyObject_Hash(str));
    Py_DECREF(bytes);
    Py_DECREF(str);
    Py_Finalize();
    return 0;
}

#ifdef NO_GETRANDOM
ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    (void)bytes, (void)n, (void)flags;
    errno = ENOSYS;
    return -1;
}
#endif

#ifdef NO_DEVICE
int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    if (strcmp(path, "/dev/urandom") == 0) {
        errno = ENOENT;
        return -1;
    }
    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return openat(AT_FDCWD, path, flags, mode);
}
#endif
END

# build NAME FLAG...
build() {
    name=$1
    shift
    $CC -w -D_GNU_SOURCE -I"$srcdir/include" "$@" "$work/hashes.c" \
        -o "$work/$name" -rdynamic -L"$builddir/.libs" -lpyboehm \
        -Wl,-rpath,"$(cd "$builddir" && pwd)/.libs" || exit
}
build plain
build device -DNO_GETRANDOM
build nothing -DNO_GETRANDOM -DNO_DEVICE

# said PROGRAM [SEED]: its first line.
said() {
    (
        test $# = 1 || export PYBOEHM_HASHSEED="$2"
        "$work/$1" >"$work/said" 2>&1
    ) 2>/dev/null # what the shell says of a program that aborts
    head -n 1 "$work/said"
}

# same WHAT EXPECTED FOUND
same() {
    if test "$2" = "$3"; then
        echo "ok - $1"
    else
        printf 'not ok - %s\nexpected: %s\nfound:    %s\n' "$1" "$2" "$3"
        status=1
    fi
}

# other WHAT ONE OTHER: two numbers each, and not the same ones.
other() {
    if test "$2" != "$3" &&
        ! printf '%s\n%s\n' "$2" "$3" | grep -qvx '[0-9-]* [0-9-]*'; then
        echo "ok - $1"
    else
        printf 'not ok - %s\none:   %s\nother: %s\n' "$1" "$2" "$3"
        status=1
    fi
}

other 'each process has a secret of its own' "$(said plain)" "$(said plain)"
other 'so it has where the environment says "random"' \
    "$(said plain random)" "$(said plain random)"
other 'an empty variable is none' "$(said plain '')" "$(said plain '')"
other 'a system without getrandom has a device' \
    "$(said device)" "$(said device)"

# What CPython 3.11 says, on any machine.
same 'a seed of 0' '-4594863902769663758 5959997617762060084' \
    "$(said plain 0)"
same 'a seed of 1' '-4667308735975688587 -4152395287086231891' \
    "$(said plain 1)"
same 'a seed needs no random numbers' \
    '3869580338025362921 941555400190365318' "$(said nothing 42)"

same 'without either there is no secret' \
    'Fatal Python error: Py_HashBuffer: the system has no random numbers (No such file or directory); PYBOEHM_HASHSEED=NUMBER does without' \
    "$(said nothing)"
for seed in x -1 ' 1' 1x 4294967296 99999999999999999999; do
    same "'$seed' is no seed" \
        "Fatal Python error: PYBOEHM_HASHSEED: must be \"random\" or an integer in range [0; 4294967295], not \"$seed\"" \
        "$(said plain "$seed")"
done
exit $status
