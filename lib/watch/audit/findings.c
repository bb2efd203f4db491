/* findings.c: the findings of an audit, in words.  See findings.h. */

#include "Python.h"

#include <stdlib.h>
#include <string.h>

#include "gc/base/bold.h"
#include "gc/base/fatal.h"
#include "watch/audit/findings.h"
#include "watch/memory/srclines.h"
#include "watch/memory/where.h"

struct pyb_findings pyb_findings_noticed;

static void
release(struct pyb_finding *finding)
{
    free((char *)(uintptr_t)finding->what);
    free((char *)(uintptr_t)finding->detail);
}

static struct pyb_finding *
find(const struct pyb_findings *findings, const struct pyb_finding *finding)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->all[i].slot == finding->slot &&
            strcmp(findings->all[i].what, finding->what) == 0)
            return &findings->all[i];
    return NULL;
}

/* Copies the texts that are not literals. */
static int
copy(struct pyb_finding *to, const struct pyb_finding *from)
{
    *to = *from;
    to->what = strdup(from->what);
    to->detail = strdup(from->detail != NULL ? from->detail : "");
    if (to->what != NULL && to->detail != NULL)
        return 0;
    release(to);
    return -1;
}

static int
append(struct pyb_findings *findings, const struct pyb_finding *finding)
{
    struct pyb_finding *all =
        realloc(findings->all, (findings->n + 1) * sizeof *all);

    PYB_ASSERT(finding->so != NULL && finding->n > 0);
    if (all == NULL)
        return -1;
    findings->all = all;
    if (copy(&all[findings->n], finding) < 0)
        return -1;
    findings->n++;
    return 0;
}

int
pyb_findings_add(struct pyb_findings *findings,
                 const struct pyb_finding *finding)
{
    struct pyb_finding *known = find(findings, finding);

    if (known != NULL) {
        if (finding->n > known->n) {
            known->n = finding->n;
            known->of = finding->of;
        }
        return 0;
    }
    return append(findings, finding);
}

int
pyb_findings_count(struct pyb_findings *findings,
                   const struct pyb_finding *finding)
{
    struct pyb_finding *known = find(findings, finding);

    PYB_ASSERT(finding->of == 0); /* the sum would be of other instances */
    if (known == NULL)
        return append(findings, finding);
    PYB_ASSERT(known->of == 0);
    known->n += finding->n;
    return 0;
}

int
pyb_findings_join(struct pyb_findings *findings,
                  const struct pyb_findings *others)
{
    for (size_t i = 0; i < others->n; i++)
        if (pyb_findings_add(findings, &others->all[i]) < 0)
            return -1;
    return 0;
}

void
pyb_findings_check(const struct pyb_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct pyb_finding *finding = &findings->all[i];

        PYB_ALWAYS(find(findings, finding) == finding, NULL,
                   "a finding is in its list twice");
        PYB_ALWAYS(finding->n > 0, NULL, "a finding is of no instances");
    }
}

/* Most instances first, then in the order of the texts. */
static int
compare(const void *a, const void *b)
{
    const struct pyb_finding *x = a, *y = b;

    if (x->n != y->n)
        return x->n < y->n ? 1 : -1;
    return strcmp(x->what, y->what);
}

static void
print_one(const struct pyb_finding *finding, FILE *file)
{
    PYB_ASSERT(finding->what != NULL && finding->detail != NULL);
    PYB_ASSERT(finding->of == 0 || finding->n <= finding->of);
    fprintf(file, "%s%s%s", pyb_bold(file), finding->what, pyb_regular(file));
    if (*finding->detail != '\0')
        fprintf(file, " (%s)", finding->detail);
    if (finding->of != 0)
        fprintf(file, " in %zu of %zu instance%s", finding->n, finding->of,
                finding->of == 1 ? "" : "s");
    else if (finding->n > 1)
        fprintf(file, ", %zu times", finding->n);
    fprintf(file, "\n  %s", finding->so);
    pyb_where_print(finding->slot, file);
    putc('\n', file);
}

/* Is the finding new, or did its number double?  Then it is entered in told,
   unless there is no memory; without memory it is printed again each time. */
static int
is_news(struct pyb_findings *told, const struct pyb_finding *finding)
{
    const struct pyb_finding *known = find(told, finding);

    if (known != NULL && finding->n < 2 * known->n)
        return 0;
    (void)pyb_findings_add(told, finding);
    return 1;
}

size_t
pyb_findings_print(struct pyb_findings *findings, struct pyb_findings *told,
                   int news, const char *prefix, FILE *file)
{
    size_t n = 0;

    PYB_ASSERT(findings != told);
    PYB_EXPENSIVE(pyb_findings_check(findings));
    if (findings->n > 1)
        qsort(findings->all, findings->n, sizeof *findings->all, compare);
    for (size_t i = 0; i < findings->n; i++) {
        if (!is_news(told, &findings->all[i]) && news)
            continue;
        n++;
        if (file == NULL)
            continue;
        fputs(prefix, file);
        print_one(&findings->all[i], file);
    }
    pyb_srclines_end();
    return n;
}

void
pyb_findings_end(struct pyb_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        release(&findings->all[i]);
    free(findings->all);
    *findings = (struct pyb_findings){NULL, 0};
}
