/* heapreport.c: when a report is written, and to which file.  See
   heapreport.h. */

#include "Python.h"
#include "pyboehm.h"

#include <stdlib.h>
#include <unistd.h>

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "gc/base/gil.h"
#include "gc/base/upcalls.h"
#include "gc/collect.h"
#include "gc/control.h"
#include "object/error/errors.h"
#include "watch/log/leaving.h"
#include "watch/log/output.h"
#include "watch/log/progress.h"
#include "watch/report/heapreport.h"

/* ------------------------------------------------------------------ */
/* Writing                                                             */

static void
write_page(struct pyb_report *report, FILE *file)
{
    fwrite(pyb_report_head, 1, pyb_report_head_size, file);
    pyb_report_write_data(report, file);
    fwrite(pyb_report_tail, 1, pyb_report_tail_size, file);
}

/* With the snapshot open. */
static int
write_snapshot(struct pyb_report *report, FILE *file)
{
    if (pyb_retained_take(&report->retained, &report->snapshot) < 0)
        return PYB_MEMORY_ERROR(-1);
    if (pyb_listed_take(&report->listed, &report->snapshot,
                        &report->retained) < 0) {
        pyb_retained_end(&report->retained);
        return PYB_MEMORY_ERROR(-1);
    }
    pyb_report_count_origins(&report->snapshot, &report->origins);
    write_page(report, file);
    pyb_listed_end(&report->listed);
    pyb_retained_end(&report->retained);
    return 0;
}

static int
write_html(FILE *file)
{
    struct pyb_report report;
    int result;

    pyb_progress_begin("pyboehm report");
    pyb_progress_part(10, 50);
    result = pyb_snapshot_take(&report.snapshot);
    if (result == 0) {
        pyb_progress_part(50, 80);
        result = write_snapshot(&report, file);
        pyb_snapshot_end(&report.snapshot);
    }
    pyb_progress_end();
    return result;
}

int
PyBoehm_WriteReport(FILE *file, int format)
{
    int result;

    pyb_control_require(__func__);
    if (format != PyBoehm_REPORT_HTML && format != PyBoehm_REPORT_FOLDED)
        return pyb_failf(PyExc_ValueError, "unknown report format: %d",
                         format);
    if (pyb_collect_is_under_way())
        return pyb_fail(PyExc_RuntimeError, "a collection is under way");
    result = format == PyBoehm_REPORT_HTML ? write_html(file)
                                           : pyb_report_write_folded(file);
    if (result == 0 && (fflush(file) != 0 || ferror(file))) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return result;
}

/* ------------------------------------------------------------------ */
/* PYBOEHM_REPORT                                                      */

/* The process that is to write the report; 0: none, or it has.  A child of
   fork would overwrite its parent's. */
static pid_t due;

/* HTML, unless the file's name says otherwise. */
static int
format_of(const char *name)
{
    return pyb_output_ends_in(name, ".folded") ? PyBoehm_REPORT_FOLDED
                                               : PyBoehm_REPORT_HTML;
}

/* The ending of a file's name may promise another format than is written. */
static void
tell_if_no_page(const char *name)
{
    static const char *const others[] = {".txt", ".json", ".csv", ".log"};

    for (size_t i = 0; i < Py_ARRAY_LENGTH(others); i++)
        if (pyb_output_ends_in(name, others[i]))
            fprintf(stderr,
                    "pyboehm: PYBOEHM_REPORT: %s is a page in HTML: name it "
                    ".html, or .folded for what a flame graph is made of\n",
                    name);
}

/* Returns 0, or -1 with errno, or with an exception. */
static int
write_file(const char *name)
{
    struct pyb_output output;
    int whole;

    errno = 0;
    if (pyb_output_begin(&output, name) < 0)
        return -1;
    whole = PyBoehm_WriteReport(output.file, format_of(name)) == 0;
    return pyb_output_end(&output, whole) < 0 || !whole ? -1 : 0;
}

int
pyb_report_write_to(const char *name)
{
    PYB_ASSERT(pyb_gil_is_held());
    int result = write_file(name);

    if (PyErr_Occurred() != NULL)
        PyErr_FormatUnraisable("Exception ignored in PYBOEHM_REPORT");
    else if (result < 0)
        fprintf(stderr, "pyboehm: PYBOEHM_REPORT: %s: %s\n", name,
                strerror(errno));
    else
        tell_if_no_page(name);
    return result;
}

void
pyb_report_finalizing(void)
{
    const char *name = pyb_environment("PYBOEHM_REPORT");
    PyObject *error;

    if (name == NULL || due != getpid())
        return;
    due = 0;
    error = pyb_upcalls.take_error();
    pyb_report_write_to(name);
    pyb_upcalls.put_error(error);
}

/* The process ends, and Py_Finalize has not been called. */
static void
at_exit(void)
{
    pyb_leaving("PYBOEHM_REPORT", due, pyb_report_finalizing);
}

void
pyb_report_begin(void)
{
    static int registered;

    due = pyb_environment("PYBOEHM_REPORT") != NULL ? getpid() : 0;
    if (due != 0 && !registered)
        registered = atexit(at_exit) == 0;
}
