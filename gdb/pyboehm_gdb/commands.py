"""The commands: pyboehm-info, pyboehm-referrers, pyboehm-heap,
pyboehm-count."""

import collections
import os
import re

import gdb

from . import describe, referrers, sidetable
from .counts import CountWatch
from .objects import Heap, NoObject
from .values import element_limit


def address_of(argument):
    """What an expression points to, or is."""
    if not argument.strip():
        raise gdb.GdbError("Which address?")
    value = gdb.parse_and_eval(argument)
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        value = value.address
    if value is None:
        raise gdb.GdbError("It has no address.")
    return int(value.cast(gdb.lookup_type("unsigned long")))


def symbol(address):
    """ " (NAME in FILE)" of what a program or a library has there, or ""."""
    said = gdb.execute("info symbol 0x%x" % address, to_string=True).strip()
    found = re.match(r"(.*) in section \S+(?: of (.*))?$", said)
    if found is None:
        return ""
    name, path = found.groups()
    return " (%s%s)" % (name, " in " + os.path.basename(path) if path else "")


def show(name, said):
    print("  %-8s %s" % (name, said))


class Command(gdb.Command):
    """A command whose help is its class's doc string."""

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_DATA, self.completes)

    completes = gdb.COMPLETE_EXPRESSION

    def invoke(self, argument, _from_tty):
        self.dont_repeat()
        try:
            self.run(Heap(), argument)
        except gdb.MemoryError as error:
            raise gdb.GdbError("Memory that cannot be read: %s" % error)
        except gdb.error as error: # in the expression, mostly
            raise gdb.GdbError(str(error))


# --------------------------------------------------------------------


class Info(Command):
    """Say all that pyboehm knows of an address.

    pyboehm-info ADDRESS

Is it an object, the inside of one, a free block; its type, count, facts, block
and value.  ADDRESS is any expression.  Nothing is called in the program."""

    name = "pyboehm-info"

    def run(self, heap, argument):
        address = address_of(argument)
        block, facts = heap.block_of(address)
        if block == 0:
            self.outside(heap, address)
        else:
            self.inside(heap, address, block, facts)

    def outside(self, heap, address):
        try:
            op = heap.object_at(address)
        except NoObject as why:
            print("0x%x is not in pyboehm's heap%s, and no object: %s." %
                  (address, symbol(address), why))
            return
        except gdb.MemoryError:
            print("0x%x cannot be read." % address)
            return
        print("0x%x is an object outside pyboehm's heap%s." %
              (address, symbol(address)))
        self.object(heap, op)

    def inside(self, heap, address, block, facts):
        try:
            op = heap.object_at(block)
        except NoObject as why:
            print("0x%x is in pyboehm's heap, and no object: %s." %
                  (address, why))
        else:
            self.place(heap, address, op)
            self.object(heap, op)
        show("facts", ", ".join(["held"] + list(describe.fact_words(facts))))
        self.block(heap, block)

    def place(self, heap, address, op):
        if op.address == address:
            print("0x%x is an object in pyboehm's heap." % address)
            return
        offset = address - op.address
        print("0x%x is in the object at 0x%x, at offset %d%s." %
              (address, op.address, offset,
               referrers.bracketed(heap, op, offset)))

    def object(self, heap, op):
        show("type", "%s at 0x%x%s" % (op.type.name, op.type.address,
                                       symbol(op.type.address)))
        show("count", self.count(op))
        shown = describe.value(heap, op)
        if shown:
            show("value", shown)

    def count(self, op):
        if op.immortal():
            return "immortal"
        boehm = (", and Boehm's reference"
                 if op.facts & sidetable.ADOPTED else "")
        return "%d%s" % (op.references(), boehm)

    def block(self, heap, block):
        line, page = (block >> shift << shift for shift in
                      (heap.layout["PYB_LINE_SHIFT"],
                       heap.layout["PYB_PAGE_SHIFT"]))
        size = "%d bytes" % heap.block_bytes(block)
        if heap.table.block_size(block) is None:
            size += " or more"
        show("block", "%s at 0x%x, line 0x%x, page 0x%x" %
             (size, block, line, page))


# --------------------------------------------------------------------


class Referrers(Command):
    """List what refers to an object.

    pyboehm-referrers ADDRESS

Words of objects in pyboehm's heap, items of their lists, dicts and sets, and
fields of static types.  Whether they are owned is not known: compare with the
count.  Stacks, registers, global variables, and malloc memory that is not a
list's, a dict's or a set's are not looked at.  Nothing is called in the
program."""

    name = "pyboehm-referrers"
    FEW = 5

    def run(self, heap, argument):
        address = address_of(argument)
        print(describe.line(heap, address))
        few, numbers = {}, collections.Counter()
        for found in referrers.find(heap, address):
            key = found.op.type.name, found.sort
            numbers[key] += 1
            if numbers[key] <= self.FEW:
                few.setdefault(key, []).append(self.line(found))
        for key, lines in few.items():
            print("\n".join(lines))
            if numbers[key] > self.FEW:
                print("  ... and %d more of %s, %s" %
                      (numbers[key] - self.FEW, *key))
        n = sum(numbers.values())
        print("%d reference%s found%s." % (n, "" if n == 1 else "s",
                                           self.count(heap, address)))

    def line(self, found):
        return "  0x%x %s %s" % (found.op.address, describe.head(found.op),
                                 found.where())

    def count(self, heap, address):
        try:
            op = heap.object_at(address)
        except NoObject:
            return ""
        if op.immortal():
            return "; it is immortal"
        return "; its count is %d" % op.references()


# --------------------------------------------------------------------


class Tally:
    """How many, how large."""

    def __init__(self):
        self.number = self.bytes = 0

    def add(self, size):
        self.number += 1
        self.bytes += size

    def show(self, name):
        print("  %9d %12d  %s" % (self.number, self.bytes, name))


class Tallies(dict):
    def __missing__(self, key):
        self[key] = Tally()
        return self[key]

    def show(self, names):
        for name in names:
            self[name].show(name)


def by_size(item):
    name, tally = item
    return -tally.bytes, name


class HeapCommand(Command):
    """Say what is in pyboehm's heap.

    pyboehm-heap
    pyboehm-heap TYPE

Objects by type and by state, and free blocks; or the objects of the type of
that name.  Numbers and strings lie in malloc memory and are not among them.
Nothing is called in the program."""

    name = "pyboehm-heap"
    completes = gdb.COMPLETE_NONE
    HEADER = "  %9s %12s  %s"

    def run(self, heap, argument):
        if argument.strip():
            self.instances(heap, argument.strip())
        else:
            self.summary(heap)

    def instances(self, heap, name):
        limit, n = element_limit(), 0
        for _, _, op in heap.blocks():
            if op is None or op.type.name != name:
                continue
            n += 1
            if n <= limit:
                print(describe.line(heap, op.address))
        if n > limit:
            print("... and %d more." % (n - limit))
        if n == 0:
            print("No object of type %s in pyboehm's heap." % name)

    def summary(self, heap):
        types, states, free, rest = (Tallies() for _ in range(4))
        for address, facts, op in heap.blocks():
            if op is None:
                self.empty(heap, address, facts, free, rest)
                continue
            size = op.bytes()
            types[op.type.name].add(size)
            self.state(facts, size, states)
        self.show_types(types)
        self.show_states(states)
        self.show_free(free)
        self.show_rest(rest)

    def state(self, facts, size, states):
        tracked = facts & sidetable.TRACKED
        states[describe.GENERATIONS[describe.generation(facts)]
               if tracked else "untracked"].add(size)
        for fact, name in ((sidetable.FINALIZED, "finalized"),
                           (sidetable.CONDEMNED, "condemned"),
                           (sidetable.ADOPTED, "adopted")):
            if facts & fact:
                states[name].add(size)

    def empty(self, heap, address, facts, free, rest):
        size = heap.table.block_size(address) or 0
        if not heap.is_free(address):
            rest["damaged, or not made yet"].add(size)
        elif facts & sidetable.CONDEMNED:
            rest["dead, of a set that is torn down"].add(size)
        else:
            free["of %d bytes" % size].add(size)

    def show_types(self, types):
        print("Objects by type")
        print(self.HEADER % ("number", "bytes", "type"))
        rows = sorted(types.items(), key=by_size)
        limit = element_limit()
        for name, tally in rows[:limit]:
            tally.show(name)
        if len(rows) > limit:
            print("  ... and %d more types" % (len(rows) - limit))
        total = Tally()
        total.number = sum(t.number for t in types.values())
        total.bytes = sum(t.bytes for t in types.values())
        total.show("all")

    def show_states(self, states):
        print("Objects by state")
        places = (*describe.GENERATIONS, "untracked")
        states.show(places)
        others = sorted(set(states) - set(places))
        if others:
            print("Among them")
            states.show(others)

    def show_free(self, free):
        print("Free blocks")
        for name, tally in sorted(free.items(), key=by_size):
            tally.show(name)
        if not free:
            print("  none")

    def show_rest(self, rest):
        if rest:
            print("Other blocks")
            rest.show(sorted(rest))


# --------------------------------------------------------------------


class Count(Command):
    """Tell each change of an object's count, from now on.

    pyboehm-count ADDRESS

The program goes on after each of them.  It may be told before the object is
made: run the program, note the address that is complained of, and run it again
as far as main; gdb lets objects have the same addresses each time."""

    name = "pyboehm-count"

    def invoke(self, argument, _from_tty):
        self.dont_repeat()
        CountWatch(address_of(argument))


def register():
    for command in (Info, Referrers, HeapCommand, Count):
        command()
