"""gdb's view of pyboehm: printers of objects, and commands for its heap.

All of it but counts reads memory and calls nothing in the program, so that it
works on core files.  From below:

    memory      words and bytes; where the library says that things lie
    sidetable   facts about blocks, walks over them
    objects     what stands at an address: types, members, parts
    values      objects as Python would show them
    describe    an object in one line
    printer     what print, backtrace, info locals show of a PyObject *
    counts      changes of a count
    commands    pyboehm-info, pyboehm-referrers, pyboehm-heap, pyboehm-count
"""

from . import commands, printer


def register(objfile):
    """For a file with the library in it; None: for all there are."""
    printer.register(objfile)
    commands.register()
