"""What stands at an address: objects, their types and parts."""

import struct

import gdb

from . import sidetable
from .memory import WORD, Layout, read, signed, text, word, words

# What PyMemberDef.type says: how many bytes, and how struct reads them.  The
# numbers are part of the API.
NUMBERS = {0: "h", 1: "i", 2: "q", 3: "f", 4: "d", 8: "b", 9: "B", 10: "H",
           11: "I", 12: "Q", 14: "?", 17: "q", 18: "Q", 19: "q"}
STRING, OBJECT, CHAR, STRING_INPLACE, OBJECT_EX = 5, 6, 7, 13, 16

# The structures of the objects of types that have names of their own.
STRUCTURES = {
    "PyUnicode_Type": "PyUnicodeObject", "PyBytes_Type": "PyBytesObject",
    "PyByteArray_Type": "PyByteArrayObject", "PyLong_Type": "PyLongObject",
    "PyFloat_Type": "PyFloatObject", "PyComplex_Type": "PyComplexObject",
    "PyList_Type": "PyListObject", "PyTuple_Type": "PyTupleObject",
    "PyDict_Type": "PyDictObject", "PySet_Type": "PySetObject",
    "PyFrozenSet_Type": "PySetObject", "PyCell_Type": "PyCellObject",
    "PySlice_Type": "PySliceObject", "PyModule_Type": "pyb_module",
    "PyCFunction_Type": "PyCFunctionObject",
    "PyMethod_Type": "PyMethodObject", "PyMethodDescr_Type": "PyDescrObject",
    "PyClassMethodDescr_Type": "PyDescrObject",
    "PyMemberDescr_Type": "PyDescrObject",
    "PyGetSetDescr_Type": "PyDescrObject",
    "_PyWeakref_RefType": "PyWeakReference",
    "PyType_Type": "PyTypeObject",
}
PLAIN = ("_PyNone_Type", "_PyNotImplemented_Type", "PyEllipsis_Type",
         "PyBool_Type")


HEAD = struct.Struct("=qQ")  # ob_refcnt, ob_type
PAGE_SHIFT = 12
ENTRIES = 256  # of a dict, read at once


class NoObject(Exception):
    """No object stands at an address; says why."""


class Member:
    """An entry of tp_members."""

    def __init__(self, name, kind, offset):
        self.name, self.kind, self.offset = name, kind, offset

    def is_object(self):
        return self.kind in (OBJECT, OBJECT_EX)

    def is_slot(self):
        """Says where __dict__ and the like are, and is no attribute."""
        return self.name.startswith("__") and self.name.endswith("offset__")


class Type:
    """What a type object says of its instances."""

    def __init__(self, heap, address):
        self.heap, self.address = heap, address
        self.name = text(self.field("tp_name")) or "(no name)"
        self.basicsize = self.signed_field("tp_basicsize")
        self.itemsize = self.signed_field("tp_itemsize")
        self.dictoffset = self.signed_field("tp_dictoffset")
        self.weaklistoffset = self.signed_field("tp_weaklistoffset")
        self.flags = self.field("tp_flags")
        self.base = self.field("tp_base")
        self.own_members = list(self.read_members())
        self.known = None

    def place(self, name):
        return self.address + self.heap.layout["PyTypeObject." + name]

    def field(self, name):
        return word(self.place(name))

    def signed_field(self, name):
        return signed(self.place(name))

    def place_of_keys(self):
        return (self.address +
                self.heap.layout["PyHeapTypeObject.ht_cached_keys"])

    def has(self, flag):
        return self.flags & self.heap.layout["Py_TPFLAGS_" + flag] != 0

    def read_members(self):
        layout, entry = self.heap.layout, self.field("tp_members")
        while entry != 0:
            name = text(word(entry + layout["PyMemberDef.name"]))
            if not name:
                return
            kind, = struct.unpack(
                "=i", read(entry + layout["PyMemberDef.type"], 4))
            yield Member(name, kind,
                         signed(entry + layout["PyMemberDef.offset"]))
            entry += layout["PyMemberDef"]

    def line(self):
        """It and its bases, nearest first, as far as they are types."""
        type_ = self
        for _ in range(100):
            yield type_
            try:
                type_ = self.heap.type_at(type_.base)
            except NoObject:
                return

    def find_builtin(self):
        for type_ in self.line():
            name = self.heap.builtins.get(type_.address)
            if name:
                return name
        return "PyException" if self.has("BASE_EXC_SUBCLASS") else ""

    def builtin(self):
        """The nearest type of the library's own whose structure is known;
        "" if there is none."""
        if self.known is None:
            self.known = self.find_builtin()
        return self.known

    def members(self):
        """Those of the bases first."""
        for type_ in reversed(list(self.line())):
            yield from type_.own_members


class Object:
    """The head of an object."""

    def __init__(self, heap, address, facts):
        self.heap, self.address, self.facts = heap, address, facts
        self.refcnt, type_ = heap.head(address)
        self.type = heap.type_at(type_)

    def size(self):
        """ob_size."""
        return signed(self.address + self.heap.layout["PyVarObject.ob_size"])

    def immortal(self):
        return self.refcnt >= self.heap.layout["_Py_IMMORTAL_MIN"]

    def references(self):
        """The counted ones."""
        adopted = self.facts & sidetable.ADOPTED
        return self.refcnt - (self.heap.layout["PYB_ADOPTED"] if adopted
                              else 0)

    def bytes(self):
        """How long it is: its block's length, or what its type says."""
        size = self.facts and self.heap.table.block_size(self.address)
        if size:
            return size
        if self.type.builtin() == "PyType_Type" and not self.facts:
            return self.heap.layout["PyTypeObject"] # static
        size = self.type.basicsize
        if self.type.itemsize > 0:
            size += self.type.itemsize * abs(self.size())
        return (size + 15) // 16 * 16

    def dict_place(self):
        """Where its __dict__ is, or an odd word if its attributes lie in it; 0
        if it has none."""
        if self.type.has("MANAGED_DICT") and self.facts:
            size = self.heap.table.block_size(self.address)
            return self.address + size - WORD if size else 0
        if self.type.dictoffset > 0:
            return self.address + self.type.dictoffset
        return 0


class Heap:
    """All that is read for one command or one value."""

    def __init__(self):
        self.layout = Layout()
        self.table = sidetable.SideTable(self.layout)
        self.types = {}
        self.page = (-1, b"")
        self.builtins = {self.layout[name]: name
                         for name in (*STRUCTURES, *PLAIN)}

    def head(self, address):
        """An object's count, and the address of its type."""
        start = address >> PAGE_SHIFT << PAGE_SHIFT
        if address - start > (1 << PAGE_SHIFT) - HEAD.size:
            return HEAD.unpack(read(address, HEAD.size)) # in two pages
        if self.page[0] != start:
            self.page = (start, read(start, 1 << PAGE_SHIFT))
        return HEAD.unpack_from(self.page[1], address - start)

    def body(self, op):
        """All its bytes."""
        start, size = op.address - self.page[0], op.bytes()
        if 0 <= start and start + size <= len(self.page[1]):
            return self.page[1][start:start + size]
        return read(op.address, size)

    def type_at(self, address):
        if address not in self.types:
            self.types[address] = self.read_type(address)
        if self.types[address] is None:
            raise NoObject("its type, 0x%x, is no type" % address)
        return self.types[address]

    def read_type(self, address):
        """A type's own type is one whose flags say that it is a metatype; a
        static type that is not ready has none, and is immortal."""
        layout = self.layout
        if address == 0 or address % WORD != 0:
            return None
        try:
            refcnt = signed(address + layout["PyObject.ob_refcnt"])
            meta = word(address + layout["PyObject.ob_type"])
            if meta == 0:
                sound = refcnt >= layout["_Py_IMMORTAL_MIN"]
            else:
                sound = (meta % WORD == 0 and
                         word(meta + layout["PyTypeObject.tp_flags"]) &
                         layout["Py_TPFLAGS_TYPE_SUBCLASS"] != 0)
            return Type(self, address) if sound else None
        except gdb.MemoryError:
            return None

    def is_dead(self, refcnt):
        """Is that what stands in the place of a dead object's count?"""
        dead = self.layout["PYB_DEAD_REFCNT"]
        dead -= 1 << 64 if dead >> 63 else 0
        return abs(refcnt - dead) <= self.layout["PYB_DEAD_SLACK"]

    def is_free(self, block):
        """Free, or freed and in the quarantine of a checked program."""
        try:
            refcnt, meta = self.head(block)[:2]
            return (self.is_dead(refcnt) or
                    meta == self.layout["pyb_dead_type"])
        except gdb.MemoryError:
            return False

    def object_at(self, address):
        """NoObject, which says why, if there is none."""
        if address % WORD != 0:
            raise NoObject("it is not a multiple of 8")
        try:
            facts = self.table.facts(address)
            if facts and self.is_free(address):
                raise NoObject("it is a free block")
            return Object(self, address, facts)
        except gdb.MemoryError:
            raise NoObject("it cannot be read")

    def block_of(self, address):
        """The block of ours that the address lies in, and its facts; or 0,
        0."""
        for block in self.table.candidates(address):
            facts = self.table.facts(block)
            if facts and address < block + self.block_bytes(block):
                return block, facts
        return 0, 0

    def block_bytes(self, block):
        size = self.table.block_size(block)
        try:
            return size or self.object_at(block).bytes()
        except NoObject:
            return 0

    def blocks(self):
        """Each block of ours as (address, facts, object): None for the object
        if there is none: the block is free, or damaged."""
        for address, facts in self.table.blocks():
            try:
                yield (address, facts, None if self.is_free(address)
                       else Object(self, address, facts))
            except (NoObject, gdb.MemoryError):
                yield address, facts, None

    # ----------------------------------------------------------------
    # The parts that lie outside of objects

    def dict_entries(self, address):
        """The keys and values of a dict, or of a set."""
        layout = self.layout
        table = word(address + layout["PyDictObject._pyb_table"])
        if table == 0:
            return
        size = layout["pyb_dict_entry"] // WORD
        key = layout["pyb_dict_entry.key"] // WORD
        value = layout["pyb_dict_entry.value"] // WORD
        place = table + layout["pyb_dict_table.entries"]
        left = signed(table + layout["pyb_dict_table.nentries"])
        while left > 0:
            n = min(left, ENTRIES)
            piece = words(place, n * size)
            for i in range(0, n * size, size):
                if piece[i + key] != 0:
                    yield piece[i + key], piece[i + value]
            place += n * size * WORD
            left -= n

    def inline_values(self, op, content):
        """The same of attributes that lie in the instance, the oldest first;
        lib/runtime/sharedkeys.h says what the word has."""
        keys = word(op.type.place_of_keys())
        names = keys + self.layout["_dictkeysobject.names"]
        values = op.address + op.type.basicsize
        for shift in range(60, 4, -4):
            number = content >> shift & 15
            if number < 15:
                yield (word(names + number * WORD),
                       word(values + number * WORD))

    def attributes(self, op):
        """The names and values of an instance, in itself or its __dict__."""
        place = op.dict_place()
        content = word(place) if place else 0
        if content & 1:
            yield from self.inline_values(op, content)
        elif content:
            yield from self.dict_entries(content)

    def is_hidden(self, address):
        """A dict that is a part of its instance: nobody has asked for it."""
        unseen = self.layout["PyDictObject._pyb_unseen"]
        return read(address + unseen, 1) != b"\0"

    def items(self, op):
        """Where a list's or a tuple's items are, and how many; -1 if a list
        has more than it has room for."""
        layout, n = self.layout, op.size()
        if op.type.builtin() == "PyTuple_Type":
            return op.address + layout["PyTupleObject.ob_item"], n
        # It has no room to speak of while it is sorted.
        room = signed(op.address + layout["PyListObject.allocated"])
        return (word(op.address + layout["PyListObject.ob_item"]),
                n if n <= room or room < 0 else -1)
