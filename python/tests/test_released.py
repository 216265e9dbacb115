# SPDX-License-Identifier: Apache-2.0
"""A consumer that looks into what is released is told so, and judged to the end in this process."""

import ctypes
import os
import subprocess
import sys
import unittest

import adicheck
from adicheck import check_consumer
from support import ArrowSchema, within

RULE = "life/released-input-used"


def reads(obj):
    """Looks at all before it looks whether there is anything."""
    capsules = obj.__arrow_c_array__()
    schema, array = map(within, capsules)
    len(schema.format or b"")
    for i in range(array.n_buffers):
        if array.buffers[i]:
            ctypes.string_at(array.buffers[i], 1)
    for i in range(array.n_children):
        abs(array.children[i].contents.length)
    return adicheck.from_arrow(obj)


def takes(obj):
    """Never looks whether there is anything."""
    capsules = obj.__arrow_c_array__()
    schema, array = map(within, capsules)
    if schema.format != b"i" or schema.dictionary or array.offset or array.null_count or \
            not array.n_buffers:
        return adicheck.from_arrow(obj)
    values = ctypes.cast(array.buffers[1], ctypes.POINTER(ctypes.c_int32))[:array.length]
    for structure in schema, array:
        if structure.release:
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(structure.release)(ctypes.addressof(structure))
    return adicheck.array(values, "int32")


def asks_stream(obj):
    """Calls the callbacks of a stream that is released."""
    capsule, schema = obj.__arrow_c_device_stream__(), ArrowSchema()
    stream = within(capsule)
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(stream.get_schema)
    if stream.release:
        return adicheck.from_arrow(obj)
    if call(ctypes.addressof(stream), ctypes.addressof(schema)) != 0:
        raise ValueError("it has no schema")


def looks(obj):
    """Looks at `release` alone."""
    for capsule in obj.__arrow_c_array__():
        if not within(capsule).release:
            raise ValueError("it is released")
    return reads(obj)


def looks_at_stream(obj):
    capsule = obj.__arrow_c_device_stream__()
    if not within(capsule).release:
        raise ValueError("it is released")
    return adicheck.from_arrow(obj)


WRONG = (reads, "arrow_c_array"), (takes, "arrow_c_array"), (asks_stream, "arrow_c_device_stream")
RIGHT = (looks, "arrow_c_array"), (looks_at_stream, "arrow_c_device_stream")


class AConsumer(unittest.TestCase):
    def test_that_looks_into_what_is_released_is_told_and_judged_on(self):
        for use, protocol in WRONG:
            seen = {}
            for isolate in True, False:
                found = check_consumer(use, protocols=protocol, devices="cpu", isolate=isolate)
                seen[isolate] = {finding.case for finding in found}
                with self.subTest(use.__name__, isolate=isolate):
                    self.assertEqual({(finding.rule, finding.verdict) for finding in found},
                                     {(RULE, "warn")}, found)
                    self.assertEqual((found.conformant, found.unjudged), (True, ""))
                    self.assertGreater(found.counts["pass"], 5)
            self.assertEqual(seen[True], seen[False])

    def test_that_looks_at_release_alone_is_right(self):
        for use, protocol in RIGHT:
            for isolate in False, True:
                with self.subTest(use.__name__, isolate=isolate):
                    self.assertEqual(check_consumer(use, protocols=protocol, devices="cpu",
                                                    isolate=isolate), [])

    def test_that_releases_and_reads_still_ends_python(self):
        code = ("import adicheck, defects; adicheck.check_consumer(defects.read_after_release, "
                "protocols='arrow_c_array', cases='int32/many/consume')")
        done = subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(__file__) or ".",
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                              capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("life/use-after-release", done.stderr)


if __name__ == "__main__":
    unittest.main()
