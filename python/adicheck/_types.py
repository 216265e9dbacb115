# SPDX-License-Identifier: Apache-2.0
"""Types of Arrow written as texts.

A text is a name ("int32", "utf8") or a format string of the C data interface with what belongs to
it, as in the project's tables of sample data:

    !              not nullable
    ~              the dictionary is ordered, the keys of the map are sorted
    {name=text}    an extension type and its metadata
    (a b c)        the children
    [values]       dictionary-encoded: the text before it is the index

"+l(c[u])" is a list of dictionary-encoded strings.
"""

import itertools
import re

from . import _core

NAMES = {
    "null": "n", "bool": "b", "int8": "c", "uint8": "C", "int16": "s", "uint16": "S",
    "int32": "i", "uint32": "I", "int64": "l", "uint64": "L", "float16": "e", "float32": "f",
    "float64": "g", "binary": "z", "large_binary": "Z", "binary_view": "vz", "utf8": "u",
    "large_utf8": "U", "utf8_view": "vu", "date32": "tdD", "date64": "tdm",
}

ORDERED, NULLABLE, SORTED = 1, 2, 4  # ARROW_FLAG_ values
PART = re.compile(r"[^!~{()\[\] ]+")
USUAL = {"+m": ("entries",), "+r": ("run_ends", "values")}


def field(format, name="", children=(), dictionary=None, flags=NULLABLE, metadata=None):
    """A Schema of its parts."""
    return _core.schema(format, name, flags, metadata, tuple(children), dictionary)


def renamed(schema, name, flags=None):
    """The same type under another name."""
    return _core.schema(schema.format, name, schema.flags if flags is None else flags,
                        schema.metadata, schema.children, schema.dictionary)


class _Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def fail(self, wanted):
        raise ValueError(f"{self.text!r}: {wanted} wanted at {self.at}")

    def skip(self, mark):
        """Is that what comes next? Then goes behind it."""
        found = self.text.startswith(mark, self.at)
        self.at += found * len(mark)
        return found

    def extension(self):
        end = self.text.find("}", self.at)
        name, equals, metadata = self.text[self.at:end].partition("=")
        if end < 0 or not equals:
            self.fail("name=metadata}")
        self.at = end + 1
        return {b"ARROW:extension:name": name.encode(),
                b"ARROW:extension:metadata": metadata.encode()}

    def children(self):
        children = [self.type()]
        while not self.skip(")"):
            if not self.skip(" "):
                self.fail("a blank or )")
            children.append(self.type())
        return children

    def type(self):
        found = PART.match(self.text, self.at)
        if found is None:
            self.fail("a format")
        self.at = found.end()
        format = NAMES.get(found[0], found[0])
        flags, metadata, children, dictionary = NULLABLE, None, [], None
        while self.text[self.at:self.at + 1] in ("!", "~"):
            if self.skip("!"):
                flags &= ~NULLABLE
            if self.skip("~"):
                flags |= SORTED if format == "+m" else ORDERED
        if self.skip("{"):
            metadata = self.extension()
        if self.skip("("):
            children = self.children()
        elif self.skip("["):
            dictionary = self.type()
            if not self.skip("]"):
                self.fail("]")
        return field(format, "", _named(format, children), dictionary, flags, metadata)


def _named(format, children):
    """Children under the names that the columnar format prescribes, or that everybody uses."""
    names = USUAL.get(format)
    if format == "+s" or format.startswith("+u"):
        names = [f"f{i}" for i in range(len(children))]
    if format == "+m" and children and len(children[0].children) == 2:
        pair = zip(children[0].children, ("key", "value"))
        inner = [renamed(child, name) for child, name in pair]
        children = [field("+s", "entries", inner, flags=children[0].flags)]
    names = names or ["item"] * len(children)
    return [renamed(child, name) for child, name in zip(children, names)]


_DEEPEST = 64  # as the library reads


def _depth(text):
    bare = re.sub(r"\{[^}]*\}", "", text)
    return max(itertools.accumulate((c in "([") - (c in ")]") for c in bare))


def schema(type):
    """A Schema of a text, or of an object that shows __arrow_c_schema__."""
    if isinstance(type, _core.Schema):
        return type
    if isinstance(type, str):
        reader = _Reader(type)
        if sum(map(type.count, "([")) > _DEEPEST and _depth(type) > _DEEPEST:
            raise ValueError(f"deeper than {_DEEPEST} levels")
        made = reader.type()
        if reader.at != len(type):
            reader.fail("the end")
        return made
    if not hasattr(type, "__arrow_c_schema__"):
        raise TypeError(f"a type is a str or has __arrow_c_schema__, and is not {type!r}")
    return _core.take_schema(type.__arrow_c_schema__())
