/* visits.c: how the members of a set visit one another.  See visits.h.

   This is noted before the members are cleared, since what it explains shows
   afterwards alone: a member that still has an owner. */

#include "Python.h"

#include "gc/base/events.h"
#include "gc/base/fatal.h"
#include "gc/check/inspect.h"
#include "gc/check/plains.h"
#include "gc/check/visits.h"
#include "gc/heap/heap.h"

static void
copy_name(char name[PYB_VISITS_TYPE], const PyTypeObject *type)
{
    snprintf(name, PYB_VISITS_TYPE, "%s", type->tp_name);
}

struct pyb_visits
pyb_visits_make(PyObject *op, PyObject *to, size_t visits, size_t references)
{
    struct pyb_visits made = {
        .visits = visits,
        .references = references,
        .traverse = (const void *)(uintptr_t)Py_TYPE(op)->tp_traverse};

    PYB_ASSERT_OBJECT(visits > 0, op);
    copy_name(made.type, Py_TYPE(op));
    copy_name(made.to, Py_TYPE(to));
    if (references > 0 && pyb_events != NULL)
        pyb_events->field(op, to, made.field, sizeof made.field);
    return made;
}

const char *
pyb_visits_text(const struct pyb_visits *visits, char text[PYB_VISITS_BYTES])
{
    snprintf(text, PYB_VISITS_BYTES,
             "visits %s more often than it refers to it: %zu visit%s, %zu "
             "reference%s%s",
             visits->to, visits->visits, visits->visits == 1 ? "" : "s",
             visits->references, visits->references == 1 ? "" : "s",
             visits->field);
    return text;
}

/* ------------------------------------------------------------------ */
/* One object's                                                        */

/* Could what a word of a body leads to own references on behalf of the body?
   A container that is tracked visits its own; what is immortal, and numbers
   and texts, own nothing that dies.  An array of malloc's may look like one of
   these: with checks they are known. */
static int
is_agent(void *word)
{
    enum { LEAF = Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_UNICODE_SUBCLASS };
    PyObject *op = word;

    if (pyb_sidetable_holds(op))
        return !PyObject_GC_IsTracked(op);
    if (pyb_inspect_is_opaque(op)) /* or the system does not say what it is */
        return 1;
    return pyb_inspect_is_object(op) && !_Py_IsImmortal(op) &&
           !(PyType_HasFeature(Py_TYPE(op), LEAF) &&
             (!pyb_checks || pyb_plains_has(op)));
}

/* The words of an object behind its count. */
struct words {
    void *const *begin, *const *end;
};

static struct words
words_of(PyObject *op)
{
    PYB_ASSERT(pyb_heap_block_size(op) >= sizeof *op);
    PYB_ASSERT(pyb_heap_block_size(op) % sizeof(void *) == 0);
    return (struct words){
        (void *const *)(void *)&op->ob_type,
        (void *const *)(void *)((char *)op + pyb_heap_block_size(op))};
}

/* How many words are the address; sets the offset of the first one. */
static size_t
count_references(PyObject *op, const PyObject *to, size_t *offset)
{
    struct words words = words_of(op);
    size_t n = 0;

    *offset = 0;
    for (void *const *word = words.begin; word < words.end; word++)
        if (*word == to && n++ == 0)
            *offset = (size_t)((const char *)word - (const char *)op);
    return n;
}

static int
has_agent(PyObject *op, const PyObject *to)
{
    struct words words = words_of(op);

    for (void *const *word = words.begin; word < words.end; word++)
        if (*word != to && is_agent(*word))
            return 1;
    return 0;
}

/* Where the address is nowhere, what the object owns is found in another way,
   by an index or in static data. */
static int
is_more(const PyObject *op, const PyObject *to, size_t visits,
        size_t references)
{
    return references < visits && (references > 0 || op == to);
}

int
pyb_visits_excess(PyObject *op, PyObject *to, size_t visits,
                  size_t *references)
{
    size_t offset;

    PYB_ASSERT_OBJECT(pyb_sidetable_holds(op), op);
    *references = count_references(op, to, &offset);
    return is_more(op, to, visits, *references) && !has_agent(op, to);
}

/* ------------------------------------------------------------------ */
/* The set's                                                           */

/* What was noted of the set that was looked at last, by types, field, and
   whether there were too many.  The types' addresses, complemented, tell rows
   apart and lead nowhere: a type may be freed with the set. */
struct row {
    uintptr_t from, to;
    size_t offset; /* 0 if the address is in no field */
    int excess;
    struct pyb_visits visits;
};

/* Further rows are dropped; half of them are for those that are too many. */
enum { ROWS = 64 };
static struct row rows[ROWS];
static unsigned n_rows;

/* For this set, were pages looked at that are readable?  Those that were at an
   earlier look may be unmapped. */
static int rechecked;

static int
is_excess_now(PyObject *op, const PyObject *to, size_t visits,
              size_t references)
{
    if (!is_more(op, to, visits, references))
        return 0;
    if (!rechecked)
        pyb_inspect_recheck();
    rechecked = 1;
    return !has_agent(op, to);
}

/* is_known: are these all the visits of op to that object? */
static void
note(PyObject *op, PyObject *to, size_t visits, int is_known)
{
    struct row row = {.from = ~(uintptr_t)Py_TYPE(op),
                      .to = ~(uintptr_t)Py_TYPE(to)};
    size_t references = count_references(op, to, &row.offset);

    PYB_ASSERT_OBJECT(visits > 0 && pyb_is_condemned(to), to);
    row.excess = is_known && is_excess_now(op, to, visits, references);
    if (row.offset >= (size_t)Py_TYPE(op)->tp_basicsize) /* an item */
        row.offset = 0;
    PYB_ASSERT(n_rows <= ROWS);
    for (unsigned i = 0; i < n_rows; i++)
        if (rows[i].from == row.from && rows[i].to == row.to &&
            rows[i].offset == row.offset && rows[i].excess == row.excess)
            return;
    if (n_rows == ROWS || (!row.excess && n_rows >= ROWS / 2))
        return;
    row.visits = pyb_visits_make(op, to, visits, references);
    rows[n_rows++] = row;
}

/* What an object visits first; with more visits it is not known how often it
   visits one of these. */
enum { VISITED = 64 };
struct visited {
    size_t n;
    PyObject *ops[VISITED];
};

static int
visit_list(PyObject *op, void *arg)
{
    struct visited *visited = arg;

    if (visited->n < VISITED)
        visited->ops[visited->n] = op;
    visited->n++;
    return 0;
}

/* How often the i-th is among the first n from there on; 0 if it was before
   that. */
static size_t
count_visits(const struct visited *visited, size_t i, size_t n)
{
    size_t visits = 0;

    PYB_ASSERT(i < n && n <= VISITED);
    for (size_t j = 0; j < n; j++)
        if (visited->ops[j] == visited->ops[i]) {
            if (j < i)
                return 0;
            visits++;
        }
    return visits;
}

/* Notes op's visits to members alone: what else is visited need not be an
   object. */
static void
note_visits_of(PyObject *op)
{
    struct visited visited = {.n = 0};
    size_t n;

    Py_TYPE(op)->tp_traverse(op, visit_list, &visited);
    n = Py_MIN(visited.n, VISITED);
    for (size_t i = 0; i < n; i++) {
        size_t visits = count_visits(&visited, i, n);

        if (visits > 0 && pyb_is_condemned(visited.ops[i]))
            note(op, visited.ops[i], visits, visited.n == n);
    }
}

void
pyb_visits_note(struct pyb_walk members)
{
    PYB_ASSERT(pyb_inspect_checking());
    n_rows = 0;
    rechecked = 0;
    PYB_FOR_EACH (op, i, members)
        if (op->ob_refcnt > 0)
            note_visits_of(op);
}

const struct pyb_visits *
pyb_visits_suspected(const PyObject *op)
{
    char name[PYB_VISITS_TYPE];

    copy_name(name, Py_TYPE(op));
    for (unsigned i = 0; i < n_rows; i++)
        if (rows[i].excess && strcmp(rows[i].visits.to, name) == 0)
            return &rows[i].visits;
    PYB_ASSERT(n_rows <= ROWS);
    return NULL;
}

static const char *
name_visitor(const struct row *row)
{
    const char *field = row->visits.field;

    PYB_ASSERT(*field == '\0' || strncmp(field, ": ", 2) == 0);
    return *field != '\0' ? field + strlen(": ") : row->visits.type;
}

/* Is the i-th row the first one of that visitor of objects of a type? */
static int
is_first(unsigned i, const char *to)
{
    PYB_ASSERT(i < n_rows);
    if (strcmp(rows[i].visits.to, to) != 0)
        return 0;
    for (unsigned j = 0; j < i; j++)
        if (strcmp(rows[j].visits.to, to) == 0 &&
            strcmp(name_visitor(&rows[j]), name_visitor(&rows[i])) == 0)
            return 0;
    return 1;
}

const char *
pyb_visits_list(const PyObject *op, char text[PYB_VISITORS_BYTES])
{
    char name[PYB_VISITS_TYPE];
    size_t used = 0;

    copy_name(name, Py_TYPE(op));
    *text = '\0';
    for (unsigned i = 0; i < n_rows && used < PYB_VISITORS_BYTES; i++)
        if (is_first(i, name))
            used += (size_t)snprintf(text + used, PYB_VISITORS_BYTES - used,
                                     "%s%s", used > 0 ? ", " : "",
                                     name_visitor(&rows[i]));
    return text;
}
