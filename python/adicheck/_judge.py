# SPDX-License-Identifier: Apache-2.0
"""Judging what libraries of Python hand out and take; see the stubs."""

import os
import re
import traceback
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache, cached_property

from . import _child, _core
from ._build import build
from ._capsules import ARROW, consume_capsules, look_at_capsules, unread
from ._cases import LOOKED_AT, PLAYED
from ._consume import consume_cuda, look_at_cuda, places
from ._consume_host import consume_array, consume_buffer
from ._core import Array, Stream, as_cuda_array, from_arrow, from_dlpack
from ._devices import Devices, matches
from ._dlpack import consume_dlpack, deleted_behind_end
from ._eras import split
from ._exchange import consume_exchange
from ._expected import RULES as _EXPECTED
from ._expected import compare, values_of as expected_values
from ._tensors import tensor
from ._trial import Shown, without_addresses, words_of
from ._use import MISTAKES, Use

_ARROW = "arrow_c_device_array", "arrow_c_array", "arrow_c_device_stream", "arrow_c_stream"

_STREAMS = "arrow_c_device_stream", "arrow_c_stream"
_OF_THE_HOST = "arrow_c_array", "arrow_c_stream"
_CUDA, _ARRAY, _BUFFER = "cuda_array_interface", "array_interface", "buffer"
_EXCHANGE = "dlpack_c_exchange_api"
# Of these a consumer is given objects of the package's own.
_GIVEN = {_ARRAY: consume_array, _BUFFER: consume_buffer}

# Verdicts that say what is so; and those that say that something is wrong.
_DECIDED = {"pass", "fail", "crash", "timeout", "xfail", "xpass"}
_ENDED = {"crash", "timeout"}
_UNREACHED = "skip", "unsupported", "error", "crash", "timeout"
_WRONG = "fail", "warn", "note", "crash", "timeout", "xfail", "xpass", "error"

# What is said of a case that was left out, as what was played before keeps what is gone.
_UNPLAYED = "not played: an earlier case left nothing to go on with in this process"

# The line of a known deviation, in what is said of it.
_KNOWN_AT = re.compile(r":(\d+), until \d{4}-\d\d-\d\d\)")


@dataclass(frozen=True)
class Finding:
    """A rule that was broken, as the command tells it."""

    rule: str
    party: str
    verdict: str
    device: str
    case: str
    message: str
    seen: str
    wanted: str
    mend: str
    text: str = field(repr=False)
    steps: tuple = field(repr=False)
    protocol: str

    def __str__(self):
        return self.text


class Findings(list):
    """Findings, and how much was judged to come to them: how many cases by verdict, and the first
    words of what was refused; `undecided`: why nothing is decided, or nothing."""

    counts = cached_property(lambda self: {})
    refusals = cached_property(lambda self: {})
    undecided = ""
    _unplayed = 0
    # For the plugin: by protocol of which something was judged, the rules that rows say hold.
    _judged = cached_property(lambda self: {})
    _held = cached_property(lambda self: set())
    # For the plugin: by rule, why cases that are there for it came to nothing.
    _unreached = cached_property(lambda self: {})
    # For the matrix of libraries: the cases that came to a verdict.
    _cases = cached_property(lambda self: set())

    @property
    def unjudged(self):
        """How many cases were not judged, and why; nothing: all were."""
        if not self._unplayed:
            return ""
        return f"{self._unplayed} cases were not judged: in an earlier one the implementation " \
            "kept what it was given, which is gone: judge with isolate=True, in a fresh process"

    @property
    def conformant(self):
        """Nothing that a document asks for was broken, and all was judged."""
        return not self.undecided and not self.unjudged and \
            not any(f.verdict in ("fail", "crash", "timeout", "xpass") for f in self)

    def __str__(self):
        texts = [*dict.fromkeys(map(str, self))]
        if self.undecided or not texts:
            texts.append(self.undecided or ("" if self.unjudged else "conformant"))
        texts.append(self.unjudged)
        refused = sum(self.refusals.values())
        judged = sum(self.counts.values()) - self.counts.get("unsupported", 0)
        if refused:
            texts.append(f"{refused} of {refused + judged} cases refused: see .refusals")
        return "\n\n".join(filter(None, texts))


def finding_of(protocol, rule, message, seen, wanted, case="", device="", strict=False, party=None):
    """One that no case was played for. `party`: of a rule that binds both, who has broken it."""
    level, bound, document, section, mend, verdict = _core.rule(rule, strict)
    party = party or bound
    lines = [f"{verdict}  {rule}  {level}  {party}", f"      {message}"]
    lines += [f"      saw {seen}   wanted {wanted}"] if seen or wanted else []
    lines += [f'      {document}, "{section}"', f"      mend: {mend}"]
    return Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                   "\n".join(lines), (), protocol)


def as_array(obj):
    """Whatever a consumer gives back of what it read."""
    if isinstance(obj, Array):
        return obj
    if any(hasattr(obj, f"__{name}__") for name in _ARROW):
        made = from_arrow(obj)
        if isinstance(made, Stream):
            made = _one(made)
        if isinstance(made, Array):
            return made
    if hasattr(obj, "__dlpack__") or hasattr(type(obj), f"__{_EXCHANGE}__"):
        return from_dlpack(obj)
    if hasattr(obj, "__cuda_array_interface__"):
        made = as_cuda_array(obj)
        is_scalar = obj.__cuda_array_interface__["shape"] == ()
        return tensor(made.to_pylist()[0], made.type) if is_scalar else made
    raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")


def _one(stream):
    """All chunks as one array."""
    if len(stream.chunks) == 1:
        return stream.chunks[0]
    values = stream.to_pylist()
    return _core.array(stream.type, build(stream.type, values), "cpu", None, 3)


def as_stream(obj):
    """The same of a stream."""
    if isinstance(obj, Stream):
        return obj
    if not isinstance(obj, Array):
        streams = [name for name in (*_STREAMS, *_ARROW) if hasattr(obj, f"__{name}__")]
        if not streams:
            raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")
        method = getattr(obj, f"__{streams[0]}__")
        obj = from_arrow(Shown(**{streams[0]: method}))
    return obj if isinstance(obj, Stream) else _core.stream(obj.type, [obj], obj.device)


def values_of(obj):
    """The same as lists: of what exports nothing of Arrow's or DLPack's, too."""
    if isinstance(obj, list):
        return obj
    others = [name for name in (*_ARROW, "dlpack", "cuda_array_interface") if _has(obj, name)]
    if _has(obj, _BUFFER) and not isinstance(obj, Array):
        try:
            with memoryview(obj) as view:
                return view.tolist()
        except Exception:  # what is on a device may have the slot, and refuse
            if not others:
                raise
    if others == ["cuda_array_interface"]:
        return as_cuda_array(obj).to_pylist()
    return as_array(obj).to_pylist()


def _has(obj, name):
    if name == _ARRAY and hasattr(obj, "__array_struct__"):
        return True
    if name == _EXCHANGE and hasattr(obj, "__c_dlpack_exchange_api__"):
        return True
    if name != _BUFFER:
        return hasattr(obj, f"__{name}__")
    try:
        with memoryview(obj):
            return True
    except TypeError:
        return False
    except Exception:  # it has one, and refuses
        return True


@contextmanager
def _at_hand(case, party, device=None):
    """What ends this process meanwhile says what was judged."""
    _core.at_hand(f"{case} on {device or 'cpu'}: life/crash: {party}")
    try:
        yield
    finally:
        _core.at_hand(None)


def _shown(make, isolate):
    """The protocols that an object has. One that ends its process may have any: it is judged by
    all."""
    def call():
        obj = make()
        return [name for name in (*PLAYED, *LOOKED_AT) if _has(obj, name)]
    if isolate:
        return in_child(call, None) or list(PLAYED)
    with _at_hand("own/own", "producer"):
        return call()


def in_child(call, protocol, party=None):
    """What `call` returns in a process that is made for it. One that ends or hangs is a finding,
    which is the party's; without a protocol, nothing."""
    value, end = _child.in_child(call)
    if end is None or protocol is None:
        return value
    rule, how = end
    finding = finding_of(protocol, rule, how, "", "", f"own/own/{protocol}", party=party)
    return [_row(finding, "crash" if rule == "life/crash" else "timeout")]


def _apart(call, case, protocol, party, options):
    """What `call` returns: in a process of its own, if that is wanted."""
    if options["isolate"]:
        return in_child(call, protocol, party)
    with _at_hand(case, party, options["devices"]):
        return call()


def _names(protocols, known):
    names = [protocols] if isinstance(protocols, str) else list(protocols)
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is no protocol; there are {', '.join(known)}")
    return names


def _play(callable, is_consumer, protocol, options):
    bit, shows = PLAYED[protocol]

    def call(isolate):
        return _core.judge(callable, shows, is_consumer, bit, options["devices"],
                           options["profile"], options["strict"], options["known"],
                           options["case"], isolate, options["name"], "",
                           options["era"].minor, options["era"].stream_only)
    if options["isolate"]:
        return call(True)
    with _at_hand(f"own/own/{protocol}", "consumer" if is_consumer else "producer",
                  options["devices"]):
        rows, raised = call(False)
    # Of what was used here no other process knows but of the CPU.
    if any(map(_is_unplayed, rows)) and (options["devices"] == "cpu" or not _core.is_opened()):
        rows = _with_rest(rows, call(True)[0])
    return rows, raised


def _is_unplayed(row):
    return row[2] == "skip" and row[5].startswith(_UNPLAYED)


def _with_rest(rows, others):
    """What was not played here as other processes have played it, and what is said of a file."""
    unplayed = {(row[3], row[4]) for row in rows if _is_unplayed(row)}
    return [row for row in rows if row[4] and (row[3], row[4]) not in unplayed] + \
        [row for row in others if not row[4] or (row[3], row[4]) in unplayed]


_OF_ANY_HOST = "cpu", "cuda_host", "cuda_managed", "rocm_host"


def _is_elsewhere(make, protocol, devices):
    """Is what is looked at on a device that is not asked for?"""
    if devices.glob is None:
        return False
    if protocol != _CUDA:
        return not any(map(devices.has, _OF_ANY_HOST))
    try:
        return not devices.has(as_cuda_array(make(), sync=False).device)
    except Exception:  # which is told where it is looked at
        return False


def _look(make, protocol, options):
    def call():
        if _is_elsewhere(make, protocol, options["asked"]):
            return []
        version = 3 if options["era"].cuda is None else options["era"].cuda
        seen, left = look_at_cuda(make, version) if protocol == _CUDA else ([], [])
        left.append(_EXPECTED[protocol])
        return _core.look(make(), LOOKED_AT[protocol], options["strict"], options["known"], seen,
                          left, version)
    return _apart(call, f"own/own/{protocol}", protocol, "producer", options)


def _place(options):
    """The device of CUDA that a consumer is given memory of; None: none is asked for."""
    if not options["is_chosen"]:
        return "cuda:0"
    return options["asked"].first("cuda", "cuda_managed", "cuda_host")


def _consume(use, protocol, options):
    def call():
        if protocol != _CUDA:
            return _GIVEN[protocol](use, values_of, options["strict"], options["known"])
        is_asked_for = options["asked"].has if options["is_chosen"] else bool
        return consume_cuda(use, places(_place(options), is_asked_for), values_of,
                            options["strict"], options["known"], options["era"].cuda)
    if protocol != _CUDA and not options["asked"].has("cpu") or \
            protocol == _CUDA and _place(options) is None:
        return [], None, {}
    if not options["isolate"]:
        with _at_hand(f"int32/many/consume-{protocol}", "consumer", options["devices"]):
            return call()
    rows = in_child(lambda: call()[::2], protocol, "consumer")
    return (rows[0], None, rows[1]) if isinstance(rows, tuple) else (rows, None, {})


def _refuses_all(rows):
    """That it refuses what fails, and programs, is nothing to be counted then."""
    plain = [verdict for _, _, verdict, _, case, *_ in rows
             if case and "-fails-" not in case and "/program-" not in case]
    return "unsupported" in plain and set(plain) <= {"unsupported", "skip"}


def _is_unsound(row):
    """What comes of it cannot be looked at any further."""
    rule, _, verdict, *_ = row
    return verdict in ("crash", "timeout") or (
        verdict in ("fail", "xfail") and rule.startswith(("array/", "life/", "schema/")) and
        rule not in ("array/reserved-not-zero", "life/memory-leaked"))


def _around(callable, is_consumer, protocol, options):
    """What no case of the harness has: what becomes of capsules."""
    known, strict = options["known"], options["strict"]
    is_asked_for = options["asked"].has

    def call():
        if is_consumer:
            return consume_capsules(callable, protocol, values_of, strict, known)[0]
        return look_at_capsules(callable, protocol, is_asked_for, strict, known)
    case = f"int32/many/consume-{protocol}" if is_consumer else f"own/own/{protocol}"
    if not matches(options["case"] or "*", case) or (is_consumer and not is_asked_for("cpu")):
        return []
    party = "consumer" if is_consumer else "producer"
    return _apart(call, case, protocol, party, options)


def _row(row, verdict=None):
    return (row.rule, row.party, verdict or row.verdict, row.device, row.case, row.message,
            row.seen, row.wanted, row.mend, row.text, row.steps)


def _behind_end(make, options):
    """A finding about a deleter that is called late; in processes of their own only."""
    if not options["isolate"] or options["devices"] not in (None, "cpu"):
        return []
    how = deleted_behind_end(make)
    if how is None:
        return []
    return [_row(finding_of("dlpack", "dlpack/deleter-after-end",
                            f"the deleter was called when the interpreter had ended: {how}",
                            how, "a call that returns", "own/own/dlpack", "cpu:-1",
                            options["strict"]))]


def _keywords(use, options):
    def call():
        return consume_dlpack(use, as_array, options["strict"], options["known"])
    case = "int32/many/consume-dlpack-keywords"
    return _apart(call, case, "dlpack", "consumer", options) \
        if matches(options["case"] or "*", case) else []


def _exchange(use, options):
    def isolated(play):
        rows = in_child(lambda: play(), "")
        return rows[0][5] if rows and len(rows[0]) == 11 else None

    def call():
        return consume_exchange(use, options["asked"].named()[0],
                                lambda obj: as_array(obj).to_pylist(), options["strict"],
                                options["known"], isolated if options["isolate"] else None)
    case = "int32/many/consume-exchange"
    if not matches(options["case"] or "*", case):
        return []
    with nullcontext() if options["isolate"] else _at_hand(case, "consumer"):
        return call()


def _as_expected(make, protocol, rows, options):
    """What the values come to that somebody says that it has."""
    is_judged = any(row[2] in _DECIDED for row in rows) and not any(map(_is_unsound, rows))
    if "expected" not in options or protocol not in _EXPECTED or not is_judged:
        return []

    def call():
        return compare(make, protocol, options["expected"], options["strict"], options["known"])
    return _apart(call, f"own/own/{protocol}", protocol, "producer", options)


def _judge_one(callable, is_consumer, protocol, options):
    raised, refused = None, {}
    if is_consumer and protocol in LOOKED_AT:
        rows, raised, refused = _consume(callable, protocol, options)
    elif protocol in LOOKED_AT:
        rows = _look(callable, protocol, options)
    else:
        rows, raised = _play(callable, is_consumer, protocol, options)
        if is_consumer and _refuses_all(rows):
            rows = [row for row in rows if row[2] != "pass"]
        if protocol in ARROW and not any(map(_is_unsound, rows)):
            rows = rows + _around(callable, is_consumer, protocol, options)
        if is_consumer and protocol == _EXCHANGE:
            rows = [*rows, *_exchange(callable, options)]
        if is_consumer and protocol == "dlpack" and options["asked"].has("cpu"):
            rows = [*rows, *_keywords(callable, options)]
        if not is_consumer and protocol == "dlpack":
            rows = [*rows, *_behind_end(callable, options)]
    if not is_consumer:
        rows = [*rows, *_as_expected(callable, protocol, rows, options)]
    found = Findings()
    found.refusals.update(refused)
    _collect(found, rows, protocol, options["era"])
    return found, raised


@cache
def _scenarios():
    return _core.scenarios()


def _collect(found, rows, protocol, era):
    for rule, party, verdict, device, case, message, seen, wanted, mend, text, steps in rows:
        if rule in era.without:
            continue
        if case:
            found.counts[verdict] = found.counts.get(verdict, 0) + 1
        if case and verdict not in ("skip", "unsupported", "error"):
            found._cases.add(case)
        found._unplayed += verdict == "skip" and message.startswith(_UNPLAYED)
        if verdict in _UNREACHED and case:
            found._unreached.setdefault(_scenarios().get(case.rpartition("/")[2]), message)
        if verdict == "pass" and rule:
            found._held.add(rule)
        if verdict == "unsupported":
            words = without_addresses(message)
            found.refusals[words] = found.refusals.get(words, 0) + 1
        if verdict in _WRONG:
            found.append(Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                                 text.strip(), steps, protocol))


def _forgive(whole):
    """Rows of known deviations name no protocol: one that fits one of them is none too many for the
    others."""
    def row_of(finding):
        return _KNOWN_AT.findall(finding.message)[-1:]
    fitting = [row_of(finding) for finding in whole if finding.verdict == "xfail"]
    for finding in [one for one in whole if one.verdict == "xpass" and row_of(one) in fitting]:
        whole.remove(finding)
        whole.counts["xpass"] -= 1
    if whole.counts.get("xpass") == 0:
        del whole.counts["xpass"]


def _raise_mistake(refusals):
    """What names nothing that could be refused is no refusal of a producer either."""
    for words in refusals:
        for kind in MISTAKES:
            mistake = re.search(rf"(?:^|: ){kind.__name__}: (.*)", words)
            if mistake:
                raise kind(mistake[1])


def _undecided(found, options):
    """Why nothing is decided; nothing: it is. As the command, which leaves with 2 then."""
    counts = found.counts
    if set(counts) & _DECIDED:
        return ""
    first = next(iter(found.refusals), "").partition("\n")[0][:200]
    if first:
        return f"nothing could be judged: all was refused: {first}"
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
        found, raised = _judge_one(called, False, protocol, options)
    except Exception as error:
        if called.has_raised or isinstance(error, (*MISTAKES, AssertionError)):
            raise
        traceback.clear_frames(error.__traceback__)  # they hold what was exported
        refused.append(error)
        return _refused(words_of(error)), None
    if [finding.case for finding in found] == ["load"]:  # in a process of its own
        return _refused(without_addresses(found[0].message.split(": ", 2)[-1])), raised
    return found, raised


def _judge(callable, is_consumer, protocols, **options):
    if not protocols:
        raise ValueError("there is no protocol to judge")
    if options["isolate"] and _core.is_opened() and options["devices"] != "cpu":
        raise RuntimeError("devices were used in this process, and no process that is made of it "
                           "can use them: judge in a fresh one, or without isolate")
    options["era"], options["profile"] = split(options["profile"])
    options["name"] = getattr(callable, "__qualname__", None) or type(callable).__name__
    if options["known"] is not None:
        options["known"] = os.fspath(options["known"])
    whole, raised, taken, refused = Findings(), None, {}, []
    for protocol in protocols:
        called = Use(callable, protocol in LOOKED_AT) if is_consumer else callable
        found, refusal = _judge_beside(callable, protocol, options, refused) \
            if not is_consumer and len(protocols) > 1 else \
            _judge_one(called, is_consumer, protocol, options)
        if is_consumer:
            called.end(found.refusals)
        else:
            _raise_mistake(found.refusals)
        if refusal is not None and set(found.counts) & _DECIDED:
            refusal = refusal.with_traceback(None)  # by which it would hold this frame
        raised = refusal or raised
        taken[protocol] = "pass" in found.counts
        for rule, why in found._unreached.items():
            whole._unreached.setdefault(rule, why)
        if set(found.counts) & _DECIDED - _ENDED:
            whole._judged[protocol] = found._held
        whole.extend(found)
        whole._cases.update(found._cases)
        whole._unplayed += found._unplayed
        for verdict, count in found.counts.items():
            whole.counts[verdict] = whole.counts.get(verdict, 0) + count
        for text, count in found.refusals.items():
            whole.refusals[text] = whole.refusals.get(text, 0) + count
    if is_consumer and options["devices"] == "cpu":
        _collect(whole, unread(taken, options["strict"], options["known"]),
                 "arrow_c_device_array", options["era"])
    _forgive(whole)
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
    return Devices(devices, lambda: in_child(lambda: list(_core.devices()), None) or ["cpu"])


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
        names = [name for name in PLAYED if name != _EXCHANGE and
                 (asked.glob == "cpu" or name not in _OF_THE_HOST)]
    else:
        names = _names(protocols, (*PLAYED, *LOOKED_AT))
    return _judge(use, True, names, devices=asked.glob, asked=asked, profile=profile,
                  strict=strict, known=known, case=cases, isolate=isolate,
                  is_chosen=devices is not None)
