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


class Texts(ctypes.Structure):
    """The texts of an ArrowSchema, as numbers."""
    _fields_ = [(name, ctypes.c_uint64) for name in ("format", "name", "metadata")]


class Spoils:
    """Stands before a stream: changes its chunks, or fails behind the first."""

    TYPE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, POINTER(ArrowArray))

    def __init__(self, stream, member=None, value=None, code=0):
        self.count, self._code, self._change = 0, code, (member, value)
        self._before = self.TYPE(stream.get_next)
        self._after = self.TYPE(self.next)
        stream.get_next = ctypes.cast(self._after, ctypes.c_void_p)

    def next(self, stream, out):
        self.count += 1
        if self._code and self.count == 2:
            return self._code
        code = self._before(stream, out)
        if code == 0 and self._change[0] and out.contents.release:
            setattr(out.contents, *self._change)
        return code


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

    def test_what_is_no_device(self):
        for said in None, 1, (1,), (1, 0, 0), [1, 0], ("1", 0), (1.0, 0), (2**40, 0):
            with self.subTest(said), self.assertRaises((TypeError, ValueError)):
                adicheck.from_dlpack(Shows(dlpack_device=lambda: said))

    def test_a_device_that_lies(self):
        x = Numbers()
        x.device = (3, 0)
        self.refuse(x, ValueError)
        self.refuse(Numbers(device_type=2), ValueError)
        self.refuse(Numbers(device_id=1), ValueError)

    def test_what_is_no_capsule(self):
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

    def test_arguments_that_from_dlpack_does_not_take(self):
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

    def test_children_that_are_not_there(self):
        """More are claimed than there are: of the schema, of the array, and of both."""
        for n in 2, 3, 7, 100, 2**40:
            pair = adicheck.array([{"a": 1}, {"a": 2}]).__arrow_c_array__()
            both = within(pair[0]), within(pair[1])
            for claiming in both[:1], both[1:], both:
                with self.subTest(n=n, claiming=len(claiming)), self.assertRaises(ValueError):
                    for structure in claiming:
                        structure.n_children = n
                    self.offer(arrow_c_array=lambda: pair)
                for structure in claiming:
                    structure.n_children = 1
            self.assertEqual(len(self.offer(arrow_c_array=lambda: pair).to_pylist()), 2)

    def test_schemas_of_children_that_are_not_there(self):
        for n in 2, 3, 7, 100, 2**40:
            given = adicheck.schema("+s(i)").__arrow_c_schema__()
            within(given).n_children = n
            for take in (lambda: self.offer(arrow_c_schema=lambda: given),
                         lambda: adicheck.array([{"a": 1}]).__arrow_c_array__(given),
                         lambda: adicheck.from_arrow(adicheck.array([{"a": 1}]), given)):
                with self.subTest(n), self.assertRaises(ValueError):
                    take()
            within(given).n_children = 1
            self.assertEqual(len(self.offer(arrow_c_schema=lambda: given).children), 1)

    def test_children_that_are_garbage(self):
        for at in 1, 8, 64, 4096, 2**47, 2**63:
            given = adicheck.schema("+s(i)").__arrow_c_schema__()
            children = within(given).children
            before = ctypes.cast(children, POINTER(ctypes.c_uint64))[0]
            ctypes.cast(children, POINTER(ctypes.c_uint64))[0] = at
            with self.subTest(at), self.assertRaises(ValueError):
                self.offer(arrow_c_schema=lambda: given)
            ctypes.cast(children, POINTER(ctypes.c_uint64))[0] = before
            for member in "name", "metadata", "format":
                child = children[0].contents
                kept = getattr(ctypes.cast(children[0], POINTER(Texts)).contents, member)
                setattr(ctypes.cast(children[0], POINTER(Texts)).contents, member, at)
                with self.subTest(at, member=member), self.assertRaises(ValueError):
                    self.offer(arrow_c_schema=lambda: given)
                setattr(ctypes.cast(children[0], POINTER(Texts)).contents, member, kept)
            del child
            self.assertEqual(len(self.offer(arrow_c_schema=lambda: given).children), 1)

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
        for type, id in ((0, 0), (5, 0), (17, 0), (257, 0), (-1, 0), (10, 99), (2, 99),
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

    def test_streams_without_callbacks(self):
        for method in "__arrow_c_stream__", "__arrow_c_device_stream__":
            for callback in "get_schema", "get_next", "get_last_error":
                chunks = getattr(adicheck.stream([[1], [2]]), method)()
                at = within(chunks)
                before = getattr(at, callback)
                setattr(at, callback, None)
                with self.subTest(method, callback=callback), self.assertRaises(ValueError):
                    adicheck.from_arrow(Shows(**{method.strip("_"): lambda: chunks}))
                if at.release:  # it has not been consumed
                    setattr(at, callback, before)

    def test_streams_whose_chunks_are_malformed(self):
        for change in ("length", -1), ("n_buffers", 7), ("null_count", 7), ("offset", -1):
            source = adicheck.stream([[{"a": 1}], [{"a": 2}]])
            chunks = source.__arrow_c_stream__()
            spoil = Spoils(within(chunks), *change)
            with self.subTest(change), self.assertRaises(ValueError):
                adicheck.from_arrow(Shows(arrow_c_stream=lambda: chunks))
            del spoil

    def test_a_stream_that_fails_in_the_middle(self):
        for code, error in (5, OSError), (12, MemoryError), (22, ValueError), (95, Exception):
            chunks = adicheck.stream([[1], [2], [3]]).__arrow_c_stream__()
            spoil = Spoils(within(chunks), code=code)
            with self.subTest(code), self.assertRaises(error):
                adicheck.from_arrow(Shows(arrow_c_stream=lambda: chunks))
            self.assertEqual(spoil.count, 2)

    def test_a_used_stream(self):
        for method in "__arrow_c_stream__", "__arrow_c_device_stream__":
            chunks = getattr(adicheck.stream([[1]]), method)()
            shown = Shows(**{method.strip("_"): lambda: chunks})
            self.assertEqual(adicheck.from_arrow(shown).to_pylist(), [1])
            with self.assertRaises(ValueError):
                adicheck.from_arrow(shown)

    def test_names_that_are_not_kept(self):
        shape = (c_int64 * 1)(1)
        other = capsule(shape, "something else")
        with self.assertRaises(ValueError):
            adicheck.array([1]).__arrow_c_array__(other)


@unittest.skipUnless("cuda:0" in adicheck.devices(), "there is no device of CUDA")
class CudaArrays(Refusing):
    def described(self, **entries):
        memory = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32", device="cuda:0")
        said = {**memory.__cuda_array_interface__, **entries}
        shown = Shows(cuda_array_interface={key: value for key, value in said.items()
                                            if value is not ...})
        shown.memory = memory
        return shown

    def test_what_is_wrong_is_refused_and_nothing_is_lost(self):
        memory = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32", device="cuda:0")
        pointer = memory.__cuda_array_interface__["data"][0]
        wrong = [{name: ...} for name in ("shape", "typestr", "data", "version")]
        wrong += [{name: value} for name, values in {
            "shape": (None, [2, 3], (2.0, 3), (-1, 3), ("2", 3), (2**62, 2**62), (2**64, 1), 6),
            "typestr": (None, 4, "i4", "<i3", "<x4", ""),
            "data": (None, pointer, (pointer,), (None, False), (pointer, 0), (2**64, False),
                     (-1, False), (12345, False), (0, False)),
            "strides": ((12,), [12, 4], (12.0, 4), (2**40, 4), (-12, 4), (4096, 4)),
            "version": ("3", -1, 1.5, 4, 2**70), "stream": (0, -1, "1", 2**70, 1.0),
            "mask": (object(), 3), "descr": (3, [3], [("a",)], [("a", "<i8")]),
        }.items() for value in values]
        for entries in wrong:
            with self.subTest(entries):
                with self.assertRaises((TypeError, ValueError, NotImplementedError, OSError)):
                    adicheck.as_cuda_array(self.described(**entries))
        del memory

    def test_an_object_that_raises_in_the_middle(self):
        class Raises:
            @property
            def __cuda_array_interface__(self):
                raise Raised
        with self.assertRaises(Raised):
            adicheck.as_cuda_array(Raises())
        with self.assertRaises(Raised):
            adicheck.check_producer(Raises, protocols="cuda_array_interface")

        class Mask:
            @property
            def __cuda_array_interface__(self):
                raise Raised
        with self.assertRaises(NotImplementedError):
            adicheck.as_cuda_array(self.described(mask=Mask()))


class Judged(Refusing):
    """Those who are judged may do anything."""

    def test_a_producer_that_raises(self):
        for protocol in ("arrow_c_array", "arrow_c_device_array", "arrow_c_stream",
                         "arrow_c_device_stream", "dlpack"):
            shown = Shows(**{protocol: fail, "dlpack_device": lambda: (1, 0)})
            with self.subTest(protocol), self.assertRaises(Raised):
                adicheck.check_producer(lambda: shown)

        class Raises:
            @property
            def __array_interface__(self):
                raise Raised
        with self.assertRaises(Raised):
            adicheck.check_producer(Raises)

    def test_a_producer_that_raises_later(self):
        for protocol in "arrow_c_array", "arrow_c_stream":
            count = iter(range(100))
            source = adicheck.stream([[1]]) if "stream" in protocol else adicheck.array([1])

            def method(requested_schema=None):
                if next(count) > 3:
                    raise Raised
                return getattr(source, f"__{protocol}__")(requested_schema)
            with self.subTest(protocol):
                try:
                    adicheck.check_producer(lambda: Shows(**{protocol: method}),
                                            protocols=protocol)
                except ValueError as error:  # nothing was judged before
                    self.assertIsInstance(error.__cause__, Raised)
            del method, source

    def test_a_tensor_whose_strides_lead_nowhere(self):
        for stride, words in ((1 << 40, "strides lead over"), (1 << 33, "strides lead over"),
                              (1 << 27, "is not readable")):
            def shown(**arguments):
                made = source.__dlpack__(**arguments)
                within(made).tensor.strides[0] = stride
                return made
            source = adicheck.tensor([[1, 2], [3, 4]], "int32")
            with self.subTest(stride):
                found = adicheck.check_producer(lambda: Shows(dlpack=shown,
                                                              dlpack_device=lambda: (1, 0)))
                self.assertEqual([finding.rule for finding in found], ["dlpack/data-differs"])
                self.assertIn(words, found[0].message)
                self.assertEqual(found[0].wanted, "elements that can be read")

    def test_a_tensor_that_is_another_each_time(self):
        def make():
            lengths.append(len(lengths))
            return adicheck.tensor(lengths, "int32")
        lengths = []
        found = adicheck.check_producer(make, protocols="dlpack")
        told = [finding for finding in found if finding.rule == "dlpack/data-differs"]
        self.assertRegex(told[0].message, r"^shape\[0\] is \d+, and was 1$")
        self.assertEqual(told[0].wanted, "what it gave first")

    def test_what_gives_nonsense(self):
        for answer in None, 3, (), (None, None), "arrow_array", object():
            for protocol in ("arrow_c_array", "arrow_c_device_array", "arrow_c_stream",
                             "arrow_c_device_stream"):
                with self.subTest(protocol, answer=answer):
                    found = adicheck.check_producer(
                        lambda: Shows(**{protocol: lambda *_, **__: answer}))
                    self.assertEqual({finding.rule.partition("/")[0] for finding in found},
                                     {"pycapsule"})

    def test_a_consumer_that_raises(self):
        for protocol in ("arrow_c_array", "arrow_c_device_array", "arrow_c_stream",
                         "arrow_c_device_stream", "dlpack", "array_interface", "buffer"):
            with self.subTest(protocol), self.assertRaises(ValueError) as caught:
                adicheck.check_consumer(fail, protocols=protocol)
            self.assertIsInstance(caught.exception.__cause__, Raised)
            del caught


if __name__ == "__main__":
    unittest.main()
