# SPDX-License-Identifier: Apache-2.0
"""Bad input: an exception of the class that a document names where one does; nothing is lost,
nothing crashes."""

import ctypes
import gc
import unittest
from ctypes import POINTER, c_int64, pointer

import adicheck
from adicheck import _core
from support import (ArrowArray, ArrowSchema, Numbers, Shows, capsule, name, within)


class Raised(Exception):
    pass


def fail(*_, **__):
    raise Raised


class Refusing(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.live = _core.live()

    def tearDown(self):
        gc.collect()
        self.assertEqual(_core.live(), self.live)
        self.assertEqual(Numbers.exported, [])


class DLPack(Refusing):
    def refuse(self, x, *classes, deleted=1):
        with self.assertRaises(classes):
            adicheck.from_dlpack(x)
        self.assertEqual(x.deleted, deleted)

    def test_what_has_no_methods(self):
        for x in object(), Shows(dlpack=fail), Shows(dlpack_device=lambda: (1, 0)):
            with self.assertRaises(AttributeError):  # AAF-07
                adicheck.from_dlpack(x)

    def test_methods_that_raise(self):
        for error in BufferError, MemoryError, Raised, KeyboardInterrupt:  # AAF-06
            def throw(**_):
                raise error

            for x in (Shows(dlpack_device=throw),
                      Shows(dlpack_device=lambda: (1, 0), dlpack=throw)):
                with self.assertRaises(error):
                    adicheck.from_dlpack(x)
        x = Shows(dlpack_device=lambda: (1, 0), dlpack=lambda: fail())
        with self.assertRaises(Raised):
            adicheck.from_dlpack(x)

    def test_devices_that_are_none(self):
        for said in None, 1, (1,), (1, 0, 0), [1, 0], ("1", 0), (1.0, 0), (2**40, 0):
            with self.subTest(said), self.assertRaises((TypeError, ValueError)):
                adicheck.from_dlpack(Shows(dlpack_device=lambda: said))

    def test_a_device_that_lies(self):
        x = Numbers()
        x.device = (3, 0)
        self.refuse(x, ValueError)
        self.refuse(Numbers(device_type=2), ValueError)
        self.refuse(Numbers(device_id=1), ValueError)

    def test_capsules_that_are_none(self):
        array = adicheck.array([1])
        for given in (None, 7, b"dltensor", array, array.__arrow_c_schema__()):
            with self.assertRaises((TypeError, ValueError)):
                adicheck.from_dlpack(Shows(dlpack_device=lambda: (1, 0), dlpack=lambda **_: given))

    def test_a_used_capsule(self):
        for version in None, (1, 3):  # DLP-12
            given = adicheck.tensor([1]).__dlpack__(max_version=version)
            x = Shows(dlpack_device=lambda: (1, 0), dlpack=lambda **_: given)
            adicheck.from_dlpack(x)
            self.assertEqual(name(given)[:13], "used_dltensor")
            with self.assertRaises(ValueError):
                adicheck.from_dlpack(x)

    def test_tensors_that_make_no_sense(self):
        self.refuse(Numbers(ndim=-1), ValueError)
        self.refuse(Numbers(ndim=65), BufferError, ValueError)
        self.refuse(Numbers(shape=None), ValueError)
        self.refuse(Numbers(data=None), ValueError)
        self.refuse(Numbers(lanes=0), ValueError)
        self.refuse(Numbers(code=99), BufferError)
        self.refuse(Numbers(code=6), ValueError)  # bool has 8 bits
        for length in -1, 2**62, 2**63 - 1:
            x = Numbers()
            x.shape[0] = length
            self.refuse(x, ValueError)
        x = Numbers()
        x.strides[0] = 2**62
        self.refuse(x, ValueError)

    def test_versions_from_elsewhere(self):
        for version in (0, 5), (2, 0), (2**32 - 1, 0):
            self.refuse(Numbers(version=version), BufferError)

    def test_arguments(self):
        x = Numbers()
        for call in (lambda: adicheck.from_dlpack(), lambda: adicheck.from_dlpack(x, x),
                     lambda: adicheck.from_dlpack(x=x), lambda: adicheck.from_dlpack(x, copy=1),
                     lambda: adicheck.from_dlpack(x, other=None),
                     lambda: adicheck.from_dlpack(x, device=7),
                     lambda: adicheck.from_dlpack(x, device=(1,))):
            with self.assertRaises(TypeError):
                call()
        with self.assertRaises(ValueError):
            adicheck.from_dlpack(x, device="gpu")
        self.assertIsNone(x.asked)


class Arrow(Refusing):
    def offer(self, **methods):
        return adicheck.from_arrow(Shows(**methods))

    def test_what_has_no_methods(self):
        for x in object(), 7, None, [1]:
            with self.assertRaises(TypeError):
                adicheck.from_arrow(x)
        with self.assertRaises(TypeError):
            adicheck.from_arrow()

    def test_methods_that_raise(self):
        for method in ("schema", "array", "device_array", "stream", "device_stream"):
            with self.assertRaises(Raised):
                self.offer(**{f"arrow_c_{method}": fail})

        class Raises:
            @property
            def __arrow_c_array__(self):
                raise MemoryError

        with self.assertRaises(MemoryError):
            adicheck.from_arrow(Raises())
        with self.assertRaises(Raised):
            adicheck.from_arrow(adicheck.array([1]), Shows(arrow_c_schema=fail))

    def test_what_is_no_pair_of_capsules(self):
        schema, array = adicheck.array([1]).__arrow_c_array__()
        for given in (None, schema, (), (schema,), (schema, array, array), [schema, array],
                      (None, array), (schema, None), (7, 7)):
            with self.assertRaises(TypeError):
                self.offer(arrow_c_array=lambda: given)
        for given in (array, schema), (array, array), (schema, schema):  # PC-003
            with self.assertRaises(ValueError):
                self.offer(arrow_c_array=lambda: given)
        with self.assertRaises(ValueError):
            self.offer(arrow_c_device_array=lambda: (schema, array))
        for method in "arrow_c_stream", "arrow_c_device_stream", "arrow_c_schema":
            for given in None, array:
                with self.assertRaises((TypeError, ValueError)):
                    self.offer(**{method: lambda: given})
        self.assertEqual(self.offer(arrow_c_array=lambda: (schema, array)).to_pylist(), [1])

    def change(self, structure, member, value, data=((1, 2), "i"), index=1):
        """from_arrow of an array one of whose members is another meanwhile."""
        pair = adicheck.array(*data).__arrow_c_array__()
        at = within(pair[index]) if structure is None else structure(pair)
        before = ctypes.string_at(ctypes.addressof(at), ctypes.sizeof(at))
        setattr(at, member, value)
        try:
            with self.subTest(member, value=value), self.assertRaises(ValueError):
                self.offer(arrow_c_array=lambda: pair)
        finally:
            ctypes.memmove(ctypes.addressof(at), before, len(before))
        self.assertEqual(len(self.offer(arrow_c_array=lambda: pair).to_pylist()), 2)

    def test_arrays_that_are_malformed(self):
        for member, value in (("length", -1), ("length", 2**62), ("offset", -1), ("null_count", -2),
                              ("null_count", 3), ("null_count", 1), ("n_buffers", 1),
                              ("n_buffers", -1), ("n_children", 1), ("n_children", -1),
                              ("buffers", POINTER(ArrowArray._fields_[5][1]._type_)())):
            self.change(None, member, value)
        rows = [{"a": 1}, {"a": 2}],
        self.change(None, "children", POINTER(POINTER(ArrowArray))(), rows)
        self.change(None, "n_children", 0, rows)
        self.change(lambda pair: within(pair[1]).children[0].contents, "length", 1, rows)
        self.change(None, "dictionary", POINTER(ArrowArray)(), (["a", "b"], "c[u]"))

    def test_schemas_that_are_malformed(self):
        for format in None, b"", b"?", b"+l", b"u", b"w:", b"tsx:", b"d:1", b"\xff":
            self.change(None, "format", format, index=0)
        rows = [{"a": 1}, {"a": 2}],
        for value in -1, 0:
            self.change(None, "n_children", value, rows, 0)
        self.change(None, "children", POINTER(POINTER(ArrowSchema))(), rows, 0)

    def test_a_schema_that_holds_itself(self):
        given = adicheck.schema("+l(i)").__arrow_c_schema__()
        at = within(given)
        before = ctypes.addressof(at.children[0].contents)
        at.children[0] = pointer(at)
        with self.assertRaises(ValueError):
            self.offer(arrow_c_schema=lambda: given)
        at.children[0] = ctypes.cast(before, POINTER(ArrowSchema))
        self.assertEqual(self.offer(arrow_c_schema=lambda: given).format, "+l")

    def test_devices_that_are_not_here(self):
        for type, id in ((0, 0), (5, 0), (17, 0), (257, 0), (-1, 0), (10, 0), (2, 99),
                         (2**31 - 1, 0)):
            pair = adicheck.array([1]).__arrow_c_device_array__()
            at = within(pair[1])
            at.device_type, at.device_id = type, id
            with self.subTest(type), self.assertRaises(OSError):
                self.offer(arrow_c_device_array=lambda: pair)
            at.device_type, at.device_id = 1, -1

    def test_streams_that_fail(self):
        chunks = adicheck.stream([[1], [2]]).__arrow_c_device_stream__()
        at = within(chunks)
        at.device_type = 99
        with self.assertRaises(OSError):
            self.offer(arrow_c_device_stream=lambda: chunks)
        self.assertIsNone(at.release)  # it was consumed all the same

    def test_names_that_are_not_kept(self):
        shape = (c_int64 * 1)(1)
        other = capsule(shape, "something else")
        with self.assertRaises(ValueError):
            adicheck.array([1]).__arrow_c_array__(other)


if __name__ == "__main__":
    unittest.main()
