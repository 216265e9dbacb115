# SPDX-License-Identifier: Apache-2.0
"""The values that an object should have, and what it shows by each protocol."""

import math
from datetime import date, time, timedelta
from decimal import Decimal

from . import _core, _memory
from ._core import Array, as_cuda_array, from_dlpack
from ._trial import Shown, words_of
from ._values import is_same
from ._wanted import of_floats, of_rows, unknown

# By protocol; of Arrow's it is one rule.
_ARROW = "array/data-differs"
RULES = {"dlpack": "dlpack/data-differs", "cuda_array_interface": "cai/data-differs",
         "array_interface": "array-interface/data-differs", "buffer": "buffer/data-differs",
         "arrow_c_array": _ARROW, "arrow_c_device_array": _ARROW, "arrow_c_stream": _ARROW,
         "arrow_c_device_stream": _ARROW}


def _shape_of(values):
    if not isinstance(values, (list, tuple)):
        return ()
    return (len(values), *(_shape_of(values[0]) if values else ()))


# So many chunks without rows may be in a stream; it need not have an end.
_CHUNKS = 256


# What is read, and what is expected as its type has it.

# Of a tensor's dimensions Arrow has two: rows, and all that is in one.
def _of_arrow(obj, protocol, expected):
    rows = len(expected) if isinstance(expected, (list, tuple)) else 1
    found, goes_on = _core.read_some(Shown(**{protocol: getattr(obj, f"__{protocol}__")}),
                                     rows + _CHUNKS, rows + 1)
    if goes_on and len(found.to_pylist()) <= rows:
        raise NotImplementedError(f"a stream of more than {len(found.chunks)} chunks")
    values, shape, expected = found.to_pylist(), _shape_of(expected), of_rows(found.type, expected)
    if found.type.format.startswith("+w:") and len(shape) > 2 and shape[0] == len(values) and \
            math.prod(shape) == len(_memory.flat(values)):
        values = _memory.shaped(_memory.flat(values), shape)
    return values, expected


_FLOATS = {"f2": "e", "f4": "f", "c8": "f"}


def _as_described(expected, described):
    return of_floats(_FLOATS.get(described["typestr"][1:]), expected)


def _of_tensor(array, expected=None):
    host = from_dlpack(array, device="cpu")
    if not hasattr(host, "__array_interface__"):
        return host.to_pylist(), expected  # or why there are none
    return _memory.of_tensor(host), _as_described(expected, host.__array_interface__)


def _of_dlpack(obj, expected):
    return _of_tensor(from_dlpack(Shown(dlpack=obj.__dlpack__,
                                        dlpack_device=obj.__dlpack_device__)), expected)


def _read_cuda(described):
    return as_cuda_array(Shown(cuda_array_interface=described)).to_pylist()


def _of_cuda(obj, expected):
    described = obj.__cuda_array_interface__
    is_complex = described["typestr"][1] == "c"  # which Arrow lacks
    values = _memory.of_pairs(described, _read_cuda) if is_complex else _read_cuda(described)
    return _memory.shaped(_memory.flat(values), described["shape"]), \
        _as_described(expected, described)


def _of_buffer(obj, expected):
    with memoryview(obj) as view:
        return _memory.of_view(view), of_floats(view.format[-1], expected)


# ---- the argument ----

_ONE = bool, int, float, complex, dict, type(None), Decimal, date, time, timedelta


def _plain(value):
    """Whatever is a sequence or an array, as lists."""
    if isinstance(value, (list, tuple, range)):
        return [_plain(item) for item in value]
    if isinstance(value, Array):
        try:
            return _of_tensor(value)[0]  # of all its dimensions
        except Exception:  # it is no tensor
            return value.to_pylist()
    for name in ("tolist", "to_pylist"):
        if hasattr(value, name):
            return _plain(getattr(value, name)())
    return value


def values_of(expected):
    """The argument as a value, or lists. TypeError: it is neither."""
    values = _plain(expected)
    if isinstance(values, (list, *_ONE)):
        return values
    raise TypeError(f"expected is {expected!r}: pass a list, as to_pylist() gives it, an array "
                    "with tolist() or to_pylist(), or one number; one text, or bytes, in a list")


# ---- what is shown ----

class _Differs(Exception):
    """What it shows cannot be as expected, and is not read."""


def _of_array(obj, expected):
    described = obj.__array_interface__
    data = described.get("data")
    if described.get("mask") is not None:
        raise NotImplementedError("an array with a mask")
    if not isinstance(data, tuple):  # the object itself is the buffer, where there is none
        lies = _core.buffer_of(obj if data is None else data)
        if lies is None:
            raise NotImplementedError("a buffer of items that do not lie one behind the other")
        described = {**described, "data": (lies[0] + (described.get("offset") or 0), lies[1])}
    shape, wanted = described.get("shape"), _shape_of(expected)
    if described.get("typestr", "")[1:2] == "V":  # whose fields are a tuple
        wanted = wanted[:len(shape)]
    told = tuple(shape)[:len(wanted)] if 0 in wanted else tuple(shape)
    if told != wanted and told != (1, *wanted):
        raise _Differs(f"the shape {tuple(shape)}")
    try:
        return _memory.of_dictionary(described), _as_described(expected, described)
    except _memory.Nowhere as nowhere:
        raise _Differs(str(nowhere)) from None


_READ = {"dlpack": _of_dlpack, "cuda_array_interface": _of_cuda, "array_interface": _of_array,
         "buffer": _of_buffer}


def _not_compared(protocol, error):
    """A row, as judge() gives them: it is counted as a refusal."""
    message = f"values of {protocol} were not compared: {words_of(error)}"
    return ("", "producer", "unsupported", "", f"own/own/{protocol}", message, "", "", "", "", ())


def compare(make, protocol, expected, strict, known):
    """Rows, as judge() gives them. What cannot be read is judged by other rules, or by none."""
    rule, seen, wanted = RULES[protocol], [], expected
    try:
        values, wanted = _READ[protocol](make(), expected) if protocol in _READ else \
            _of_arrow(make(), protocol, expected)
        one = values if isinstance(expected, (list, tuple)) or not isinstance(values, list) else \
            values[0] if len(values) == 1 else values
        shown = None if is_same(one, wanted) else repr(one)
        if shown is not None and (other := unknown(wanted)) is not None:
            raise NotImplementedError(f"there is no {type(other).__name__} in such data")
    except _Differs as differs:
        shown = str(differs)
    except Exception as error:
        return [_not_compared(protocol, error)]
    if shown is not None:
        seen.append((rule, f"__{protocol}__ shows other values than were expected"
                     if protocol != "buffer" else "the buffer has other values than were expected",
                     shown[:200], repr(wanted)[:200]))
    return _core.tell(f"own/own/{protocol}", "", [rule], seen, strict, known, True)
