# SPDX-License-Identifier: Apache-2.0
"""What is done in a process of its own does not outlive its end, nor the patience of who waits."""

import os
import signal
import time
import unittest
from unittest import mock

import adicheck
from adicheck import _child, _dlpack


class Own(Exception):
    """Of which nobody knows elsewhere."""


def raises():
    raise LookupError("lost")


def hangs(obj):
    time.sleep(1000)


class AChild(unittest.TestCase):
    def test_that_answers_is_heard(self):
        self.assertEqual(_child.in_child(lambda: [1, "two"]), ([1, "two"], None))
        self.assertEqual(_child.in_child(lambda: "x" * 300000), ("x" * 300000, None))

    def test_that_raises_is_told(self):
        with self.assertRaisesRegex(LookupError, "^lost$"):
            _child.in_child(raises)

        def own():
            raise Own("lost")
        with self.assertRaisesRegex(RuntimeError, "^Own: lost$"):
            _child.in_child(own)

    def test_that_ends_is_told(self):
        self.assertEqual(_child.in_child(lambda: os._exit(3)),
                         (None, ("life/crash", "the process ended with status 3")))
        self.assertEqual(_child.in_child(lambda: os.kill(os.getpid(), signal.SIGKILL)),
                         (None, ("life/crash", "the process ended by SIGKILL")))

    def test_that_hangs_is_ended(self):
        with mock.patch.object(_child, "LIMIT_S", 0.5):
            found = adicheck.check_consumer(hangs, protocols="buffer", isolate=True)
        self.assertEqual([(finding.rule, finding.party, finding.verdict) for finding in found],
                         [("life/hang", "consumer", "timeout")])
        self.assertFalse(found.conformant)

    def test_of_a_late_deleter_is_ended_where_it_hangs_before(self):
        class Hangs:
            def __dlpack_device__(self):
                return (1, 0)
            __dlpack__ = lambda self, **keywords: time.sleep(1000)
        with mock.patch.object(_dlpack, "_SECONDS", 0.5):
            self.assertIsNone(_dlpack.deleted_behind_end(Hangs))

    def test_does_not_outlive_who_waits_for_it(self):
        children, fork = [], os.fork

        def note():
            children.append(fork())
            return children[-1]

        def interrupt(number, frame):
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with mock.patch.object(os, "fork", note), self.assertRaises(KeyboardInterrupt):
                _child.in_child(lambda: time.sleep(1000))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        with self.assertRaises(ProcessLookupError):
            os.kill(children[0], 0)
