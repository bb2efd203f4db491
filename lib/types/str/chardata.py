#!/usr/bin/env python3
"""chardata.py: writes chardata.c, what is known of characters.

    python3.13 lib/types/str/chardata.py >lib/types/str/chardata.c

The Python that runs this is asked of each character, so its version decides
about that of Unicode: 15.1 is that of CPython 3.13.  Neither is needed to
build the library; chardata.c is kept with the sources.  chardata.h says what
the tables mean.
"""

import ctypes
import unicodedata

END = 0x110000
SURROGATES = range(0xD800, 0xE000)
LONGEST = 0xFFFF  # run: the lengths are numbers of 16 bits
RUNS_IN_BLOCK = 16
PAGE = 512
PAGED = 0x20000  # what comes behind is in few runs

# In the order of chardata.h.
FLAGS = ("alpha", "lower", "upper", "title", "printable", "ignorable",
         "start", "continue", "numeric", "digit", "decimal", "alternate")
FLAG = {name: 1 << i for i, name in enumerate(FLAGS)}


def simple_mapping(name):
    function = getattr(ctypes.pythonapi, "_PyUnicode_To%scase" % name)
    function.argtypes = [ctypes.c_uint32]
    function.restype = ctypes.c_uint32
    return lambda c: chr(function(ord(c)))


to_lower = simple_mapping("Lower")
to_upper = simple_mapping("Upper")
to_title = simple_mapping("Title")


# Characters

def is_ignorable(c):
    """Is c passed over between a capital sigma and the letters of a word?"""
    return (("A" + c + "\u03a3").lower().endswith("\u03c2")
            and (" " + c + "\u03a3").lower().endswith("\u03c3"))


def flags(c):
    facts = (c.isalpha(), c.islower(), c.isupper(),
             c.istitle() and not c.isupper(), c.isprintable(),
             is_ignorable(c), c.isidentifier() and c != "_",
             ("a" + c).isidentifier(), c.isnumeric(), c.isdigit(),
             c.isdecimal())
    return sum(1 << i for i, fact in enumerate(facts) if fact)


def record(c):
    """flags, upper, lower, title and fold, each as a difference."""
    upper, lower, title = to_upper(c), to_lower(c), to_title(c)
    fold = c.casefold()
    return (flags(c), ord(upper) - ord(c), ord(lower) - ord(c),
            ord(title) - ord(upper),
            ord(fold) - ord(lower) if len(fold) == 1 else 0)


def to_title_all(text):
    """The title case of a text that characters fold to."""
    head = 1 if text[0].islower() else 2
    return ("".join(map(to_title, text[:head]))
            + text[head:].replace("\u03b9", "\u0345"))


def check_rules(c):
    """What strcase.c makes of a text that c folds to is what Python makes of
    c: the same text in another case, if it begins like the simple mapping."""
    fold = c.casefold()
    for full, simple, to_all in (
            (c.lower(), to_lower, lambda text: text),
            (c.upper(), to_upper, lambda text: "".join(map(to_upper, text))),
            (c.title(), to_title, to_title_all)):
        if len(fold) > 1 and simple(c) == simple(fold[0]):
            assert full == to_all(fold)
        else:
            assert full == simple(c) or c == "\u03a3"


# Tables

def make_runs(records):
    """Characters with one record, or with two that take turns: yields how
    many, and these."""
    start = 0
    while start < END:
        pair = records[start], records[min(start + 1, END - 1)]
        same = turns = start
        while same < END and records[same] == pair[0]:
            same += 1
        while turns < END and records[turns] == pair[(turns - start) % 2]:
            turns += 1
        if same == start + 1 and turns > start + 2:
            yield turns - start, pair
            start = turns
        else:
            for i in range(start, same, LONGEST):
                yield min(same - i, LONGEST), pair[:1]
            start = same


def check_digits(runs):
    """The value of a decimal digit is its place in the run."""
    start = 0
    for length, pair in runs:
        if pair[0][0] & FLAG["decimal"]:
            assert all(unicodedata.decimal(chr(start + i)) == i % 10
                       for i in range(length))
        start += length


def place_records(runs):
    """Where each record, or pair of them, stands; and all in their order."""
    places, row = {}, []
    for _, pair in runs:
        if pair not in places:
            places[pair] = len(row)
            if len(pair) == 2:
                row.append((pair[0][0] | FLAG["alternate"],) + pair[0][1:])
            row.append(pair[-1])
    return places, row


def make_digits():
    """(first, how many, value of the first) of digits that are not decimal."""
    digits = []
    for i in range(END):
        if not chr(i).isdigit() or chr(i).isdecimal():
            continue
        value = unicodedata.digit(chr(i))
        if digits:
            first, count, least = digits[-1]
            if i == first + count and value == least + count:
                digits[-1][1] += 1
                continue
        digits.append([i, 1, value])
    return digits


def make_folds():
    """(first, how many, text): the others of a row fold like the first, but
    that the first character of their text is the next one each time."""
    folds = []
    for c in (chr(i) for i in range(END) if i not in SURROGATES):
        fold = c.casefold()
        if len(fold) == 1:
            continue
        if folds:
            first, count, text = folds[-1]
            if (ord(c) == first + count and fold[1:] == text[1:]
                    and ord(fold[0]) == ord(text[0]) + count):
                folds[-1][1] += 1
                continue
        folds.append([ord(c), 1, fold])
    return folds


# C

def braces(values):
    values = list(values)
    while values[-1] == 0 and len(values) > 1:
        values.pop()
    return "{%s}" % ",".join(map(str, values))


def write_array(declaration, items):
    print("\n%s = {" % declaration)
    line = ""
    for item in items:
        if len(line) + len(item) + 1 > 79:
            print(line)
            line = ""
        line += item + ","
    print(line + "\n};")


def main():
    for i in range(END):
        check_rules(chr(i))
    runs = list(make_runs([record(chr(i)) for i in range(END)]))
    check_digits(runs)
    places, row = place_records(runs)
    starts, start = [], 0
    for i, (length, _) in enumerate(runs):
        if i % RUNS_IN_BLOCK == 0:
            starts.append(start)
        start += length
    folds, digits = make_folds(), make_digits()

    print("/* chardata.c: what is known of characters, Unicode %s.  Written "
          "by\n   chardata.py. */\n" % unicodedata.unidata_version)
    print('#include "Python.h"\n\n#include "types/str/chardata.h"\n')
    print("/* clang-format off */")
    write_array("const int32_t pyb_chardata_records[][PYB_CHAR_FIELDS]",
                map(braces, row))
    write_array("const uint16_t pyb_chardata_runs[]",
                ("%d,%d" % (length, places[pair]) for length, pair in runs))
    write_array("const Py_UCS4 pyb_chardata_blocks[]",
                map(str, starts + [END]))
    pages = [max(i for i, start in enumerate(starts) if start <= page)
             for page in range(0, PAGED + 1, PAGE)]
    write_array("const uint8_t pyb_chardata_pages[]", map(str, pages))
    write_array("const Py_UCS4 pyb_chardata_digits[][3]",
                map(braces, digits))
    print("const int pyb_chardata_digit_count = %d;" % len(digits))
    write_array("const uint16_t pyb_chardata_folds[][PYB_FOLD_FIELDS]",
                (braces([first, count, *map(ord, text)])
                 for first, count, text in folds))
    print("const int pyb_chardata_fold_count = %d;" % len(folds))


main()
