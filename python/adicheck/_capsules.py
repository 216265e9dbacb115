# SPDX-License-Identifier: Apache-2.0
"""What a producer makes of a requested schema, and whether its methods agree; and what a consumer
does with capsules that are odd."""

import gc

from . import _core
from ._build import build
from ._core import Array, from_dlpack
from ._trial import REFUSED, Shown, Trial
from ._types import field
from ._use import file_of, is_mistake

_REFUSED, _ACCEPTED = "pycapsule/request-refused", "pycapsule/request-incompatible-accepted"
_VALUES, _DIFFER = "pycapsule/request-values-differ", "pycapsule/methods-differ"
_COPIED = "pycapsule/copied-across-devices"


# ---- a producer ----

def _ask(obj, protocol, *arguments):
    return getattr(obj, f"__{protocol}__")(*arguments)


def _tried(make, protocol, *arguments):
    """What an object answers, and what it raises instead, if that is a refusal."""
    obj = make()
    try:
        return _ask(obj, protocol, *arguments), None
    except Exception as error:
        if is_mistake(error, file_of(make)):
            raise
        return None, error


# So much of a stream is read, which need not have an end: as many chunks as the sample has.
_CHUNKS, _ROWS = 8, (1 << 63) - 1


class _Read:
    """What is in capsules, of a stream that goes on its beginning."""

    def __init__(self, made, goes_on):
        self.made, self.goes_on, self._values = made, goes_on, made.to_pylist()
        self.type, self.device = made.type, made.device

    def values(self, beside):
        """As a text, as many as the other one has if that goes on."""
        most = min(len(read._values) for read in (self, beside)
                   if read.goes_on) if self.goes_on or beside.goes_on else None
        return repr(self._values[:most])


def _read(answer, protocol):
    """What is in it; None: it is told elsewhere why it cannot be read."""
    try:
        return _Read(*_core.read_some(Shown(**{protocol: lambda *_, **__: answer}), _CHUNKS, _ROWS))
    except Exception:
        return None


_WIDER = {"c": "s", "s": "i", "i": "l", "C": "S", "S": "I", "I": "L", "e": "f", "f": "g",
          "u": "U", "z": "Z", "+l": "+L"}


def _wider(schema):
    """Another representation of the same data; None: there is no obvious one."""
    if schema.dictionary is not None:
        return None
    children, format = list(schema.children), _WIDER.get(schema.format)
    if format is None:
        wider = [_wider(child) for child in children]
        changed = next((i for i, child in enumerate(wider) if child is not None), None)
        if changed is None or schema.format != "+s":
            return None
        children[changed] = wider[changed]
    return field(format or schema.format, schema.name, children, None, schema.flags)


def _other(schema):
    """One of which the data is no instance: it has one field more."""
    children = list(schema.children) if schema.format == "+s" else [field("i", "one")]
    return field("+s", "", [*children, field("i", "adicheck_more")])


# PC-009, PC-017, PC-018: who can, and who cannot, gives the data; so does who is asked for what it
# would give anyway.
def _own(make, protocol, plain, seen):
    _, error = _tried(make, protocol, plain.type.__arrow_c_schema__())
    if error is not None:
        seen.append((_REFUSED, "the schema that it has itself was requested, and it was refused",
                     f"{type(error).__name__}: {error}", "the data"))
        return False
    return True


# PC-020: another representation has the same values.
def _represented(make, protocol, plain, seen, judged):
    wider = _wider(plain.type)
    if wider is None:
        return
    answer, error = _tried(make, protocol, wider.__arrow_c_schema__())
    made = _read(answer, protocol) if error is None else None
    if made is None:
        return
    judged.append(_VALUES)
    if made.values(plain) != plain.values(made):
        seen.append((_VALUES, f"other values came when {wider.format!r} was requested",
                     made.values(plain), plain.values(made)))


# PC-019: what the data cannot be is an exception.
def _incompatible(make, protocol, plain, seen):
    _, error = _tried(make, protocol, _other(plain.type).__arrow_c_schema__())
    if error is not None:
        return
    seen.append((_ACCEPTED, "a schema was requested that has a field more, and there was an answer",
                 "capsules", "an exception"))


def _requests(make, protocol, plain, seen, judged):
    judged.append(_REFUSED)
    if _own(make, protocol, plain, seen):
        judged.append(_ACCEPTED)
        _represented(make, protocol, plain, seen, judged)
        _incompatible(make, protocol, plain, seen)


_HOSTS = {"arrow_c_device_array": "arrow_c_array", "arrow_c_device_stream": "arrow_c_stream"}


# PC-011: both methods give the same data.
def _beside(make, protocol, plain, seen, judged):
    other = _HOSTS.get(protocol)
    obj = make()
    if other is None or not hasattr(obj, f"__{other}__"):
        return
    answer, error = _tried(lambda: obj, other)
    if error is not None:
        return  # where the data is elsewhere it may be refused
    beside = _read(answer, other)
    if beside is None:
        return
    judged.append(_DIFFER)
    if beside.type != plain.type or beside.values(plain) != plain.values(beside):
        seen.append((_DIFFER, f"__{other}__ gives something else than __{protocol}__",
                     beside.values(plain), plain.values(beside)))


def _is_host(device):
    return device.partition(":")[0] in ("cpu", "cuda_host", "rocm_host", "cuda_managed")


def _address(array):
    shown = getattr(array, "__cuda_array_interface__", None) or \
        getattr(array, "__array_interface__", None)
    return None if shown is None else shown["data"][0]


# PC-027: the data stays where it is, as other protocols have it.
def _places(make, plain, seen, judged):
    obj = make()
    if not isinstance(plain.made, Array) or not hasattr(obj, "__dlpack__"):
        return
    try:
        tensor = from_dlpack(obj)
    except Exception as error:
        if is_mistake(error, file_of(make)):
            raise
        return
    judged.append(_COPIED)
    if _is_host(tensor.device) == _is_host(plain.device) or \
            _address(tensor) == _address(plain.made):
        return
    seen.append((_COPIED, f"__arrow_c_device_array__ gives memory of {plain.device}",
                 plain.device, tensor.device))


def _left_unread(plain, protocol, device):
    """A row that says where a stream was left; nothing: it was read to its end."""
    if plain is None or not plain.goes_on:
        return []
    why = f"the stream goes on behind {len(plain.made.chunks)} chunks, which alone are judged"
    return [("", "producer", "skip", device, f"own/own/{protocol}", why, "", "", "", "", ())]


def look_at_capsules(make, protocol, is_asked_for, strict, known):
    """Rows, as judge() gives them."""
    seen, judged, device = [], [], ""
    answer, error = _tried(make, protocol)
    plain = _read(answer, protocol) if error is None else None
    if plain is not None and is_asked_for(plain.device):
        device = plain.device
        _requests(make, protocol, plain, seen, judged)
        _beside(make, protocol, plain, seen, judged)
        if protocol == "arrow_c_device_array":
            _places(make, plain, seen, judged)
    rows = _core.tell(f"own/own/{protocol}", device, judged, seen, strict, known, True)
    return [*rows, *_left_unread(plain, protocol, device)]


# ---- a consumer ----

_NUMBERS = [1, 2, 3]
_NAME, _REQUEST = "pycapsule/name-unchecked", "pycapsule/request-invalid"
_FREED, _OLD = "pycapsule/freed-before-import", "pycapsule/old-methods-preferred"


def _source(protocol):
    """What is there to hand out: an array, or a stream of one."""
    schema = field("i")
    array = _core.array(schema, build(schema, _NUMBERS), "cpu", None, 3)
    return _core.stream(schema, [array], "cpu") if "stream" in protocol else array


class _Asked:
    """It keeps what it was asked with."""

    def __init__(self, protocol):
        source, self.requests = _source(protocol), []

        def method(requested_schema=None, **keywords):
            self.requests.append(requested_schema)
            return _ask(source, protocol)
        setattr(self, f"__{protocol}__", method)

    def _is_asked(self):
        return self.requests != []


# PC-018, PC-022: whoever asks for another representation may get the one that there is; a request
# is None, or a schema in its capsule.
def _reads(trial, protocol):
    shown = _Asked(protocol)
    result = trial.take(shown)
    if shown.requests:
        trial.judged.append(_REQUEST)
    for request in shown.requests:
        if request is not None and not _core.holds_schema(request):
            trial.see(_REQUEST, "the requested schema is no capsule that holds one", repr(request),
                      'None, or a capsule named "arrow_schema"')
            break
    return result is not REFUSED and shown.requests != []


# PC-003: what is within is known by the name.
def _named(trial, protocol):
    def method(requested_schema=None, **keywords):
        answer = _ask(source, protocol)
        given.append(answer[1] if isinstance(answer, tuple) else answer)
        _core.disguise(given[-1], True)
        return answer
    source, given = _source(protocol), []
    took = trial.takes(_NAME, Shown(**{protocol: method}))
    for capsule in given:
        _core.disguise(capsule, False)
    if took and given:
        trial.see(_NAME, 'a capsule named "adicheck_other" was taken', "an array", "an exception")


# PC-032: what was freed with its capsule is not imported any more.
def _freed(trial, protocol):
    def method(requested_schema=None, **keywords):
        schema, array = _ask(_source(protocol), protocol)
        capsule, handle = _core.fleeting(array)
        handles.append(handle)
        return schema, capsule
    handles = []
    result = trial.take(Shown(**{protocol: method}))
    if result is REFUSED:
        return
    trial.values(result)
    del result
    gc.collect()
    if not handles:
        return
    trial.judged.append(_FREED)
    if any(map(_core.fleeting_used, handles)):
        trial.see(_FREED, "a structure was imported that was freed with its capsule",
                  "an import of what is released", "a capsule that lives until the import is done")


class _Old:
    """An array that has the methods of old, too."""

    def __init__(self, protocol):
        source, self.called = _source(protocol), []
        setattr(self, f"__{protocol}__", lambda *_, **__: _ask(source, protocol))
        self.type = self

    def _export_to_c(self, *_):
        self.called.append("_export_to_c")
        raise NotImplementedError("use the PyCapsule interface")


# PC-034: the methods of the interface come before those of old.
def _older(trial, protocol):
    shown = _Old(protocol)
    trial.takes(_OLD, shown)
    if shown.called:
        trial.see(_OLD, "_export_to_c was called of an object that has capsules",
                  "_export_to_c", f"__{protocol}__")


def consume_capsules(use, protocol, values_of, strict, known):
    trial = Trial(use, values_of)
    if protocol == "arrow_c_array":
        _freed(trial, protocol)
    if not trial.seen and _reads(trial, protocol):  # else it reads what has been freed
        _named(trial, protocol)
        if "stream" not in protocol:
            _older(trial, protocol)
    return trial.rows(f"int32/many/consume-{protocol}", "cpu:-1", strict, known)


# PC-023: who takes arrays takes those of the other method, too.
def unread(taken, strict, known):
    """Rows, of what a consumer takes by protocol."""
    rule, seen = "pycapsule/device-methods-unread", []
    if not taken.get("arrow_c_array") or "arrow_c_device_array" not in taken:
        return []
    if not taken["arrow_c_device_array"]:
        seen.append((rule, "arrays of __arrow_c_array__ are taken, and no device array of the CPU",
                     "a refusal", "the values"))
    return _core.tell("int32/many/consume-arrow_c_device_array", "cpu:-1", [rule], seen, strict,
                      known, False)
