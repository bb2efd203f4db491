/* unvisited.c: references that tp_traverse does not report.  See unvisited.h.

   A slip is a word of a container that has the address of another one and that
   no visit accounts for.  That is no fault if the reference is borrowed.  So
   the slips are grouped by field and by the object they refer to, and compared
   with the counts.  A group is

       refuted   if fewer references are unaccounted for than it has slips: at
                 least one is borrowed
       proven    if references are left that only these slips explain, and no
                 more than there are slips, even when all other possible owners
                 (other slips and places elsewhere) own one

   References that pyboehm's own types do not visit are those of weak
   references, which own nothing.  If many of a field's slips are refuted, the
   field holds borrowed references: its slips are struck, and the others are
   judged again without them.  If only few are proven, the field is not
   reported either: a reference to an object that it borrows may have been
   lost. */

#include "Python.h"

#include <stdlib.h>
#include <string.h>

#include "gc/base/fatal.h"
#include "object/type/statictypes.h"
#include "object/type/subtype.h"
#include "watch/audit/ledger.h"
#include "watch/audit/unreleased.h"
#include "watch/audit/unvisited.h"
#include "watch/log/progress.h"
#include "watch/rows.h"
#include "watch/why/field.h"

enum { TEXT = 256 };

struct pyb_findings pyb_unvisited_undecided;

struct slip {
    uint32_t from, to;
    uint32_t field;  /* PYB_NO_NUMBER: the slip is struck */
    uint32_t excess; /* not 0: several words have the address, and that many
                        are slips */
    int refuted;
};

struct field {
    struct pyb_field of;
    PyTypeObject *child; /* the type of most objects that it refers to
                            (majority vote) */
    Py_ssize_t votes;
    size_t sure, slips, refuted, proven;
    size_t instances; /* instances with a slip that is not refuted */
    uint32_t last;    /* the last instance that was counted */
    int borrowed;
};

struct trial {
    const struct pyb_evidence *evidence;
    struct pyb_ledger ledger;
    struct slip *slips;
    size_t nslips, slips_room;
    struct field *fields;
    size_t nfields;
    uint32_t *slips_to; /* for each container: slips that are not struck */
    int no_memory;
};

/* ------------------------------------------------------------------ */
/* Finding slips                                                       */

/* The number of a field. */
static uint32_t
enter_field(struct trial *trial, const struct pyb_field *of)
{
    struct field *fields = trial->fields;

    for (size_t i = 0; i < trial->nfields; i++)
        if (pyb_field_same(&fields[i].of, of))
            return (uint32_t)i;
    fields = realloc(fields, (trial->nfields + 1) * sizeof *fields);
    if (fields == NULL) {
        trial->no_memory = 1;
        return PYB_NO_NUMBER;
    }
    trial->fields = fields;
    fields[trial->nfields] = (struct field){.of = *of, .last = PYB_NO_NUMBER};
    return (uint32_t)trial->nfields++;
}

/* NULL if there is no memory. */
static struct slip *
new_slip(struct trial *trial)
{
    struct slip *slips = pyb_rows_grow(trial->slips, trial->nslips,
                                       &trial->slips_room, sizeof *slips);

    if (slips == NULL) {
        trial->no_memory = 1;
        return NULL;
    }
    trial->slips = slips;
    return &slips[trial->nslips++];
}

static void
look_at_word(const struct pyb_word *word, void *arg)
{
    struct trial *trial = arg;
    PYB_ASSERT(word->to < trial->evidence->census.n);
    uint32_t visits = trial->ledger.visits[word->to];
    uint32_t words = trial->ledger.words[word->to];
    struct slip *slip;

    if (visits >= words ||
        _Py_IsImmortal(trial->evidence->census.nodes[word->to].op))
        return;
    struct pyb_field of = pyb_field_of(trial->evidence, word);

    if (pyb_statictypes_has(of.type) && of.part != PYB_PART_STATE)
        return;
    slip = new_slip(trial);
    if (slip != NULL)
        *slip = (struct slip){word->from, word->to, enter_field(trial, &of),
                              visits > 0 ? words - visits : 0, 0};
}

static void
find_slips(struct trial *trial)
{
    for (uint32_t i = 0; i < pyb_evidence_owners(trial->evidence); i++) {
        pyb_progress(i, pyb_evidence_owners(trial->evidence));
        pyb_ledger_open(&trial->ledger, i);
        pyb_evidence_words(trial->evidence, i, look_at_word, trial);
        pyb_ledger_close(&trial->ledger, i);
    }
}

/* Orders slips by referent, then by field, then by owner. */
static int
compare(const void *a, const void *b)
{
    const struct slip *x = a, *y = b;

    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->field != y->field)
        return x->field < y->field ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static int
compare_owners(const void *a, const void *b)
{
    const struct slip *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->field > y->field) - (x->field < y->field);
}

/* ------------------------------------------------------------------ */
/* Several words with one address                                      */

/* Strikes words until only as many are left as are slips: first those of
   fields without a certain slip. */
static void
choose(struct trial *trial, struct slip *slips, size_t n)
{
    size_t struck = n - Py_MIN(n, slips->excess);

    PYB_ASSERT(struck < n); /* one is left: the excess is not 0 */
    for (int sure = 0; sure < 2; sure++)
        for (size_t i = 0; i < n && struck > 0; i++) {
            uint32_t field = slips[i].field;

            if (field == PYB_NO_NUMBER ||
                (!sure && trial->fields[field].sure > 0))
                continue;
            slips[i].field = PYB_NO_NUMBER;
            struck--;
        }
}

static void
resolve(struct trial *trial)
{
    struct slip *slips = trial->slips;
    size_t next;

    for (size_t i = 0; i < trial->nslips; i++) {
        PYB_ASSERT(slips[i].field < trial->nfields); /* none is struck yet */
        trial->fields[slips[i].field].sure += slips[i].excess == 0;
    }
    for (size_t i = 0; i < trial->nslips; i = next) {
        for (next = i + 1; next < trial->nslips &&
                           slips[next].from == slips[i].from &&
                           slips[next].to == slips[i].to;)
            next++;
        if (slips[i].excess > 0)
            choose(trial, &slips[i], next - i);
    }
}

/* ------------------------------------------------------------------ */
/* Judgement by counts                                                 */

/* The number, of n slips to a container, that must own a reference even if all
   other possible owners do. */
static Py_ssize_t
owning(const struct trial *trial, uint32_t to, size_t n)
{
    PYB_ASSERT(trial->slips_to[to] >= n);
    const struct pyb_evidence *evidence = trial->evidence;
    Py_ssize_t others = (Py_ssize_t)(trial->slips_to[to] - n) +
                        evidence->inside[to] +
                        Py_MAX(evidence->elsewhere[to], 0);
    Py_ssize_t left = evidence->census.nodes[to].left - others;

    return evidence->blind || left < 0 || left > (Py_ssize_t)n ? 0 : left;
}

/* Judges n slips, of one field and to one container. */
static void
judge(struct trial *trial, struct slip *slips, size_t n)
{
    struct field *field = &trial->fields[slips->field];
    Py_ssize_t left = trial->evidence->census.nodes[slips->to].left;
    int refuted = left < (Py_ssize_t)n;

    for (size_t i = 0; i < n; i++)
        slips[i].refuted = refuted;
    field->slips += n;
    if (refuted)
        field->refuted += n;
    else
        field->proven += field->of.part == PYB_PART_TYPE
                             ? n
                             : (size_t)owning(trial, slips->to, n);
}

static void
judge_all(struct trial *trial)
{
    struct slip *slips = trial->slips;
    size_t next;

    for (size_t i = 0; i < trial->nfields; i++)
        trial->fields[i].slips = trial->fields[i].refuted =
            trial->fields[i].proven = 0;
    for (size_t i = 0; i < trial->nslips; i = next) {
        for (next = i + 1; next < trial->nslips &&
                           slips[next].to == slips[i].to &&
                           slips[next].field == slips[i].field;)
            next++;
        if (slips[i].field != PYB_NO_NUMBER)
            judge(trial, &slips[i], next - i);
    }
}

/* Do the fields have all slips that are left, each once? */
static int
check_fields(const struct trial *trial)
{
    size_t left = 0, fields = 0, to = 0;

    for (size_t i = 0; i < trial->nslips; i++)
        left += trial->slips[i].field != PYB_NO_NUMBER;
    for (size_t i = 0; i < trial->evidence->census.n; i++)
        to += trial->slips_to[i];
    for (size_t i = 0; i < trial->nfields; i++) {
        const struct field *field = &trial->fields[i];

        PYB_ASSERT(field->refuted + field->proven <= field->slips);
        PYB_ASSERT(!field->borrowed || field->slips == 0);
        fields += field->slips;
    }
    PYB_ASSERT(fields == left && to == left);
    return 1;
}

static void
count_slips(struct trial *trial)
{
    memset(trial->slips_to, 0,
           trial->evidence->census.n * sizeof *trial->slips_to);
    for (size_t i = 0; i < trial->nslips; i++)
        trial->slips_to[trial->slips[i].to] +=
            trial->slips[i].field != PYB_NO_NUMBER;
}

/* Are the field's references borrowed?  One slip in five may be refuted
   because of a stale word; every second one in malloc memory, since the end of
   a block is often not in use. */
static int
is_borrowed(const struct field *field)
{
    size_t some =
        field->of.part == PYB_PART_MALLOC || field->of.part == PYB_PART_STATE
            ? 2
            : 5;

    return field->refuted * some > field->slips;
}

/* A single proven slip among many may be due to a lost reference. */
static int
is_convicted(const struct field *field)
{
    return !field->borrowed && field->proven > 0 &&
           field->proven * 5 >= field->slips;
}

/* None of its slips is refuted, and none is proven: a stale word on a stack,
   of few objects, or another owner explains what the field may own. */
static int
is_undecided(const struct field *field)
{
    return field->of.part == PYB_PART_BODY && PyType_IS_GC(field->of.type) &&
           !field->borrowed && field->slips > 0 && field->refuted == 0 &&
           field->proven == 0;
}

/* Strikes the slips of fields that turn out to be borrowed; returns 1 if there
   were any. */
static int
strike_borrowed(struct trial *trial)
{
    int any = 0;

    for (size_t i = 0; i < trial->nslips; i++) {
        struct slip *slip = &trial->slips[i];
        struct field *field =
            slip->field != PYB_NO_NUMBER ? &trial->fields[slip->field] : NULL;

        if (field == NULL || !is_borrowed(field))
            continue;
        field->borrowed = any = 1;
        slip->field = PYB_NO_NUMBER;
    }
    return any;
}

static void
judge_until_settled(struct trial *trial)
{
    do {
        if (trial->nslips > 0)
            qsort(trial->slips, trial->nslips, sizeof *trial->slips, compare);
        count_slips(trial);
        judge_all(trial);
        PYB_EXPENSIVE(check_fields(trial));
    } while (strike_borrowed(trial));
}

/* ------------------------------------------------------------------ */
/* Reporting                                                           */

static void
note_instance(struct trial *trial, const struct slip *slip)
{
    struct field *field = &trial->fields[slip->field];
    PyTypeObject *child = Py_TYPE(trial->evidence->census.nodes[slip->to].op);

    if (field->votes == 0)
        field->child = child;
    field->votes += field->child == child ? 1 : -1;
    PYB_ASSERT(field->votes >= 0);
    if (field->last != slip->from)
        field->instances++;
    field->last = slip->from;
}

/* Does the type inherit its tp_traverse from a static type? */
static int
inherits(PyTypeObject *type)
{
    return PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) &&
           !PyType_HasFeature(pyb_ledger_traverser(type), Py_TPFLAGS_HEAPTYPE);
}

static const char *
verdict(const struct pyb_field *field)
{
    if (!PyType_IS_GC(field->type))
        return "the type lacks Py_TPFLAGS_HAVE_GC: cycles through it leak";
    if (field->part == PYB_PART_STATE)
        return "m_traverse never visits it: cycles through it leak";
    if (field->traverse == pyb_subtype_traverse)
        return "the type has no tp_traverse that visits it: cycles through it "
               "leak";
    if (inherits(field->type))
        return "the tp_traverse that the type inherits does not visit it: "
               "cycles through it leak";
    if (field->part == PYB_PART_TYPE)
        return "tp_traverse never visits it: cycles through the type leak";
    return "tp_traverse never visits it: cycles through it leak";
}

/* The function that should visit the field, or a function near it if there is
   none. */
static const void *
slot_of(const struct pyb_field *field)
{
    if (!PyType_IS_GC(field->type))
        return (const void *)(uintptr_t)field->type->tp_dealloc;
    return inherits(field->type) ? NULL
                                 : (const void *)(uintptr_t)field->traverse;
}

static int
tell(const struct trial *trial, const struct field *field,
     struct pyb_findings *findings)
{
    PYB_ASSERT(field->instances > 0); /* what is proven is not refuted */
    char what[2 * TEXT], where[TEXT];
    const char *child = field->of.part == PYB_PART_TYPE ? "its heap type"
                        : field->child != NULL          ? field->child->tp_name
                                               : "objects of several types";
    struct pyb_finding finding = {
        .what = what,
        .n = field->instances,
        .of = pyb_field_instances(trial->evidence, &field->of),
        .so = verdict(&field->of),
        .slot = slot_of(&field->of)};

    pyb_field_print(&field->of, where, sizeof where);
    snprintf(what, sizeof what, "%s refers to %s", where, child);
    return pyb_findings_add(findings, &finding);
}

static int
tell_all(struct trial *trial, struct pyb_findings *findings)
{
    if (trial->nslips > 0)
        qsort(trial->slips, trial->nslips, sizeof *trial->slips,
              compare_owners);
    for (size_t i = 0; i < trial->nslips; i++)
        if (trial->slips[i].field != PYB_NO_NUMBER && !trial->slips[i].refuted)
            note_instance(trial, &trial->slips[i]);
    for (size_t i = 0; i < trial->nfields; i++)
        if (is_convicted(&trial->fields[i]) &&
            tell(trial, &trial->fields[i], findings) < 0)
            return -1;
    for (size_t i = 0; i < trial->nfields; i++)
        if (is_undecided(&trial->fields[i]) &&
            tell(trial, &trial->fields[i], &pyb_unvisited_undecided) < 0)
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ */

static int
try_all(struct trial *trial, struct pyb_findings *findings)
{
    find_slips(trial);
    if (trial->no_memory)
        return -1;
    count_slips(trial);
    if (pyb_unreleased_find(trial->evidence, trial->slips_to, findings) < 0)
        return -1;
    resolve(trial);
    judge_until_settled(trial);
    return tell_all(trial, findings);
}

int
pyb_unvisited_find(const struct pyb_evidence *evidence,
                   struct pyb_findings *findings)
{
    struct trial trial = {.evidence = evidence};
    int result = -1;

    pyb_findings_end(&pyb_unvisited_undecided);

    if (pyb_ledger_begin(&trial.ledger, evidence) < 0)
        return -1;
    trial.slips_to = calloc(evidence->census.n + 1, sizeof(uint32_t));
    if (trial.slips_to != NULL)
        result = try_all(&trial, findings);
    pyb_ledger_end(&trial.ledger);
    free(trial.slips_to);
    free(trial.fields);
    free(trial.slips);
    return result;
}
