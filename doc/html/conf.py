"""How Sphinx makes the manual for browsers; doc/html/local.mk starts it.

The sources are the documents, in Markdown, and the manual pages, of which
pandoc makes Markdown.  What is done here: each name of the API gets a mark in
its page, an entry in the index, and links from wherever it stands in code.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

project = "pyboehm"
version = release = os.environ["version"]
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_static_path = ["style.css", "filter.js"]
html_css_files = ["style.css"]
html_title = f"pyboehm {version}"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
smartquotes = False

PARTS = {
    "Guide": "installing tutorial pyboehm hosts guile",
    "Tools": "debugging report audit gdb holders pictures statistics",
    "Facts": "modules stable-abi abi performance conformance NEWS",
    "Reference": "pyboehm.7 pyboehm-graph.1 Python.h genindex",
}
NAME = r"[A-Za-z_]\w*(?:\.h\b|\.md\b|-graph\b)?"
# Where the mark of a name may be, in the order of preference.
EXPLAINED = r"<p>(?:<strong>\w+</strong>[,\s]*)+</p>|<h3>[^<]*<"
SHOWN = r"(?s)<pre>.*?</pre>"
NAMED = r"<strong>\w+</strong>"
CODE = r"(?s)<(pre|code|strong)\b[^>]*>.*?</\1>"
# The fields of types are names that one looks up, too.
SLOT = r"\b(?:tp|nb|sq|mp|am|bf)_\w+"

# The page and the mark in it of each name.
address = {}


# ----------------------------------------------------------------------
# Sources


def read_pages(manuals):
    """The manual pages; the others only refer to one of them."""
    pages = {}
    for file in sorted(Path(manuals).glob("*.3")):
        text = file.read_text()
        refers = re.match(r"\.so man3/(.*)\.3\n", text)
        page = refers[1] if refers else file.stem
        address[file.stem] = (page, file.stem)
        if not refers:
            pages[page] = text
    for slot in re.findall(SLOT, pages["PyTypeObject"]):
        address[slot] = ("PyTypeObject", slot)
    for header in re.findall(r'(?m)^\.SS "(\w+\.h): ', pages["Python.h"]):
        address[header] = ("Python.h", header)
    address["Python.h"] = ("Python.h", "")
    return pages


def markdown(pages):
    """What pandoc makes of all pages, in one go."""
    roff = "".join(
        f".TH {name}\n.PP\n@page {name}\n" + re.sub(r"(?m)^\.TH.*\n", "", text)
        for name, text in pages.items()
    )
    pandoc = subprocess.run(
        [os.environ["PANDOC"], "-f", "man", "-t", "gfm"],
        input=roff, capture_output=True, text=True, check=True,
    )
    return [
        (name.replace("\\", ""), text)
        for name, text in re.findall(
            r"(?s)@page (\S+)\n(.*?)(?=@page |\Z)", pandoc.stdout
        )
    ]


def with_title(name, text):
    """The page's own name is its title, the sections are below it."""
    title = re.sub(r"\.(\d)$", r"(\1)", name)
    text = re.sub(r"(?m)^#+ ", r"#\g<0>", text)
    text = re.sub(
        r"(?m)^## ([A-Z ]+)$", lambda m: "## " + m[1].capitalize(), text
    )
    return re.sub(
        r"\A\s*## Name\n\n.*?-\s(.)",
        lambda m: f"# {title}\n\n{m[1].upper()}",
        text, count=1, flags=re.S,
    )


def news(text):
    """NEWS and the like, as Markdown."""
    text = re.sub(r"(?m)^\d[\d.]*", r"## \g<0>", text)
    return "# News\n\n" + re.sub(
        r"(?:doc/)?\w+\.(?:h|md)\b|[A-Za-z.]*_\w*", r"`\g<0>`", text
    )


def write_sources(app):
    sources = Path(app.srcdir)
    for file in map(Path, os.environ["documents"].split()):
        if file.name == "NEWS":
            (sources / "NEWS.md").write_text(news(file.read_text()))
        elif file.suffix == ".md":
            shutil.copyfile(file, sources / file.name)
            address[file.name] = (file.stem, "")
        elif file.suffix == ".svg":
            (sources / file.parent.name).mkdir(exist_ok=True)
            shutil.copyfile(file, sources / file.parent.name / file.name)
    pages = read_pages(os.environ["manuals"])
    reference = re.findall(r"(?m)^\.BR (\S+) \(3\)", pages["Python.h"])
    for file in os.environ["overviews"].split():
        pages[Path(file).name] = Path(file).read_text()
        if file.endswith(".1"):
            address[Path(file).stem] = (Path(file).name, "")
    for name, text in markdown(pages):
        (sources / f"{name}.md").write_text(with_title(name, text))
    with open(sources / "Python.h.md", "a") as page:
        page.write(toctree("", reference))
    with open(sources / "index.md", "a") as page:
        for part, names in PARTS.items():
            page.write(toctree(f":caption: {part}", names.split()))


def toctree(option, names):
    entries = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n{option}\n\n{entries}\n```\n"


# ----------------------------------------------------------------------
# Names


def family(name):
    """PyList_New is one of PyList_; small families are in one list."""
    own = re.match("_*[^_]+_?", name)[0]
    size = sum(other.startswith(own) for other in address)
    return own if size >= 8 else "Others"


def add_entries(app, doctree):
    """The page's names, in the index."""
    page = app.env.docname
    app.env.get_domain("index").entries[page] = [
        ("single", name, mark, "", family(name))
        for name, (home, mark) in address.items()
        if home == page and mark and not name.endswith(".h")
    ]


def add_links(app, page, template, context, doctree):
    """Marks where the page explains or shows a name; links in all code."""
    if doctree is None:
        return
    body = context["body"]
    own = {name for name, (home, mark) in address.items() if home == page and mark}
    own -= set(re.findall(r'id="([^"]*)"', body))

    def mark(name):
        if name[0] not in own:
            return name[0]
        own.remove(name[0])
        return f'<span id="{name[0]}">{name[0]}</span>'

    def link(name):
        if name[0] not in address:
            return name[0]
        home, mark = address[name[0]]
        return f'<a href="{home}.html{mark and "#"}{mark}">{name[0]}</a>'

    for place in EXPLAINED, SHOWN, NAMED:
        body = in_text(place, mark, body)
    context["body"] = in_text(CODE, link, re.sub(SHOWN, broken, body))


def add_filter(app, page, template, context, doctree):
    """A box on the index, where there is JavaScript."""
    if page == "genindex":
        app.add_js_file("filter.js", defer="defer")


def in_text(place, change, body):
    """Changes the names in such places, outside of tags."""

    def change_text(text):
        return re.sub(NAME, change, text[0])

    return re.sub(
        place, lambda part: re.sub(r"(?<=>)[^<]+", change_text, part[0]), body
    )


def broken(listing):
    """The long lines of a report are broken, the rows of a table are not."""
    lines = re.sub("<.*?>", "", listing[0]).splitlines()
    if any(len(line) > 80 and not re.search(r"\S {3}", line) for line in lines):
        return listing[0].replace("<pre>", '<pre class="long">')
    return listing[0]


def setup(app):
    app.connect("builder-inited", write_sources)
    app.connect("doctree-read", add_entries)
    app.connect("html-page-context", add_links)
    app.connect("html-page-context", add_filter)
