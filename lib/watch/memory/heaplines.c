/* heaplines.c: visits all of the heap's lines.  See heaplines.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "watch/memory/heaplines.h"

int
pyb_heaplines_each(int (*each)(const struct pyb_line *line, void *arg),
                   void *arg)
{
    const struct pyb_region *region = pyb_sidetable.first;
    int result = 0;

    for (; region != NULL; region = region->next) {
        PYB_ASSERT(region->pages_begin <= region->pages_end &&
                   region->pages_end * PYB_PAGE_LINES <= PYB_REGION_LINES);
        for (size_t i = region->pages_begin * PYB_PAGE_LINES;
             i < region->pages_end * PYB_PAGE_LINES && result == 0; i++)
            if (region->pages[i / PYB_PAGE_LINES] != 0)
                result = each(&region->lines[i], arg);
    }
    return result;
}
