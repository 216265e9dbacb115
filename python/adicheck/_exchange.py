# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with DLPack's exchange API: tables that are not as others, on classes that
are made for it."""

from . import _core
from ._tensors import tensor

_VALUES = [[1, 2, 3], [4, 5, 6]]
_CASE = "int32/many/consume-exchange"
_ATTRIBUTE = "__dlpack_c_exchange_api__"


class _Case:
    """An object is handed over, and the calls of functions are counted."""

    def __init__(self, use, values_of, device):
        self._use, self._values_of, self.device = use, values_of, device
        self.raised = self.result = None

    def array(self):
        return tensor(_VALUES, "int32", device=self.device)

    def play(self, kind, array=None, **members):
        self.raised = self.result = None
        made = type("Shown", (), {_ATTRIBUTE: _core.exchange_given(kind)})()
        made._array = array or self.array()
        for name, value in members.items():
            setattr(made, name, value)
        _core.exchange_calls()
        try:
            self.result = self._use(made)
        except Exception as error:
            self.raised = error
        return _core.exchange_calls()

    def values(self):
        return None if self.result is None else self._values_of(self.result)


def _versions(case):
    rule = "exchange/version-unchecked"
    for kind in "major-2", "chain":
        if case.play(kind)["forbidden"]:
            yield rule, "a function of a table of version 2.0 was called", "a call", "none"
            return
    yield rule, None


def _instance(case):
    rule = "exchange/instance-attribute"
    if case.play("plain", **{_ATTRIBUTE: _core.exchange_given("other")})["other_type"]:
        yield rule, f"{_ATTRIBUTE} of an object was used", "the object's", "that of its type"
    else:
        yield rule, None


def _types(case):
    rule = "exchange/other-type"
    case.play("plain")
    if case.play("other")["other_type"]:
        yield (rule, "a function was called with an object of another type", "another type",
               "the type that the table was found at")
    else:
        yield rule, None


def _without(case):
    case.play("no-dltensor")
    yield "exchange/null-called", None


def _stream(case):
    calls = case.play("plain")
    if case.raised is not None or case.device.startswith("cpu"):
        return
    if calls["managed"] + calls["borrowed"] and not calls["stream"]:
        yield ("exchange/stream-unasked",
               "a tensor was taken, and current_work_stream was not called", "no call", "a call")
    else:
        yield "exchange/stream-unasked", None


def _borrowed(case):
    rule = "exchange/borrowed-kept"
    if not case.device.startswith("cpu"):
        return
    array = case.array()
    calls = case.play("plain", array)
    values = case.values()
    if values is None or not calls["borrowed"] or calls["managed"]:
        return
    memory = memoryview(array).cast("B")
    memory[:] = b"\xa5" * len(memory)
    if case.values() != values:
        yield rule, "a DLTensor was used when the call was over", "other values", str(values)
    else:
        yield rule, None


def consume_exchange(use, device, values_of, strict, known, isolated=None):
    """Rows, as judge() gives them. `isolated`: plays in a process of its own, and says how that
    ended; None: all is played here."""
    case = _Case(use, values_of, device)
    calls = case.play("plain")
    if case.raised is not None:  # nobody knows why what is odd is refused
        return []
    if not any(calls.values()):
        return []
    judged, seen = [], []
    for play in _versions, _instance, _types, _without, _stream, _borrowed:
        ended = None
        if isolated is not None and play is _without:
            ended = isolated(lambda: [list(map(list, play(case)))])
        if ended:
            judged.append("exchange/null-called")
            seen.append(("exchange/null-called",
                         "a function of the table is NULL, and the process ended", ended,
                         "another function"))
            continue
        for rule, *told in play(case):
            judged.append(rule)
            if told != [None]:
                seen.append((rule, *told))
    return _core.tell(_CASE, device, judged, seen, strict, known, False)
