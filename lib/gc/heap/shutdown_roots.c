/* shutdown_roots.c: what lives on after Py_Finalize.  See shutdown_roots.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/boehm/boehm.h"
#include "gc/heap/heap.h"
#include "gc/heap/shutdown_roots.h"
#include "gc/heap/sidetable.h"

static struct {
    void **names, **end; /* NULL: nothing is kept */
} kept;

/* Appends a line's blocks to the array, if there is one.  Returns the number
   of all so far. */
static size_t
name_line(void **array, size_t n, struct pyb_line *line)
{
    char *base = pyb_line_base(line);

    for (uint64_t bits = AO_load(&line->held); bits != 0; bits &= bits - 1) {
        if (array != NULL)
            array[n] = pyb_block_at(base, bits);
        n++;
    }
    return n;
}

/* The same for all there are. */
static size_t
name_blocks(void **array)
{
    size_t n = 0;

    for (struct pyb_region *region = pyb_sidetable.first; region != NULL;
         region = region->next)
        for (size_t i = region->pages_begin * PYB_PAGE_LINES;
             i < region->pages_end * PYB_PAGE_LINES; i++)
            n = name_line(array, n, &region->lines[i]);
    return n;
}

int
pyb_shutdown_roots_begin(void)
{
    size_t n = name_blocks(NULL);

    PYB_ASSERT(pyb_gil_is_held() && kept.names == NULL);
    kept.names = n > 0 ? malloc(n * sizeof(void *)) : NULL;
    if (kept.names == NULL)
        return n > 0 ? -1 : 0;
    kept.end = kept.names + name_blocks(kept.names);
    /* Nothing was made meanwhile. */
    PYB_ASSERT(kept.end == kept.names + n);
    pyb_boehm_add_roots(kept.names, kept.end);
    return 0;
}

void
pyb_shutdown_roots_end(void)
{
    if (kept.names == NULL)
        return;
    PYB_ASSERT(kept.end > kept.names);
    pyb_boehm_remove_roots(kept.names, kept.end);
    free(kept.names);
    kept.names = NULL;
}
