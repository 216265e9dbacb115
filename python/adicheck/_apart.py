# SPDX-License-Identifier: Apache-2.0
"""A call in this process or in one of its own, and what is said where it ends its process."""

from contextlib import contextmanager

from . import _child, _core
from ._findings import finding_of, row_of


@contextmanager
def at_hand(case, party, device=None):
    """What ends this process meanwhile says what was judged."""
    _core.at_hand(f"{case} on {device or 'cpu'}: life/crash: {party}")
    try:
        yield
    finally:
        _core.at_hand(None)


def in_child(call, protocol, party=None, case=None):
    """What `call` returns in a process that is made for it. One that ends or hangs is a finding,
    which is the party's; without a protocol, nothing."""
    value, end = _child.in_child(call)
    if end is None or protocol is None:
        return value
    rule, how = end
    return [row_of(finding_of(protocol, rule, how, "", "", case or f"own/own/{protocol}",
                              party=party, verdict="crash" if rule == "life/crash" else "timeout"))]


def apart(call, case, protocol, party, options):
    """What `call` returns: in a process of its own, if that is wanted."""
    if options["isolate"]:
        return in_child(call, protocol, party, case)
    with at_hand(case, party, options["devices"]):
        return call()
