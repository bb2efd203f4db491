"""The printer of PyObject * and of pointers to all that begins with one."""

import gdb
import gdb.printing

from . import describe
from .memory import NoLibrary
from .objects import Heap

NESTED = 6  # PyCMethodObject begins with a PyCFunctionObject, and so on


def begins_with_object(type_):
    """Is it PyObject, or does its first field begin with one?"""
    for _ in range(NESTED):
        type_ = type_.strip_typedefs()
        if type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return False
        if type_.tag == "_object":
            return True
        fields = type_.fields()
        if not fields:
            return False
        type_ = fields[0].type
    return False


def printable(text):
    """gdb raises an error if its terminal does not have a character."""
    known = hasattr(gdb, "host_charset") # from gdb 12 on
    charset = gdb.host_charset() if known else "ascii"
    return text.encode(charset, "backslashreplace").decode(charset)


class ObjectPrinter:
    def __init__(self, value):
        self.address = int(value)

    def to_string(self):
        try:
            return printable(describe.line(Heap(), self.address))
        except NoLibrary:
            return "0x%x" % self.address


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("pyboehm", [])

    def __call__(self, value):
        type_ = value.type.strip_typedefs()
        if (type_.code != gdb.TYPE_CODE_PTR or
                not begins_with_object(type_.target())):
            return None
        try:
            return ObjectPrinter(value) if int(value) != 0 else None
        except gdb.error:  # optimized out, for instance
            return None


def register(objfile):
    gdb.printing.register_pretty_printer(objfile, Printers(), replace=True)
