# SPDX-License-Identifier: Apache-2.0
"""A consumer under test, and what comes of it: what was judged, what was seen, what it refused."""

import gc
import re
import struct

from . import _core

# What a consumer gives that has raised, and its exception is told.
REFUSED = object()


class Shown:
    """An object with these attributes, and nothing beside."""

    def __init__(self, **attributes):
        self._asked = False
        for name, value in attributes.items():
            setattr(self, f"__{name}__", value)

    def __getattribute__(self, name):
        own = object.__getattribute__(self, "__dict__")
        if name in own and name.endswith("__"):
            own["_asked"] = True
        return object.__getattribute__(self, name)

    def _is_asked(self):
        return self._asked


def words_of(error):
    """What a refusal is counted by: no addresses are in it, by which equal ones would differ."""
    return without_addresses(f"{type(error).__name__}: {error}")


def without_addresses(words):
    return re.sub(r" at 0x[0-9a-fA-F]+|\b0x[0-9a-fA-F]{7,16}\b", "", words)


_ITEMS = struct.Struct("6i")  # what most of them are given: two rows


def _of_bytes(result):
    """The items, of bytes that are a copy of them, one after the other."""
    if len(result) != _ITEMS.size:
        return list(result)
    items = _ITEMS.unpack(result)
    return [list(items[:3]), list(items[3:])]


class Trial:
    def __init__(self, use, values_of):
        self._use, self._values_of = use, values_of
        self.judged, self.seen, self.refused = [], [], {}
        self.raised = None
        self.has_read = False  # what it gives can be read
        self._kept = []  # memory that a consumer may still have, wrongly

    def keep(self, memory):
        self._kept.append(memory)
        return memory

    def take(self, shown):
        """What the consumer gives; REFUSED: nothing."""
        try:
            return self._use(shown)
        except Exception as error:
            self.raised = error.with_traceback(None)  # whose frames hold what the call was given
            words = words_of(error)
            self.refused[words] = self.refused.get(words, 0) + 1
            return REFUSED

    def takes(self, rule, shown):
        """Does it take what another rule is about? It is a refusal of nobody's business."""
        before = dict(self.refused)
        result = self.take(shown)
        self.refused = before
        self.judged.append(rule)
        return result is not REFUSED

    def values(self, result, size=_ITEMS.size):
        """What it has read; REFUSED: it is not known. Bytes are the items; more or less bytes than
        those are may be anything, such as a digest."""
        is_raw = isinstance(result, (bytes, bytearray))
        if result is REFUSED or result is None or (is_raw and len(result) != size):
            return REFUSED
        try:
            values = _of_bytes(result) if is_raw else self._values_of(result)
            self.has_read = True
            return values
        except Exception as error:
            self.raised = error.with_traceback(None)
            words = words_of(error)
            self.refused[words] = self.refused.get(words, 0) + 1
            return REFUSED

    def see(self, rule, message, seen="", wanted=""):
        self.seen.append((rule, message, str(seen), str(wanted)))

    def has_seen(self, rule):
        return any(rule == seen for seen, *_ in self.seen)

    def reads(self, rule, what, shown, wanted, size=_ITEMS.size):
        """Are these the values, of so many bytes, that it reads? Whether it takes it."""
        return self.compares(rule, what, self.take(shown), wanted, size)

    def compares(self, rule, what, result, wanted, size=_ITEMS.size):
        """The same of what it has given."""
        values = self.values(result, size)
        if values is not REFUSED:
            self.judged.append(rule)
            if not wanted == values:
                self.see(rule, f"{what}, and other values were read", values, wanted)
        return result is not REFUSED

    def rows(self, case, device, strict, known):
        """As judge() gives them; what was raised last; and its words, by how often."""
        gc.collect()
        return _core.tell(case, device, self.judged, self.seen, strict, known, False), \
            self.raised, self.refused


def memory_of(result):
    """(address, is it read-only?) of what an object shows; None: that is not known."""
    described = getattr(result, "__array_interface__", None)
    if isinstance(described, dict) and isinstance(described.get("data"), tuple):
        return described["data"]
    seen = _core.buffer_of(result)
    if seen is None and hasattr(result, "__dlpack__"):
        try:
            return memory_of(_core.from_dlpack(result))
        except Exception:
            return None
    return seen


def stands_on(result, exporter):
    """Is its memory the exporter's? None: no; else whether it says that nobody may write."""
    seen = memory_of(result)
    if seen is None or not exporter.address <= seen[0] < exporter.address + exporter.size:
        return None
    return bool(seen[1])
