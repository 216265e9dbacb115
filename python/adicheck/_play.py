# SPDX-License-Identifier: Apache-2.0
"""Judging by one protocol: the cases of the harness, and what is looked at beside them."""

from contextlib import nullcontext

from . import _core
from ._apart import apart, at_hand, in_child
from ._capsules import consume_capsules, look_at_capsules
from ._cases import LOOKED_AT, PLAYED
from ._consume import consume_cuda, look_at_cuda, places
from ._consume_host import consume_array, consume_buffer
from ._core import as_cuda_array
from ._devices import matches
from ._dlpack import consume_dlpack, deleted_behind_end
from ._exchange import consume_exchange
from ._expected import RULES as _EXPECTED
from ._expected import compare
from ._first import by_cause, copy_differs
from ._findings import DECIDED, Findings, collect, finding_of, is_unplayed, row_of
from ._given_back import as_array, values_of
from ._protocols import ARRAY, ARROW, BUFFER, CUDA, EXCHANGE

# Of these a consumer is given objects of the package's own.
_GIVEN = {ARRAY: consume_array, BUFFER: consume_buffer}


def _play(callable, is_consumer, protocol, options):
    bit, shows = PLAYED[protocol]

    def call(isolate):
        return _core.judge(callable, shows, is_consumer, bit, options["devices"],
                           options["profile"], options["strict"], options["known"],
                           options["case"], isolate, options["name"], "",
                           options["era"].minor, options["era"].stream_only)
    if options["isolate"]:
        return call(True)
    with at_hand(f"own/own/{protocol}", "consumer" if is_consumer else "producer",
                 options["devices"]):
        rows, raised = call(False)
    # Of what was used here no other process knows but of the CPU.
    if any(map(is_unplayed, rows)) and (options["devices"] == "cpu" or not _core.is_opened()):
        rows = _with_rest(rows, call(True)[0])
    return rows, raised


def _with_rest(rows, others):
    """What was not played here as other processes have played it, and what is said of a file."""
    unplayed = {(row[3], row[4]) for row in rows if is_unplayed(row)}
    return [row for row in rows if row[4] and (row[3], row[4]) not in unplayed] + \
        [row for row in others if not row[4] or (row[3], row[4]) in unplayed]


_OF_ANY_HOST = "cpu", "cuda_host", "cuda_managed", "rocm_host"


def _is_elsewhere(make, protocol, devices):
    """Is what is looked at on a device that is not asked for?"""
    if devices.glob is None:
        return False
    if protocol != CUDA:
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
        seen, left = look_at_cuda(make, version) if protocol == CUDA else ([], [])
        left.append(_EXPECTED[protocol])
        return _core.look(make(), LOOKED_AT[protocol], options["strict"], options["known"], seen,
                          left, version)
    return apart(call, f"own/own/{protocol}", protocol, "producer", options)


def _place(options):
    """The device of CUDA that a consumer is given memory of; None: none is asked for."""
    if not options["is_chosen"]:
        return "cuda:0"
    return options["asked"].first("cuda", "cuda_managed", "cuda_host")


def _consume(use, protocol, options):
    def call():
        if protocol != CUDA:
            return _GIVEN[protocol](use, values_of, options["strict"], options["known"])
        is_asked_for = options["asked"].has if options["is_chosen"] else bool
        return consume_cuda(use, places(_place(options), is_asked_for), values_of,
                            options["strict"], options["known"], options["era"].cuda)
    if protocol != CUDA and not options["asked"].has("cpu") or \
            protocol == CUDA and _place(options) is None:
        return [], None, {}
    case = f"int32/many/consume-{protocol}"
    if not options["isolate"]:
        with at_hand(case, "consumer", options["devices"]):
            return call()
    rows = in_child(lambda: call()[::2], protocol, "consumer", case)
    return (rows[0], None, rows[1]) if isinstance(rows, tuple) else (rows, None, {})


# As judge() gives them, behind what is said of how it was looked at.
_NOT_PLAYED = ("", "", "error", "", "load", "python: nothing: no case was played", "", "", "", "",
               ())


def _was_not_played(rows):
    """Has something been noticed when it was looked at, and no case was played then?"""
    return rows != [] and all(row[4] == "load" and row[2] not in DECIDED | {"error"}
                              for row in rows)


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
            rows = consume_capsules(callable, protocol, values_of, strict, known)[0]
            callable.end()
            return rows
        return look_at_capsules(callable, protocol, is_asked_for, strict, known)
    case = f"int32/many/consume-{protocol}" if is_consumer else f"own/own/{protocol}"
    if not matches(options["case"] or "*", case) or (is_consumer and not is_asked_for("cpu")):
        return []
    party = "consumer" if is_consumer else "producer"
    return apart(call, case, protocol, party, options)


def _behind_end(make, options):
    """A finding about a deleter that is called late; in processes of their own only."""
    if not options["isolate"] or options["devices"] not in (None, "cpu"):
        return []
    how = deleted_behind_end(make)
    if how is None:
        return []
    return [row_of(finding_of("dlpack", "dlpack/deleter-after-end",
                              f"the deleter was called when the interpreter had ended: {how}",
                              how, "a call that returns", "own/own/dlpack", "cpu:-1",
                              options["strict"]))]


def _copy_differs(make, options):
    return apart(lambda: copy_differs(make), "own/own/dlpack-copy", None, "producer", options)


def _keywords(use, options):
    def call():
        rows = consume_dlpack(use, as_array, options["strict"], options["known"])
        use.end()
        return rows
    case = "int32/many/consume-dlpack-keywords"
    return apart(call, case, "dlpack", "consumer", options) \
        if matches(options["case"] or "*", case) else []


def _exchange(use, options):
    def played(play):
        rows = play()
        use.end()
        return rows

    def isolated(play):
        rows = in_child(lambda: played(play), "")
        return rows[0][5] if rows and len(rows[0]) == 11 else None

    def call():
        return consume_exchange(use, options["asked"].named()[0],
                                lambda obj: as_array(obj).to_pylist(), options["strict"],
                                options["known"], isolated if options["isolate"] else None)
    case = "int32/many/consume-exchange"
    if not matches(options["case"] or "*", case):
        return []
    with nullcontext() if options["isolate"] else at_hand(case, "consumer"):
        return call()


def _as_expected(make, protocol, rows, options):
    """What the values come to that somebody says that it has."""
    is_judged = any(row[2] in DECIDED for row in rows) and not any(map(_is_unsound, rows))
    if "expected" not in options or protocol not in _EXPECTED or not is_judged:
        return []

    def call():
        return compare(make, protocol, options["expected"], options["strict"], options["known"])
    return apart(call, f"own/own/{protocol}", protocol, "producer", options)


def _played(callable, is_consumer, protocol, options):
    """The cases, and what none of them has."""
    rows, raised = _play(callable, is_consumer, protocol, options)
    if is_consumer and callable.mistake is not None:
        return rows, raised
    if _was_not_played(rows):
        return [*rows, _NOT_PLAYED], raised
    if is_consumer and _refuses_all(rows):
        rows = [row for row in rows if row[2] != "pass"]
    if protocol in ARROW and not any(map(_is_unsound, rows)):
        rows = rows + _around(callable, is_consumer, protocol, options)
    if is_consumer and protocol == EXCHANGE:
        rows = [*rows, *_exchange(callable, options)]
    if is_consumer and protocol == "dlpack" and options["asked"].has("cpu"):
        rows = [*rows, *_keywords(callable, options)]
    if not is_consumer and protocol == "dlpack":
        rows = by_cause(rows, lambda: _copy_differs(callable, options), options)
        rows = [*rows, *_behind_end(callable, options)]
    return rows, raised


def judge_by(callable, is_consumer, protocol, options):
    raised, refused = None, {}
    if is_consumer and protocol in LOOKED_AT:
        rows, raised, refused = _consume(callable, protocol, options)
    elif protocol in LOOKED_AT:
        rows = _look(callable, protocol, options)
    else:
        rows, raised = _played(callable, is_consumer, protocol, options)
    if not is_consumer:
        rows = [*rows, *_as_expected(callable, protocol, rows, options)]
    found = Findings()
    found.refusals.update(refused)
    found._refused_in.update(dict.fromkeys(refused, f"int32/many/consume-{protocol}"))
    collect(found, rows, protocol, options["era"], is_consumer)
    return found, raised
