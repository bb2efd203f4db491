/* text.c: a text that grows; see text.h. */

#include "Python.h"

#include "types/str.h"
#include "types/text.h"
#include "types/utf8.h"

char *
pyb_text_room(struct pyb_text *text, Py_ssize_t size)
{
    if (size > text->room - text->size) {
        if (size > PY_SSIZE_T_MAX / 2 - text->size) {
            PyErr_NoMemory();
            return NULL;
        }
        Py_ssize_t room = text->size + size;
        room += room / 2 + 16;
        char *data = PyMem_Realloc(text->data, (size_t)room);
        if (data == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
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
pyb_text_printf(struct pyb_text *text, const char *format, ...)
{
    char small[128];
    va_list va;

    va_start(va, format);
    int size = vsnprintf(small, sizeof(small), format, va);
    va_end(va);
    assert(size >= 0 && size < (int)sizeof(small));
    return pyb_text_bytes(text, small, size);
}

PyObject *
pyb_text_finish(struct pyb_text *text)
{
    PyObject *op = pyb_str_new(text->data, text->size);

    pyb_text_drop(text);
    return op;
}

PyObject *
pyb_text_finish_bytes(struct pyb_text *text)
{
    PyObject *op = PyBytes_FromStringAndSize(
        text->data == NULL ? "" : text->data, text->size);

    pyb_text_drop(text);
    return op;
}

void
pyb_text_drop(struct pyb_text *text)
{
    PyMem_Free(text->data);
    text->data = NULL;
    text->size = text->room = 0;
}
