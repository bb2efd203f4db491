/* check_setops.c: operations on two sets, on views of dictionaries, and what
   foreign code does to them. */

#include "../support/odd.h"
#include "../support/sets.h"

/* ------------------------------------------------------------------ */
/* Two sets                                                            */

enum { MASKS = 16 };

static unsigned
mask_or(unsigned a, unsigned b)
{
    return a | b;
}

static unsigned
mask_and(unsigned a, unsigned b)
{
    return a & b;
}

static unsigned
mask_subtract(unsigned a, unsigned b)
{
    return a & ~b;
}

static unsigned
mask_xor(unsigned a, unsigned b)
{
    return a ^ b;
}

static const struct operation {
    const char *method, *update;
    binaryfunc operator_, in_place;
    unsigned (*of_masks)(unsigned, unsigned);
} operations[] = {
    {"union", "update", PyNumber_Or, PyNumber_InPlaceOr, mask_or},
    {"intersection", "intersection_update", PyNumber_And, PyNumber_InPlaceAnd,
     mask_and},
    {"difference", "difference_update", PyNumber_Subtract,
     PyNumber_InPlaceSubtract, mask_subtract},
    {"symmetric_difference", "symmetric_difference_update", PyNumber_Xor,
     PyNumber_InPlaceXor, mask_xor},
};

/* Kind 0 to 4 of an iterable with the numbers of the mask. */
enum { KINDS = 5 };
static PyObject *
iterable(int kind, unsigned mask)
{
    PyObject *list = sets_list(mask), *d;

    switch (kind) {
    case 0:
    case 1:
        Py_DECREF(list);
        return sets_make(sets_types[kind], mask);
    case 2:
        return list;
    case 3:
        Py_SETREF(list, PyObject_GetIter(list));
        return list;
    default:
        d = PyDict_New();
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
            ck_assert_int_eq(PyDict_SetItem(d, PyList_GET_ITEM(list, i), list),
                             0);
        Py_DECREF(list);
        return d;
    }
}

static void
check_methods(const struct operation *o, int kind, unsigned a, unsigned b)
{
    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyObject *op = sets_make(sets_types[t], a), *other = iterable(kind, b);

        sets_expect(sets_call(op, o->method, other), sets_types[t],
                    o->of_masks(a, b));
        ck_assert_uint_eq(sets_mask(op), a);
        suite_drop(other, op);
    }

    PyObject *s = sets_new(a), *other = iterable(kind, b);
    PyObject *none = sets_call(s, o->update, other);
    ck_assert_ptr_eq(none, Py_None);
    suite_drop(none, other);
    sets_expect(s, &PySet_Type, o->of_masks(a, b));
}

static void
check_operators(const struct operation *o, int kind, unsigned a, unsigned b)
{
    PyObject *other = iterable(kind, b);

    for (size_t t = 0; t < Py_ARRAY_LENGTH(sets_types); t++) {
        PyObject *op = sets_make(sets_types[t], a);

        sets_expect(o->operator_(op, other), sets_types[t], o->of_masks(a, b));
        PyObject *result = o->in_place(op, other);
        ck_assert_int_eq(result == op, sets_types[t] == &PySet_Type);
        sets_expect(result, sets_types[t], o->of_masks(a, b));
        ck_assert_uint_eq(sets_mask(op), sets_types[t] == &PySet_Type
                                             ? o->of_masks(a, b)
                                             : a);
        Py_DECREF(op);
    }
    Py_DECREF(other);
}

START_TEST(operations_on_all_pairs)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++)
        for (unsigned a = 0; a < MASKS; a++)
            for (unsigned b = 0; b < MASKS; b++)
                for (int kind = 0; kind < KINDS; kind++) {
                    check_methods(&operations[i], kind, a, b);
                    if (kind < 2)
                        check_operators(&operations[i], kind, a, b);
                }
}

START_TEST(operations_with_itself)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++) {
        const struct operation *o = &operations[i];
        PyObject *s = sets_new(5), *result;

        sets_expect(sets_call(s, o->method, s), &PySet_Type,
                    o->of_masks(5, 5));
        sets_expect(o->operator_(s, s), &PySet_Type, o->of_masks(5, 5));
        result = o->in_place(s, s);
        ck_assert_ptr_eq(result, s);
        Py_DECREF(s);
        sets_expect(result, &PySet_Type, o->of_masks(5, 5));
    }
}

START_TEST(methods_take_any_number_of_others)
{
    PyObject *s = sets_new(0x0f), *a = sets_list(0x36), *b = sets_new(0x43);

    sets_expect(PyObject_CallMethod(s, "union", "OO", a, b), &PySet_Type,
                0x7f);
    sets_expect(PyObject_CallMethod(s, "intersection", "OO", a, b),
                &PySet_Type, 0x02);
    sets_expect(PyObject_CallMethod(s, "difference", "OO", a, b), &PySet_Type,
                0x08);
    sets_expect(PyObject_CallMethod(s, "union", NULL), &PySet_Type, 0x0f);
    sets_expect(PyObject_CallMethod(s, "intersection", NULL), &PySet_Type,
                0x0f);
    sets_expect(PyObject_CallMethod(s, "difference", NULL), &PySet_Type, 0x0f);
    suite_new_repr(PyObject_CallMethod(s, "intersection_update", NULL),
                   "None");
    ck_assert_uint_eq(sets_mask(s), 0x0f);
    suite_new_repr(PyObject_CallMethod(s, "update", "OO", a, b), "None");
    ck_assert_uint_eq(sets_mask(s), 0x7f);
    suite_new_repr(PyObject_CallMethod(s, "intersection_update", "OO", a, b),
                   "None");
    ck_assert_uint_eq(sets_mask(s), 0x02);
    suite_new_repr(PyObject_CallMethod(s, "difference_update", "OO", a, b),
                   "None");
    ck_assert_uint_eq(sets_mask(s), 0);
    suite_drop(b, a, s);
}

START_TEST(errors_in_operations_come_out)
{
    static const char *const names[] = {"union",
                                        "intersection",
                                        "difference",
                                        "update",
                                        "intersection_update",
                                        "difference_update",
                                        "isdisjoint",
                                        "symmetric_difference",
                                        "issubset",
                                        "issuperset",
                                        "symmetric_difference_update"};
    PyObject *s = sets_new(3), *list = PyList_New(1), *number,
             *some = sets_list(1);

    PyList_SET_ITEM(list, 0, PyList_New(0));
    number = PyLong_FromLong(1);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        suite_refused(sets_call(s, names[i], number), PyExc_TypeError,
                      "'int' object is not iterable");
        suite_refused(sets_call(s, names[i], list), PyExc_TypeError,
                      "unhashable type: 'list'");
    }
    ck_assert_uint_eq(sets_mask(s), 3);
    suite_refused(
        PyObject_CallMethod(s, "intersection_update", "OO", some, number),
        PyExc_TypeError, "'int' object is not iterable");
    ck_assert_uint_eq(sets_mask(s), 3);
    suite_refused(
        PyObject_CallMethod(s, "difference_update", "OO", some, number),
        PyExc_TypeError, "'int' object is not iterable");
    ck_assert_uint_eq(sets_mask(s), 2);
    suite_drop(some, number, list, s);
}

START_TEST(operators_want_two_sets)
{
    static const char *const signs[] = {"|", "&", "-", "^"};
    PyObject *s = sets_new(3), *list = sets_list(3);
    char text[80];

    for (size_t i = 0; i < Py_ARRAY_LENGTH(signs); i++) {
        snprintf(text, sizeof text,
                 "unsupported operand type(s) for %s: 'set' and 'list'",
                 signs[i]);
        suite_refused(operations[i].operator_(s, list), PyExc_TypeError, text);
        snprintf(text, sizeof text,
                 "unsupported operand type(s) for %s: 'list' and 'set'",
                 signs[i]);
        suite_refused(operations[i].operator_(list, s), PyExc_TypeError, text);
        snprintf(text, sizeof text,
                 "unsupported operand type(s) for %s=: 'set' and 'list'",
                 signs[i]);
        suite_refused(operations[i].in_place(s, list), PyExc_TypeError, text);
    }
    Py_DECREF(list);
    sets_expect(s, &PySet_Type, 3);
}

START_TEST(relations_of_all_pairs)
{
    for (unsigned a = 0; a < MASKS; a++)
        for (unsigned b = 0; b < MASKS; b++)
            for (int kind = 0; kind < KINDS; kind++) {
                PyObject *f = sets_make(&PyFrozenSet_Type, a);
                PyObject *other = iterable(kind, b);
                suite_new_int(sets_call(f, "isdisjoint", other), (a & b) == 0);
                Py_SETREF(other, iterable(kind, b));
                suite_new_int(sets_call(f, "issubset", other), (a & b) == a);
                Py_SETREF(other, iterable(kind, b));
                suite_new_int(sets_call(f, "issuperset", other), (a & b) == b);
                suite_drop(other, f);
            }
    PyObject *s = sets_new(1);
    suite_new_int(sets_call(s, "isdisjoint", s), 0);
    suite_new_int(sets_call(s, "issubset", s), 1);
    Py_DECREF(s);
}

static void
check_order(PyObject *x, PyObject *y, unsigned a, unsigned b)
{
    int subset = (a & b) == a, superset = (a & b) == b;

    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_EQ), a == b);
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_NE), a != b);
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_LE), subset);
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_GE), superset);
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_LT), subset && a != b);
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_GT),
                     superset && a != b);
}

START_TEST(order_is_that_of_subsets)
{
    for (unsigned a = 0; a < MASKS; a++)
        for (unsigned b = 0; b < MASKS; b++)
            for (int types = 0; types < 4; types++) {
                PyObject *x = sets_make(sets_types[types & 1], a);
                PyObject *y = sets_make(sets_types[types >> 1], b);
                check_order(x, y, a, b);
                if (types == 3) {
                    PyObject_Hash(x); /* which comparison may look at */
                    PyObject_Hash(y);
                    check_order(x, y, a, b);
                }
                suite_drop(y, x);
            }
}

START_TEST(other_things_are_not_in_the_order)
{
    PyObject *s = sets_new(1), *list = sets_list(1);

    ck_assert_int_eq(PyObject_RichCompareBool(s, list, Py_EQ), 0);
    ck_assert_int_eq(PyObject_RichCompareBool(s, list, Py_NE), 1);
    suite_failed(PyObject_RichCompareBool(s, list, Py_LE), PyExc_TypeError,
                 "'<=' not supported between instances of 'set' and 'list'");
    suite_drop(list, s);
}

/* ------------------------------------------------------------------ */
/* Views of dictionaries                                               */

/* A view of the keys of a dictionary with the numbers of the mask. */
static PyObject *
keys_of(unsigned mask)
{
    PyObject *d = iterable(4, mask);
    PyObject *keys = suite_require(PyObject_CallMethod(d, "keys", NULL));
    Py_DECREF(d);
    return keys;
}

/* A view of the items of {1: value}; steals the reference. */
static PyObject *
items_of(PyObject *value)
{
    PyObject *d = Py_BuildValue("{iN}", 1, value);
    PyObject *items = suite_require(PyObject_CallMethod(d, "items", NULL));
    Py_DECREF(d);
    return items;
}

START_TEST(operators_of_views_give_sets)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++)
        for (unsigned a = 0; a < MASKS; a++)
            for (unsigned b = 0; b < MASKS; b++) {
                const struct operation *o = &operations[i];
                PyObject *x = keys_of(a), *y = keys_of(b);
                sets_expect(o->operator_(x, y), &PySet_Type,
                            o->of_masks(a, b));
                for (int kind = 0; kind < KINDS; kind++) {
                    Py_SETREF(y, iterable(kind, b));
                    if (kind == 4) /* a dict has an operator | of its own */
                        continue;
                    sets_expect(o->operator_(x, y), &PySet_Type,
                                o->of_masks(a, b));
                    Py_SETREF(y, iterable(kind, b));
                    sets_expect(o->operator_(y, x), &PySet_Type,
                                o->of_masks(b, a));
                }
                suite_drop(x, y);
            }
}

START_TEST(relations_of_views)
{
    for (unsigned a = 0; a < MASKS; a++)
        for (unsigned b = 0; b < MASKS; b++) {
            PyObject *x = keys_of(a), *y = keys_of(b);
            check_order(x, y, a, b);
            suite_new_int(sets_call(x, "isdisjoint", y), (a & b) == 0);
            for (int kind = 0; kind < KINDS; kind++) {
                Py_SETREF(y, iterable(kind, b));
                if (kind < 2) {
                    check_order(x, y, a, b);
                    check_order(y, x, b, a);
                }
                suite_new_int(sets_call(x, "isdisjoint", y), (a & b) == 0);
            }
            suite_new_int(sets_call(x, "isdisjoint", x), a == 0);
            suite_drop(x, y);
        }
}

START_TEST(views_of_items_are_sets_of_pairs)
{
    PyObject *x = items_of(PyLong_FromLong(2)),
             *y = items_of(Py_NewRef(Py_None));
    PyObject *pairs = Py_BuildValue("[(ii)i]", 1, 2, 3);

    suite_new_repr(PyNumber_And(x, pairs), "{(1, 2)}");
    suite_new_repr(PyNumber_And(x, y), "set()");
    suite_new_repr(PyNumber_Subtract(x, y), "{(1, 2)}");
    suite_new_repr(PyNumber_Subtract(pairs, x), "{3}");
    suite_new_repr(PyNumber_Xor(x, pairs), "{3}");
    suite_new_repr(PyNumber_Or(x, x), "{(1, 2)}");
    suite_new_int(sets_call(x, "isdisjoint", y), 1);
    suite_new_int(sets_call(x, "isdisjoint", pairs), 0);
    PyObject *set = PySet_New(x);
    ck_assert_int_eq(PyObject_RichCompareBool(x, set, Py_EQ), 1);
    ck_assert_int_eq(PyObject_RichCompareBool(set, y, Py_EQ), 0);
    suite_drop(set, pairs, y, x);
}

START_TEST(values_of_common_items_need_no_hash)
{
    PyObject *x = items_of(PyList_New(0)), *y = items_of(PyList_New(0));
    PyObject *z = items_of(PyLong_FromLong(3)), *three = sets_new(8);

    suite_new_repr(PyNumber_Xor(x, y), "set()");
    suite_refused(PyNumber_Xor(x, z), PyExc_TypeError,
                  "unhashable type: 'list'");
    suite_refused(PyNumber_And(x, y), PyExc_TypeError,
                  "unhashable type: 'list'");
    suite_refused(PyNumber_And(x, three), PyExc_TypeError,
                  "unhashable type: 'list'");
    suite_refused(PyNumber_Or(x, y), PyExc_TypeError,
                  "unhashable type: 'list'");
    ck_assert_int_eq(PyObject_RichCompareBool(x, y, Py_EQ), 1);
    suite_drop(three, z, y, x);
}

START_TEST(views_refuse_what_is_not_iterable)
{
    PyObject *keys = keys_of(1), *number = PyLong_FromLong(3), *values;

    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++) {
        suite_refused(operations[i].operator_(keys, number), PyExc_TypeError,
                      "'int' object is not iterable");
        suite_refused(operations[i].operator_(number, keys), PyExc_TypeError,
                      "'int' object is not iterable");
    }
    suite_refused(sets_call(keys, "isdisjoint", number), PyExc_TypeError,
                  "'int' object is not iterable");
    PyObject *d = PyDict_New();
    values = PyObject_CallMethod(d, "values", NULL);
    suite_refused(
        PyNumber_And(values, values), PyExc_TypeError,
        "unsupported operand type(s) for &: 'dict_values' and 'dict_values'");
    suite_drop(d, values, number, keys);
}

/* ------------------------------------------------------------------ */
/* Odd elements                                                        */

/* A set of n odd elements, which differ. */
static PyObject *
odds(int n)
{
    PyObject *set = suite_require(PySet_New(NULL));
    for (int i = 0; i < n; i++) {
        PyObject *key = odd(1);
        ck_assert_int_eq(PySet_Add(set, key), 0);
        Py_DECREF(key);
    }
    ck_assert_int_eq(PySet_GET_SIZE(set), n);
    return set;
}

/* ------------------------------------------------------------------ */
/* Foreign code in between                                             */

static PyObject *hooked_set;
static int hook_calls;

static PyObject *
clear_and_differ(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                 int Py_UNUSED(op))
{
    hook_calls++;
    ck_assert_int_eq(PySet_Clear(hooked_set), 0);
    Py_RETURN_FALSE;
}

static PyObject *
grow_and_differ(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                int Py_UNUSED(op))
{
    for (long i = 0; i < 20; i++)
        sets_add(hooked_set, 1000 + 20 * (hook_calls & 7) + i);
    hook_calls++;
    Py_RETURN_FALSE;
}

static PyObject *
intersect_and_differ(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b),
                     int Py_UNUSED(op))
{
    PyObject *list = PyList_New(0);

    hook_calls++;
    Py_DECREF(sets_call(hooked_set, "intersection_update", list));
    Py_DECREF(list);
    Py_RETURN_FALSE;
}

static PyObject *
refuse(PyObject *Py_UNUSED(a), PyObject *Py_UNUSED(b), int Py_UNUSED(op))
{
    hook_calls++;
    PyErr_SetString(PyExc_ValueError, "no comparison");
    return NULL;
}

/* Sets the hook for comparisons that foreign code below makes. */
static PyObject *
hook(PyObject *set, richcmpfunc function)
{
    hooked_set = set;
    hook_calls = 0;
    compare_hook = function;
    return set;
}

START_TEST(comparison_may_clear_the_set)
{
    PyObject *s = hook(odds(5), clear_and_differ), *key = odd(1);

    ck_assert_int_eq(PySet_Contains(s, key), 0);
    ck_assert_int_eq(PySet_Size(s), 0);
    compare_hook = NULL;
    Py_SETREF(s, odds(5));
    hook(s, clear_and_differ);
    ck_assert_int_eq(PySet_Add(s, key), 0);
    ck_assert_int_eq(PySet_Size(s), 1);
    ck_assert_int_eq(Py_REFCNT(key), 2);
    compare_hook = NULL;
    Py_SETREF(s, odds(5));
    hook(s, clear_and_differ);
    ck_assert_int_eq(PySet_Discard(s, key), 0);
    ck_assert_int_gt(hook_calls, 0);
    compare_hook = NULL;
    suite_drop(key, s);
}

/* Every operation, while comparisons change the one set or the other. */
static void
disturb(richcmpfunc function, int victim)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++)
        for (int how = 0; how < 3; how++) {
            PyObject *sets[] = {odds(7), odds(how == 2 ? 7 : 5 + (int)i)};
            PyObject *result;

            hook(sets[victim], function);
            switch (how) {
            case 0:
                result = operations[i].operator_(sets[0], sets[1]);
                break;
            case 1:
                result = operations[i].in_place(sets[0], sets[1]);
                break;
            default:
                result = PyObject_RichCompare(sets[0], sets[1], Py_LE);
            }
            compare_hook = NULL;
            ck_assert_ptr_nonnull(result);
            ck_assert_int_gt(hook_calls, 0);
            suite_drop(result, sets[0], sets[1]);
        }
}

START_TEST(comparisons_may_change_both_sets)
{
    hook_calls = 0;
    for (int victim = 0; victim < 2; victim++) {
        disturb(clear_and_differ, victim);
        disturb(grow_and_differ, victim);
        disturb(intersect_and_differ, victim);
    }
}

START_TEST(errors_in_comparisons_come_out)
{
    PyObject *s = odds(3), *t = odds(3), *key = odd(1);

    hook(s, refuse);
    suite_failed(PySet_Add(s, key), PyExc_ValueError, "no comparison");
    suite_failed(PySet_Contains(s, key), PyExc_ValueError, "no comparison");
    suite_failed(PySet_Discard(s, key), PyExc_ValueError, "no comparison");
    for (size_t i = 0; i < Py_ARRAY_LENGTH(operations); i++) {
        suite_refused(operations[i].operator_(s, t), PyExc_ValueError,
                      "no comparison");
        suite_refused(operations[i].in_place(s, t), PyExc_ValueError,
                      "no comparison");
        ck_assert_int_eq(PySet_Size(s), 3);
    }
    suite_failed(PyObject_RichCompareBool(s, t, Py_EQ), PyExc_ValueError,
                 "no comparison");
    suite_refused(sets_call(s, "isdisjoint", t), PyExc_ValueError,
                  "no comparison");
    ck_assert_int_eq(PySet_Size(t), 3);
    ck_assert_int_eq(Py_REFCNT(key), 1);
    compare_hook = NULL;
    suite_drop(key, t, s);
}

static void
add_on_dealloc(void)
{
    dealloc_hook = NULL;
    sets_add(hooked_set, 1);
}

START_TEST(release_of_elements_may_change_the_set)
{
    PyObject *empty = PySet_New(NULL);

    hooked_set = odds(3);
    dealloc_hook = add_on_dealloc;
    ck_assert_int_eq(PySet_Clear(hooked_set), 0);
    ck_assert_uint_eq(sets_mask(hooked_set), 2);
    Py_SETREF(hooked_set, odds(3));
    dealloc_hook = add_on_dealloc;
    suite_new_repr(sets_call(hooked_set, "intersection_update", empty),
                   "None");
    ck_assert_uint_eq(sets_mask(hooked_set), 2);
    Py_SETREF(hooked_set, odds(1));
    dealloc_hook = add_on_dealloc;
    Py_DECREF(PySet_Pop(hooked_set));
    ck_assert_uint_eq(sets_mask(hooked_set), 2);
    Py_CLEAR(hooked_set);
    Py_DECREF(empty);
}
