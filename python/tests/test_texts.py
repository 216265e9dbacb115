# SPDX-License-Identifier: Apache-2.0
"""What people read: each finding says in itself what is wrong, once, and what can be done."""

import ctypes
import os
import signal
import subprocess
import sys
import unittest

import adicheck
from support import Shows, within

CUDA = "cuda:0" in adicheck.devices()


def sevens(obj):
    return adicheck.array([7] * len(adicheck.from_arrow(obj).to_pylist()), "int32")


def crashes(obj):
    os.abort()


def without_release(name):
    """What gives an array or a stream whose structures have no release callback."""
    def make():
        obj = adicheck.stream([[1, 2]], "int32") if "stream" in name else adicheck.array([1, 2])

        def method(requested_schema=None):
            given = getattr(obj, f"__{name}__")()
            for capsule in given if isinstance(given, tuple) else [given]:
                structure = within(capsule)
                getattr(structure, "array", structure).release = None
            return given
        return Shows(**{name: method})
    return make


class ACause(unittest.TestCase):
    def judge(self, cases):
        return adicheck.check_consumer(sevens, protocols="arrow_c_array", cases=cases)

    def test_is_told_once_with_its_cases(self):
        found = self.judge("int32/*/consume")
        self.assertGreater(len(found), 10)
        text = str(found)
        self.assertEqual(text.count("fail  array/misread"), 1, text)
        self.assertRegex(text, rf"\n      arrow_c_array, {len(found)} cases: "
                               r"(int32/[a-z-]+/consume, ){5}\.\.\.(\n\n|$)")

    def test_is_another_than_that_of_other_words(self):
        text = str(self.judge("@(utf8|int32)/many/consume"))
        self.assertEqual(text.count("fail  array/misread"), 2, text)
        self.assertIn("\n      arrow_c_array: int32/many/consume\n", text)
        self.assertIn("\n      arrow_c_array: utf8/many/consume", text)

    def test_is_told_once_for_all_protocols(self):
        def make():
            obj = adicheck.array([1, 2, 3], "int32")

            def method(requested_schema=None):
                both = obj.__arrow_c_array__(requested_schema)
                within(both[1]).null_count = 99
                return both

            def of_device(requested_schema=None, **keywords):
                both = obj.__arrow_c_device_array__(requested_schema, **keywords)
                within(both[1]).array.null_count = 99
                return both
            return Shows(arrow_c_array=method, arrow_c_device_array=of_device)
        text = str(adicheck.check_producer(make))
        self.assertEqual(text.count("array/null-count-out-of-range"), 1, text)
        for protocol in "arrow_c_array", "arrow_c_device_array":
            self.assertRegex(text, rf"\n      {protocol}(, \d+ cases)?: own/own/")

    def test_of_a_watch_has_no_case(self):
        watched = adicheck.watch(adicheck.array([1, 2]), protocols="buffer")
        view = memoryview(watched)
        text = str(watched.finish())
        view.release()
        self.assertRegex(text, r"^fail  buffer/not-released  [^Z]*\n      mend: [^\n]*$")


class AnExport(unittest.TestCase):
    def test_that_changes_is_told_by_what_it_is_compared_with(self):
        values = iter(range(100))
        found = adicheck.check_producer(lambda: adicheck.array([next(values)], "int32"),
                                        protocols="arrow_c_array")
        self.assertRegex(found[0].message, "^a later export has other values than the first: "
                                           r"\[0\]: saw \d+, wanted \d+$")
        self.assertIn(f"\n      {found[0].message}\n", found[0].text)


class AnEnd(unittest.TestCase):
    def test_says_what_can_be_done_in_python(self):
        case = "int32/many/consume-dlpack"
        found = adicheck.check_consumer(crashes, protocols="dlpack", cases=case, isolate=True)
        text = str(found)
        self.assertIn("crash  life/crash  MUST  consumer\n", text)
        self.assertIn(f"mend: call check_consumer(..., protocols='dlpack', cases='{case}') without "
                      "isolate=True in a debugger: gdb --args python FILE", text)
        self.assertEqual(found[0].mend, text.partition("mend: ")[2].partition("\n")[0])
        self.assertNotIn("adicheck run", text)
        code = "import os, adicheck\n" \
            f"adicheck.check_consumer(lambda obj: os.abort(), protocols='dlpack', cases='{case}')"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.returncode, -signal.SIGABRT, done.stderr)

    def test_beside_the_cases_of_the_harness_names_its_signal(self):
        found = adicheck.check_consumer(crashes, protocols="buffer", isolate=True)
        self.assertRegex(str(found), r"^crash  life/crash  MUST  consumer\n"
                                     r"      the process ended by SIGABRT\n")
        self.assertIn("call check_consumer(..., protocols='buffer') without", found[0].mend)

    def test_of_a_producer_is_a_finding_whatever_it_may_have(self):
        found = adicheck.check_producer(os.abort, isolate=True, devices="cpu")
        self.assertEqual({(one.rule, one.verdict) for one in found}, {("life/crash", "crash")})
        self.assertEqual(str(found).count("life/crash"), 1, str(found))
        self.assertIn("call check_producer(..., protocols='arrow_c_array') without", str(found))

    def test_of_a_call_that_raises_is_what_it_raises(self):
        def make():
            raise RuntimeError("there is none")
        for isolate in False, True:
            with self.assertRaisesRegex(RuntimeError, "^there is none$"):
                adicheck.check_producer(make, protocols="dlpack", isolate=isolate, devices="cpu")


class ASkip(unittest.TestCase):
    def test_says_why(self):
        found = adicheck.check_consumer(adicheck.from_arrow, protocols="arrow_c_device_array",
                                        cases="int32/many/consume-device-*")
        why = "nothing to refuse: the implementation takes this device type"
        self.assertEqual(found.skips, {why: found.counts["skip"]})
        self.assertIn(f"{found.counts['skip']} of {sum(found.counts.values())} cases skipped: "
                      f"{why}", str(found))

    def test_is_not_said_where_there_is_none(self):
        found = adicheck.check_consumer(adicheck.from_arrow, protocols="arrow_c_array",
                                        cases="int32/many/consume")
        self.assertEqual((found.skips, str(found)), ({}, "conformant"))

    def test_that_leaves_nothing_is_the_reason(self):
        def make():
            tensor = adicheck.tensor([1, 2], "int32")

            def dlpack(**keywords):
                capsule = tensor.__dlpack__(**keywords)
                within(capsule).tensor.ndim = 99
                return capsule
            return Shows(dlpack=dlpack, dlpack_device=tensor.__dlpack_device__)
        with self.assertRaisesRegex(ValueError, "; not judged: .* of more dimensions than"):
            adicheck.check_producer(make, protocols="dlpack")


class AReleaseThatIsNull(unittest.TestCase):
    def test_is_told_as_such(self):
        for name in "arrow_c_array", "arrow_c_device_array", "arrow_c_stream", \
                "arrow_c_device_stream":
            with self.subTest(name):
                found = adicheck.check_producer(without_release(name), protocols=name,
                                                devices="cpu")
                told = next(one for one in found if one.rule == "pycapsule/consumed-handed-out")
                self.assertRegex(told.message, r'^release is NULL in the structure of "arrow_\w+": '
                                               "it was consumed before, or release was never set")
                self.assertIn("set release", told.mend)
                self.assertIn("consumed before, or never set", str(found.refusals))

    def test_is_refused_in_these_words(self):
        for name, what in (("arrow_c_array", "the schema"), ("arrow_c_stream", "the stream")):
            with self.assertRaisesRegex(ValueError, f"release of {what} is NULL: consumed before, "
                                                    "or never set"):
                adicheck.from_arrow(without_release(name)())


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class TheCudaArrayInterface(unittest.TestCase):
    def described(self, **entries):
        memory = adicheck.array([1, 2, 3, 4], "int32", device="cuda:0")
        made = Shows(cuda_array_interface={**memory.__cuda_array_interface__, **entries})
        made.memory = memory
        return made

    def test_says_which_item_is_beyond_the_allocation(self):
        for entries, item, at in (({"strides": (8,)}, "[3]", "24 to 28"),
                                  ({"strides": (-4,)}, "[3]", "-12 to -8"),
                                  ({"shape": (2, 2), "strides": (16, 4)}, "[1, 1]", "20 to 24"),
                                  ({"shape": (5,)}, "[4]", "16 to 20")):
            with self.subTest(entries):
                found = adicheck.check_producer(lambda: self.described(**entries))
                self.assertEqual([(one.rule, one.message, one.wanted) for one in found],
                                 [("cai/data-unreachable", f"data: item {item} lies in bytes {at} "
                                   "of an allocation of 16 bytes", "memory of the device that has "
                                   "all items within it")])
        self.assertEqual(adicheck.check_producer(
            lambda: self.described(shape=(2, 2), strides=(8, 4))), [])

    def judge(self, use):
        found = adicheck.check_consumer(use, protocols="cuda_array_interface", devices="cuda*")
        return [(one.rule, one.message) for one in found], found

    def test_says_that_the_host_has_dereferenced_the_pointer(self):
        def read(obj):
            pointer = obj.__cuda_array_interface__["data"][0]
            items = [*(ctypes.c_int32 * 6).from_address(pointer)]
            return [items[:3], items[3:]]
        told, found = self.judge(read)
        self.assertEqual(told, [("cai/misread", "the memory is of cuda:0, and the host "
                                 "dereferenced its pointer")])
        self.assertRegex(found[0].seen, r"^device allocation \d+ \(24 bytes.* is read by the CPU at"
                                        " byte 0$")

    # A list of its own layout is misread, and no sign of memory that is gone or not yet written.
    def test_takes_no_other_values_for_those_of_lost_memory(self):
        def read(obj):
            return sum(adicheck.as_cuda_array(obj).to_pylist(), [])
        told, _ = self.judge(read)
        self.assertEqual({rule for rule, _ in told}, {"cai/misread"})

    def test_is_read_by_the_host_where_that_may_be(self):
        def read(obj):
            said = obj.__cuda_array_interface__
            if said.get("mask") is not None or said.get("strides") not in (None, (12, 4)):
                raise NotImplementedError("a mask, or strides")
            items = [*(ctypes.c_int32 * 6).from_address(said["data"][0])]
            return [items[:3], items[3:]]
        for device, rules in ("cuda_managed", set()), ("cuda:0", {"cai/misread"}):
            found = adicheck.check_consumer(read, protocols="cuda_array_interface", devices=device,
                                            profile="cai-2")
            self.assertEqual({one.rule for one in found}, rules)


class ADevice(unittest.TestCase):
    def test_that_is_switched_off_says_by_what(self):
        code = ("import adicheck\n"
                "for isolate in False, True:\n"
                "    for devices in 'rocm', ['cpu', 'rocm:0'], 'rocm*', 'gpu':\n"
                "        try:\n"
                "            adicheck.check_producer(list, devices=devices, isolate=isolate)\n"
                "        except ValueError as error:\n"
                "            print(error)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={**os.environ, "ADI_ROCM": "off"})
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 8, done.stderr)
        for line, glob in zip(lines, ("rocm", "rocm:0", "rocm*", "gpu") * 2):
            self.assertIn(f"{glob!r} matches no device; there are cpu, ", line)
            self.assertEqual(line.endswith("; there is no rocm, since ADI_ROCM is off: unset "
                                           "ADI_ROCM, or set it to sim or real"), glob != "gpu")


if __name__ == "__main__":
    unittest.main()
