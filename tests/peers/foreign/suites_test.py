#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whether tests of others are judged as they should be: modules that are made up, of tests that
pass, fail, hang, end the process and misuse the simulated driver, and lists that are right and
wrong.

    tests/peers/foreign/suites_test.py BUILD
"""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import modules  # noqa: E402 (where they lie is said above)
import rows  # noqa: E402
import suites  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()

HEAD = """
import ctypes, os, time, unittest
class Skipped(BaseException):
    pass
cuda = ctypes.CDLL("libcuda.so.1")
def allocated():
    device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
    assert cuda.cuInit(0) == 0
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert cuda.cuCtxSetCurrent(context) == 0
    assert cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64)) == 0
    return memory
class A(unittest.TestCase):
    def test_1(self):
        cuda.cuMemFree_v2(allocated())
"""
TWICE = """
    def test_2(self):
        memory = allocated()
        cuda.cuMemFree_v2(memory)
        cuda.cuMemFree_v2(memory)
"""
OTHERS = """
    def test_3(self):
        self.fail("a reason")
    def test_4(self):
        self.skipTest("another")
    def test_5(self):
        with self.subTest(0):
            self.fail("in part")
    @unittest.expectedFailure
    def test_6(self):
        pass
    def test_7(self):
        raise Skipped("as pytest does")
    @unittest.expectedFailure
    def test_8(self):
        self.fail("as expected")
"""
CAUSE = "cause it | * a reason | because\n"


class Suites(unittest.TestCase):
    def setUp(self):
        top = tempfile.TemporaryDirectory()
        self.addCleanup(top.cleanup)
        self.top = pathlib.Path(top.name)

    def play(self, source, limit=60, left_out=()):
        """By the name of a test without module and class: its result."""
        (self.top / "made_up.py").write_text(HEAD + source, encoding="utf-8")
        work = self.top / "work"
        work.mkdir()
        env = {**suites.environment(BUILD, self.top, None), "PYTHONPATH": str(self.top)}
        env = {name: value for name, value in env.items() if name != "ADI_CUDA"}
        results = modules.play([sys.executable, HERE / "play.py"], "made_up", work, env, limit,
                               left_out)
        self.all = results
        return {result.test.removeprefix("made_up.A."): result for result in results}

    def outcomes(self, *arguments, **keywords):
        return {test: result.outcome for test, result in self.play(*arguments, **keywords).items()}

    def wrong(self, text):
        path = self.top / "list.txt"
        path.write_text(text, encoding="utf-8")
        return list(rows.Rows(path).wrong(self.all))

    def test_each_outcome(self):
        self.assertEqual(self.outcomes(OTHERS), {
            "test_1": "passed", "test_3": "failed", "test_4": "skipped", "test_5": "failed",
            "test_6": "failed", "test_7": "skipped", "test_8": "passed"})

    def test_a_report_is_charged_to_its_test(self):
        found = self.play(TWICE + "    def test_3(self):\n        cuda.cuMemFree_v2(allocated())\n")
        self.assertEqual([test for test, result in found.items() if result.outcome == "failed"],
                         ["test_2"])
        self.assertRegex(found["test_2"].why, "^reported: double-free in cuMemFree_v2: ")
        self.assertEqual(len(self.wrong("")), 1)
        self.assertEqual(self.wrong("cause twice | reported: double-free * | theirs\n"
                                    "twice | made_up.A.test_2"), [])

    def test_what_is_reported_while_a_module_is_loaded_is_its_own(self):
        found = self.play("memory = allocated()\nfor i in (1, 2): cuda.cuMemFree_v2(memory)\n")
        self.assertEqual({test: result.outcome for test, result in found.items()},
                         {"test_1": "passed", "made_up": "failed"})

    def test_opaque_launches_are_counted_apart(self):
        log = b'{"call":1}\n{"call":2,"may_use":"allocation 1"}\n{"merged":"race","in":"f"}\n'
        events = [{"test": "a", "at": 0}, {"test": "a", "is": "passed", "why": "", "at": 11},
                  {"test": "b", "at": 11}, {"test": "b", "is": "passed", "why": "", "at": 80}]
        path = self.top / "log"
        path.write_bytes(log)
        results = modules.judge("m", events, {}, path, path)
        self.assertEqual([tuple(result) for result in results], [
            ("a", "passed", "", False), ("b", "passed", "", True),
            ("m", "failed", "reported: merged in f: ; ", False)])
        self.assertIn("2 pass (1 of them with opaque launches), 1 fail",
                      suites.summary("it", results))
        self.assertEqual(len(suites.reported(results)), 1)

    def test_one_that_hangs_is_told_and_the_rest_played(self):
        found = self.play("    def test_0(self):\n        time.sleep(600)\n", limit=2)
        self.assertEqual((found["test_0"].outcome, found["test_0"].why), ("failed", "hung"))
        self.assertEqual(found["test_1"].outcome, "passed")

    def test_one_that_ends_the_process_too(self):
        found = self.play("    def test_0(self):\n        os.abort()\n")
        self.assertEqual((found["test_0"].outcome, found["test_0"].why),
                         ("failed", "died of signal 6"))
        self.assertEqual(found["test_1"].outcome, "passed")
        self.assertEqual(len(self.all), 2)

    def test_what_hangs_is_played_once_more(self):
        (self.top / "made_up.py").write_text(HEAD + """
import atexit
if not os.path.exists(os.environ["PYTHONPATH"] + "/once"):
    open(os.environ["PYTHONPATH"] + "/once", "w").close()
    atexit.register(lambda: time.sleep(600))
""", encoding="utf-8")
        env = {**suites.environment(BUILD, self.top, None), "PYTHONPATH": str(self.top)}
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            found = modules.play_twice([sys.executable, HERE / "play.py"], "made_up", self.top, env,
                                       2, ())
        self.assertEqual([result.outcome for result in found], ["passed"])
        self.assertIn("made_up hung, and is played once more: ", said.getvalue())

    def test_where_one_hangs_behind_its_tests_is_told(self):
        found = self.play("import atexit; atexit.register(lambda: time.sleep(600))\n", limit=2)
        self.assertEqual(found["test_1"].outcome, "passed")
        self.assertRegex(found["made_up"].why, "^hung: Fatal Python error: Aborted")
        self.assertIn("made_up.py", found["made_up"].why)

    def test_one_that_ends_badly_behind_its_tests_too(self):
        found = self.play("import atexit; atexit.register(os.abort)\n")
        self.assertEqual({test: result.outcome for test, result in found.items()},
                         {"test_1": "passed", "made_up": "failed"})

    def test_a_module_that_cannot_be_loaded_fails_and_one_may_skip_itself(self):
        self.assertEqual(set(self.outcomes("os._exit(3)\n").values()), {"failed"})
        (self.top / "work").rename(self.top / "before")
        self.assertEqual(self.outcomes("raise Skipped('there is no CuPy')\n"),
                         {"made_up": "skipped"})

    def test_a_class_that_is_not_set_up_fails(self):
        self.assertEqual(list(self.outcomes("""
    @classmethod
    def setUpClass(cls):
        raise OSError
""").items()), [("setUpClass (made_up.A)", "failed")])

    def test_what_is_left_out_is_not_played(self):
        self.assertEqual(self.outcomes("    def test_0(self):\n        time.sleep(600)\n", limit=2,
                                       left_out=["made_up.A.test_0"]), {"test_1": "passed"})

    def test_a_failure_wants_its_row_and_its_cause(self):
        self.play(OTHERS.split("    def test_5")[0])
        row = "it | made_up.A.test_3\n"
        self.assertEqual(self.wrong(CAUSE + row), [])
        self.assertRegex(self.wrong("")[0], "^made_up.A.test_3 fails: AssertionError: a reason")
        self.assertRegex(self.wrong(CAUSE.replace("reason |", "motive |") + row)[0],
                         "of another cause")

    def test_a_row_whose_tests_begin_to_pass_is_told(self):
        self.play(OTHERS.split("    def test_5")[0])
        self.assertRegex(self.wrong(CAUSE + "it | made_up.A.test_*\n")[0], ":2: .* 1 of 3 pass, ")
        row = "it | made_up.A.test_3\n"
        for other in ("made_up.A.test_4", "made_up.B.*"):
            self.assertRegex(self.wrong(f"{CAUSE}{row}it | {other}")[0], "names no test that fails")

    def test_as_many_pass_as_are_wanted(self):
        self.play("")
        self.assertEqual(self.wrong("at least | 1"), [])
        self.assertEqual(len(self.wrong("at least | 2")), 1)

    def test_the_rows_that_it_writes_are_right_and_few(self):
        names = {"cudapy.test_a.A.test_x": "r", "cudapy.test_a.A.test_x_1": "r",
                 "cudapy.test_a.A.test_x_2": "", "cudapy.test_a.A.test_y_1": "r",
                 "cudapy.test_a.A.test_y_2": "r", "cudapy.test_b.B.test_x": "r",
                 "cudapy.test_b.C.test_x": "r"}
        self.all = [modules.Result(name, "failed" if why else "passed", why, False)
                    for name, why in names.items()]
        path = self.top / "list.txt"
        path.write_text("cause it | r | because\n", encoding="utf-8")
        written = rows.Rows(path).written(self.all)
        self.assertEqual(written, ["it | cudapy.test_a.A.test_x", "it | cudapy.test_a.A.test_x_1",
                                   "it | cudapy.test_a.A.test_y_*", "it | cudapy.test_b.*"])
        self.assertEqual(self.wrong("\n".join(["cause it | r | because", *written])), [])


if __name__ == "__main__":
    os.environ.pop("ADI_SIM_LOG", None)
    unittest.main()
