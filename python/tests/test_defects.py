# SPDX-License-Identifier: Apache-2.0
"""Each planted defect is found as exactly its rule, and its party is the one charged."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys
import unittest

import adicheck
import defects
import defects_capsules as capsules
from support import SANITIZED, Shows

CUDA = "cuda:0" in adicheck.devices()


# With a sanitizer memory is weighed; and what has a defect here keeps some, as classes that are
# made at each call do, until the garbage collector comes.
ASIDE = ["dlpack/data-misaligned"]
if SANITIZED:
    ASIDE += ["life/memory-leaked", "dlpack/memory-leaked"]


def found(findings):
    return {(finding.rule, finding.party) for finding in findings if finding.rule not in ASIDE}


PRODUCERS = [
    ("pycapsule/name-differs", defects.wrong_name),
    ("pycapsule/destructor-missing", defects.no_destructor),
    ("pycapsule/unconsumed-kept", defects.empty_destructor),
    ("pycapsule/name-differs", defects.swapped),
    ("pycapsule/not-a-pair", defects.no_pair),
    ("pycapsule/not-a-capsule", defects.no_capsules),
    ("pycapsule/consumed-handed-out", defects.consumed),
    ("pycapsule/keyword-refused", defects.KeywordRefused),
    ("pycapsule/keyword-ignored", defects.KeywordIgnored),
    ("array/reserved-not-zero", defects.reserved),
    ("array/null-count-differs", defects.null_count),
    ("dlpack/device-differs", defects.Lies),
    ("dlpack/device-differs", defects.DeviceIgnored),
    ("array-api/keyword-missing", defects.OldKeywords),
    ("array-api/exception-differs", defects.OtherException),
    ("array-api/export-exception-differs", defects.VersionRequired),
    ("dlpack/stream-accepted", defects.StreamAccepted),
    ("dlpack/capsule-name-differs", defects.OtherName),
    ("dlpack/version-impossible", defects.LegacyNamedVersioned),
    ("dlpack/copied-flag-missing", defects.CopyIgnored),
    ("dlpack/capsule-not-deleted", defects.NotDeleted),
    ("dlpack/capsule-not-deleted", defects.Forgotten),
    ("dlpack/capsule-not-deleted", defects.ForgottenOwner),
    ("dlpack/used-capsule-deleted", defects.UsedDeleted),
    ("pycapsule/request-refused", capsules.NoRequest),
    ("pycapsule/request-refused", capsules.RequestRefused),
    ("pycapsule/request-incompatible-accepted", capsules.RequestIgnored),
    ("pycapsule/request-values-differ", capsules.RequestMisread),
    ("pycapsule/methods-differ", capsules.MethodsDiffer),
    ("pycapsule/not-a-capsule", capsules.SchemaIsNone),
    ("pycapsule/name-differs", capsules.SchemaOfOtherName),
    ("pycapsule/destructor-missing", capsules.SchemaWithoutDestructor),
    ("pycapsule/unconsumed-kept", capsules.SchemaIsKept),
    ("pycapsule/name-differs", capsules.StreamOtherName),
    ("pycapsule/name-differs", capsules.DeviceStreamOtherName),
    ("pycapsule/destructor-missing", capsules.StreamNoDestructor),
    ("pycapsule/unconsumed-kept", capsules.StreamEmptyDestructor),
    ("pycapsule/not-a-capsule", capsules.StreamNoCapsule),
    ("pycapsule/keyword-refused", capsules.DeviceStreamKeywordRefused),
    ("pycapsule/keyword-ignored", capsules.DeviceStreamKeywordIgnored),
    ("pycapsule/consumed-handed-out", capsules.one_stream),
    ("array/data-differs", capsules.StreamNeverTheSame),
    ("array/length-negative", capsules.StreamOfUnsoundChunk),
    ("stream/chunk-of-other-schema", capsules.StreamOfTooManyBuffers),
    ("stream/callback-missing", capsules.StreamWithoutSchema),
    ("stream/callback-missing", capsules.StreamWithoutNext),
    ("stream/callback-missing", capsules.StreamWithoutError),
    ("stream/callback-missing", capsules.DeviceStreamWithoutSchema),
    ("stream/callback-missing", capsules.DeviceStreamWithoutNext),
]

AROUND = "int32/many/consume-arrow_c_array"
CONSUMERS = [
    ("dlpack/capsule-not-renamed", defects.not_renamed, "dlpack", "int32/many/consume-dlpack"),
    ("dlpack/strides-ignored", defects.strides_ignored, "dlpack", "int32/many/*-strides"),
    ("dlpack/deleter-not-called", defects.never_deleted, "dlpack", "int32/many/consume-dlpack"),
    ("dlpack/deleter-called-twice", defects.deleted_twice, "dlpack", "int32/many/consume-dlpack"),
    ("dlpack/stream-forbidden", defects.stream_passed, "dlpack", "int32/many/consume-dlpack"),
    ("array/misread", defects.nulls_ignored, "arrow_c_array", "int32/nulls/consume"),
    ("pycapsule/name-unchecked", capsules.name_unchecked, "arrow_c_array", AROUND),
    ("pycapsule/request-invalid", capsules.requests_a_format, "arrow_c_array", AROUND),
    ("pycapsule/request-invalid", capsules.requests_a_used_schema, "arrow_c_array", AROUND),
    ("pycapsule/freed-before-import", capsules.frees_first, "arrow_c_array", AROUND),
    ("pycapsule/old-methods-preferred", capsules.prefers_the_old, "arrow_c_array", AROUND),
    ("array/misread", capsules.first_chunk_only, "arrow_c_stream", "int32/many/consume-stream"),
    ("array/misread", capsules.first_chunk_only, "arrow_c_device_stream",
     "int32/many/consume-stream"),
    ("life/never-released", capsules.stream_is_kept, "arrow_c_stream", "int32/many/consume-stream"),
]


class AProducer(unittest.TestCase):
    def test_is_found_by_its_rule(self):
        for rule, make in PRODUCERS:
            for isolate in (False, True):
                if SANITIZED and isolate and make is defects.UsedDeleted:
                    continue  # the sanitizer ends it before it is judged
                with self.subTest(make.__name__, isolate=isolate):
                    seen = adicheck.check_producer(make, isolate=isolate, devices="cpu")
                    self.assertEqual(found(seen), {(rule, "producer")}, str(seen)[:600])

    def test_that_crashes_is_found_in_a_worker(self):
        seen = adicheck.check_producer(defects.consumed_released, isolate=True, devices="cpu")
        self.assertEqual(found(seen), {("pycapsule/consumed-released", "producer")},
                         str(seen)[:600])

    def test_that_clears_a_member_now_and_then_is_not_moved_wrongly(self):
        for every in 2, 3, 4, 5:
            count = itertools.count()

            def change(array):
                array.reserved[0] = next(count) % every == 0
            seen = adicheck.check_producer(defects.spoiled(change))
            self.assertEqual(found(seen), {("array/reserved-not-zero", "producer")}, seen)

    def test_may_tell_its_type_alone(self):
        for make in capsules.SchemaIsRight, capsules.SchemaIsNotTold:
            self.assertEqual(adicheck.check_producer(make, devices="cpu"), [])

    def test_whose_deleter_is_of_a_thread_is_found(self):
        # What is left of one on another thread is told first, where memory is weighed in each case.
        seen = adicheck.check_producer(defects.BoundToThread)
        if adicheck._core.weighs() or SANITIZED:
            self.assertIn("dlpack/memory-leaked", [finding.rule for finding in seen])
        else:
            self.assertEqual(found(seen), {("dlpack/deleter-bound-to-thread", "producer")}, seen)

    def test_may_release_what_nobody_took_without_the_pointer(self):
        for make in capsules.ReleasesByItself, capsules.StreamReleasesByItself:
            seen = adicheck.check_producer(make, devices="cpu")
            self.assertEqual(found(seen), set(), seen)

    def test_that_weighs_what_is_requested_is_right(self):
        seen = adicheck.check_producer(capsules.RequestWeighed, devices="cpu")
        self.assertEqual(seen, [])

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_that_copies_across_devices_is_found(self):
        for make, rules in ((capsules.CopiedToTheHost, {"pycapsule/copied-across-devices"}),
                            (capsules.ManagedTwice, set())):
            seen = adicheck.check_producer(make, protocols="arrow_c_device_array")
            self.assertEqual({finding.rule for finding in seen}, rules)

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_that_hands_out_memory_of_a_device_as_the_hosts_is_found(self):
        seen = adicheck.check_producer(capsules.DeviceMemoryForTheHost, protocols="arrow_c_array")
        self.assertIn(("array/buffer-too-small", "producer"), found(seen))

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_is_found_on_a_device(self):
        seen = adicheck.check_producer(defects.StreamZero)
        self.assertEqual(found(seen), {("dlpack/ambiguous-stream-accepted", "producer")}, seen)
        seen = adicheck.check_producer(defects.DeviceIgnoredOfCuda)
        self.assertEqual(found(seen), {("dlpack/device-differs", "producer")}, seen)


class AConsumer(unittest.TestCase):
    def test_is_found_by_its_rule(self):
        for rule, use, protocol, cases in CONSUMERS:
            for isolate in (False, True):
                with self.subTest(use.__name__, isolate=isolate):
                    seen = adicheck.check_consumer(use, protocols=protocol, cases=cases,
                                                   isolate=isolate, devices="cpu")
                    self.assertEqual(found(seen), {(rule, "consumer")}, str(seen)[:600])

    def test_that_leaves_nothing_to_go_on_with_is_found_in_a_worker(self):
        for rule, use in (("life/use-after-release", defects.read_after_release),
                          ("life/crash", defects.crashes)):
            with self.subTest(rule):
                seen = adicheck.check_consumer(use, protocols="arrow_c_array", isolate=True,
                                               cases="int32/many/consume", devices="cpu")
                self.assertEqual(found(seen), {(rule, "consumer")}, str(seen)[:600])

    def test_that_moves_and_does_not_say_so_is_found_in_a_worker(self):
        seen = adicheck.check_consumer(capsules.not_marked, protocols="arrow_c_array", isolate=True,
                                       cases="int32/many/consume", devices="cpu")
        self.assertEqual(found(seen), {("life/release-twice", "consumer"),
                                       ("array/misread", "consumer")})

    def test_that_asks_for_another_type_is_right(self):
        seen = adicheck.check_consumer(capsules.requests_another_type, protocols="arrow_c_array")
        self.assertEqual(seen, [])

    def test_that_takes_one_method_only_is_told_of_the_other(self):
        def use(obj):
            return adicheck.from_arrow(Shows(arrow_c_array=obj.__arrow_c_array__))
        seen = adicheck.check_consumer(use, protocols=("arrow_c_array", "arrow_c_device_array"))
        self.assertEqual([(finding.rule, finding.verdict) for finding in seen],
                         [("pycapsule/device-methods-unread", "note")])

    def test_ends_python_otherwise_and_is_told(self):
        code = ("import adicheck, defects; adicheck.check_consumer(defects.read_after_release, "
                "protocols='arrow_c_array', cases='int32/many/consume')")
        done = subprocess.run([sys.executable, "-c", code], cwd=pathlib.Path(__file__).parent,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, -signal.SIGABRT)
        self.assertRegex(done.stderr, "int32/many/consume on cpu:-1: life/use-after-release: "
                                      "consumer: ")

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_is_found_on_a_device(self):
        seen = adicheck.check_consumer(
            defects.event_ignored, protocols="arrow_c_device_array", devices="cuda:0",
            cases="int32/many/consume-pending")
        self.assertEqual(found(seen), {("sync/read-before-wait", "consumer")}, seen)


if __name__ == "__main__":
    unittest.main()
