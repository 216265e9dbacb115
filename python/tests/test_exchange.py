# SPDX-License-Identifier: Apache-2.0
"""DLPack's exchange API: that of the reference, and each planted defect is found as its rule."""

import ctypes
import unittest

import adicheck
import exchange
import support

PROTOCOL = "dlpack_c_exchange_api"
CUDA = "cuda:0" in adicheck.devices()
OPENCL = next((name for name in adicheck.devices() if name.startswith("opencl")), None)


def found(findings):
    return {(finding.rule, finding.party) for finding in findings if finding.verdict != "note"}


def array(**options):
    return adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32", **options)


class TheReference(unittest.TestCase):
    def test_has_one_table_on_its_classes(self):
        one = getattr(type(array()), exchange.ADDRESS)
        self.assertEqual(one, getattr(type(adicheck.array([1], "int8")), exchange.ADDRESS))
        capsule = getattr(type(array()), exchange.CAPSULE)
        self.assertEqual(support.name(capsule), "dlpack_exchange_api")
        self.assertEqual(exchange.table_of(type(array())).minor, 3)

    def test_shows_it_where_streams_have_numbers(self):
        self.assertIn(PROTOCOL, array().protocols)
        self.assertNotIn(PROTOCOL, adicheck.array(["a"]).protocols)
        self.assertFalse(hasattr(array(protocols="dlpack"), exchange.CAPSULE))
        if OPENCL:
            self.assertNotIn(PROTOCOL, array(device=OPENCL).protocols)

    def test_lends_a_tensor_that_may_be_written_to(self):
        x, out = array(strides=(1, 2)), support.DLTensor()
        borrow = exchange.function(exchange.REFERENCE, "borrow")
        self.assertEqual(borrow(x, ctypes.byref(out)), 0)
        self.assertEqual(exchange.values_of(out), [[1, 2, 3], [4, 5, 6]])
        with self.assertRaisesRegex(BufferError, "read-only"):
            borrow(adicheck.array([1], "int32"), ctypes.byref(out))
        with self.assertRaises(TypeError):
            borrow([1], ctypes.byref(out))

    def test_takes_somebodys(self):
        x = support.Numbers()
        support.Numbers.exported.append(x)
        made = exchange.array_of(ctypes.addressof(x.managed))
        self.assertEqual((made.to_pylist(), x.deleted), ([1, 2, 3], 0))
        del made
        self.assertEqual(x.deleted, 1)

    def test_leaves_what_it_does_not_take(self):
        x, out = support.Numbers(version=(2, 0)), ctypes.c_void_p()
        with self.assertRaisesRegex(BufferError, "layout is unknown"):
            exchange.function(exchange.REFERENCE, "to_object")(ctypes.addressof(x.managed),
                                                               ctypes.byref(out))
        self.assertEqual(x.deleted, 0)

    def test_is_taken_by_it(self):
        for device in ("cpu", "cuda:1") if CUDA else ("cpu",):
            x = array(device=device, protocols=PROTOCOL)
            self.assertEqual(adicheck.from_dlpack(x).to_pylist(), [[1, 2, 3], [4, 5, 6]])
            self.assertEqual(adicheck.from_dlpack(x, copy=True).device, device)
        if CUDA:
            with self.assertRaises(BufferError):
                adicheck.from_dlpack(x, device="cpu")

    def test_finds_a_table_that_another_leads_to(self):
        newer, ours = exchange.table((2, 0)), exchange.table()
        newer.prev_api = ctypes.addressof(ours)
        make = exchange.Producer(attributes={exchange.CAPSULE: exchange.capsule(newer)})
        self.assertEqual(adicheck.from_dlpack(make()).to_pylist(), [1, 2, 3])
        make = exchange.Producer(version=(2, 0))
        with self.assertRaisesRegex(BufferError, "no version 1"):
            adicheck.from_dlpack(make())

    def test_refuses_what_is_no_table(self):
        for attribute, error in ((exchange.capsule(exchange.table(), "x"), ValueError),
                                 ("x", TypeError), (0, ValueError), (12345, ValueError)):
            make = exchange.Producer(attributes={exchange.CAPSULE: attribute})
            with self.subTest(attribute), self.assertRaises(error):
                adicheck.from_dlpack(make())
        make = exchange.Producer(attributes={exchange.ADDRESS: 12345})
        with self.assertRaisesRegex(ValueError, "cannot be read"):
            adicheck.from_dlpack(make())


class AProducer(unittest.TestCase):
    def rules(self, make, **options):
        return found(adicheck.check_producer(make, protocols=PROTOCOL, **options))

    def test_is_found_by_its_rule(self):
        for rule, make in exchange.PRODUCERS:
            with self.subTest(rule):
                self.assertEqual(self.rules(make), {(f"exchange/{rule}", "producer")})

    def test_that_reads_what_is_not_there_is_found_in_a_worker(self):
        make = exchange.Producer(allocator=exchange.reads_strides)
        self.assertEqual(self.rules(make, isolate=True, devices="cpu"),
                         {("exchange/allocated-differs", "producer")})

    def test_may_be_odd(self):
        for make in exchange.ODD:
            with self.subTest(make):
                self.assertEqual(self.rules(make), set())

    def test_of_the_reference_is_right(self):
        for device in ("cpu", "cuda:0", "cuda_host", "cuda_managed") if CUDA else ("cpu",):
            for made in (lambda: array(device=device), lambda: array(device=device, strides=(1, 2)),
                         lambda: adicheck.array([1, 2], "float64", device=device)):
                with self.subTest(device):
                    self.assertEqual(self.rules(made), set())

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_that_synchronizes_is_found(self):
        self.assertEqual(self.rules(exchange.Both(device="cuda:0", borrow=None)), set())
        self.assertEqual(self.rules(exchange.Both(device="cuda:0",
                                                  from_object=exchange.synchronizes)),
                         {("exchange/synchronizes", "producer")})

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_that_names_another_stream_is_found(self):
        self.assertEqual(self.rules(exchange.Producer(device="cuda:0",
                                                      stream=exchange.other_stream)),
                         {("exchange/stream-unordered", "producer")})

    @unittest.skipUnless(OPENCL, "there is no device of OpenCL")
    def test_that_has_no_stream_is_found(self):
        make = exchange.Producer(device=OPENCL, from_object=exchange.without_stream, borrow=None,
                                 to_object=REFUSES)
        self.assertEqual(self.rules(make), {("exchange/stream-refused", "producer")})


REFUSES = exchange.REFERENCE.to_object


class AConsumer(unittest.TestCase):
    def rules(self, use, **options):
        return found(adicheck.check_consumer(use, protocols=PROTOCOL, **options))

    def test_that_is_right_is_not_blamed(self):
        for use in (adicheck.from_dlpack, exchange.copies, exchange.borrows, exchange.walks):
            with self.subTest(use):
                self.assertEqual(self.rules(exchange.alone(use)), set())

    def test_is_found_by_its_rule(self):
        for rule, use in (("version-unchecked", exchange.any_version),
                          ("instance-attribute", exchange.of_object),
                          ("other-type", exchange.Caches()),
                          ("borrowed-kept", exchange.keeps_borrowed)):
            with self.subTest(rule):
                self.assertEqual(self.rules(exchange.alone(use)),
                                 {(f"exchange/{rule}", "consumer")})

    def test_that_calls_null_is_found_in_a_worker(self):
        self.assertEqual(self.rules(exchange.alone(exchange.calls_null), isolate=True),
                         {("exchange/null-called", "consumer")})
        self.assertEqual(self.rules(exchange.alone(exchange.copies), isolate=True), set())

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_that_asks_for_no_stream_is_found(self):
        self.assertEqual(self.rules(adicheck.from_dlpack, devices="cuda:0"), set())
        self.assertEqual(self.rules(exchange.alone(exchange.asks_no_stream), devices="cuda:0"),
                         {("exchange/stream-unasked", "consumer")})


if __name__ == "__main__":
    unittest.main()
