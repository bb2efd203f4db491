"""The changes of an object's count, as the program runs."""

import os

import gdb

WORD = 8
ADOPTED = 1 << 29  # what Boehm's reference adds
COUNT_MAX = 1 << 40  # above it is what free blocks have there
CALLERS = 3


def source(frame):
    """The file that its function is in; "" if that is not known."""
    function = frame.function()
    return function.symtab.filename if function is not None else ""


def is_librarys(frame):
    """Is it code of pyboehm's or of Boehm's, or inlined from our headers?"""
    if (frame.name() or "").startswith(("Py", "_Py")):
        return True
    path = gdb.solib_name(frame.pc()) or ""
    return os.path.basename(path).startswith(("libpyboehm.so", "libgc.so"))


def place(frame):
    """Of what was inlined there gdb may know the line, and not the frame."""
    sal = frame.find_sal()
    where = os.path.basename(source(frame))
    if sal.symtab is not None and \
            os.path.basename(sal.symtab.filename) == where:
        where = "%s:%d" % (where, sal.line)
    return "%s (%s)" % (frame.name() or "0x%x" % frame.pc(), where)


def callers():
    """Those of the program, and what they called of the library's."""
    frame, called, places = gdb.newest_frame(), None, []
    while frame is not None and is_librarys(frame):
        if frame.type() != gdb.INLINE_FRAME:
            called = frame.name()
        frame = frame.older()
    if called is not None and "CREF" not in called:
        places.append(called)
    while frame is not None and len(places) < CALLERS:
        places.append(place(frame))
        if frame.name() == "main":
            break
        frame = frame.older()
    return ", ".join(places)


class CountWatch(gdb.Breakpoint):
    """Tells each change, and lets the program go on."""

    def __init__(self, address):
        super().__init__("*(long *) 0x%x" % address, gdb.BP_WATCHPOINT,
                         gdb.WP_WRITE, internal=True)
        self.silent = True
        self.address = address
        self.last = self.read()

    def read(self):
        """The count; None where no object's lies."""
        try:
            memory = gdb.selected_inferior().read_memory(self.address, WORD)
        except gdb.MemoryError:
            return None
        count = int.from_bytes(memory, "little")
        return count if count < COUNT_MAX else None

    def words(self, count):
        if ADOPTED <= count < 2 * ADOPTED:
            return "%d, adopted" % (count - ADOPTED)
        return str(count)

    def stop(self):
        before, self.last = self.last, self.read()
        if self.last is None or self.last == before:
            return False
        if before is None:
            if self.last > 0:
                self.tell("made", self.last)
        elif before == 0 and self.last == 1:
            self.last = None  # what waits for its block to be used again
        else:
            self.tell("%s ->" % self.words(before), self.last)
        return False

    def tell(self, what, count):
        print("0x%x %s %s  %s" %
              (self.address, what, self.words(count), callers()))
