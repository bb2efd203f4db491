"""Objects as Python would show them, as far as memory tells: no __repr__ is
called.  What is nested too deep or is too long ends in "...", and so does a
cycle."""

import struct

import gdb

from .memory import read, signed, text, word, words
from .objects import CHAR, NUMBERS, STRING, STRING_INPLACE, NoObject

DEPTH = 3
BIG_LIMBS = 64

# The types of what contains nothing.
LEAVES = ("_PyNone_Type", "_PyNotImplemented_Type", "PyEllipsis_Type",
          "PyBool_Type", "PyLong_Type", "PyFloat_Type", "PyComplex_Type",
          "PyUnicode_Type", "PyBytes_Type", "PyByteArray_Type",
          "PyModule_Type", "PyType_Type")


def element_limit():
    """What "set print elements" says; some number even if it says none."""
    return min(gdb.parameter("print elements") or 10000, 10000)


class Writer:
    """One value.  The limit on elements is for all that it contains."""

    def __init__(self, heap):
        self.heap, self.layout = heap, heap.layout
        self.left = element_limit()
        self.around = []  # what the value is being written inside of

    def value(self, address):
        """Of an object at an address, which may be none."""
        if address == 0:
            return "NULL"
        try:
            op = self.heap.object_at(address)
        except NoObject:
            return "<no object at 0x%x>" % address
        if op.type.builtin() not in LEAVES and (
                op.address in self.around or len(self.around) >= DEPTH):
            return self.outline(op)
        self.around.append(op.address)
        try:
            return self.write(op)
        except gdb.MemoryError:
            return "<%s at 0x%x: cannot be read>" % (op.type.name, address)
        except NoObject:
            return "<%s at 0x%x: damaged>" % (op.type.name, address)
        finally:
            self.around.pop()

    def write(self, op):
        name = op.type.builtin().strip("_").partition("_")[0]
        return getattr(self, "write_" + name, self.write_instance)(op)

    BRACKETS = {"PyList_Type": "[...]", "PyTuple_Type": "(...)",
                "PyDict_Type": "{...}", "PySet_Type": "{...}",
                "PyFrozenSet_Type": "frozenset({...})"}

    def plain(self, op):
        return "<%s at 0x%x>" % (op.type.name, op.address)

    def outline(self, op):
        return self.BRACKETS.get(op.type.builtin()) or self.plain(op)

    def field(self, op, name):
        return word(op.address + self.layout[name])

    def shown(self, op, name):
        """The value of a field that is an object."""
        return self.value(self.field(op, name))

    def take(self, things):
        """As many of them as there is room for, and whether all."""
        taken = []
        for thing in things:
            if self.left <= 0:
                return taken, ["..."]
            self.left -= 1
            taken.append(thing)
        return taken, []

    # ----------------------------------------------------------------
    # Numbers and texts

    def write_PyNone(self, _op):
        return "None"

    def write_PyNotImplemented(self, _op):
        return "NotImplemented"

    def write_PyEllipsis(self, _op):
        return "Ellipsis"

    def write_PyBool(self, op):
        return str(self.field(op, "PyLongObject._pyb_number") != 0)

    def write_PyLong(self, op):
        size = signed(op.address + self.layout["PyLongObject._pyb_size"])
        place = op.address + self.layout["PyLongObject._pyb_number"]
        if size == 0:
            return str(signed(place))
        if abs(size) > BIG_LIMBS:
            return "<int of %d limbs>" % abs(size)
        limbs = struct.unpack("=%dQ" % abs(size),
                              read(word(place), 8 * abs(size)))
        number = sum(limb << 64 * i for i, limb in enumerate(limbs))
        return str(-number if size < 0 else number)

    def write_PyFloat(self, op):
        place = op.address + self.layout["PyFloatObject.ob_fval"]
        return repr(struct.unpack("=d", read(place, 8))[0])

    def write_PyComplex(self, op):
        place = op.address + self.layout["PyComplexObject.cval"]
        return repr(complex(*struct.unpack("=2d", read(place, 16))))

    def cut(self, place, size):
        """The bytes that there is room for, and what follows their repr."""
        limit = element_limit()
        return (read(place, max(min(size, limit), 0)),
                "..." if size > limit else "")

    def write_PyUnicode(self, op):
        found, rest = self.cut(self.field(op, "PyUnicodeObject._pyb_text"),
                               self.field(op, "PyUnicodeObject._pyb_size"))
        errors = "ignore" if rest else "backslashreplace"
        try:
            decoded = found.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            decoded = found.decode("utf-8", errors)
        return repr(decoded) + rest

    def write_PyBytes(self, op):
        place = op.address + self.layout["PyBytesObject.ob_sval"]
        found, rest = self.cut(place, op.size())
        return repr(found) + rest

    def write_PyByteArray(self, op):
        found, rest = self.cut(self.field(op, "PyByteArrayObject.ob_start"),
                               op.size())
        return "bytearray(%r%s)" % (found, rest)

    # ----------------------------------------------------------------
    # Containers

    def sequence(self, op):
        place, n = self.heap.items(op)
        if n < 0:
            return ["<%d items?>" % n]
        items = words(place, max(min(n, self.left), 0))
        taken, rest = self.take(items)
        if len(items) < n:
            rest = ["..."]
        return [self.value(item) for item in taken] + rest

    def write_PyList(self, op):
        return "[%s]" % ", ".join(self.sequence(op))

    def write_PyTuple(self, op):
        shown = self.sequence(op)
        return "(%s%s)" % (", ".join(shown), "," if len(shown) == 1 else "")

    def entries(self, address):
        return self.take(self.heap.dict_entries(address))

    def dictionary(self, address):
        taken, rest = self.entries(address)
        shown = ["%s: %s" % (self.value(key), self.value(value))
                 for key, value in taken]
        return "{%s}" % ", ".join(shown + rest)

    def write_PyDict(self, op):
        return self.dictionary(op.address)

    def elements(self, op):
        taken, rest = self.entries(op.address)
        shown = [self.value(key) for key, _ in taken] + rest
        return "{%s}" % ", ".join(shown) if shown else ""

    def write_PySet(self, op):
        return self.elements(op) or "set()"

    def write_PyFrozenSet(self, op):
        return "frozenset(%s)" % self.elements(op)

    def write_PyCell(self, op):
        held = self.field(op, "PyCellObject.ob_ref")
        return "<cell: %s>" % (self.value(held) if held else "empty")

    def write_PySlice(self, op):
        return "slice(%s)" % ", ".join(
            self.shown(op, "PySliceObject." + part)
            for part in ("start", "stop", "step"))

    # ----------------------------------------------------------------
    # Modules, types, functions, exceptions

    def name_of_module(self, op):
        """The value of __name__ in its dictionary."""
        place = self.field(op, "pyb_module.dict")
        for key, value in self.heap.dict_entries(place) if place else ():
            if self.value(key) == "'__name__'":
                return " " + self.value(value)
        return ""

    def write_PyModule(self, op):
        return "<module%s>" % self.name_of_module(op)

    def write_PyType(self, op):
        return "<class '%s'>" % self.heap.type_at(op.address).name

    def write_PyCFunction(self, op):
        definition = self.field(op, "PyCFunctionObject.m_ml")
        name = text(word(definition + self.layout["PyMethodDef.ml_name"]))
        owner = self.field(op, "PyCFunctionObject.m_self")
        if owner:
            self_ = self.heap.object_at(owner)
            if self_.type.builtin() != "PyModule_Type":
                return "<built-in method %s of %s>" % (name,
                                                       self.plain(self_))
        return "<built-in function %s>" % name

    def write_PyMethod(self, op):
        return "<method %s of %s>" % (
            self.shown(op, "PyMethodObject.im_func"),
            self.shown(op, "PyMethodObject.im_self"))

    def descriptor(self, kind, op):
        owner = self.heap.type_at(self.field(op, "PyDescrObject.d_type"))
        return "<%s %s of '%s'>" % (
            kind, self.shown(op, "PyDescrObject.d_name"), owner.name)

    def write_PyMethodDescr(self, op):
        return self.descriptor("method", op)

    def write_PyClassMethodDescr(self, op):
        return self.descriptor("class method", op)

    def write_PyMemberDescr(self, op):
        return self.descriptor("member", op)

    def write_PyGetSetDescr(self, op):
        return self.descriptor("attribute", op)

    def write_PyWeakref(self, op):
        hidden = self.field(op, "PyWeakReference.wr_hidden")
        if hidden == 0:
            return "<weakref; dead>"
        # The complement of the address.
        referent = self.heap.object_at(hidden ^ (1 << 64) - 1)
        return "<weakref to %s at 0x%x>" % (referent.type.name,
                                            referent.address)

    def write_PyException(self, op):
        name = op.type.name.rpartition(".")[2]
        args = self.shown(op, "PyBaseExceptionObject.args")
        return name + (args[:-2] + ")" if args.endswith(",)") else args)

    # ----------------------------------------------------------------
    # Instances of other types

    def member(self, op, member):
        place = op.address + member.offset
        if member.is_object():
            return self.value(word(place))
        if member.kind in NUMBERS:
            code = NUMBERS[member.kind]
            size = struct.calcsize("=" + code)
            return repr(struct.unpack("=" + code, read(place, size))[0])
        if member.kind == STRING:
            return repr(text(word(place))) if word(place) else "None"
        if member.kind == STRING_INPLACE:
            return repr(text(place))
        if member.kind == CHAR:
            return repr(chr(read(place, 1)[0]))
        return "None"

    def attributes(self, op):
        taken, rest = self.take(m for m in op.type.members()
                                if not m.is_slot())
        shown = ["%s=%s" % (m.name, self.member(op, m)) for m in taken]
        return shown + rest + self.in_dict(op)

    def in_dict(self, op):
        """Attributes that are no members."""
        taken, rest = self.take(self.heap.attributes(op))
        return ["%s=%s" % (self.value(key).strip("'"), self.value(value))
                for key, value in taken] + rest

    def write_instance(self, op):
        shown = self.attributes(op)
        if not shown:
            return self.plain(op)
        return "%s(%s)" % (op.type.name, ", ".join(shown))
