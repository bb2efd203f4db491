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
static int redirected, rooted;
static char root[1 << 20] __attribute__((aligned(16)));
static size_t used;

/* Blocks of the program's data, which Boehm scans. */
static void *from_root(size_t size)
{
    void *block = root + used;

    used += (size + 15) & ~(size_t)15;
    return used <= sizeof root ? block : NULL;
}

void *malloc(size_t size)
{
    return redirected ? GC_malloc(size) : __libc_malloc(size);
}

/* What is tried lies in a block of calloc's. */
void *calloc(size_t n, size_t size)
{
    return redirected ? GC_malloc(n * size)
           : rooted   ? from_root(n * size)
                      : __libc_calloc(n, size);
}

static int is_rooted(void *block)
{
    return (char *)block >= root && (char *)block < root + sizeof root;
}

void *realloc(void *block, size_t size)
{
    if (is_rooted(block))
        return memmove(__libc_malloc(size), block, size);
    if (redirected && GC_is_heap_ptr(block))
        return GC_realloc(block, size);
    return block != NULL ? __libc_realloc(block, size) : malloc(size);
}

void free(void *block)
{
    if (redirected && GC_is_heap_ptr(block))
        GC_free(block);
    else if (!is_rooted(block))
        __libc_free(block);
}

int main(int argc, char **argv)
{
    GC_INIT();
    redirected = argc > 1 && argv[1][1] == 'e';
    Py_Initialize();
    rooted = argc > 1 && argv[1][1] == 'o';
    PyBoehm_Adopt(PyList_New(0));
    rooted = 0;
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

warning="pyboehm: PyBoehm_Adopt: Boehm looks at malloc's memory here (bdwgc was built with --enable-redirect-malloc), and whatever has an address there holds the object: adopted objects may never die
done"
says done
says "$warning" redirected
says "$warning" rooted
exit $status
