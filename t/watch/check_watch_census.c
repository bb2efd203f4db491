/* check_watch_census.c: all containers that are alive, and what owns them; it
   looks behind the API.  See lib/watch/why/census.h. */

#include "../support/suite.h"

#include "pyboehm.h"
#include "watch/why/census.h"
#include "watch/why/chains.h"

static struct pyb_census census;

/* References to it from outside; -9 if it is not there. */
static Py_ssize_t
left(const void *op)
{
    const struct pyb_node *node = pyb_census_find(&census, op);

    return node != NULL && node->op == op ? node->left : -9;
}

START_TEST(who_owns_what)
{
    PyObject *outer = PyList_New(0), *inner = PyList_New(0);
    PyObject *tuple = PyTuple_Pack(2, inner, inner);

    ck_assert_int_eq(PyList_Append(outer, inner), 0);
    ck_assert_int_eq(PyList_Append(outer, outer), 0);
    PyObject_GC_UnTrack(tuple);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(outer), 1);
    ck_assert_int_eq(left(inner), 1);
    ck_assert_int_eq(left(tuple), 1);
    pyb_census_end(&census);
    Py_DECREF(inner);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(inner), 0);
    pyb_census_end(&census);
    suite_drop(tuple, outer);
    ck_assert_int_eq(PyGC_Collect(), 2);
}
END_TEST

/* What an instance's own dict holds is the instance's. */
START_TEST(attributes_are_the_instances)
{
    PyObject *type =
        PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "T");
    PyObject *op = PyObject_CallNoArgs(type), *list = PyList_New(0), *dict;

    ck_assert_int_eq(PyObject_SetAttrString(op, "list", list), 0);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 1);
    ck_assert_int_eq(left(list), 1);
    pyb_census_end(&census);
    dict = PyObject_GenericGetDict(op, NULL);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(dict), 1);
    ck_assert_int_eq(left(list), 1);
    pyb_census_end(&census);
    suite_drop(dict, list, op, type);
}
END_TEST

START_TEST(boehms_reference_is_no_counted_one)
{
    PyObject *op = PyBoehm_Adopt(PyList_New(0));

    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 0);
    pyb_census_end(&census);
    Py_DECREF(PyBoehm_Disown(op));
}
END_TEST

START_TEST(others_are_not_found)
{
    PyObject *op = PyList_New(0), *gone = PyList_New(0);
    PyObject *number = PyLong_FromLong(123456);

    Py_DECREF(gone);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(left(op), 1);
    ck_assert_int_eq(left(gone), -9);
    ck_assert_int_eq(left((char *)op + 16), -9);
    ck_assert_int_eq(left((char *)op + 1), -9);
    ck_assert_int_eq(left(number), -9);
    ck_assert_int_eq(left(&census), -9);
    ck_assert_int_eq(left(NULL), -9);
    ck_assert_int_eq(left((void *)~(uintptr_t)15), -9);
    pyb_census_end(&census);
    ck_assert_int_eq(left(op), -9);
    suite_drop(number, op);
}
END_TEST

/* Each container, in the order that was promised; and none afterwards is in
   the way of a collection. */
START_TEST(everybody_is_there_once)
{
    enum { N = 1000 };
    PyObject *all = PyList_New(0);

    for (int i = 0; i < N; i++) {
        PyObject *op = PyList_New(0);

        ck_assert_int_eq(PyList_Append(all, op), 0);
        Py_DECREF(op);
    }
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_uint_gt(census.n, N);
    for (size_t i = 0; i < census.n; i++)
        if (pyb_census_find(&census, census.nodes[i].op) != &census.nodes[i])
            ck_abort();
    for (int i = 0; i < N; i++)
        if (left(PyList_GET_ITEM(all, i)) != 0)
            ck_abort();
    pyb_census_end(&census);
    ck_assert_int_eq(PyList_Append(all, all), 0);
    Py_DECREF(all);
    ck_assert_int_eq(PyGC_Collect(), N + 1);
}
END_TEST

/* A chain from a list that only C owns to the list that it contains. */
static struct pyb_chains chains;

static size_t
chained(void)
{
    PyObject *inner = PyList_New(0), *outer = Py_BuildValue("[O]", inner);

    Py_DECREF(inner);
    ck_assert_int_eq(pyb_census_take(&census), 0);
    ck_assert_int_eq(pyb_chains_take(&chains, &census, NULL), 0);
    size_t number =
        pyb_chains_number(&chains, pyb_census_find(&census, inner));
    ck_assert_ptr_eq(census.nodes[chains.from[number] - 1].op, outer);
    return number;
}

START_TEST(chains_lead_to_roots)
{
    size_t number = chained();

    ck_assert_uint_eq(chains.length[number], 1);
    ck_assert_int_eq(chains.root[number], PYB_CHAIN_OUTSIDE);
    pyb_chains_check(&chains);
    PyObject *outer = census.nodes[chains.from[number] - 1].op;
    pyb_chains_end(&chains);
    pyb_census_end(&census);
    Py_DECREF(outer);
}
END_TEST

static void
without_root(void)
{
    size_t number = chained();

    chains.root[number] = PYB_CHAIN_NONE;
    pyb_chains_check(&chains);
}

static void
with_another_root(void)
{
    size_t number = chained();

    chains.root[number] = PYB_CHAIN_FROZEN;
    pyb_chains_check(&chains);
}

static void
of_another_length(void)
{
    size_t number = chained();

    chains.length[number]++;
    pyb_chains_check(&chains);
}

START_TEST(chains_that_contradict_themselves_are_fatal)
{
    suite_fatal(without_root, "a chain of containers has no root", NULL);
    suite_fatal(with_another_root, "a chain has another root than", NULL);
    suite_fatal(of_another_length, "a chain is not one step longer", NULL);
}
END_TEST

int
main(void)
{
    return suite_run("watch census");
}
