/* text.c: a text that grows; see text.h. */

#include "Python.h"

#include "gc/base/fatal.h"
#include "object/error/errors.h"
#include "types/str/str.h"
#include "types/str/text.h"
#include "types/str/utf8.h"

char *
pyb_text_room(struct pyb_text *text, Py_ssize_t size)
{
    PYB_ASSERT(size >= 0 && text->size >= 0 && text->size <= text->room);
    PYB_ASSERT((text->data != NULL) == (text->room > 0));
    if (text->data == NULL || size > text->room - text->size) {
        if (size > PY_SSIZE_T_MAX / 2 - text->size)
            return PYB_MEMORY_ERROR(NULL);
        Py_ssize_t room = text->size + size;
        room += room / 2 + 16;
        char *data = PyMem_Realloc(text->data, (size_t)room);
        if (data == NULL)
            return PYB_MEMORY_ERROR(NULL);
        text->data = data;
        text->room = room;
    }
    return text->data + text->size;
}

int
pyb_text_bytes(struct pyb_text *text, const char *bytes, Py_ssize_t size)
{
    if (size == 0)
        return 0;
    char *out = pyb_text_room(text, size);
    if (out == NULL)
        return -1;
    memcpy(out, bytes, (size_t)size);
    text->size += size;
    return 0;
}

int
pyb_text_char(struct pyb_text *text, Py_UCS4 ch)
{
    char *out = pyb_text_room(text, PYB_UTF8_LONGEST);

    if (out == NULL)
        return -1;
    text->size += pyb_utf8_put(out, ch);
    return 0;
}

int
pyb_text_repeat(struct pyb_text *text, char ascii, Py_ssize_t count)
{
    if (count <= 0)
        return 0;
    char *out = pyb_text_room(text, count);
    if (out == NULL)
        return -1;
    memset(out, ascii, (size_t)count);
    text->size += count;
    return 0;
}

int
pyb_text_str(struct pyb_text *text, PyObject *str)
{
    return pyb_text_bytes(text, pyb_str_text(str), pyb_str_size(str));
}

int
pyb_text_expand(struct pyb_text *text, const char *bytes, Py_ssize_t size,
                int tabsize, int utf8)
{
    Py_ssize_t column = 0, spaces;

    for (const char *end = bytes + size; bytes < end; bytes++)
        if (*bytes == '\t') {
            spaces = tabsize > 0 ? tabsize - column % tabsize : 0;
            column += spaces;
            if (pyb_text_repeat(text, ' ', spaces) < 0)
                return -1;
        } else {
            if (*bytes == '\n' || *bytes == '\r')
                column = 0;
            else if (!utf8 || !pyb_utf8_is_tail(*bytes))
                column++;
            if (pyb_text_bytes(text, bytes, 1) < 0)
                return -1;
        }
    return 0;
}

int
pyb_text_printf(struct pyb_text *text, const char *format, ...)
{
    char small[128];
    va_list va;

    va_start(va, format);
    int size = vsnprintf(small, sizeof(small), format, va);
    va_end(va);
    PYB_ASSERT(size >= 0 && size < (int)sizeof(small));
    return pyb_text_bytes(text, small, size);
}

PyObject *
pyb_text_finish(struct pyb_text *text)
{
    PYB_ASSERT(text->size >= 0 && text->size <= text->room);
    PyObject *op = pyb_str_new(text->data, text->size);

    pyb_text_drop(text);
    return op;
}

PyObject *
pyb_text_finish_bytes(struct pyb_text *text)
{
    PYB_ASSERT(text->size >= 0 && text->size <= text->room);
    PyObject *op = PyBytes_FromStringAndSize(
        text->data == NULL ? "" : text->data, text->size);

    pyb_text_drop(text);
    return op;
}

PyObject *
pyb_text_end(struct pyb_text *text, int failed)
{
    PYB_ASSERT(!failed || PyErr_Occurred() != NULL);
    if (!failed)
        return pyb_text_finish(text);
    pyb_text_drop(text);
    return NULL;
}

PyObject *
pyb_text_end_bytes(struct pyb_text *text, int failed)
{
    PYB_ASSERT(!failed || PyErr_Occurred() != NULL);
    if (!failed)
        return pyb_text_finish_bytes(text);
    pyb_text_drop(text);
    return NULL;
}

void
pyb_text_drop(struct pyb_text *text)
{
    PyMem_Free(text->data);
    text->data = NULL;
    text->size = text->room = 0;
}
