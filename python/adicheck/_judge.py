# SPDX-License-Identifier: Apache-2.0
"""Judging what libraries of Python hand out and take; see the stubs."""

import os
import traceback

from . import _core
from ._apart import at_hand, in_child
from ._capsules import unread
from ._cases import LOOKED_AT, PLAYED
from ._core import MISTAKES
from ._devices import Devices
from ._eras import split
from ._expected import values_of as expected_values
from ._findings import DECIDED, ENDED, LEFT_BEHIND, Findings, collect, forgive
from ._play import judge_by
from ._protocols import EXCHANGE, OF_THE_HOST, has
from ._tensors import tensor
from ._trial import without_addresses, words_of
from ._use import Use, named, raise_mistake


def _shown(make, isolate):
    """The protocols that an object has. One that ends its process may have any: it is judged by
    all."""
    def call():
        obj = make()
        return [name for name in (*PLAYED, *LOOKED_AT) if has(obj, name)]
    if isolate:
        return in_child(call, None) or list(PLAYED)
    with at_hand("own/own", "producer"):
        return call()


def _names(protocols, known):
    names = [protocols] if isinstance(protocols, str) else list(protocols)
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is no protocol; there are {', '.join(known)}")
    return names


def _leave_memory(whole, is_consumer):
    """What is left behind in memory is judged where that can be told, and rows say so then."""
    why = "a consumer's memory is weighed where GLIBC_TUNABLES turns the cache of malloc off" \
        if is_consumer else "it could not be told whether an export leaves memory behind"
    if not _core.weighs():
        for rule in LEFT_BEHIND:
            whole._unreached[rule] = why


def _raise_refused(found):
    """What an object raises at once, in a process of its own, comes out as it does in this one."""
    if [(finding.case, finding.verdict) for finding in found] == [("load", "error")]:
        raised = named(found[0].message.partition(": ")[2])
        if type(raised) is not RuntimeError or "RuntimeError: " in found[0].message:
            raise raised


def _undecided(found, options):
    """Why nothing is decided; nothing: it is. As the command, which leaves with 2 then."""
    counts = found.counts
    if set(counts) & DECIDED:
        return ""
    if "error" in counts:
        return f"nothing could be judged: {found._error}"
    first = next(iter(found.refusals), "").partition("\n")[0][:200]
    if first:
        why = next(iter(found.skips), "")
        return f"nothing could be judged: all was refused: {first}" + (why and f"; {why}")
    if set(counts) - {"skip"}:
        return ""  # a recommendation was not kept, and that is all
    where = "" if options["devices"] is None else f" on {options['devices']!r}"
    return f"nothing could be judged: there is no data or case{where}, or all was refused"


class _Make:
    """Calls it. What it raises is passed on, whatever the object may do by other protocols."""

    def __init__(self, make):
        self._make, self.has_raised = make, False

    def __call__(self):
        try:
            return self._make()
        except BaseException:
            self.has_raised = True
            raise


def _refused(words):
    found = Findings()
    found.counts["unsupported"] = found.refusals[words] = 1
    return found


def _judge_beside(make, protocol, options, refused):
    """Of a producer, beside others: what the object refuses at once is one refusal."""
    called = _Make(make)
    try:
        found, raised = judge_by(called, False, protocol, options)
    except Exception as error:
        if called.has_raised or isinstance(error, (*MISTAKES, AssertionError)):
            raise
        traceback.clear_frames(error.__traceback__)  # they hold what was exported
        refused.append(error)
        return _refused(words_of(error)), None
    # In a process of its own, which may have ended: that is a finding.
    if [finding.case for finding in found] == ["load"] and found[0].verdict not in ENDED:
        return _refused(without_addresses(found[0].message.partition(": ")[2])), raised
    return found, raised


def _look_apart(asked):
    """RuntimeError: no process that is made of this one can use what is asked for, as it is with
    CUDA where this one has initialized it, if only to see what is there."""
    def unusable():
        for name in asked.named():
            try:
                tensor([1], device=name)
            except OSError as error:
                return name, str(error).partition("; ")[0]
        return None
    name, why = (in_child(unusable, None) if asked.glob not in (None, "cpu") else None) or ("", "")
    if name:
        raise RuntimeError(f"{name} cannot be used in a process that is made of this one: {why}; "
                           "devices may not have been used or looked for here (as devices() "
                           "does): judge in a fresh process, or without isolate")


def _judge(callable, is_consumer, protocols, **options):
    if not protocols:
        raise ValueError("there is no protocol to judge")
    if options["isolate"] and _core.is_opened() and options["devices"] != "cpu":
        raise RuntimeError("devices were used in this process, and no process that is made of it "
                           "can use them: judge in a fresh one, or without isolate")
    if options["isolate"] and is_consumer:
        _look_apart(options["asked"])
    options["era"], options["profile"] = split(options["profile"])
    options["name"] = getattr(callable, "__qualname__", None) or type(callable).__name__
    if options["known"] is not None:
        options["known"] = os.fspath(options["known"])
    whole, raised, taken, refused = Findings(), None, {}, []
    for protocol in protocols:
        called = Use(callable, protocol in LOOKED_AT) if is_consumer else callable
        found, refusal = _judge_beside(callable, protocol, options, refused) \
            if not is_consumer and len(protocols) > 1 else \
            judge_by(called, is_consumer, protocol, options)
        if is_consumer:
            called.end(found._refused_in)
        else:
            _raise_refused(found)
            raise_mistake(found.refusals)
        if refusal is not None and set(found.counts) & DECIDED:
            refusal = refusal.with_traceback(None)  # by which it would hold this frame
        raised = refusal or raised
        taken[protocol] = "pass" in found.counts
        for rule, why in found._unreached.items():
            whole._unreached.setdefault(rule, why)
        if set(found.counts) & DECIDED - ENDED:
            whole._judged[protocol] = found._held
        whole.extend(found)
        whole._cases.update(found._cases)
        whole._unplayed += found._unplayed
        for verdict, count in found.counts.items():
            whole.counts[verdict] = whole.counts.get(verdict, 0) + count
        for words, those in ((whole.refusals, found.refusals), (whole.skips, found.skips)):
            for text, count in those.items():
                words[text] = words.get(text, 0) + count
    if is_consumer and options["devices"] == "cpu":
        collect(whole, unread(taken, options["strict"], options["known"]),
                "arrow_c_device_array", options["era"], is_consumer)
    _leave_memory(whole, is_consumer)
    forgive(whole)
    whole.undecided = _undecided(whole, options)
    if refused and whole.undecided and not whole:
        raise refused.pop(0)
    if whole.undecided and not whole:
        raise ValueError(whole.undecided) from raised
    return whole


def devices_of(devices, isolate):
    """Those of the argument; where processes are to be made of this one, none is opened in it."""
    if not isolate:
        return Devices(devices)
    return Devices(devices, lambda: in_child(lambda: list(_core.devices()), None) or ["cpu"],
                   lambda: in_child(_core.absent, None) or {})


_NOTHING = ...  # None is a value


def check_producer(make, *, protocols=None, devices=None, profile=None, strict=False, known=None,
                   isolate=False, expected=_NOTHING):
    """Judges the objects that `make` gives."""
    told = {} if expected is _NOTHING else {"expected": expected_values(expected)}
    asked = devices_of(devices, isolate)
    names = _shown(make, isolate) if protocols is None else \
        _names(protocols, (*PLAYED, *LOOKED_AT))
    return _judge(make, False, names, devices=asked.glob, asked=asked, profile=profile,
                  strict=strict, known=known, case=None, isolate=isolate, **told)


def check_consumer(use, *, protocols=None, devices=None, profile=None, strict=False, known=None,
                   isolate=False, cases=None):
    """Judges what `use` does with the objects that it is given."""
    asked = devices_of("cpu" if devices is None else devices, isolate)
    if protocols is None:
        names = [name for name in PLAYED if name != EXCHANGE and
                 (asked.glob == "cpu" or name not in OF_THE_HOST)]
    else:
        names = _names(protocols, (*PLAYED, *LOOKED_AT))
    return _judge(use, True, names, devices=asked.glob, asked=asked, profile=profile,
                  strict=strict, known=known, case=cases, isolate=isolate,
                  is_chosen=devices is not None)
