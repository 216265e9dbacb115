# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with the dictionary of the CUDA Array Interface."""

import gc
import sys
import weakref

from . import _core
from ._tensors import tensor
from ._trial import REFUSED, Shown, Trial

_VALUES = [[1, 2, 3], [4, 5, 6]]
_CASE = "int32/many/consume-cuda-array"
MISREAD, NONE, MASK = "cai/misread", "cai/none-refused", "cai/mask-ignored"
OWNER_KEPT = "cai/owner-kept"
OWNER, IGNORED, UNORDERED = "cai/owner-dropped", "cai/stream-ignored", "cai/reads-unordered"
WRITTEN = "cai/read-only-written"


class _Described(Shown):
    """An object with that dictionary, whose memory lives as long as it does."""

    def __init__(self, memory, version, **entries):
        made = {**memory.__cuda_array_interface__, "version": version}
        _core.finish(memory.device)  # which is not ordered by all that is given
        if version < 3:
            made.pop("stream")
        made.update(entries)
        self._memory = memory
        super().__init__(cuda_array_interface={key: value for key, value in made.items()
                                               if value is not ...})


def _memory(device, values=_VALUES, type="int32", **options):
    return tensor(values, type, device=device, protocols="cuda_array_interface", **options)


# CAI2-09: memory that the host reaches, too, is read by the pointer that the driver says.
def places(device, is_asked_for):
    """Where the data is: `device`, and the first of each other type that a dictionary may name."""
    names = {}
    for name in _core.devices():
        kind = name.partition(":")[0]
        if kind in ("cuda_host", "cuda_managed") and is_asked_for(name):
            names.setdefault(kind, name)
    return [device, *(name for name in names.values() if name != device)]


# CAI2-06: the pointer is the device's. What else goes wrong with a CPU that follows it is one
# mistake.
class _Touched(Exception):
    """The CPU has read or written memory of the device."""


def _take_of(trial, place, shown):
    """What it gives of memory that the CPU does not reach."""
    if not place.startswith("cuda:"):
        return trial.take(shown)
    result, touches = _core.touches(trial.take, shown, place)
    if touches:
        trial.judged.append(MISREAD)
        trial.see(MISREAD, f"the memory is of {place}, and the host dereferenced its pointer",
                  touches[0].removeprefix("the program, after this call: "),
                  "an access by way of the device")
        raise _Touched
    return result


def _read(trial, where, device, version):
    took = False
    for place in where:
        shown = _Described(_memory(place), version, strides=(12, 4))
        took = trial.compares(MISREAD, f"the memory is of {place}",
                              _take_of(trial, place, shown), _VALUES) or took
    trial.reads(MISREAD, "the items lie column by column",
                _Described(_memory(device, strides=(1, 2)), version), _VALUES)
    return took


# CAI2-11, CAI2-14, CAI3-07, CAI3-08, CAI3-15: None says what a missing entry says.
def _nones(trial, device, version):
    entries = [("mask is None", {"mask": None})] if version > 0 else []
    if version > 1:
        entries += [("strides are None", {"strides": None}),
                    ("there are no strides", {"strides": ...})]
    if version > 2:
        entries += [("stream is None", {"stream": None}), ("there is no stream", {"stream": ...})]
    for what, changed in entries:
        memory = _memory(device)
        trial.judged.append(NONE)
        if not trial.reads(MISREAD, what, _Described(memory, version, **changed), _VALUES):
            trial.see(NONE, f"{what}, and it was refused", trial.raised, "as without the entry")


# CAI2-15: a refusal counts beside an acceptance only.
def _mask(trial, device, version):
    mask = _Described(_memory(device, [[True, False, True]] * 2, "bool"), version)
    result = trial.take(_Described(_memory(device), version, mask=mask))
    values = trial.values(result)
    if result is REFUSED or values is not REFUSED:
        trial.judged.append(MASK)
    if values == _VALUES:
        trial.see(MASK, "there is a mask, and all values were read", values,
                  "a refusal, or what is valid")


# CAI2-18: up to version 2 it is the consumer that keeps the owner. Who gives what could never be
# read has not lost anything.
def _owner(trial, device):
    shown = _Described(_memory(device), 2)
    alive = weakref.ref(shown)
    result = trial.take(shown)
    del shown
    gc.collect()
    is_gone = alive() is None
    values = trial.values(result)
    gave = result is not REFUSED and result is not None
    if values is REFUSED and not (is_gone and gave and trial.has_read):
        return
    trial.judged.append(OWNER)
    if is_gone and values != _VALUES and not trial.has_seen(MISREAD):
        trial.see(OWNER, "the owner of the memory is gone, and the memory is used",
                  "other values" if values is not REFUSED else trial.raised,
                  "a reference to it, or a copy")


def _on_stream(pointer, stream, is_read_only):
    return Shown(cuda_array_interface={
        "shape": (2, 3), "typestr": "<i4", "data": (pointer, is_read_only), "strides": None,
        "version": 3, "stream": stream})


# CAI2-08: what the flag says is for those who would write.
def _read_only(trial, device):
    def read(shown):
        results.append(trial.take(shown))
        trial.values(results[0])

    results = []
    both = _core.order_consumer(read, lambda *lent: _on_stream(*lent, True), device, False)
    if both is None or results[0] is REFUSED:
        return
    trial.judged.append(WRITTEN)
    if both[2]:
        trial.see(WRITTEN, "data that is read-only was written", "a command that writes it",
                  "reads only")


# CAI3-02, CAI3-09, CAI3-10, CAI3-11, CAI3-18, CAI3-19: the producer's stream comes before the
# consumer's work, and behind it what the producer does then.
def _order(trial, device):
    def shown_of(pointer, stream):
        return _on_stream(pointer, stream, False)

    def read(shown):
        return trial.values(trial.take(shown))

    both = _core.order_consumer(read, shown_of, device, False)
    if both is None:  # nothing sees what is waited for
        return
    values, early, _ = both
    if values is REFUSED:
        return
    trial.judged.append(IGNORED)
    if early:
        trial.see(IGNORED, "data was used before what the producer's stream had to do was done",
                  early[0], "a wait for the stream, or work that is put into it")
        return
    if values != _VALUES and not trial.has_seen(MISREAD):
        trial.see(IGNORED, "data was read before the producer's stream had written it", values,
                  _VALUES)
        return
    trial.judged.append(UNORDERED)
    _, late, _ = _core.order_consumer(trial.take, shown_of, device, True)
    if late:
        trial.see(UNORDERED, "what the producer's stream does next does not wait for what was "
                  "begun with the data", late[0],
                  "a wait in the producer's stream, or the work done before it returns")


# CAI2-17: the dictionary does not keep the object.
def look_at_cuda(make, version):
    """What is wrong with what a producer does around the dictionary, and what is not known of it:
    lists."""
    of_order = ["cai/stream-gone", "cai/work-unordered", "cai/copy-unordered"]
    left = [] if version > 2 else of_order
    obj = make()
    before = sys.getrefcount(obj)
    described = obj.__cuda_array_interface__
    seen = []
    if isinstance(described, dict) and sys.getrefcount(obj) > before:
        del described
        if sys.getrefcount(obj) == before:
            seen.append((OWNER_KEPT, "the dictionary keeps the object", "a reference", "none"))
    device = next((name for name in _core.devices() if name.startswith("cuda:")), None)
    found = _core.order_producer(make, device) if device and version > 2 else None
    if found is None:
        left = of_order
    return seen + (found or []), left


def consume_cuda(use, where, values_of, strict, known, version=None):
    """`where`: as places() gives it."""
    trial, device = Trial(use, values_of), where[0]
    newest = 3 if version is None else version
    try:
        if _read(trial, where, device, newest):
            _nones(trial, device, newest)
            if newest > 0:
                _mask(trial, device, newest)
        if version in (None, 2) and trial.judged:
            _owner(trial, device)
        if version in (None, 3) and trial.judged:
            _order(trial, device)
            _read_only(trial, device)
    except _Touched:
        pass
    return trial.rows(_CASE, device, strict, known)
