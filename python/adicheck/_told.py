# SPDX-License-Identifier: Apache-2.0
"""Findings as a text: what has one cause is told once, with the cases that it was seen in."""

from . import _core

_NAMED = 5  # cases of one protocol
_MORE = " more like it)"


def _causes(findings):
    """As the report of the command gathers them, but for the order."""
    causes = {}
    for one in findings:
        cause = one.verdict, one.rule, one.party, _core.cause(one.message)
        causes.setdefault(cause, []).append(one)
    return causes.values()


def _cases(findings):
    """A line for each protocol: in which cases, of which there may be many."""
    played = {}
    for one in findings:
        if "/" in one.case:
            played.setdefault(one.protocol, {})[one.device, one.case] = None
    devices = {device for cases in played.values() for device, _ in cases}
    for protocol, cases in played.items():
        names = [f"{device} {case}" if len(devices) > 1 else case for device, case in cases]
        more = ", ..." if len(names) > _NAMED else ""
        count = f", {len(names)} cases" if len(names) > 1 else ""
        yield f"      {protocol}{count}: {', '.join(names[:_NAMED])}{more}"


def texts_of(findings):
    """One for each cause."""
    for cause in _causes(findings):
        shown = next((one for one in cause if _MORE not in one.message), cause[0])
        yield "\n".join([str(shown), *_cases(cause)])
