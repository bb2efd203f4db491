/* stacks.c: whose stack an address is on.  See stacks.h.

   The system tells where the stack pointer of a thread stands that waits in
   it; the stack is what is mapped around.

   Manual: proc(5), "task", "syscall" and "maps". */

#include "Python.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "watch/stacks.h"

/* Where a thread's stack pointer stands; 0 if it runs. */
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
    /* The last but one. */
    while (at > line && at[-1] != ' ')
        at--;
    return (uintptr_t)strtoull(at, NULL, 16);
}

/* Of other threads than this one, which comes first. */
static void
add(struct pyb_stacks *stacks, const char *thread)
{
    long number = strtol(thread, NULL, 10);
    uintptr_t top = number != stacks->all[0].thread ? top_of(thread) : 0;

    if (top != 0 && stacks->n < Py_ARRAY_LENGTH(stacks->all))
        stacks->all[stacks->n++] =
            (struct pyb_stack){.thread = number, .top = top};
}

/* Enters what is mapped around the tops. */
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
        (struct pyb_stack){.thread = gettid(), .mine = 1, .top = ground};
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
    for (size_t i = 0; i < stacks->n; i++)
        if (address >= stacks->all[i].begin && address < stacks->all[i].end)
            return &stacks->all[i];
    return NULL;
}
