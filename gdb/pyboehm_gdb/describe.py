"""An object in a few words: type, count, facts."""

import gdb

from . import sidetable
from .objects import NoObject
from .values import Writer

GENERATIONS = ("generation 0", "generation 1", "generation 2", "frozen")


def generation(facts):
    """Of a tracked object."""
    return (facts // sidetable.AGE1 & 1) + 2 * (facts // sidetable.AGE2 & 1)


def count_words(op):
    if op.immortal():
        return "immortal"
    adopted = ", adopted" if op.facts & sidetable.ADOPTED else ""
    return "count %d%s" % (op.references(), adopted)


def fact_words(facts):
    """What the side table says of a block that is held."""
    if facts & sidetable.TRACKED:
        yield "tracked"
        yield GENERATIONS[generation(facts)]
    for fact, name in ((sidetable.FINALIZED, "finalized"),
                       (sidetable.CONDEMNED, "condemned"),
                       (sidetable.ADOPTED, "adopted"),
                       (sidetable.FREED, "freed")):
        if facts & fact:
            yield name


def head(op):
    said = [op.type.name, count_words(op)]
    if op.facts:
        # Its count has said whether it is adopted.
        said += (list(fact_words(op.facts & ~sidetable.ADOPTED)) or
                 ["untracked"])
    return "<%s>" % ", ".join(said)


def value(heap, op):
    """Of it, or "" if it would only repeat the head."""
    writer = Writer(heap)
    shown = writer.value(op.address)
    return "" if shown == writer.plain(op) else shown


def line(heap, address):
    """What print shows of a PyObject *."""
    try:
        op = heap.object_at(address)
        return ("0x%x %s %s" % (address, head(op), value(heap, op))).rstrip()
    except NoObject as why:
        return "0x%x <no object: %s>" % (address, why)
    except gdb.MemoryError:
        return "0x%x <no object: it cannot be read>" % address
