# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with capsules that are watched."""

import unittest

import adicheck
import defects
import support


def rules(watched):
    return [finding.rule for finding in watched.finish()]


def array(**options):
    return adicheck.array([1, 2, 3], "int32", **options)


class AWatch(unittest.TestCase):
    def test_says_nothing_of_who_is_right(self):
        for name, take in (("arrow_c_array", adicheck.from_arrow),
                           ("arrow_c_device_array", adicheck.from_arrow),
                           ("dlpack", adicheck.from_dlpack)):
            with self.subTest(name):
                with adicheck.watch(array(), protocols=name) as watched:
                    self.assertEqual(take(watched).to_pylist(), [1, 2, 3])
                self.assertEqual(watched.findings, [])

    def test_says_nothing_of_what_nobody_took(self):
        for name in ("arrow_c_array", "arrow_c_device_array", "dlpack"):
            with self.subTest(name):
                watched = adicheck.watch(array(), protocols=name)
                getattr(watched, f"__{name}__")()
                self.assertEqual(rules(watched), [])

    def test_shows_what_the_object_does(self):
        self.assertFalse(hasattr(adicheck.watch(array(protocols="dlpack")), "__arrow_c_array__"))
        with self.assertRaises(TypeError):
            adicheck.watch(array(protocols="dlpack"), protocols="arrow_c_array")
        with self.assertRaises(ValueError):
            adicheck.watch(array(), protocols="smoke")

    def test_finds_what_is_never_released(self):
        watched = adicheck.watch(array(), protocols="arrow_c_array")
        kept = adicheck.from_arrow(watched)
        self.assertEqual({finding.party for finding in watched.finish()}, {"consumer"})
        self.assertEqual(set(rules(watched)), {"life/never-released"})
        self.assertEqual(kept.to_pylist(), [1, 2, 3])

    def test_finds_buffers_that_were_written_to(self):
        watched = adicheck.watch(array(), protocols="arrow_c_array")
        both = watched.__arrow_c_array__()
        within = support.within(both[1])
        support.ctypes.memset(within.buffers[1], 0xA5, 4)
        del within, both
        self.assertEqual(rules(watched), ["array/buffer-mutated"])

    def test_finds_a_tensor_that_is_deleted_twice(self):
        watched = adicheck.watch(array(), protocols="dlpack")
        defects.deleted_twice(watched)
        self.assertEqual(rules(watched), ["dlpack/deleter-called-twice"])

    def test_finds_a_tensor_that_is_never_deleted(self):
        watched = adicheck.watch(array(), protocols="dlpack")
        defects.never_deleted(watched)
        self.assertEqual(rules(watched), ["dlpack/deleter-not-called"])

    def test_finds_the_same_of_somebody_elses_object(self):
        x = array()
        whose = support.Shows(arrow_c_device_array=x.__arrow_c_device_array__)
        with adicheck.watch(whose) as watched:
            self.assertEqual(adicheck.from_arrow(watched).to_pylist(), [1, 2, 3])
        self.assertEqual(watched.findings, [])
        watched = adicheck.watch(whose)
        kept = adicheck.from_arrow(watched)
        self.assertEqual(set(rules(watched)), {"life/never-released"})
        self.assertEqual(kept.to_pylist(), [1, 2, 3])

    def test_refuses_memory_that_is_not_there(self):
        def format_of(schema, array):
            support.c_void_p.from_buffer(schema).value = 4096

        def buffers_of(schema, array):
            support.cast(support.byref(array, type(array).buffers.offset),
                         support.POINTER(support.c_void_p))[0] = 4096

        def values_of(schema, array):
            array.buffers[1] = 4096

        for name in "arrow_c_array", "arrow_c_device_array":
            for spoil in format_of, buffers_of, values_of:
                with self.subTest(name, spoil=spoil.__name__):
                    both = getattr(array(), f"__{name}__")()
                    schema, within = map(support.within, both)
                    host = within if name == "arrow_c_array" else within.array
                    format, buffers = bytes(schema), bytes(host)
                    values = host.buffers[1]
                    spoil(schema, host)
                    watched = adicheck.watch(support.Shows(**{name: lambda *_: both}))
                    with self.assertRaisesRegex(ValueError, "not sound: (schema|array)/"):
                        getattr(watched, f"__{name}__")()
                    support.ctypes.memmove(support.byref(schema), format, len(format))
                    support.ctypes.memmove(support.byref(host), buffers, len(buffers))
                    host.buffers[1] = values

    def test_refuses_a_capsule_of_nothing(self):
        nowhere = support.ctypes.c_char.from_address(4096)
        for name in "arrow_array", "arrow_device_array":
            schema, _ = array().__arrow_c_array__()
            both = schema, support.capsule(nowhere, name)
            watched = adicheck.watch(support.Shows(**{f"arrow_c_{name[6:]}": lambda *_: both}))
            with self.subTest(name), self.assertRaisesRegex(ValueError, "not (readable|sound)"):
                getattr(watched, f"__arrow_c_{name[6:]}__")()

    def test_says_nothing_more_once_it_has_ended(self):
        watched = adicheck.watch(array(), protocols="dlpack")
        tensor = support.consume_dlpack(watched.__dlpack__())
        self.assertEqual(rules(watched), ["dlpack/deleter-not-called"])
        deleter = tensor.deleter
        support.call(deleter, tensor)
        support.call(deleter, tensor)
        self.assertEqual(rules(watched), ["dlpack/deleter-not-called"])

    def test_does_not_know_a_refusal_from_who_reads_within(self):
        for use in defects.not_renamed, lambda obj: obj.__dlpack__(max_version=(1, 3)):
            watched = adicheck.watch(array(), protocols="dlpack")
            use(watched)
            self.assertEqual(rules(watched), [])

    def test_does_not_watch_what_is_wrong_already(self):
        watched = adicheck.watch(defects.null_count(), protocols="arrow_c_device_array")
        with self.assertRaisesRegex(ValueError, "null-count-differs"):
            watched.__arrow_c_device_array__()

    def test_tells_it_as_the_command_does(self):
        watched = adicheck.watch(array(), protocols="dlpack")
        defects.never_deleted(watched)
        self.assertRegex(str(watched.finish()[0]), r"(?s)^warn  dlpack/deleter-not-called  SHOULD "
                                                   r" consumer\n.*mend: call the deleter on every")


_get = support.ctypes.PYFUNCTYPE(support.c_int, support.py_object, support.POINTER(support.Buffer),
                                 support.c_int)(("PyObject_GetBuffer", support.pythonapi))
_give_back = support.ctypes.PYFUNCTYPE(None, support.POINTER(support.Buffer))(
    ("PyBuffer_Release", support.pythonapi))
FULL = 0x11C


class WhatAnObjectHas(unittest.TestCase):
    """Is asked of its class where that knows, and of the object where it does not."""

    def has(self, obj, *names):
        if not names:
            with self.assertRaises(ValueError):
                adicheck.watch(obj)
            return
        self.assertEqual({name for name in ("__arrow_c_array__", "__dlpack__")
                          if hasattr(adicheck.watch(obj), name)}, set(names))

    def test_is_what_its_class_has(self):
        class Method:
            def __arrow_c_array__(self, requested_schema=None):
                return array().__arrow_c_array__(requested_schema)
        for _ in range(3):
            self.has(Method(), "__arrow_c_array__")
        more = Method()
        more.__dlpack__, more.__dlpack_device__ = array().__dlpack__, array().__dlpack_device__
        self.has(more, "__arrow_c_array__", "__dlpack__")
        self.has(Method(), "__arrow_c_array__")

    def test_is_what_it_has_itself(self):
        one, other = support.Shows(), support.Shows()
        one.__dlpack__, other.__arrow_c_array__ = array().__dlpack__, array().__arrow_c_array__
        for _ in range(2):
            self.has(one, "__dlpack__")
            self.has(other, "__arrow_c_array__")

    def test_may_be_made_up(self):
        class Property:
            def __init__(self, has):
                self.has = has

            @property
            def __dlpack__(self):
                if not self.has:
                    raise AttributeError
                return array().__dlpack__

        class MadeUp(Property):
            def __getattr__(self, name):
                if name == "__arrow_c_array__" and self.has:
                    return array().__arrow_c_array__
                raise AttributeError(name)
        for _ in range(2):
            self.has(Property(True), "__dlpack__")
            self.has(Property(False))
            self.has(MadeUp(True), "__arrow_c_array__", "__dlpack__")
            self.has(MadeUp(False))

    def test_of_many_classes_are_not_kept(self):
        for _ in range(600):
            self.has(type("Made", (), {"__dlpack__": lambda self: None})(), "__dlpack__")
        self.assertLessEqual(len(adicheck._watch._of_theirs), 256)


class ABuffer(unittest.TestCase):
    def taken(self):
        watched = adicheck.watch(adicheck.tensor([[1, 2], [3, 4]], "int32"), protocols="buffer")
        view = support.Buffer()
        self.assertEqual(_get(watched, support.byref(view), FULL), 0)
        return watched, view

    def test_that_is_given_back_is_not_blamed(self):
        for obj, wanted in ((adicheck.tensor([[1, 2], [3, 4]], "int32"), [[1, 2], [3, 4]]),
                            (b"ab", [97, 98]), (bytearray(b"ab"), [97, 98]),
                            (adicheck.tensor(7, "int32"), 7),
                            (memoryview(b"abcd")[::2], [97, 99])):
            with self.subTest(obj):
                with adicheck.watch(obj, protocols="buffer") as watched:
                    for _ in range(2):
                        with memoryview(watched) as view:
                            self.assertEqual(view.tolist(), wanted)
                            with memoryview(obj) as own:
                                self.assertEqual(view.readonly, own.readonly)
                    self.assertEqual(bytes(watched), bytes(obj))
                self.assertEqual(watched.findings, [])

    def test_is_the_objects_own_memory(self):
        memory = bytearray(b"ab")
        with adicheck.watch(memory) as watched:
            with memoryview(watched) as view:
                view[0] = 99
        self.assertEqual((memory, watched.findings), (b"cb", []))
        memory.append(1)  # nobody has a buffer of it any more

    def test_that_is_refused_is_not_blamed(self):
        with adicheck.watch(b"ab") as watched:
            with self.assertRaises(BufferError):
                _get(watched, support.byref(support.Buffer()), 1)  # to write
        self.assertEqual(watched.findings, [])

    def test_that_is_not_given_back_is_found(self):
        watched = adicheck.watch(bytearray(b"ab"))
        view = memoryview(watched)
        self.assertEqual(rules(watched), ["buffer/not-released"])
        self.assertEqual(view.tolist(), [97, 98])

    def test_that_is_given_back_twice_is_found(self):
        watched, view = self.taken()
        again = support.Buffer.from_buffer_copy(view)
        _give_back(support.byref(view))
        _give_back(support.byref(again))
        self.assertEqual(rules(watched), ["buffer/released-twice"])

    def test_whose_members_are_written_to_is_found(self):
        for member in "shape", "strides":
            watched, view = self.taken()
            support.cast(getattr(view, member), support.POINTER(support.c_ssize_t))[0] = 1
            _give_back(support.byref(view))
            with self.subTest(member):
                self.assertEqual(rules(watched), ["buffer/members-altered"])
        watched, view = self.taken()
        view.internal = 4096
        _give_back(support.byref(view))
        self.assertEqual(rules(watched), ["buffer/members-altered"])

    def test_is_shown_if_there_is_one(self):
        with self.assertRaises(TypeError):
            memoryview(adicheck.watch(array(protocols="dlpack")))
        with self.assertRaises(TypeError):
            adicheck.watch(array(protocols="dlpack"), protocols="buffer")


class Nothing(unittest.TestCase):
    def test_to_watch_is_refused(self):
        for obj, options in ((5, {}), (support.Shows(cuda_array_interface={}), {}),
                             (adicheck.array([1]), {"protocols": ()})):
            with self.assertRaisesRegex(ValueError, "there is no protocol to watch"):
                adicheck.watch(obj, **options)

    def test_that_was_asked_for_is_told(self):
        x = adicheck.array([1, 2], "int32")
        for obj, use, is_asked in (
                (x, lambda given: None, False), (x, adicheck.from_dlpack, True),
                (x, adicheck.from_arrow, True), (bytearray(3), lambda given: None, False),
                (bytearray(3), lambda given: memoryview(given).release(), True),
                (adicheck.stream([[1]], "int32"), adicheck.from_arrow, True)):
            with adicheck.watch(obj) as watched:
                use(watched)
            self.assertEqual([*watched.findings], [])
            self.assertIs(watched.findings.conformant, is_asked)
            self.assertEqual(watched.findings.undecided != "", not is_asked)


if __name__ == "__main__":
    unittest.main()
