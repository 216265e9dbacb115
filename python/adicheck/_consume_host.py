# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with memory of the host: the array interface, and buffers."""

import gc
import struct
import weakref

from . import _core
from ._trial import REFUSED, Shown, Trial, stands_on

_VALUES = [[1, 2, 3], [4, 5, 6]]
_CASE = "int32/many/consume-"


def _exporter(shape=(2, 3), strides=(12, 4), items=(1, 2, 3, 4, 5, 6), offset=0, read_only=False,
              format="i"):
    return _core.exporter(struct.pack(f"{len(items)}{format}", *items), format,
                          struct.calcsize(format), shape, strides, offset, read_only)


_BACKWARDS = "the items lie backwards"


def _layouts():
    """The same values, in memory of other layouts."""
    yield "the items lie one after the other", _exporter()
    yield "the items lie column by column", _exporter(strides=(4, 8), items=(1, 4, 2, 5, 3, 6))
    yield _BACKWARDS, _exporter(strides=(-12, -4), items=(6, 5, 4, 3, 2, 1), offset=20)
    yield "the items lie apart", _exporter(strides=(32, 8),
                                           items=(1, 9, 2, 9, 3, 9, 9, 9, 4, 9, 5, 9, 6))


# ---- the array interface ----

def _described(memory, shape=(2, 3), strides=(12, 4), at=0, read_only=False, **entries):
    made = {"shape": shape, "typestr": "<i4" if struct.pack("=h", 1) == b"\1\0" else ">i4",
            "data": (memory.address + at, read_only), "strides": strides, "version": 3,
            **entries}
    return Shown(array_interface={key: value for key, value in made.items() if value is not ...})


def _read_dictionaries(trial):
    rule = "array-interface/misread"
    took = trial.reads(rule, "the items lie one after the other",
                       _described(trial.keep(_exporter())), _VALUES)
    for what, entries in (("strides are None", {"strides": None}),
                          ("there are no strides", {"strides": ...}),
                          ("mask is None", {"mask": None}),
                          ("descr is that of typestr", {"descr": [("", "<i4")]})):
        trial.reads(rule, what, _described(trial.keep(_exporter()), **entries), _VALUES)
    columns = trial.keep(_exporter(items=(1, 4, 2, 5, 3, 6)))
    trial.reads(rule, "the items lie column by column", _described(columns, strides=(4, 8)),
                _VALUES)
    backwards = trial.keep(_exporter(items=(6, 5, 4, 3, 2, 1)))
    trial.reads(rule, "the items lie backwards",
                _described(backwards, strides=(-12, -4), at=20), _VALUES)
    apart = trial.keep(_exporter(items=(0, 0, 1, 2, 3, 4, 5, 6)))
    trial.reads(rule, "data is a buffer, and offset 8",
                _described(apart, data=memoryview(apart.data()), offset=8), _VALUES)
    return took


def _shape_of(result):
    """The shape that an object shows; None: that is not known."""
    described = getattr(result, "__array_interface__", None)
    if isinstance(described, dict):
        return described.get("shape")
    try:
        with memoryview(result) as view:
            return view.shape
    except Exception:
        return None


# NPI-03, NPI-10: what does not fit into a number of C is refused, and not cut off. Numbers of
# Python have no end: whoever reads by them finds no items, or comes to an address that is none.
def _overflow(trial):
    rule = "array-interface/overflow-ignored"
    memory, shape = trial.keep(_exporter()), (0, 2**64 + 3)
    result = trial.take(_described(memory, shape=shape, strides=None))
    seen = None if result is REFUSED else _shape_of(result)
    if result is REFUSED or seen is not None:
        trial.judged.append(rule)
    if seen is not None and len(seen) == 2 and tuple(seen) != shape:
        trial.see(rule, "shape is (0, 2**64 + 3), and it was cut off", str(tuple(seen)),
                  "an exception")
    result = trial.take(_described(memory, strides=(2**64 + 12, 4)))
    if result is not None:
        trial.judged.append(rule)
    if result is not None and result is not REFUSED:
        trial.see(rule, "strides are (2**64 + 12, 4), and it was taken", "an array",
                  "an exception")


def _keeps(trial, rule, memory, shown):
    """Is what the object describes used when the object is gone?"""
    alive = weakref.ref(shown)
    result = trial.take(shown)
    del shown
    gc.collect()
    if result is REFUSED or result is None:
        return
    trial.judged.append(rule)
    if alive() is None and stands_on(result, memory) is not None:
        trial.see(rule, "what was read refers to memory whose owner is gone", "no reference to it",
                  "a reference, or a copy")


def _read_only(trial, rule, memory, shown):
    before = memory.data()
    result = trial.take(shown)
    if result is REFUSED or result is None:
        return
    trial.judged.append(rule)
    if memory.data() != before:
        trial.see(rule, "memory that is read-only was written", "other bytes", "the same bytes")
    elif stands_on(result, memory) is False:
        trial.see(rule, "memory that is read-only is handed on as memory to write to",
                  "not read-only", "read-only, or a copy")


def _mask(trial):
    rule = "array-interface/mask-ignored"
    memory = trial.keep(_exporter())
    bits = trial.keep(_exporter(strides=(3, 1), items=(1, 0, 1, 1, 0, 1), format="?"))
    mask = _described(bits, strides=None, typestr="|b1")
    result = trial.take(_described(memory, mask=mask))
    values = trial.values(result)
    if result is REFUSED or values is not REFUSED:
        trial.judged.append(rule)
    if values == _VALUES:
        trial.see(rule, "there is a mask, and all values were read", values,
                  "a refusal, or what is valid")


# NPI-14: a version that is newer is no reason to refuse.
def _newer(trial):
    rule = "array-interface/version-refused"
    memory = trial.keep(_exporter())
    if not trial.takes(rule, _described(memory, version=4)):
        trial.see(rule, "version is 4, and it was refused", trial.raised, "it is taken as 3 is")


# NPI-19: without the flag there is no descr.
def _structures(trial):
    def shown(memory, descr=None):
        made = Shown()
        made.__array_struct__ = _core.array_struct(memory, made, "i", descr)
        return made
    rule = "array-interface/unflagged-descr-used"
    memory = trial.keep(_exporter())
    if not trial.reads("array-interface/misread", "there is an __array_struct__", shown(memory),
                       _VALUES):
        return
    trial.reads("array-interface/misread", "an __array_struct__ has strides",
                shown(trial.keep(_exporter(strides=(4, 8), items=(1, 4, 2, 5, 3, 6)))), _VALUES)
    other = [("low", "<i2"), ("high", "<i2")]
    trial.reads(rule, "ARR_HAS_DESCR is not set", shown(memory, other), _VALUES)


# NPI-07, NPI-08, NPI-11: the flag, the owner and the mask.
def consume_array(use, values_of, strict, known):
    trial = Trial(use, values_of)
    took = _read_dictionaries(trial)
    if took:
        _overflow(trial)
        memory = trial.keep(_exporter())
        _keeps(trial, "array-interface/owner-dropped", memory, _described(memory))
        memory = trial.keep(_exporter())
        _read_only(trial, "array-interface/read-only-ignored", memory,
                   _described(memory, read_only=True))
        _mask(trial)
        _newer(trial)
    _structures(trial)
    return trial.rows(_CASE + "array-interface", "cpu:-1", strict, known)


# ---- buffers ----

_FORMAT, _STRIDES = 0x4, 0x18  # PyBUF_FORMAT, PyBUF_STRIDES


def _granted(exporter):
    return sum(is_granted for _, is_granted in exporter.asked)


def _asked_strides(exporter):
    """Was it asked for strides, and did it give them?"""
    return any(is_granted and flags & _STRIDES == _STRIDES for flags, is_granted in exporter.asked)


class _Ways:
    """The values, and what they are to whom has asked for less: one after the other without a
    shape, and bytes without a format."""

    def __init__(self, exporter, values):
        self._exporter, self._values = exporter, values

    def __eq__(self, other):
        flat = [item for row in self._values for item in row]
        asked = [flags for flags, is_granted in self._exporter.asked if is_granted]
        as_bytes = list(struct.pack(f"{len(flat)}i", *flat))
        return other == self._values or other == flat or (
            other == as_bytes and not all(flags & _FORMAT for flags in asked))

    def __repr__(self):
        return repr(self._values)


# BUF-02, BUF-05, BUF-07, BUF-08, BUF-14: where the items are is said by strides, and what they are
# by the format; both may be missing where nobody has asked for them.
def _read_buffers(trial):
    rule = "buffer/misread"
    for what, exporter in _layouts():
        took = trial.reads(rule, what, trial.keep(exporter), _Ways(exporter, _VALUES))
        if what == _BACKWARDS and _asked_strides(exporter):
            trial.judged.append("buffer/strides-refused")
            if not took and not isinstance(trial.raised, BufferError):  # else it is asked on
                trial.see("buffer/strides-refused", f"{what}, and it was refused", trial.raised,
                          "the values")
    trial.reads(rule, "there are bytes", trial.keep(_exporter((3,), (1,), (7, 8, 9), format="B")),
                [7, 8, 9], 3)
    trial.reads(rule, "a dimension is 0", trial.keep(_exporter((0,), (4,), ())), [], 0)


# BUF-11: so many dimensions.
def _dimensions(trial):
    rule = "buffer/dimensions-refused"
    exporter = trial.keep(_exporter((1,) * 64, (4,) * 64, (5,)))
    took = trial.takes(rule, exporter)
    if not took and _asked_strides(exporter):
        trial.see(rule, "there are 64 dimensions, and it was refused", trial.raised, "the value")


# BUF-01, BUF-13, BUF-16, BUF-24: a view is given back once, and nothing of it is used then.
def _views(trial):
    exporter = trial.keep(_exporter())
    result = trial.take(exporter)
    if result is REFUSED:
        return
    granted, released = _granted(exporter), exporter.released
    if granted == 0:
        return
    trial.judged += ["buffer/used-after-release", "buffer/released-twice", "buffer/not-released",
                     "buffer/members-altered"]
    if result is not None and result is not exporter and released >= granted and \
            stands_on(result, exporter) is not None:
        trial.see("buffer/used-after-release", "what was read refers to a buffer that was released",
                  f"{released} of {granted} released", "a view, or a copy")
    del result
    gc.collect()
    granted = _granted(exporter)
    if exporter.released > granted:
        trial.see("buffer/released-twice", "a buffer was released more than once",
                  f"{exporter.released} calls", f"{granted}")
    elif exporter.released < granted:
        trial.see("buffer/not-released", "a buffer was asked for, and never released",
                  f"{exporter.released} calls", f"{granted}")
    if exporter.is_altered:
        trial.see("buffer/members-altered", "a view's shape, strides or internal was written")


def consume_buffer(use, values_of, strict, known):
    trial = Trial(use, values_of)
    _read_buffers(trial)
    if trial.judged:
        _dimensions(trial)
    _views(trial)
    memory = trial.keep(_exporter(read_only=True))
    _read_only(trial, "buffer/read-only-ignored", memory, memory)
    return trial.rows(_CASE + "buffer", "cpu:-1", strict, known)
