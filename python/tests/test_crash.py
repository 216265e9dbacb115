# SPDX-License-Identifier: Apache-2.0
"""What ends Python says what was judged, and what breaks it off is heard at once."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import adicheck

JUDGED = """
    import ctypes, faulthandler, os, signal
    import adicheck
    calls = []
    def ends():
        calls.append(1)
        if len(calls) > 2:
            {how}
    def make():
        ends()
        return adicheck.array([1, 2, 3], "int32")
    def use(obj):
        ends()
        return adicheck.{reads}(obj)
    {before}
    adicheck.check_{role}({callable}, protocols={protocol!r}, devices="cpu")
    {behind}
"""
WAYS = {"SIGSEGV": "ctypes.string_at(8)", "SIGABRT": "os.abort()",
        "SIGBUS": "os.kill(os.getpid(), signal.SIGBUS)",
        "SIGFPE": "os.kill(os.getpid(), signal.SIGFPE)"}
# Reads what it has released.
RELEASED = f"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import support
def use(obj):
    _, capsule = obj.__arrow_c_array__()
    array = support.within(capsule)
    values = array.buffers[1]
    if not values:
        return adicheck.from_arrow(obj)
    support.call(array.release, array)
    ctypes.string_at(values)
"""
HINT = "adicheck: with isolate=True this is a finding, and the rest is judged"


class ACrash(unittest.TestCase):
    def run_(self, role, protocol, how, before="pass", behind="pass"):
        reads = "from_dlpack" if protocol == "dlpack" else "from_arrow"
        reads = "array" if protocol == "buffer" else reads
        program = textwrap.dedent(JUDGED).format(
            how=how, role=role, callable="make" if role == "producer" else "use", reads=reads,
            protocol=protocol, before=before, behind=behind)
        options = [os.environ.get("ASAN_OPTIONS", ""), *(
            f"handle_{name}=0" for name in ("segv", "sigbus", "sigfpe", "sigill", "abort"))]
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=300, env={**os.environ, "ASAN_OPTIONS": ":".join(options)})

    def told(self, role, protocol, number, device):
        done = self.run_(role, protocol, WAYS[number])
        self.assertEqual(done.returncode, -getattr(signal, number), done.stderr)
        lines = done.stderr.splitlines()
        self.assertRegex(lines[-2], rf"^adicheck: \S+/\S+/\S+ on {device}: life/crash: {role}: "
                         rf"the process ends by {number}$")
        self.assertEqual(lines[-1], HINT)

    def test_names_the_case(self):
        for number in WAYS:
            with self.subTest(number):
                self.told("consumer", "arrow_c_array", number, "cpu:-1")
        self.told("producer", "arrow_c_array", "SIGSEGV", "cpu:-1")
        self.told("consumer", "dlpack", "SIGSEGV", "cpu:-1")

    def test_of_what_no_case_is_played_for_is_told(self):
        self.told("consumer", "buffer", "SIGSEGV", "cpu")

    def test_goes_on_to_who_was_there_before(self):
        done = self.run_("consumer", "dlpack", WAYS["SIGSEGV"], before="faulthandler.enable()")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[1:3], [HINT, "Fatal Python error: Segmentation fault"])
        self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_a_finding_that_ends_it_says_what_can_be_done(self):
        done = self.run_("consumer", "arrow_c_array", "pass", before=RELEASED)
        self.assertEqual(done.returncode, -signal.SIGABRT, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("adicheck: ")]
        self.assertRegex(lines[0], r"^adicheck: \S+ on cpu:-1: life/\S+: consumer: ")
        self.assertEqual(lines[1:], ["adicheck: there is nothing to go on with", HINT])

    # What the process does with its signals is its own.
    def test_that_is_handled_is_no_end(self):
        before = "signal.signal(signal.SIGFPE, lambda *_: print('handled'))"
        done = self.run_("consumer", "dlpack", "pass", before,
                         "os.kill(os.getpid(), signal.SIGFPE); print('over')")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("handled\nover\n", "", 0))

    def test_that_comes_when_all_is_over_is_not_told(self):
        for number, how in WAYS.items():
            with self.subTest(number):
                done = self.run_("consumer", "dlpack", "pass", behind=how)
                self.assertEqual((done.stderr, done.returncode), ("", -getattr(signal, number)))

    def test_of_a_process_that_was_made_meanwhile_is_not_told(self):
        done = self.run_("consumer", "dlpack", "child = os.fork(); "
                         "os.abort() if child == 0 else os.waitpid(child, 0)")
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_in_the_first_export_is_the_producers(self):
        def make():
            os.abort()
        for protocol in "arrow_c_array", "arrow_c_stream", "dlpack", "buffer":
            with self.subTest(protocol):
                found = adicheck.check_producer(make, protocols=protocol, devices="cpu",
                                                isolate=True)
                self.assertEqual({(finding.rule, finding.party) for finding in found},
                                 {("life/crash", "producer")})


class AnInterruption(unittest.TestCase):
    def test_ends_the_workers(self):
        def use(obj):
            with open(calls.name, "a") as file:
                file.write("x")
            if os.path.getsize(calls.name) == 3:
                os.kill(judge, signal.SIGALRM)
            signal.sigtimedwait([], 0.2)
            return adicheck.from_dlpack(obj)

        def interrupt(number, frame):
            raise KeyboardInterrupt
        judge, before = os.getpid(), signal.signal(signal.SIGALRM, interrupt)
        with tempfile.NamedTemporaryFile() as calls:
            try:
                with self.assertRaises(KeyboardInterrupt):
                    adicheck.check_consumer(use, protocols="dlpack", devices="cpu", isolate=True)
            finally:
                signal.signal(signal.SIGALRM, before)
            self.assertLess(os.path.getsize(calls.name), 20)
        found = adicheck.check_consumer(adicheck.from_dlpack, protocols="dlpack", devices="cpu",
                                        isolate=True)
        self.assertGreater(found.counts["pass"], 20)


if __name__ == "__main__":
    unittest.main()
