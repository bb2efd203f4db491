"""gdb loads this when it sees libpyboehm; or say: source libpyboehm-gdb.py.

The package that does the work lies beside it, or, where both are installed,
DATADIR/gdb/auto-load/PATH/TO/libpyboehm.so.0.0.0-gdb.py and
DATADIR/pyboehm/gdb/v0."""

import os
import re
import sys

import gdb


def package_directory():
    here = os.path.realpath(__file__)
    found = re.match(r"(.*)/gdb/auto-load/.*\.so\.(\d+)[^/]*$", here)
    if found is None:
        return os.path.dirname(here)
    return "%s/pyboehm/gdb/v%s" % found.groups()


def load():
    directory = package_directory()
    if directory not in sys.path:
        sys.path.insert(0, directory)
    # Nothing is to be left where make uninstall does not look.
    setting = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    import pyboehm_gdb

    sys.dont_write_bytecode = setting
    pyboehm_gdb.register(gdb.current_objfile())


load()
