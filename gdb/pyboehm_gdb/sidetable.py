"""The side table: facts about the blocks of the heap.  See lib/gc/heap/sidetable.h
and lib/gc/heap/heap.h, whose words these are."""

from .memory import WORD, read, word, words

HELD, TRACKED, AGE1, AGE2, FINALIZED, CONDEMNED, ADOPTED, FREED = (
    1 << i for i in range(8))

LINE_GRANULES = 64

# The facts that are words of a line, and those in arrays of the region.
LINE_FACTS = (("held", HELD), ("tracked", TRACKED), ("age1", AGE1),
              ("age2", AGE2), ("finalized", FINALIZED),
              ("condemned", CONDEMNED))
REGION_FACTS = (("adopted", ADOPTED), ("freed", FREED))


def facts_with(line, bit):
    """What is true of the block that has this bit in the words of its line;
    nothing is if it is not held."""
    facts = 0
    for word_, fact in line:
        if word_ & bit:
            facts |= fact
    return facts if facts & HELD else 0


class Region:
    """64 MiB of addresses: which pages are in use, and the facts of those."""

    def __init__(self, layout, address):
        self.layout = layout
        self.address = address
        self.base = self.field("base")
        self.begin = self.field("pages_begin")
        self.end = max(self.field("pages_end"), self.begin)
        self.pages = read(address + layout["pyb_region.pages"] + self.begin,
                          self.end - self.begin)
        # Which word of a line says what.
        self.line_words = [(layout["pyb_line." + name] // WORD, fact)
                           for name, fact in LINE_FACTS]

    def field(self, name):
        return word(self.address + self.layout["pyb_region." + name])

    def granules(self, page):
        """Of the blocks in a page of the region; 0: nothing there is ours."""
        if not self.begin <= page < self.end:
            return 0
        return self.pages[page - self.begin]

    def lines(self, first, n):
        """For each of n lines a list: words, and the facts they are about."""
        size = self.layout["pyb_line"]
        lines = words(self.address + self.layout["pyb_region.lines"] +
                      first * size, n * size // WORD)
        arrays = [(fact, words(self.address + first * WORD +
                               self.layout["pyb_region." + name], n))
                  for name, fact in REGION_FACTS]
        for i in range(n):
            line = lines[i * size // WORD:(i + 1) * size // WORD]
            yield ([(line[place], fact) for place, fact in self.line_words] +
                   [(array[i], fact) for fact, array in arrays])

    def facts_of(self, address):
        """Of the block that begins there; 0 if none does."""
        shift = self.layout["PYB_GRANULE_SHIFT"]
        offset = address - self.base
        if offset % (1 << shift) != 0:
            return 0
        number = offset >> self.layout["PYB_LINE_SHIFT"]
        bit = 1 << (offset >> shift) % LINE_GRANULES
        for line in self.lines(number, 1):
            return facts_with(line, bit)

    def blocks(self):
        """The address and the facts of each block that is ours."""
        granule = self.layout["PYB_GRANULE_SHIFT"]
        shift = self.layout["PYB_LINE_SHIFT"]
        page_lines = 1 << (self.layout["PYB_PAGE_SHIFT"] - shift)
        first = self.begin * page_lines
        n = (self.end - self.begin) * page_lines
        for number, line in enumerate(self.lines(first, n), first):
            held = line[0][0]
            while held != 0:
                bit = held & -held
                held &= held - 1
                yield (self.base + (number << shift) +
                       (bit.bit_length() - 1 << granule),
                       facts_with(line, bit))


class SideTable:
    """All regions, each read when first asked for, at one moment: a new one is
    made for each thing printed."""

    def __init__(self, layout):
        self.layout = layout
        self.regions = {}
        self.numbers = {}
        self.place = layout["pyb_sidetable"]

    def region_at(self, address):
        if address not in self.regions:
            self.regions[address] = Region(self.layout, address)
        return self.regions[address]

    def find_region(self, number):
        """The address of one; 0 if there is none."""
        number -= word(self.place + self.layout["pyb_sidetable.lowest"])
        limit = word(self.place + self.layout["pyb_sidetable.limit"])
        if not 0 <= number < limit:
            return 0
        return word(word(self.place + self.layout["pyb_sidetable.regions"]) +
                    number * WORD)

    def region_of(self, address):
        number = address >> self.layout["PYB_REGION_SHIFT"]
        if number not in self.numbers:
            self.numbers[number] = self.find_region(number)
        region = self.numbers[number]
        return self.region_at(region) if region != 0 else None

    def all_regions(self):
        region = word(self.place + self.layout["pyb_sidetable.first"])
        while region != 0:
            yield self.region_at(region)
            region = word(region + self.layout["pyb_region.next"])

    def facts(self, address):
        region = self.region_of(address)
        return region.facts_of(address) if region is not None else 0

    def blocks(self):
        for region in sorted(self.all_regions(), key=lambda r: r.base):
            yield from region.blocks()

    def granules(self, address):
        region = self.region_of(address)
        if region is None:
            return 0
        return region.granules((address - region.base) >>
                               self.layout["PYB_PAGE_SHIFT"])

    def block_size(self, block):
        """None of a large one: only Boehm knows."""
        granules = self.granules(block)
        if granules == self.layout["PYB_LARGE"]:
            return None
        return granules << self.layout["PYB_GRANULE_SHIFT"]

    def candidates(self, address):
        """Where the block that an address lies in may begin: the last one in
        its page; else that of the last page before in which a large block
        begins, which may be too short."""
        shift = self.layout["PYB_PAGE_SHIFT"]
        page = address >> shift << shift
        size = self.block_size(address)
        if size:
            # Boehm lays blocks from the beginning of the page on.
            yield address - (address - page) % size
            return
        while True:
            region = self.region_of(page)
            if region is None:
                return
            number = (page - region.base) >> shift
            if region.granules(number) == self.layout["PYB_LARGE"]:
                yield page
                return
            if region.granules(number) != 0:
                return
            page -= 1 << shift
