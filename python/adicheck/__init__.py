# SPDX-License-Identifier: Apache-2.0
"""The reference implementation of the Arrow C Device data interface as Python objects.

    array, tensor, stream               memory of a device under every protocol that fits
    from_arrow, from_dlpack,
    from_cuda_array_interface,
    as_cuda_array                       memory of somebody else
    check_producer, check_consumer,
    watch                               what others hand out, and take

What each takes and gives is in __init__.pyi. The command `adicheck` judges implementations in C.
"""

from ._core import (Array, Schema, Stream, as_cuda_array, devices, from_arrow,
                    from_cuda_array_interface, from_dlpack)
from ._findings import Finding, Findings
from ._judge import check_consumer, check_producer
from ._tensors import tensor
from ._types import schema
from ._watch import Watched, watch
from . import _build, _core, _values

__all__ = ["Array", "Finding", "Findings", "Schema", "Stream", "Watched", "array", "as_cuda_array",
           "check_consumer", "check_producer", "devices", "from_arrow", "from_cuda_array_interface",
           "from_dlpack", "schema", "stream", "tensor", "watch"]

__version__ = _core.version

_EXPORTS = "__arrow_c_device_array__", "__arrow_c_array__"


def array(data, type=None, *, device="cpu", protocols=None, cai_version=3):
    if cai_version not in (0, 1, 2, 3):
        raise ValueError(f"the CUDA Array Interface has no version {cai_version!r}")
    wanted = None if type is None else schema(type)
    if any(hasattr(data, name) for name in _EXPORTS):
        return _core.copy(from_arrow(data, wanted), device, protocols, cai_version)
    if hasattr(data, "__dlpack__"):
        return _core.copy(from_dlpack(data), device, protocols, cai_version)
    if isinstance(data, (str, bytes)) or not hasattr(data, "__iter__"):
        raise TypeError(f"values come in a list, and not as {data!r}")
    values = list(data)
    try:
        wanted = wanted or _values.infer(values)
        tree = _build.build(wanted, values)
    except RecursionError:
        raise ValueError("lists are nested too deep") from None
    return _core.array(wanted, tree, device, protocols, cai_version)


def stream(chunks, schema=None, *, device="cpu"):
    wanted = None if schema is None else _types_schema(schema)
    made = []
    for chunk in chunks:
        if not isinstance(chunk, Array) or chunk.device != device:
            chunk = array(chunk, wanted, device=device)
        wanted = wanted or chunk.type
        made.append(chunk)
    if wanted is None:
        raise ValueError("a stream without chunks needs a schema")
    return _core.stream(wanted, made, device)


_types_schema = schema
