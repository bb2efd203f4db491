"""Which words refer to an object, and what they are called."""

import struct

import gdb

from .memory import WORD, read, word
from .objects import STRUCTURES
from .values import Writer


# --------------------------------------------------------------------
# Names of places in objects


def builtin_field(heap, op, offset):
    name = op.type.builtin()
    if name == "PyTuple_Type":
        start = heap.layout["PyTupleObject.ob_item"]
        if start <= offset < start + WORD * op.size():
            return "[%d]" % ((offset - start) // WORD)
    if name == "PyException":
        return heap.layout.fields("PyBaseExceptionObject").get(offset, "")
    if name in STRUCTURES:
        fields = dict(heap.layout.fields(STRUCTURES[name]))
        if name == "PyType_Type":
            fields.update(heap.layout.fields("PyHeapTypeObject"))
        return fields.get(offset, "")
    return ""


def place_name(heap, op, offset):
    """Of what is at an offset in an object; "" if nobody has said it."""
    if offset == heap.layout["PyObject.ob_type"]:
        return "ob_type"
    for member in op.type.members():
        if member.offset == offset and not member.is_slot():
            return member.name
    if op.address + offset == op.dict_place():
        return "__dict__"
    if offset == op.type.weaklistoffset != 0:
        return "weak references"
    return builtin_field(heap, op, offset)


def bracketed(heap, op, offset):
    name = place_name(heap, op, offset)
    return " (%s)" % name if name else ""


def at_offset(heap, op, offset):
    return "at offset %d%s" % (offset, bracketed(heap, op, offset))


# --------------------------------------------------------------------
# Looking for them


def matches(memory, pattern):
    """The aligned places of a word in a piece of memory."""
    found = memory.find(pattern)
    while found >= 0:
        if found % WORD == 0:
            yield found
        found = memory.find(pattern, found + 1)


class Reference:
    """A word of op's; alike ones have the same type and the same sort.
    where() says where it is, until the next one is asked for: of many few are
    shown."""

    def __init__(self, op, sort, where=None):
        self.op, self.sort = op, sort
        self.where = where or (lambda: sort)


def is_inline(op, offset):
    """An attribute's value, for in_attributes."""
    place = op.dict_place()
    return (place and word(place) & 1 and
            op.type.basicsize <= offset < place - op.address)


def in_body(heap, op, pattern):
    for offset in matches(heap.body(op), pattern):
        if offset >= heap.layout["PyObject.ob_type"]:
            name = place_name(heap, op, offset)
            if name.startswith("["):
                yield Reference(op, "item", lambda: name)
            elif not is_inline(op, offset):
                yield Reference(op, at_offset(heap, op, offset))


def in_attributes(heap, op, address):
    """Of an instance whose __dict__ nobody has asked for."""
    place = op.dict_place()
    content = word(place) if place else 0
    if content and (content & 1 or heap.is_hidden(content)):
        for name, value in heap.attributes(op):
            if value == address:
                yield Reference(op, "attribute", lambda:
                                "." + Writer(heap).value(name).strip("'"))


def in_list(heap, op, pattern):
    place, n = heap.items(op)
    for offset in matches(read(place, n * WORD), pattern):
        yield Reference(op, "item", lambda: "[%d]" % (offset // WORD))


def in_table(heap, op, address):
    """Of a dict or a set, whose values are all None."""
    is_dict = op.type.builtin() == "PyDict_Type"
    for key, value in heap.dict_entries(op.address):
        if key == address:
            yield Reference(op, "key" if is_dict else "element")
        if value == address and is_dict:
            yield Reference(op, "value", lambda:
                            "value of %s" % Writer(heap).value(key))


def in_object(heap, op, address, pattern):
    name = op.type.builtin()
    try:
        if name == "PyDict_Type" and heap.is_hidden(op.address):
            return # its instance has the references
        yield from in_body(heap, op, pattern)
        yield from in_attributes(heap, op, address)
        if name == "PyList_Type":
            yield from in_list(heap, op, pattern)
        elif name in ("PyDict_Type", "PySet_Type", "PyFrozenSet_Type"):
            yield from in_table(heap, op, address)
    except gdb.MemoryError:
        print("  0x%x %s: damaged" % (op.address, op.type.name))


def static_types(heap):
    """Those that objects looked at so far have, or inherit from."""
    for address, type_ in list(heap.types.items()):
        if type_ is not None and not heap.table.facts(address):
            yield heap.object_at(address)


def find(heap, address):
    pattern = struct.pack("=Q", address)
    for _, _, op in heap.blocks():
        if op is not None:
            yield from in_object(heap, op, address, pattern)
    for op in static_types(heap):
        yield from in_body(heap, op, pattern)
