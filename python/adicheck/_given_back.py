# SPDX-License-Identifier: Apache-2.0
"""What a consumer gives back of what it has read: as an array, a stream, or lists."""

from . import _core
from ._build import build
from ._core import Array, Stream, as_cuda_array, from_dlpack
from ._protocols import ARROW, BUFFER, EXCHANGE, STREAMS, has
from ._tensors import tensor
from ._trial import Shown


# What was given has fewer rows by far, and a stream need not have an end.
_MOST = 2000


def _read(obj):
    """All that it shows, or more than it can have read."""
    made, goes_on = _core.read_some(obj, _MOST, _MOST)
    if goes_on and len(made.to_pylist()) < _MOST:
        raise ValueError(f"use() gave a stream of more than {_MOST} chunks")
    return made


def as_array(obj):
    """Whatever a consumer gives back of what it read."""
    if isinstance(obj, Array):
        return obj
    if any(hasattr(obj, f"__{name}__") for name in ARROW):
        made = _read(obj)
        if isinstance(made, Stream):
            made = _one(made)
        if isinstance(made, Array):
            return made
    if hasattr(obj, "__dlpack__") or hasattr(type(obj), f"__{EXCHANGE}__"):
        return from_dlpack(obj)
    if hasattr(obj, "__cuda_array_interface__"):
        made = as_cuda_array(obj)
        is_scalar = obj.__cuda_array_interface__["shape"] == ()
        return tensor(made.to_pylist()[0], made.type) if is_scalar else made
    raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")


def _one(stream):
    """All chunks as one array."""
    if len(stream.chunks) == 1:
        return stream.chunks[0]
    values = stream.to_pylist()
    return _core.array(stream.type, build(stream.type, values), "cpu", None, 3)


def as_stream(obj):
    """The same of a stream."""
    if isinstance(obj, Stream):
        return obj
    if not isinstance(obj, Array):
        streams = [name for name in (*STREAMS, *ARROW) if hasattr(obj, f"__{name}__")]
        if not streams:
            raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")
        method = getattr(obj, f"__{streams[0]}__")
        obj = _read(Shown(**{streams[0]: method}))
    return obj if isinstance(obj, Stream) else _core.stream(obj.type, [obj], obj.device)


def values_of(obj):
    """The same as lists: of what exports nothing of Arrow's or DLPack's, too."""
    if isinstance(obj, list):
        return obj
    others = [name for name in (*ARROW, "dlpack", "cuda_array_interface") if has(obj, name)]
    if has(obj, BUFFER) and not isinstance(obj, Array):
        try:
            with memoryview(obj) as view:
                return view.tolist()
        except Exception:  # what is on a device may have the slot, and refuse
            if not others:
                raise
    if others == ["cuda_array_interface"]:
        return as_cuda_array(obj).to_pylist()
    return as_array(obj).to_pylist()
