# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with the dictionary of the CUDA Array Interface."""

from . import _core
from ._tensors import tensor

_VALUES = [[1, 2, 3], [4, 5, 6]]
_CASE = "int32/many/consume-cuda-array"
MISREAD, MASK = "cai/misread", "cai/mask-ignored"


class _Shown:
    """An object with that dictionary, whose memory lives as long as it does."""

    def __init__(self, memory, **entries):
        self._memory = memory
        described = {**memory.__cuda_array_interface__, **entries}
        self.__cuda_array_interface__ = {key: value for key, value in described.items()
                                         if value is not ...}


def _cases(device):
    def memory(**options):
        return tensor(_VALUES, "int32", device=device, protocols="cuda_array_interface", **options)
    mask = tensor([[True, False, True]] * 2, "bool", device=device,
                  protocols="cuda_array_interface")
    yield MISREAD, "strides are None", _Shown(memory(), strides=None)
    yield MISREAD, "there are no strides", _Shown(memory(), strides=...)
    yield MISREAD, "strides are those of C order", _Shown(memory(), strides=(12, 4))
    yield MISREAD, "the items lie column by column", _Shown(memory(strides=(1, 2)))
    yield MISREAD, "mask is None", _Shown(memory(), mask=None)
    yield MASK, "there is a mask", _Shown(memory(), mask=_Shown(mask))


def consume_cuda(use, device, values_of, strict, known):
    """Rows, as judge() gives them; what `use` raised last; and its words, by how often."""
    judged, seen, raised, refused = [], [], None, {}
    for rule, what, shown in _cases(device):
        try:
            result = use(shown)
            values = None if result is None else values_of(result)
        except Exception as error:
            raised = error
            if rule == MASK and judged:  # a refusal counts beside an acceptance only
                judged.append(rule)
            else:
                words = f"{type(error).__name__}: {error}"
                refused[words] = refused.get(words, 0) + 1
            continue
        if values is None:
            continue
        judged.append(rule)
        if values == _VALUES and rule == MASK:
            seen.append((rule, f"{what}, and all values were read", str(values),
                         "a refusal, or what is valid"))
        elif values != _VALUES and rule == MISREAD:
            seen.append((rule, f"{what}, and other values were read", str(values), str(_VALUES)))
    return _core.tell(_CASE, device, judged, seen, strict, known), raised, refused
