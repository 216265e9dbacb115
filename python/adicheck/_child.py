# SPDX-License-Identifier: Apache-2.0
"""Calls in a process that is made for them: it may end, or hang, and nothing is lost by it."""

import marshal
import os
import select
import signal
import time

from ._use import named

LIMIT_S = 120.0  # each call is many of the object's, which take milliseconds


def _run(call, writes):
    try:
        answer = marshal.dumps((True, call()))
    except BaseException as error:
        answer = marshal.dumps((False, f"{type(error).__name__}: {error}"))
    with open(writes, "wb") as pipe:
        pipe.write(answer)
    os._exit(0)


def _read(reads, until):
    """What comes until the other end is closed; None: it is not in time."""
    parts = []
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reads], [], [], left)[0]:
            return None
        part = os.read(reads, 1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _name_of(number):
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has none
        return f"signal {number}"


def in_child(call):
    """What `call` returns, which marshal knows, and None; or None, and the rule that is broken and
    how the process ended. What it raises is raised; RuntimeError: the text of what is no exception
    of Python's own, or takes more than a text. Whatever is raised here, the process does not
    outlive it."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        _run(call, writes)
    os.close(writes)
    try:
        answer = _read(reads, time.monotonic() + LIMIT_S)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(reads)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if answer is None:
        return None, ("life/hang", f"did not end within {LIMIT_S:g} s; killed")
    if answer:
        is_right, value = marshal.loads(answer)
        if is_right:
            return value, None
        raise named(value)
    how = f"by {_name_of(os.WTERMSIG(status))}" if os.WIFSIGNALED(status) else \
        f"with status {os.waitstatus_to_exitcode(status)}"
    return None, ("life/crash", f"the process ended {how}")
