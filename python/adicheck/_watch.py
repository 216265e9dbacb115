# SPDX-License-Identifier: Apache-2.0
"""The data of an object through a monitor; see the stubs."""

import types

from . import _core
from ._findings import Findings, finding_of


def _arrow(name, is_device):
    attribute, watch_arrow = f"__{name}__", _core.watch_arrow

    def method(self, requested_schema=None, **keywords):
        ask = getattr(self._obj, attribute)
        both = ask(requested_schema, **keywords) if keywords else ask(requested_schema)
        self._watches.append((name, watch_arrow(both, is_device, self._is_ours)))
        return both
    return method


def _stream(name, is_device):
    attribute = f"__{name}__"

    def method(self, requested_schema=None, **keywords):
        ask = getattr(self._obj, attribute)
        capsule = ask(requested_schema, **keywords) if keywords else ask(requested_schema)
        self._watches.append((name, _core.watch_stream(capsule, is_device)))
        return capsule
    return method


def _tensor(self, **arguments):
    capsule, watch = _core.watch_tensor(self._obj.__dlpack__(**arguments))
    self._watches.append(("dlpack", watch))
    return capsule


def _passes(name):
    return lambda self, *arguments: getattr(self._obj, name)(*arguments)


# By protocol: the attributes that show it.
_SHOWN = {
    "arrow_c_schema": {"__arrow_c_schema__": _passes("__arrow_c_schema__")},
    "arrow_c_array": {"__arrow_c_array__": _arrow("arrow_c_array", False)},
    "arrow_c_device_array": {"__arrow_c_device_array__": _arrow("arrow_c_device_array", True)},
    "arrow_c_stream": {"__arrow_c_stream__": _stream("arrow_c_stream", False)},
    "arrow_c_device_stream": {"__arrow_c_device_stream__": _stream("arrow_c_device_stream", True)},
    "dlpack": {"__dlpack__": _tensor, "__dlpack_device__": _passes("__dlpack_device__")},
    "buffer": {},  # is a slot of the class
}


_end = _core.watch_end

_METHODS = {name: f"__{name}__" for name in _SHOWN}


def _has(obj, name):
    return _core.has_buffer(obj) if name == "buffer" else hasattr(obj, _METHODS[name])


_OURS = _core.Array, _core.Stream
_classes = {}  # by the protocols that they show, and whether objects of the package do
_of_ours = {}  # by the class of an object of the package's, which has no attributes of its own


class Watched:
    """What is watched, until `finish`."""

    findings = None
    _is_ours = _lends = False

    def __init__(self, obj):
        self._obj = obj
        self._watches = []

    def finish(self):
        found = self.findings
        if found is None:
            self.findings = found = Findings()
            for protocol, watch in self._watches:
                for *row, party in _end(watch):
                    found.append(finding_of(protocol, *row, party=party))
            is_lent = self._lends and self._end_buffers(found)
            if not self._watches and not is_lent:
                found.undecided = "nothing could be judged: nobody has asked for the data"
        return found

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.finish()


class Lender(Watched, _core.Lender):
    """The same, with the buffer protocol."""

    _lends = True

    def _end_buffers(self, found):
        def see(rule, message, seen="", wanted=""):
            found.append(finding_of("buffer", rule, message, seen, wanted))

        lent = _core.lent(self)
        if lent is None:
            return False
        granted, released, is_altered = lent
        if released > granted:
            see("buffer/released-twice", "a buffer was released more than once",
                f"{released} calls", str(granted))
        elif released < granted:
            see("buffer/not-released", "a buffer was asked for, and never released",
                f"{released} calls", str(granted))
        if is_altered:
            see("buffer/members-altered", "a view's shape, strides or internal was written")
        return True


def _class_of(obj, names):
    key = names, isinstance(obj, _OURS)
    if key not in _classes:
        members = {key: value for name in names for key, value in _SHOWN[name].items()}
        base = Lender if "buffer" in names else Watched
        _classes[key] = type("Watched", (base,), {**members, "_is_ours": key[1]})
    return _classes[key]


# What is there on every object of its class: no property, nor what is made up when it is asked for.
_PLAIN = types.FunctionType, types.MethodDescriptorType, types.BuiltinFunctionType
_ASKED = frozenset(_METHODS.values())
_of_theirs = {}  # by the class of somebody's object whose class alone says which protocols it has
_MOST = 256  # classes that are made at run time are not kept for ever


def _is_plain(kind):
    if kind.__getattribute__ is not object.__getattribute__ or hasattr(kind, "__getattr__"):
        return False
    return kind.__dictoffset__ != 0 and all(isinstance(getattr(kind, method), _PLAIN)
                                            for method in _ASKED if hasattr(kind, method))


def _class_of_all(obj):
    names, kind = tuple(name for name in _SHOWN if _has(obj, name)), type(obj)
    if not names:
        raise ValueError(f"there is no protocol to watch: {obj!r} has none of {', '.join(_SHOWN)}")
    shown = _class_of(obj, names)
    if isinstance(obj, _OURS):
        _of_ours[kind] = shown
    elif _is_plain(kind) and _ASKED.isdisjoint(obj.__dict__):
        if len(_of_theirs) >= _MOST:
            _of_theirs.clear()
        _of_theirs[kind] = shown
    return shown


def watch(obj, *, protocols=None):
    """An object with the same data, whose consumers are watched."""
    if protocols is None:
        kind = type(obj)
        if kind in _of_theirs and _ASKED.isdisjoint(obj.__dict__):
            return _of_theirs[kind](obj)
        return (_of_ours.get(kind) or _class_of_all(obj))(obj)
    names = (protocols,) if isinstance(protocols, str) else tuple(protocols)
    if not names:
        raise ValueError("there is no protocol to watch")
    for name in names:
        if name not in _METHODS:
            raise ValueError(f"{name!r} is no protocol; there are {', '.join(_SHOWN)}")
        if not _has(obj, name):
            raise TypeError(f"{obj!r} does not have {_METHODS[name]}")
    return _class_of(obj, names)(obj)
