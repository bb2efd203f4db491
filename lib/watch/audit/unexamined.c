/* unexamined.c: types that no audit has tried.  See unexamined.h. */

#include "Python.h"

#include <string.h>

#include "object/type/statictypes.h"
#include "object/type/subclasses.h"
#include "object/type/subtype.h"
#include "watch/audit/tally.h"
#include "watch/audit/unexamined.h"

/* The names are copied: at the end, when they are printed, types are gone. */
static struct {
    size_t n;
    char names[256]; /* of the first, as many as there is room for */
    size_t named;
} unexamined;

void
pyb_unexamined_strike(PyTypeObject *type)
{
    for (; type != NULL && !pyb_statictypes_has(type); type = type->tp_base) {
        struct pyb_tally *tally = pyb_tally_of(type);

        if (tally != NULL)
            tally->examined = 1;
    }
}

static int
is_unexamined(PyTypeObject *type)
{
    const struct pyb_tally *tally = pyb_tally_find(type);

    return PyType_IS_GC(type) && !pyb_statictypes_has(type) &&
           type->tp_traverse != type->tp_base->tp_traverse &&
           type->tp_traverse != pyb_subtype_traverse &&
           (tally == NULL || !tally->examined);
}

static void
enter(const PyTypeObject *type)
{
    size_t used = strlen(unexamined.names);
    size_t room = sizeof unexamined.names - used;

    if (unexamined.n == unexamined.named &&
        strlen(type->tp_name) + strlen(", ") < room) {
        snprintf(unexamined.names + used, room, "%s%s", used > 0 ? ", " : "",
                 type->tp_name);
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
    memset(&unexamined, 0, sizeof unexamined);
    pyb_subclasses_each(&PyBaseObject_Type, look, &PyBaseObject_Type);
}

void
pyb_unexamined_print(const char *prefix, FILE *file)
{
    size_t more = unexamined.n - unexamined.named;

    if (unexamined.n == 0)
        return;
    fprintf(file, "%s%zu type%s of which no audit found an instance: %s",
            prefix, unexamined.n, unexamined.n == 1 ? "" : "s",
            unexamined.names);
    if (more > 0)
        fprintf(file, " and %zu more", more);
    fputs("; call PyBoehm_Audit while there are some\n", file);
}
