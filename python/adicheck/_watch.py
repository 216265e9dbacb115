# SPDX-License-Identifier: Apache-2.0
"""The data of an object through a monitor; see the stubs."""

from . import _core
from ._judge import Findings, finding_of


def _arrow(name, is_device):
    def method(self, requested_schema=None, **kwargs):
        both = getattr(self._obj, name)(requested_schema, **kwargs)
        self._watches.append((name.strip("_"), _core.watch_arrow(both, is_device)))
        return both
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
    "arrow_c_array": {"__arrow_c_array__": _arrow("__arrow_c_array__", False)},
    "arrow_c_device_array": {"__arrow_c_device_array__": _arrow("__arrow_c_device_array__", True)},
    "dlpack": {"__dlpack__": _tensor, "__dlpack_device__": _passes("__dlpack_device__")},
}


_METHODS = {name: f"__{name}__" for name in _SHOWN}
_classes = {}  # by the protocols that they show


class Watched:
    """What is watched, until `finish`."""

    def __init__(self, obj):
        self._obj = obj
        self._watches = []
        self.findings = None

    def finish(self):
        if self.findings is None:
            self.findings = Findings()
            for protocol, watch in self._watches:
                for row in _core.watch_end(watch):
                    self.findings.append(finding_of(protocol, *row))
        return self.findings

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()


def _class_of(names):
    members = {key: value for name in names for key, value in _SHOWN[name].items()}
    return _classes.setdefault(names, type("Watched", (Watched,), members))


def watch(obj, *, protocols=None):
    """An object with the same data, whose consumers are watched."""
    if protocols is None:
        names = tuple(name for name, method in _METHODS.items() if hasattr(obj, method))
    else:
        names = (protocols,) if isinstance(protocols, str) else tuple(protocols)
        for name in names:
            if name not in _METHODS:
                raise ValueError(f"{name!r} is no protocol; there are {', '.join(_SHOWN)}")
            if not hasattr(obj, _METHODS[name]):
                raise TypeError(f"{obj!r} does not have {_METHODS[name]}")
    return (_classes.get(names) or _class_of(names))(obj)
