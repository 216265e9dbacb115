# SPDX-License-Identifier: Apache-2.0
"""DLPack's exchange API by ctypes: tables that producers show, with one planted defect each, and
consumers that use one."""

import ctypes
from ctypes import (CFUNCTYPE, POINTER, PYFUNCTYPE, Structure, addressof, byref, c_char_p, c_int,
                    c_int32, c_int64, c_uint32, c_void_p, cast, py_object)

import adicheck
import support

CAPSULE, ADDRESS = "__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"


class Table(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("prev_api", c_void_p),
                ("allocator", c_void_p), ("from_object", c_void_p), ("to_object", c_void_p),
                ("borrow", c_void_p), ("stream", c_void_p)]


SET_ERROR = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
TYPES = {"allocator": CFUNCTYPE(c_int, POINTER(support.DLTensor), POINTER(c_void_p), c_void_p,
                                SET_ERROR),
         "from_object": PYFUNCTYPE(c_int, py_object, POINTER(c_void_p)),
         "to_object": PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p)),
         "borrow": PYFUNCTYPE(c_int, py_object, POINTER(support.DLTensor)),
         "stream": PYFUNCTYPE(c_int, c_int32, c_int32, POINTER(c_void_p))}

_kept = []


def table_at(address):
    return Table.from_address(address)


def function(table, name):
    return TYPES[name](getattr(table, name) or 0)


REFERENCE = table_at(getattr(type(adicheck.tensor([1])), ADDRESS))


def table(version=(1, 3), **functions):
    """The reference's, over objects with an `array`, but for these."""
    made = Table(*version, None, REFERENCE.allocator, None, None, None, REFERENCE.stream)
    functions = {"from_object": from_object, "to_object": to_object, "borrow": borrow, **functions}
    for name, body in functions.items():
        if callable(body):
            body = TYPES[name](body)
            _kept.append(body)
            body = cast(body, c_void_p)
        setattr(made, name, body)
    _kept.append(made)
    return made


def capsule(table, name="dlpack_exchange_api"):
    return support.capsule(table, name)


# ---- the functions, right ----

def from_object(obj, out):
    return function(REFERENCE, "from_object")(obj.array, out)


def borrow(obj, out):
    return function(REFERENCE, "borrow")(obj.array, out)


def give(obj, out):
    """A new reference."""
    ctypes.pythonapi.Py_IncRef(py_object(obj))
    out[0] = id(obj)
    return 0


def array_of(tensor):
    made = c_void_p()
    assert function(REFERENCE, "to_object")(tensor, byref(made)) == 0
    array = cast(made, py_object).value
    ctypes.pythonapi.Py_DecRef(py_object(array))
    return array


def to_object(tensor, out):
    return give(Producer.current(array_of(tensor)), out)


class Producer:
    """Makes objects of a class that has such a table."""

    current = None

    def __init__(self, device="cpu", attributes=None, meta=type, protocols="dlpack", **functions):
        members = attributes
        if attributes is None:
            members = {CAPSULE: capsule(table(**functions))}
        self.device = device

        def init(obj, array=None):
            obj.array = array or adicheck.tensor([1, 2, 3], "int32", device=self.device)
        self.type = meta("Shown", (), {"__init__": init, **members})

    def __call__(self):
        Producer.current = self.type
        return self.type()


# ---- producers with a defect ----

class OnObject(Producer):
    def __init__(self):
        super().__init__(attributes={})

    def __call__(self):
        obj = super().__call__()
        setattr(obj, CAPSULE, capsule(table()))
        return obj


class Fresh(type):
    """A table for each time that somebody looks for one, in the same place."""

    place = table()

    @property
    def __dlpack_c_exchange_api__(cls):
        Fresh.place.minor += 1
        return capsule(Fresh.place)


def chained(minor):
    first, older = table(), table((1, minor))
    first.prev_api = addressof(older)
    return {CAPSULE: capsule(first)}


def no_exception(obj, out):
    return -1


def nothing(obj, out):
    return 0


def other_offset(obj, out):
    borrow(obj, out)
    out[0].byte_offset += 4
    return 0


_shape = (c_int64 * 1)()


def borrowed_of_all(obj, out):
    borrow(obj, out)
    _shape[0] = 3
    out[0].shape = _shape
    return 0


def spoils_borrowed(obj, out):
    _shape[0] += 1
    return from_object(obj, out)


def other_type(prototype, out, context, set_error):
    prototype[0].code = 1
    return function(REFERENCE, "allocator")(prototype, out, context, set_error)


def reads_strides(prototype, out, context, set_error):
    prototype[0].shape[0] += prototype[0].strides[0]
    return function(REFERENCE, "allocator")(prototype, out, context, set_error)


def silent(prototype, out, context, set_error):
    nobody = SET_ERROR(lambda *_: None)
    return function(REFERENCE, "allocator")(prototype, out, context, nobody)


def other_object(tensor, out):
    obj = Producer.current()
    obj.owns = array_of(tensor)
    return give(obj, out)


def kept_tensor(tensor, out):
    obj = Producer.current(array_of(tensor))
    _kept.append(obj)
    return give(obj, out)


def deleted_tensor(tensor, out):
    array_of(tensor)
    return give(Producer.current(), out)


def synchronizes(obj, out):
    adicheck.from_dlpack(obj.array, device="cpu").to_pylist()
    return from_object(obj, out)


def other_stream(type, id, out):
    out[0] = 2  # the default stream of a thread
    return 0


def without_stream(obj, out):
    """A tensor of a device that has no such streams."""
    tensor = support.consume_dlpack(obj.array.__dlpack__(max_version=(1, 3)))
    out[0] = addressof(tensor)
    return 0


class Both(Producer):
    """Shows __dlpack__, too."""

    def __init__(self, **options):
        super().__init__(**options)
        self.type.__dlpack__ = lambda obj, **arguments: obj.array.__dlpack__(**arguments)
        self.type.__dlpack_device__ = lambda obj: obj.array.__dlpack_device__()


PRODUCERS = [
    ("not-on-type", OnObject()),
    ("not-a-capsule", Producer(attributes={CAPSULE: capsule(table(), "dlpack_api")})),
    ("not-a-capsule", Producer(attributes={CAPSULE: capsule(table()), ADDRESS: "table"})),
    ("not-a-capsule", Producer(attributes={CAPSULE: capsule(table()), ADDRESS: 12345})),
    ("not-a-capsule", Producer(attributes={CAPSULE: 12345})),
    ("not-a-capsule", Producer(attributes={CAPSULE: ctypes.addressof(table())})),
    ("not-a-capsule", Producer(attributes={ADDRESS: 12345})),
    ("not-a-capsule", Producer(attributes={ADDRESS: 0})),
    ("table-gone", Producer(attributes={}, meta=Fresh)),
    ("chain-invalid", Producer(attributes=chained(3))),
    ("function-missing", Producer(stream=None)),
    ("function-missing", Producer(allocator=None)),
    ("answer-differs", Producer(from_object=no_exception)),
    ("answer-differs", Producer(from_object=nothing)),
    ("exception-differs", Producer(from_object=REFERENCE.from_object)),
    ("tensor-differs", Producer(borrow=other_offset)),
    ("borrowed-lost", Producer(borrow=borrowed_of_all, from_object=spoils_borrowed)),
    ("allocated-differs", Producer(allocator=other_type)),
    ("error-not-set", Producer(allocator=silent)),
    ("object-differs", Producer(to_object=other_object)),
    ("tensor-not-stolen", Producer(to_object=kept_tensor)),
    ("tensor-not-stolen", Producer(to_object=deleted_tensor)),
]
ODD = [
    Producer(attributes=chained(2)),  # an older table of the same major version
    Producer(borrow=None),
    Producer(attributes={ADDRESS: addressof(table((1, 2)))}),
    Producer(attributes={CAPSULE: capsule(table()), ADDRESS: capsule(table())}),
]


# ---- consumers ----

def alone(use):
    """Takes what is not the harness's: tensors of int32."""
    def takes(obj):
        if hasattr(obj, "_given"):
            raise BufferError("of any type")
        return use(obj)
    return takes


def table_of(holder):
    return table_at(ctypes.pythonapi.PyCapsule_GetPointer(getattr(holder, CAPSULE),
                                                          b"dlpack_exchange_api"))


def values_of(tensor):
    n = [tensor.shape[i] for i in range(tensor.ndim)]
    strides = [tensor.strides[i] for i in range(tensor.ndim)]
    at = tensor.data + tensor.byte_offset

    def read(first, depth):
        if depth == len(n):
            return c_int32.from_address(at + 4 * first).value
        return [read(first + i * strides[depth], depth + 1) for i in range(n[depth])]
    return read(0, 0)


def copy_by(found, obj):
    """A copy of what a table gives."""
    if found.major != 1:
        raise BufferError("another version")
    out = c_void_p()
    function(found, "from_object")(obj, byref(out))
    tensor = support.Versioned.from_address(out.value)
    copy = adicheck.tensor(values_of(tensor.tensor), "int32")
    support.call(tensor.deleter, tensor)
    return copy


def copies(obj):
    return copy_by(table_of(type(obj)), obj)


def borrows(obj):
    found = table_of(type(obj))
    if found.major != 1 or not found.borrow:
        return copies(obj)
    out = support.DLTensor()
    function(found, "borrow")(obj, byref(out))
    return adicheck.tensor(values_of(out), "int32")


def walks(obj):
    found = table_of(type(obj))
    while found.major != 1:
        if not found.prev_api:
            raise BufferError("another version")
        found = table_at(found.prev_api)
    return copy_by(found, obj)


def any_version(obj):
    found = table_of(type(obj))
    out = c_void_p()
    function(found, "from_object")(obj, byref(out))
    return copies(obj)


def of_object(obj):
    return copy_by(table_of(obj), obj)


class Caches:
    """One table for all types, if it is one of ours."""

    table = None

    def __call__(self, obj):
        found = table_of(type(obj))
        if found.major != 1:
            raise BufferError("another version")
        Caches.table = Caches.table or found
        return copy_by(Caches.table, obj)


def calls_null(obj):
    found = table_of(type(obj))
    if found.major != 1:
        raise BufferError("another version")
    out = support.DLTensor()
    function(found, "borrow")(obj, byref(out))
    return adicheck.tensor(values_of(out), "int32")


def keeps_borrowed(obj):
    found = table_of(type(obj))
    if found.major != 1 or not found.borrow:
        return copies(obj)
    out = support.DLTensor()
    function(found, "borrow")(obj, byref(out))
    tensor = support.Versioned(1, 3, tensor=out)
    _kept.append((tensor, obj))
    return array_of(addressof(tensor))


def asks_no_stream(obj):
    found = table_of(type(obj))
    if found.major != 1:
        raise BufferError("another version")
    out = c_void_p()
    function(found, "from_object")(obj, byref(out))
    tensor = support.Versioned.from_address(out.value)
    support.call(tensor.deleter, tensor)
