# SPDX-License-Identifier: Apache-2.0
"""What is asked for: devices, and cases."""

import re
from fnmatch import fnmatchcase

from . import _core

_CPU = "cpu:-1"  # as findings name it


def matches(glob, *names):
    """Does it match one of these, as the command matches?"""
    if glob.startswith(("@(", "!(")) and glob.endswith(")"):
        is_one = any(matches(each, *names) for each in glob[2:-1].split("|"))
        return is_one is (glob[0] == "@")
    return any(fnmatchcase(name, glob) for name in names)


def _matches(glob, device):
    """By the name or the type."""
    return matches(glob, device, device.partition(":")[0], _CPU if device == "cpu" else device)


def _why_absent(glob, absent):
    """Why there is nothing that the glob is about, and what can be done; "": nothing is known."""
    kind = glob.partition(":")[0]
    name = next((name for name in absent if matches(glob, name) or matches(kind, name)), None)
    if name is None:
        return ""
    setting = re.search(r"\bADI_[A-Z]+(?= is off|=off)", absent[name])
    switch = f": unset {setting[0]}, or set it to sim or real" if setting else ""
    return f"; there is no {name}, since {absent[name]}{switch}"


class Devices:
    """Those that globs name; None: all."""

    def __init__(self, asked, there=_core.devices, absent=_core.absent):
        self.glob = None
        if asked is None:
            return
        globs = [asked] if isinstance(asked, str) else list(asked)
        names = ("cpu",) if globs == ["cpu"] else there()
        for glob in globs:
            if not isinstance(glob, str):
                raise TypeError(f"a device is named by a str, and not by {glob!r}")
            if not any(_matches(glob, name) for name in names):
                raise ValueError(f"{glob!r} matches no device; there are {', '.join(names)}"
                                 f"{_why_absent(glob, absent())}")
        if not globs:
            raise ValueError(f"devices are empty; there are {', '.join(names)}")
        self.glob = globs[0] if len(globs) == 1 else f"@({'|'.join(globs)})"
        self._names = names

    def has(self, device):
        return self.glob is None or _matches(self.glob, "cpu" if device == _CPU else device)

    def named(self):
        """Those that are here and asked for; None: all."""
        return None if self.glob is None else [name for name in self._names if self.has(name)]

    def first(self, *types):
        """The first that is here and asked for, of a type of these; None: there is none."""
        return next((name for type in types for name in self.named() or []
                     if name.partition(":")[0] == type), None)
