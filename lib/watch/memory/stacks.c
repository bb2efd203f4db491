/* stacks.c: finds the thread of the stack that contains an address.  See
   stacks.h.

   The system tells the stack pointer of a thread that waits in a system call;
   the stack is the mapping around it.

   Manual: proc(5), "task", "syscall" and "maps". */

#include "Python.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "gc/base/fatal.h"
#include "watch/memory/stacks.h"

/* The stack pointer of a thread; 0 if the thread is running. */
static uintptr_t
top_of(const char *thread)
{
    char name[64], line[256];
    const char *at = NULL;
    FILE *file;

    snprintf(name, sizeof name, "/proc/self/task/%.20s/syscall", thread);
    file = fopen(name, "re");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof line, file) != NULL)
        at = strrchr(line, ' ');
    fclose(file);
    if (at == NULL)
        return 0;
    /* It is the last field but one. */
    while (at > line && at[-1] != ' ')
        at--;
    return (uintptr_t)strtoull(at, NULL, 16);
}

/* Adds a thread, unless it is this one, which is the first entry. */
static void
add(struct pyb_stacks *stacks, const char *thread)
{
    long number = strtol(thread, NULL, 10);
    uintptr_t top = number != stacks->all[0].thread ? top_of(thread) : 0;

    if (top != 0 && stacks->n < Py_ARRAY_LENGTH(stacks->all))
        stacks->all[stacks->n++] =
            (struct pyb_stack){.thread = number, .top = top};
}

/* Enters the bounds of the mappings that contain the stack pointers. */
static void
bound(struct pyb_stacks *stacks)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], *rest;

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t begin = strtoul(line, &rest, 16);
        uintptr_t end = *rest == '-' ? strtoul(rest + 1, NULL, 16) : 0;

        for (size_t i = 0; i < stacks->n; i++) {
            struct pyb_stack *stack = &stacks->all[i];

            if (stack->top >= begin && stack->top < end) {
                stack->begin = begin;
                stack->end = end;
            }
        }
    }
    if (maps != NULL)
        fclose(maps);
}

void
pyb_stacks_take(struct pyb_stacks *stacks, uintptr_t ground)
{
    DIR *threads = opendir("/proc/self/task");
    struct dirent *entry;

    stacks->all[0] =
        (struct pyb_stack){.thread = (long)PyThread_get_thread_native_id(),
                           .mine = 1,
                           .top = ground};
    stacks->n = 1;
    while (threads != NULL && (entry = readdir(threads)) != NULL)
        if (*entry->d_name != '.')
            add(stacks, entry->d_name);
    if (threads != NULL)
        closedir(threads);
    bound(stacks);
}

const struct pyb_stack *
pyb_stacks_find(const struct pyb_stacks *stacks, uintptr_t address)
{
    PYB_ASSERT(stacks->n > 0 && stacks->n <= Py_ARRAY_LENGTH(stacks->all));
    for (size_t i = 0; i < stacks->n; i++)
        if (address >= stacks->all[i].begin && address < stacks->all[i].end)
            return &stacks->all[i];
    return NULL;
}
