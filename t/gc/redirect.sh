#!/bin/sh
# redirect.sh: where malloc's memory is Boehm's (bdwgc's --enable-redirect-malloc),
# Boehm sees whatever has an address: it is said, once.
set -u

: "${srcdir=.}" "${builddir=.}" "${CC=cc}"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

case $CC in
*-fsanitize*)
    echo '# sanitizers have a malloc of their own'
    exit 77
    ;;
esac

cat >"$work/redirect.c" <<'END'
#include <Python.h>
#include <pyboehm.h>
#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS
#include <gc/gc.h>

extern void *__libc_malloc(size_t size), *__libc_realloc(void *block, size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void __libc_free(void *block);
static int redirected;

void *malloc(size_t size)
{
    return redirected ? GC_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return redirected ? GC_malloc(n * size) : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    if (redirected && GC_is_heap_ptr(block))
        return GC_realloc(block, size);
    return block != NULL ? __libc_realloc(block, size) : malloc(size);
}

void free(void *block)
{
    if (redirected && GC_is_heap_ptr(block))
        GC_free(block);
    else
        __libc_free(block);
}

int main(int argc, char **argv)
{
    GC_INIT();
    redirected = argc > 1;
    Py_Initialize();
    PyBoehm_Adopt(PyList_New(0));
    PyBoehm_Adopt(PyList_New(0));
    PyGC_Collect();
    PyGC_Collect();
    PyGC_Collect();
    fputs("done\n", stderr);
    return 0;
}
END
if ! $CC -w -I"$srcdir/include" "$work/redirect.c" -o "$work/redirect" \
    -rdynamic -L"$builddir/.libs" -lpyboehm -lgc \
    -Wl,-rpath,"$(cd "$builddir" && pwd)/.libs" 2>"$work/errors"; then
    grep -q __libc "$work/errors" || { cat "$work/errors" && exit 1; }
    echo '# malloc is not glibc'"'"'s'
    exit 77
fi

status=0

# says EXPECTED ARGUMENT...
says() {
    expected=$1
    shift
    said=$("$work/redirect" "$@" 2>&1)
    if test "$said" = "$expected"; then
        echo "ok - with arguments: $#"
    else
        printf 'not ok - with arguments: %s\nexpected: %s\nfound:    %s\n' \
            $# "$expected" "$said"
        status=1
    fi
}

says done
says "pyboehm: PyBoehm_Adopt: Boehm looks at malloc's memory here (bdwgc was built with --enable-redirect-malloc), and whatever has an address there holds the object: adopted objects may never die
done" redirected
exit $status
