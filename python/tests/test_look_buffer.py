# SPDX-License-Identifier: Apache-2.0
"""Buffers of producers: each planted defect is found as its rule, and what is odd is not."""

import ctypes
import unittest

import adicheck
from support import Buffer
from test_look import MEMORY, rules

try:
    import _testbuffer
except ImportError:
    _testbuffer = None


class Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class Spec(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("basicsize", ctypes.c_int), ("itemsize", ctypes.c_int),
                ("flags", ctypes.c_uint), ("slots", ctypes.POINTER(Slot))]


_from_spec = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(Spec))(
    ("PyType_FromSpec", ctypes.pythonapi))
_kept = []

WRITABLE, FORMAT, ND, STRIDES, FORTRAN = 1, 4, 8, 0x18, 0x58
AN_ORDER, GET_BUFFER = 0xe0, 1


def exporter(change):
    """An object with a buffer of two rows of three int32, which `change` makes wrong. Who asks for
    the order of Fortran gets it, as from one that has both."""
    shape, strides = (ctypes.c_ssize_t * 2)(2, 3), (ctypes.c_ssize_t * 2)(12, 4)

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int)
    def get(self, view, flags):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))
        view[0] = Buffer(ctypes.addressof(MEMORY), id(self), 24, 4, 0, 2)
        view[0].format = b"i" if flags & FORMAT else None
        view[0].shape = ctypes.addressof(shape) if flags & ND else None
        view[0].strides = ctypes.addressof(strides) if flags & STRIDES == STRIDES else None
        if flags & FORTRAN == FORTRAN:
            view[0].strides = ctypes.addressof(_COLUMNS)
        change(view[0], flags)
        return 0
    slots = (Slot * 2)(Slot(GET_BUFFER, ctypes.cast(get, ctypes.c_void_p)))
    spec = Spec(b"test.Exporter", object.__basicsize__, 0, 0, slots)
    _kept.extend([get, slots, spec, shape, strides, change])
    return _from_spec(ctypes.byref(spec))()


def other_sizes(*sizes):
    sizes = (ctypes.c_ssize_t * len(sizes))(*sizes)

    def change(view, flags):
        if flags & ND:
            view.shape = ctypes.addressof(sizes)
    _kept.append(sizes)
    return change


def too_short(view, flags):
    view.len = 12


def scalar(view, flags):
    view.ndim, view.len = 0, 4


def always_format(view, flags):
    view.format = b"i"


def never_writable(view, flags):
    view.readonly = 1


def fickle(view, flags):
    view.readonly = int(not flags & (WRITABLE | FORMAT))


def suboffsets(view, flags):
    view.suboffsets = ctypes.addressof(_NONE)


_NONE = (ctypes.c_ssize_t * 2)(-1, -1)
_COLUMNS, _ROWS = (ctypes.c_ssize_t * 2)(4, 8), (ctypes.c_ssize_t * 2)(12, 4)
_SIZES, _FOLLOWED = (ctypes.c_ssize_t * 2)(2, 3), (ctypes.c_ssize_t * 2)(0, -1)
_BYTES, _ONE = (ctypes.c_ssize_t * 1)(24), (ctypes.c_ssize_t * 1)(1)


def by_columns(view, flags):
    if flags & ND:
        view.strides = ctypes.addressof(_COLUMNS)


def by_rows(view, flags):
    if flags & STRIDES == STRIDES:
        view.strides = ctypes.addressof(_ROWS)


def without_format(view, flags):
    view.format = None


def without_shape(view, flags):
    view.shape = view.strides = None


def without_strides(view, flags):
    view.strides = None


def always_shape(view, flags):
    view.shape = ctypes.addressof(_SIZES)


def always_strides(view, flags):
    if flags & ND and not flags & AN_ORDER:
        view.strides = ctypes.addressof(_ROWS)


def followed(view, flags):
    view.suboffsets = ctypes.addressof(_FOLLOWED)


# What nobody needs to say.
def bytes_without_format(view, flags):
    view.ndim, view.itemsize, view.format, view.strides = 1, 1, None, None
    view.shape = ctypes.addressof(_BYTES) if flags & ND else None
    if flags & STRIDES == STRIDES:
        view.strides = ctypes.addressof(_ONE)


def a_single_value(view, flags):
    view.ndim, view.len = 0, 4
    view.shape = view.strides = None


def laid_out(*strides):
    """As it is told to who asks for strides, and to nobody else."""
    strides = (ctypes.c_ssize_t * 2)(*strides)

    def change(view, flags):
        if flags & STRIDES == STRIDES and not flags & AN_ORDER:
            view.strides = ctypes.addressof(strides)
    _kept.append(strides)
    return change


def many_dimensions(view, flags):
    view.ndim = 65
    view.shape = view.strides = None


def nothing(view, flags):
    pass


def half_of_it(view, flags):
    view.format = b"h" if flags & FORMAT else None


def of_one_dimension(view, flags):
    if not flags & ND:
        view.ndim = 1


def elsewhere(view, flags):
    if flags & STRIDES == STRIDES:
        view.buf += 4


def unknown_format(view, flags):
    view.format = b"Zq" if flags & FORMAT else None


class ABuffer(unittest.TestCase):
    def test_of_python_is_right(self):
        for made in (b"abc", bytearray(3), memoryview(b"abcd")[::2]):
            with self.subTest(made):
                self.assertEqual(rules(lambda: made, "buffer"), set())

    def test_is_judged(self):
        for rule, change in (("len-differs", too_short), ("shape-negative", other_sizes(-2, 3)),
                             ("scalar-not-null", scalar), ("format-unasked", always_format),
                             ("writable-read-only", never_writable), ("read-only-differs", fickle),
                             ("suboffsets-not-null", suboffsets),
                             ("suboffsets-not-null", followed), ("not-contiguous", by_columns),
                             ("not-contiguous", by_rows), ("format-missing", without_format),
                             ("shape-missing", without_shape),
                             ("strides-missing", without_strides),
                             ("structure-unasked", always_shape),
                             ("structure-unasked", always_strides),
                             ("dimensions-too-many", many_dimensions),
                             ("itemsize-differs", half_of_it), ("request-dependent", elsewhere)):
            with self.subTest(rule):
                made = exporter(change)
                self.assertEqual(rules(lambda: made, "buffer"), {f"buffer/{rule}"})
        for change in (nothing, of_one_dimension, unknown_format, laid_out(12, 4),
                       bytes_without_format, a_single_value):
            with self.subTest(change.__name__):
                self.assertEqual(rules(lambda: exporter(change), "buffer"), set())

    def test_is_in_the_order_that_is_asked_for(self):
        for strides in (4, 8), (16, 4), (24, 8):
            with self.subTest(strides):
                made = exporter(laid_out(*strides))
                self.assertEqual(rules(lambda: made, "buffer"), {"buffer/not-contiguous"})
        for strides in (1, 2), (4, 1), (-3, -1), (0, 1):  # which are refused to who asks for none
            with self.subTest(strides):
                made = adicheck.tensor([[1, 2, 3], [1, 2, 3]], "int32", strides=strides)
                self.assertEqual(rules(lambda: made, "buffer"), set())

    @unittest.skipIf(_testbuffer is None, "CPython's own exporter of all that is legal is not here")
    def test_of_whatever_layout_is_right(self):
        numbers = list(range(12))
        for shape, options in (
                ([3, 4], {}), ([3, 4], {"flags": "FORTRAN"}), ([3, 4], {"flags": "PIL"}),
                ([6], {"strides": [8]}), ([12], {"strides": [-4], "offset": 44}),
                ([1, 12, 1], {"flags": "WRITABLE"})):
            options = {name: getattr(_testbuffer, f"ND_{value}") if name == "flags" else value
                       for name, value in options.items()}
            with self.subTest(shape, **options):
                made = _testbuffer.ndarray(numbers, shape=shape, format="i", **options)
                self.assertEqual(rules(lambda: made, "buffer"), set())

    def test_has_an_object(self):
        def nobody(view, flags):
            view.obj = None
        made = exporter(nobody)
        self.assertIn("buffer/obj-null", rules(lambda: made, "buffer"))

    def test_is_refused_by_the_right_exception(self):
        view = memoryview(b"abc")
        view.release()
        self.assertEqual(rules(lambda: view, "buffer"), {"buffer/exception-differs"})

    def test_of_ctypes_is_the_same_whoever_asks(self):
        self.assertEqual(rules(lambda: MEMORY, "buffer"), {
            "buffer/format-unasked", "buffer/strides-missing", "buffer/structure-unasked"})


if __name__ == "__main__":
    unittest.main()
