/* unexamined.c: types that no audit has tried.  See unexamined.h. */

#include "Python.h"

#include <string.h>

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "object/type/subclasses.h"
#include "object/type/subtype.h"
#include "types/structseq.h"
#include "watch/audit/tally.h"
#include "watch/audit/unexamined.h"

/* The names are copied: at the end, when they are printed, types are gone. */
enum { LONGEST = 100 }; /* more of a name is left out */

static struct {
    size_t n;
    char names[3 * LONGEST]; /* of the first, as many as there is room for */
    size_t named;
    int settled;
} unexamined;

void
pyb_unexamined_begin(void)
{
    memset(&unexamined, 0, sizeof unexamined);
}

/* One that a program has written; not the library's for subclasses. */
static int
has_own_traverse(PyTypeObject *type)
{
    return PyType_IS_GC(type) && type->tp_base != NULL &&
           type->tp_traverse != type->tp_base->tp_traverse &&
           type->tp_traverse != pyb_subtype_traverse &&
           type->tp_traverse != pyb_structseq_traverse &&
           !pyb_statictypes_has(type);
}

void
pyb_unexamined_strike(PyTypeObject *type)
{
    for (; type != NULL; type = type->tp_base) {
        struct pyb_tally *tally =
            has_own_traverse(type) ? pyb_tally_of(type) : NULL;

        if (tally != NULL)
            tally->examined = 1;
    }
}

static int
is_unexamined(PyTypeObject *type)
{
    const struct pyb_tally *tally = pyb_tally_find(type);

    return has_own_traverse(type) && (tally == NULL || !tally->examined);
}

static void
enter(const PyTypeObject *type)
{
    size_t used = strlen(unexamined.names);
    size_t room = sizeof unexamined.names - used;

    PYB_ASSERT(!unexamined.settled);
    if (unexamined.n == unexamined.named && room > LONGEST + strlen(", ")) {
        snprintf(unexamined.names + used, room, "%s%.*s", used > 0 ? ", " : "",
                 LONGEST, type->tp_name);
        unexamined.named++;
    }
    unexamined.n++;
}

/* A type with several bases is looked at once, below its tp_base. */
static void
look(PyTypeObject *type, void *base)
{
    if (type->tp_base != base)
        return;
    if (is_unexamined(type))
        enter(type);
    pyb_subclasses_each(type, look, type);
}

void
pyb_unexamined_take(void)
{
    if (unexamined.settled)
        return;
    pyb_unexamined_begin();
    pyb_subclasses_each(&PyBaseObject_Type, look, &PyBaseObject_Type);
}

void
pyb_unexamined_settle(void)
{
    unexamined.settled = 1;
}

void
pyb_unexamined_print(const char *prefix, FILE *file)
{
    size_t more = unexamined.n - unexamined.named;

    PYB_ASSERT(unexamined.named <= unexamined.n);
    if (unexamined.n == 0)
        return;
    fprintf(file, "%s%zu type%s of which no audit found an instance: %s",
            prefix, unexamined.n, unexamined.n == 1 ? "" : "s",
            unexamined.names);
    if (more > 0)
        fprintf(file, " and %zu more", more);
    fputs("; call PyBoehm_Audit while there are some\n", file);
}
