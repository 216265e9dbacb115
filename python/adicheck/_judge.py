# SPDX-License-Identifier: Apache-2.0
"""Judging what libraries of Python hand out and take; see the stubs."""

import marshal
import os
from dataclasses import dataclass, field

from . import _core
from ._cases import LOOKED_AT, PLAYED
from ._consume import consume_cuda
from ._core import Array, Stream, as_cuda_array, from_arrow, from_dlpack

_ARROW = "arrow_c_device_array", "arrow_c_array", "arrow_c_device_stream", "arrow_c_stream"

_CUDA = "cuda_array_interface"

# Verdicts that say that something is wrong.
_WRONG = "fail", "warn", "note", "crash", "timeout", "xfail", "xpass", "error"


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
    words of what was refused."""

    def __init__(self, *found):
        super().__init__(*found)
        self.counts = {}
        self.refusals = {}

    @property
    def conformant(self):
        """Nothing that a document asks for was broken."""
        return not any(f.verdict in ("fail", "crash", "timeout", "xpass") for f in self)

    def __str__(self):
        return "\n\n".join(dict.fromkeys(map(str, self))) or "conformant"


def finding_of(protocol, rule, message, seen, wanted, case="", device="", strict=False):
    """One that no case was played for."""
    level, basis, party, document, section, _, mend = _core.rule(rule)
    written = basis in ("text", "implied")
    verdict = "fail" if level == "MUST" and written else "warn" if level == "SHOULD" else "note"
    if strict and level != "MAY":
        verdict = "fail"
    lines = [f"{verdict}  {rule}  {level}  {party}", f"      {message}"]
    lines += [f"      saw {seen}   wanted {wanted}"] if seen or wanted else []
    lines += [f'      {document}, "{section}"', f"      mend: {mend}"]
    return Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                   "\n".join(lines), (), protocol)


def _joined(stream):
    """The chunks of a stream as one array: who has read an array may give it back so."""
    from . import array  # which needs this module
    return stream.chunks[0] if len(stream.chunks) == 1 else array(stream.to_pylist(), stream.type)


def as_array(obj):
    """Whatever a consumer gives back of what it read."""
    if isinstance(obj, Array):
        return obj
    for name in _ARROW:
        if hasattr(obj, f"__{name}__"):
            made = from_arrow(obj)
            if isinstance(made, Array):
                return made
            if isinstance(made, Stream):
                return _joined(made)
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    if hasattr(obj, "__cuda_array_interface__"):
        return as_cuda_array(obj)
    raise TypeError(f"use() gave {obj!r}, which exports nothing; it may be None")


def _has(obj, name):
    if name != "buffer":
        return hasattr(obj, f"__{name}__")
    try:
        with memoryview(obj):
            return True
    except TypeError:
        return False
    except Exception:  # it has one, and refuses
        return True


def _shown(make, isolate):
    """The protocols that an object has. One that ends its process may have any: it is judged by
    all."""
    if not isolate:
        obj = make()
        return [name for name in (*PLAYED, *LOOKED_AT) if _has(obj, name)]
    return in_child(lambda: _shown(make, False), None) or list(PLAYED)


def in_child(call, protocol):
    """What `call` returns in a process that is made for it. One that ends is a finding; without a
    protocol, nothing."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = marshal.dumps((True, call()))
        except BaseException as error:
            answer = marshal.dumps((False, f"{type(error).__name__}: {error}"))
        with open(writes, "wb") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(writes)
    with open(reads, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if answer:
        is_right, value = marshal.loads(answer)
        if is_right:
            return value
        raise RuntimeError(value)
    if protocol is None:
        return None
    how = f"the process ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else \
        f"the process ended with status {os.waitstatus_to_exitcode(status)}"
    row = finding_of(protocol, "life/crash", how, "", "")
    return [(row.rule, row.party, "crash", "", f"own/own/{protocol}", how, "", "", row.mend,
             row.text, ())]


def _names(protocols, known):
    names = [protocols] if isinstance(protocols, str) else list(protocols)
    for name in names:
        if name not in known:
            raise ValueError(f"{name!r} is no protocol; there are {', '.join(known)}")
    return names


def _glob(devices):
    if devices is None:
        return None
    names = [devices] if isinstance(devices, str) else list(devices)
    return names[0] if len(names) == 1 else f"@({'|'.join(names)})"


def _play(callable, is_consumer, protocol, options):
    bit, shows = PLAYED[protocol]
    return _core.judge(callable, shows, is_consumer, bit, options["devices"], options["profile"],
                       options["strict"], options["known"], options["case"], options["isolate"],
                       options["name"], "")


def _look(make, protocol, options):
    if not options["isolate"]:
        return _core.look(make(), LOOKED_AT[protocol], options["strict"], options["known"])
    return in_child(lambda: _look(make, protocol, {**options, "isolate": False}), protocol)


def _consume(use, options):
    device = (options["devices"] or "cpu").replace("cpu", "cuda:0")
    call = consume_cuda, use, device, lambda obj: as_array(obj).to_pylist(), options["strict"], \
        options["known"]
    if not options["isolate"]:
        return call[0](*call[1:])
    rows = in_child(lambda: call[0](*call[1:])[::2], _CUDA)
    return (rows[0], None, rows[1]) if isinstance(rows, tuple) else (rows, None, {})


def _judge_one(callable, is_consumer, protocol, options):
    raised, refused = None, {}
    if is_consumer and protocol == _CUDA:
        rows, raised, refused = _consume(callable, options)
    elif protocol in LOOKED_AT:
        rows = _look(callable, protocol, options)
    else:
        rows, raised = _play(callable, is_consumer, protocol, options)
    found = Findings()
    found.refusals.update(refused)
    for rule, party, verdict, device, case, message, seen, wanted, mend, text, steps in rows:
        if case:
            found.counts[verdict] = found.counts.get(verdict, 0) + 1
        if verdict == "unsupported":
            found.refusals[message] = found.refusals.get(message, 0) + 1
        if verdict in _WRONG:
            found.append(Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                                 text.strip(), steps, protocol))
    return found, raised


def _judge(callable, is_consumer, protocols, **options):
    if not protocols:
        raise ValueError("there is no protocol to judge")
    if options["isolate"] and _core.is_opened() and options["devices"] != "cpu":
        raise RuntimeError("devices were used in this process, and no process that is made of it "
                           "can use them: judge in a fresh one, or without isolate")
    options["name"] = getattr(callable, "__qualname__", None) or type(callable).__name__
    whole, raised = Findings(), None
    for protocol in protocols:
        found, refusal = _judge_one(callable, is_consumer, protocol, options)
        raised = refusal or raised
        whole.extend(found)
        for verdict, count in found.counts.items():
            whole.counts[verdict] = whole.counts.get(verdict, 0) + count
        for text, count in found.refusals.items():
            whole.refusals[text] = whole.refusals.get(text, 0) + count
    if not set(whole.counts) - {"unsupported", "skip"}:
        raise ValueError("nothing could be judged: all was refused") from raised
    return whole


def check_producer(make, *, protocols=None, devices=None, profile=None, strict=False, known=None,
                   isolate=False):
    """Judges the objects that `make` gives."""
    names = _shown(make, isolate) if protocols is None else \
        _names(protocols, (*PLAYED, *LOOKED_AT))
    return _judge(make, False, names, devices=_glob(devices), profile=profile, strict=strict,
                  known=known, case=None, isolate=isolate)


def check_consumer(use, *, protocols=None, devices=None, profile=None, strict=False, known=None,
                   isolate=False, cases=None):
    """Judges what `use` does with the objects that it is given."""
    glob = _glob(devices or "cpu")
    if protocols is None:
        names = [name for name in PLAYED if name != "arrow_c_array" or glob == "cpu"]
    else:
        names = _names(protocols, (*PLAYED, _CUDA))
    return _judge(use, True, names, devices=glob, profile=profile,
                  strict=strict, known=known, case=cases, isolate=isolate)
