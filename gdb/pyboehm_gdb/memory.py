"""Memory of the program, and what the library says of where things lie.

PyBoehm_Layout, which the library exports, is an array of names and values;
see lib/watch/memory/layout.c.  So no debug information is needed."""

import struct

import gdb

WORD = 8
MOST = 1 << 30  # bytes read at once: a larger size is a damaged word


def read(address, size):
    """Bytes; gdb.MemoryError if they are not there."""
    if not (0 <= size <= MOST and 0 <= address < 1 << 64):
        raise gdb.MemoryError("%d bytes at 0x%x" % (size, address))
    if size == 0:
        return b""
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def words(address, n):
    return struct.unpack("=%dQ" % n, read(address, n * WORD))


def word(address):
    return words(address, 1)[0]


def signed(address):
    return struct.unpack("=q", read(address, WORD))[0]


def text(address, limit=4096):
    """A C string; "" for NULL."""
    found = b""
    while address != 0 and len(found) < limit:
        # Not across a page: the next one may not be there.
        piece = read(address, 256 - address % 256)
        end = piece.find(b"\0")
        if end >= 0:
            found += piece[:end]
            break
        found += piece
        address += len(piece)
    return found.decode("utf-8", "replace")


class NoLibrary(gdb.GdbError):
    """There is no libpyboehm here, or it does not run yet."""


def table_address():
    try:
        return int(gdb.parse_and_eval("&PyBoehm_Layout"))
    except gdb.error:
        raise NoLibrary("There is no libpyboehm in this program (yet).")


def read_table(address):
    table = {}
    name, value = words(address, 2)
    while name != 0:
        table[text(name).replace("struct ", "")] = value
        address += 2 * WORD
        name, value = words(address, 2)
    return table


class Layout:
    """layout["PyListObject.ob_item"]: an offset, and so on."""

    known = {}

    def __init__(self):
        address = table_address()
        # What gdb has of a program that has ended is its file.
        if not gdb.selected_inferior().threads():
            raise NoLibrary("The program is not running.")
        if address not in Layout.known:
            Layout.known[address] = read_table(address)
        self.table = Layout.known[address]
        # Before the program is loaded its tables hold no addresses.
        if self.table.get("PyBoehm_Layout") != address:
            Layout.known.clear()
            raise NoLibrary("The program is not running.")

    def __getitem__(self, name):
        try:
            return self.table[name]
        except KeyError:
            raise gdb.GdbError("This libpyboehm and its support for gdb are"
                               " not of the same version: %s." % name)

    def fields(self, structure):
        """Names of a structure's fields, by offset."""
        return {value: name[len(structure) + 1:]
                for name, value in self.table.items()
                if name.startswith(structure + ".")}


def forget(_event):
    Layout.known.clear()


gdb.events.new_objfile.connect(forget)
gdb.events.clear_objfiles.connect(forget)
