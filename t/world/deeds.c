/* deeds.c: the random world's instructions, done for good; see world.h. */

#include "nodes.h"
#include "side.h"
#include "world.h"

enum { TAG = WORLD_FIELDS }; /* its place in a container */

static struct {
    PyObject *collect, *freeze, *unfreeze, *get_objects, *get_referrers,
        *get_referents, *garbage;
    PyObject *numbers[WORLD_FIELDS + 1];
    PyObject *names[WORLD_FIELDS + 1];
} known;

/* Ends the process: no instruction may fail. */
static void
die(const char *what)
{
    fprintf(stderr, "at instruction %zu: %s failed\n", world.at, what);
    PyErr_Print();
    exit(2);
}

static PyObject *
need(PyObject *op, const char *what)
{
    if (op == NULL)
        die(what);
    return op;
}

static void
check(int result, const char *what)
{
    if (result < 0)
        die(what);
}

int
world_place(PyObject *op)
{
    if (node_is(op))
        return ((struct node *)op)->place;
    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.objects[i] == op)
            return i;
    return NONE;
}

/* ------------------------------------------------------------------ */
/* Habits                                                              */

static void
save(PyObject *op)
{
    if (world.n_saved == world.saved_room) {
        world.saved_room = 2 * world.saved_room + 64;
        world.saved =
            realloc(world.saved, world.saved_room * sizeof *world.saved);
        if (world.saved == NULL)
            die("realloc");
    }
    Py_INCREF(op);
    world.saved[world.n_saved++] = op;
}

/* A list with its tag, and room for items. */
static PyObject *
new_list(int place)
{
    PyObject *list = need(PyList_New(TAG + 1), "PyList_New");

    for (int i = 0; i < TAG; i++) {
        Py_INCREF(Py_None);
        PyList_SET_ITEM(list, i, Py_None);
    }
    PyList_SET_ITEM(list, TAG, need(tag_new(place), "tag_new"));
    world.objects[place] = list;
    return list;
}

static void
make_child(struct node *node)
{
    int child = world.model.children[node->place];

    if (node->fields[1] == NULL && child != NONE)
        node->fields[1] = new_list(child);
}

static void
peek(struct node *node)
{
    PyObject *weakref = node->fields[0];

    if (weakref == NULL || !PyWeakref_Check(weakref))
        return;
    world.seen[EVENT_PEEK][node->place]++;
    world.values[EVENT_PEEK][node->place] =
        PyWeakref_GetObject(weakref) != Py_None;
}

void
world_act(struct node *node, enum habit habit)
{
    switch (habit) {
    case HABIT_RAISE:
        world.raised++;
        PyErr_SetString(PyExc_RuntimeError, "a habit");
        break;
    case HABIT_SAVE:
        save((PyObject *)node);
        break;
    case HABIT_SAVE_EDGE:
        if (node->fields[0] != NULL)
            save(node->fields[0]);
        break;
    case HABIT_DROP_EDGE:
        Py_CLEAR(node->fields[0]);
        break;
    case HABIT_DOUBLE:
        if (node->fields[1] == NULL) {
            Py_XINCREF(node->fields[0]);
            node->fields[1] = node->fields[0];
        }
        break;
    case HABIT_MAKE:
        make_child(node);
        break;
    case HABIT_UNTRACK:
        PyObject_GC_UnTrack(node);
        break;
    case HABIT_PEEK:
        peek(node);
        break;
    default:
        break;
    }
}

/* ------------------------------------------------------------------ */
/* Making                                                              */

/* Puts an owned reference, or NULL, into a variable. */
static void
set_var(uint8_t operand, PyObject *op)
{
    PyObject **var = &world.vars[operand % WORLD_VARS], *before = *var;

    *var = op;
    Py_XDECREF(before);
}

/* The object in the variable of an operand, borrowed. */
static PyObject *
var(uint8_t operand)
{
    return world.vars[operand % WORLD_VARS];
}

static void
do_node(struct insn insn)
{
    int place = world.model.made;
    struct node *node =
        node_new(program_traits(insn), program_habits(insn), place);

    need((PyObject *)node, "node_new");
    PyObject_GC_Track((PyObject *)node);
    world.objects[place] = (PyObject *)node;
    set_var(insn.a, (PyObject *)node);
}

/* Item i of a new container, borrowed, or NULL. */
static PyObject *
chosen_item(struct insn insn, int i)
{
    return insn.b >> i & 1 ? var((uint8_t)(insn.c + i)) : NULL;
}

static void
do_list(struct insn insn)
{
    PyObject *list = new_list(world.model.made);

    for (int i = 0; i < TAG; i++) {
        PyObject *item = chosen_item(insn, i);

        Py_XINCREF(item);
        if (item != NULL)
            check(PyList_SetItem(list, i, item), "PyList_SetItem");
    }
    set_var(insn.a, list);
}

static void
do_tuple(struct insn insn)
{
    PyObject *tuple = need(PyTuple_New(TAG + 1), "PyTuple_New");
    int place = world.model.made;

    for (int i = 0; i < TAG; i++) {
        PyObject *item = chosen_item(insn, i);

        if (item == NULL)
            item = Py_None;
        Py_INCREF(item);
        PyTuple_SET_ITEM(tuple, i, item);
    }
    PyTuple_SET_ITEM(tuple, TAG, need(tag_new(place), "tag_new"));
    world.objects[place] = tuple;
    set_var(insn.a, tuple);
}

static void
do_dict(struct insn insn)
{
    PyObject *dict = need(PyDict_New(), "PyDict_New");
    int place = world.model.made;
    PyObject *tag = need(tag_new(place), "tag_new");

    check(PyDict_SetItem(dict, known.names[TAG], tag), "PyDict_SetItem");
    Py_DECREF(tag);
    for (int i = 0; i < TAG; i++) {
        PyObject *item = chosen_item(insn, i);

        if (item != NULL)
            check(PyDict_SetItem(dict, known.names[i], item),
                  "PyDict_SetItem");
    }
    world.objects[place] = dict;
    set_var(insn.a, dict);
}

static void
do_weakref(struct insn insn)
{
    PyObject *callback = insn.b & 1 ? var(insn.b >> 1) : NULL;
    PyObject *weakref =
        need(PyWeakref_NewRef(var(insn.a), callback), "PyWeakref_NewRef");

    if (world.objects[world.model.made] == NULL)
        world.objects[world.model.made] = weakref;
    else if (world.objects[world.model.made] != weakref)
        world_fail("a second weak reference without callback");
    set_var(insn.c, weakref);
}

/* ------------------------------------------------------------------ */
/* Edges                                                               */

/* Puts an object, borrowed, or NULL into an edge. */
static void
set_edge(PyObject *from, int edge, PyObject *to)
{
    if (node_is(from)) {
        PyObject **place = node_edge((struct node *)from, edge);
        PyObject *before = *place;

        Py_XINCREF(to);
        *place = to;
        Py_XDECREF(before);
    } else if (PyList_Check(from)) {
        if (to == NULL)
            to = Py_None;
        Py_INCREF(to);
        check(PyList_SetItem(from, edge, to), "PyList_SetItem");
    } else if (to != NULL) {
        check(PyDict_SetItem(from, known.names[edge], to), "PyDict_SetItem");
    } else if (PyDict_GetItem(from, known.names[edge]) != NULL) {
        check(PyDict_DelItem(from, known.names[edge]), "PyDict_DelItem");
    }
}

/* What stands in an edge, borrowed, or NULL. */
static PyObject *
get_edge(PyObject *from, int edge)
{
    PyObject *to = NULL;

    if (node_is(from)) {
        if (edge < WORLD_FIELDS + (int)Py_SIZE(from))
            to = *node_edge((struct node *)from, edge);
        else if (edge == WORLD_DICT)
            to = node_dict((struct node *)from);
    } else if (edge >= TAG) {
        to = NULL;
    } else if (PyDict_Check(from)) {
        to = PyDict_GetItem(from, known.names[edge]);
    } else if (PyTuple_Check(from)) {
        to = PyTuple_GetItem(from, edge);
    } else if (PyList_Size(from) > 0) {
        to = PyList_GetItem(from, edge);
    }
    return to != Py_None ? to : NULL;
}

static void
do_attribute(struct insn insn)
{
    struct node *node = (struct node *)var(insn.a);
    int place = world.model.dict_made;

    if (place != NONE) {
        PyObject *tag = need(tag_new(place), "tag_new");

        check(PyObject_SetAttr((PyObject *)node, known.names[TAG], tag),
              "PyObject_SetAttr");
        Py_DECREF(tag);
        node->has_dict = 1;
        world.objects[place] = node_dict(node);
    }
    check(PyObject_SetAttr((PyObject *)node,
                           known.names[insn.b % WORLD_FIELDS], var(insn.c)),
          "PyObject_SetAttr");
}

/* Copies a borrowed reference, or NULL, into a variable. */
static void
copy_to_var(uint8_t operand, PyObject *op)
{
    Py_XINCREF(op);
    set_var(operand, op);
}

static void
do_dereference(struct insn insn)
{
    PyObject *op = PyWeakref_GetObject(var(insn.b));

    copy_to_var(insn.a, op != Py_None ? op : NULL);
}

static void
do_resize(struct insn insn)
{
    PyObject *op = var(insn.a), *moved;
    int tracked = PyObject_GC_IsTracked(op);
    Py_ssize_t before = Py_SIZE(op), size = insn.b % (WORLD_ITEMS + 1);

    for (Py_ssize_t i = size; i < before; i++)
        Py_CLEAR(((struct node *)op)->items[i]);
    PyObject_GC_UnTrack(op);
    moved = (PyObject *)PyObject_GC_Resize(struct node, op, size);
    need(moved, "PyObject_GC_Resize");
    for (Py_ssize_t i = before; i < size; i++)
        ((struct node *)moved)->items[i] = NULL;
    if (tracked)
        PyObject_GC_Track(moved);
    world.vars[insn.a % WORLD_VARS] = moved;
    world.objects[((struct node *)moved)->place] = moved;
}

/* ------------------------------------------------------------------ */
/* The collector                                                       */

/* In 3.11 a weak reference keeps the callback that a collection has called:
   see model.h.  Its tp_clear releases the callback before it forgets it, so the
   weak reference must not die of that. */
static void
let_callbacks_go(void)
{
    if (!side_rules.called_weakrefs_last)
        return;
    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.model.called & MODEL_BIT(i)) {
            PyObject *weakref = Py_NewRef(world.objects[i]);

            Py_TYPE(weakref)->tp_clear(weakref);
            Py_DECREF(weakref);
        }
}

static void
do_collect(struct insn insn)
{
    int generation = insn.a % 3;

    if (generation == OLD && (insn.b & 1)) {
        world.seen_result = (long)PyGC_Collect();
    } else {
        PyObject *result = PyObject_CallFunctionObjArgs(
            known.collect, known.numbers[generation], NULL);

        world.seen_result = PyLong_AsLong(need(result, "gc.collect"));
        Py_DECREF(result);
    }
    let_callbacks_go();
}

static void
do_disabled(void)
{
    int before = PyGC_Disable();

    world.seen_result = (long)PyGC_Collect();
    if (PyGC_IsEnabled() || PyGC_Enable())
        world_fail("enabled after PyGC_Disable");
    if (!before)
        PyGC_Disable();
}

static void
call(PyObject *function)
{
    PyObject *result = PyObject_CallNoArgs(function);

    Py_DECREF(need(result, "a function of gc"));
}

void
world_freeze(void)
{
    call(known.freeze);
}

/* Counts which things stand in a list, which is taken away. */
static void
count_in(PyObject *list)
{
    need(list, "a query of gc");
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        int place = world_place(PyList_GET_ITEM(list, i));

        if (place != NONE)
            world.counts[place]++;
    }
    Py_DECREF(list);
}

static void
do_objects(struct insn insn)
{
    int generation = insn.a % 4;

    count_in(generation == 3
                 ? PyObject_CallNoArgs(known.get_objects)
                 : PyObject_CallFunctionObjArgs(
                       known.get_objects, known.numbers[generation], NULL));
}

/* ------------------------------------------------------------------ */
/* The end                                                             */

/* Gives up what was saved; what is saved meanwhile stays. */
static void
forget(void)
{
    PyObject **saved = world.saved;
    size_t n = world.n_saved;

    world.saved = NULL;
    world.n_saved = world.saved_room = 0;
    while (n > 0)
        Py_DECREF(saved[--n]);
    free(saved);
}

static void
take(struct insn insn)
{
    PyObject *op = world.objects[world.model.found];
    size_t i = 0;

    while (i < world.n_saved && world.saved[i] != op)
        i++;
    if (i == world.n_saved) {
        world_fail("thing %ld was not saved",
                   world.model.things[world.model.found].name);
        return;
    }
    world.saved[i] = world.saved[--world.n_saved];
    set_var(insn.a, op);
}

static void
empty(PyObject *op)
{
    if (node_is(op))
        node_empty((struct node *)op);
    else if (PyDict_Check(op))
        PyDict_Clear(op);
    else if (PyList_Check(op))
        check(PyList_SetSlice(op, 0, PyList_Size(op), NULL),
              "PyList_SetSlice");
    else if (PyWeakref_Check(op))
        Py_TYPE(op)->tp_clear(op);
}

static void
sever(void)
{
    PyObject *all[MODEL_THINGS];
    int n = 0;

    for (int i = 0; i < MODEL_THINGS; i++)
        if (world.alive & MODEL_BIT(i)) {
            Py_INCREF(world.objects[i]);
            all[n++] = world.objects[i];
        }
    for (int i = 0; i < n; i++)
        empty(all[i]);
    for (int i = 0; i < n; i++)
        Py_DECREF(all[i]);
    while (world.n_saved > 0)
        forget();
}

static void
empty_garbage(void)
{
    check(PyList_SetSlice(known.garbage, 0, PyList_GET_SIZE(known.garbage),
                          NULL),
          "PyList_SetSlice");
}

/* ------------------------------------------------------------------ */

void
world_do(struct insn insn)
{
    switch ((enum opcode)insn.op) {
    case OP_NODE:
        do_node(insn);
        break;
    case OP_LIST:
        do_list(insn);
        break;
    case OP_TUPLE:
        do_tuple(insn);
        break;
    case OP_DICT:
        do_dict(insn);
        break;
    case OP_WEAKREF:
        do_weakref(insn);
        break;
    case OP_SET:
        set_edge(var(insn.a), insn.b % WORLD_EDGES, var(insn.c));
        break;
    case OP_UNSET:
        set_edge(var(insn.a), insn.b % WORLD_EDGES, NULL);
        break;
    case OP_ATTR:
        do_attribute(insn);
        break;
    case OP_LOAD:
        copy_to_var(insn.a, get_edge(var(insn.b), insn.c % WORLD_EDGES));
        break;
    case OP_DEREF:
        do_dereference(insn);
        break;
    case OP_COPY:
        copy_to_var(insn.a, var(insn.b));
        break;
    case OP_DROP:
        set_var(insn.a, NULL);
        break;
    case OP_RING:
        set_edge(var(insn.a), insn.c % WORLD_EDGES, var(insn.b));
        set_edge(var(insn.b), insn.c % WORLD_EDGES, var(insn.a));
        break;
    case OP_TRACK:
        PyObject_GC_Track(var(insn.a));
        break;
    case OP_UNTRACK:
        PyObject_GC_UnTrack(var(insn.a));
        break;
    case OP_RESIZE:
        do_resize(insn);
        break;
    case OP_COLLECT:
        do_collect(insn);
        break;
    case OP_DISABLED:
        do_disabled();
        break;
    case OP_FREEZE:
        call(known.freeze);
        break;
    case OP_UNFREEZE:
        call(known.unfreeze);
        break;
    case OP_TAKE:
        take(insn);
        break;
    case OP_FORGET:
        forget();
        break;
    case OP_GARBAGE:
        empty_garbage();
        break;
    case OP_OBJECTS:
        do_objects(insn);
        break;
    case OP_REFERRERS:
        count_in(PyObject_CallFunctionObjArgs(known.get_referrers, var(insn.a),
                                              NULL));
        break;
    case OP_REFERENTS:
        count_in(PyObject_CallFunctionObjArgs(known.get_referents, var(insn.a),
                                              NULL));
        break;
    case OP_END:
        sever();
        break;
    }
}

/* What is wanted of the module gc. */
static int
know_functions(PyObject *gc)
{
    struct {
        const char *name;
        PyObject **place;
    } wanted[] = {
        {"collect", &known.collect},
        {"freeze", &known.freeze},
        {"unfreeze", &known.unfreeze},
        {"get_objects", &known.get_objects},
        {"get_referrers", &known.get_referrers},
        {"get_referents", &known.get_referents},
        {"garbage", &known.garbage},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].place = PyObject_GetAttrString(gc, wanted[i].name);
        if (*wanted[i].place == NULL)
            return -1;
    }
    return 0;
}

/* No collection begins but those of the programs. */
int
world_init(void)
{
    PyObject *gc = PyImport_ImportModule("gc"), *result;
    char name[] = "a0";

    if (gc == NULL || know_functions(gc) < 0)
        return -1;
    for (int i = 0; i <= WORLD_FIELDS; i++, name[1]++) {
        known.numbers[i] = PyLong_FromLong(i);
        known.names[i] = PyUnicode_InternFromString(name);
        if (known.numbers[i] == NULL || known.names[i] == NULL)
            return -1;
    }
    result = PyObject_CallMethod(gc, "set_threshold", "i", 0);
    if (result == NULL)
        return -1;
    Py_DECREF(result);
    PyGC_Collect();
    return 0;
}
