# SPDX-License-Identifier: Apache-2.0
"""Producers and consumers of capsules of Arrow's with one planted defect each: in what they make of
requests, in streams, and in what they take."""

import ctypes
import itertools

import adicheck
import support
from defects import Exports, _kept, _new, _taken, _text

# ---- requested schemas, and methods beside each other ----

class _Array:
    def __init__(self, values=(1, 2, 3)):
        self.array = adicheck.array(values, "int32")


class NoRequest(_Array):
    def __arrow_c_array__(self):
        return self.array.__arrow_c_array__()


class RequestRefused(_Array):
    def __arrow_c_array__(self, requested_schema=None):
        if requested_schema is not None:
            raise NotImplementedError("a requested schema")
        return self.array.__arrow_c_array__()


class RequestIgnored(_Array):
    """Whatever is requested, it gives what it has; which it may, unless that is something else."""

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__()


class RequestWeighed(_Array):
    """The same, and right: what it cannot be is an exception."""

    def __arrow_c_array__(self, requested_schema=None):
        self.array.__arrow_c_array__(requested_schema)
        return self.array.__arrow_c_array__()


class RequestMisread(_Array):
    """Reads the bytes of the one type as those of the other."""

    def __arrow_c_array__(self, requested_schema=None):
        both = self.array.__arrow_c_array__(requested_schema)
        if support.within(both[0]).format == b"l":
            ctypes.c_int64.from_address(support.within(both[1]).buffers[1]).value += 1 << 32
        return both


class MethodsDiffer(_Array):
    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)

    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        other = adicheck.array([1, 2, 4], "int32")
        return other.__arrow_c_device_array__(requested_schema, **kwargs)


class CopiedToTheHost(_Array):
    """Its tensors are on a device, and its device arrays on the host."""

    def __init__(self):
        super().__init__()
        self.tensor = adicheck.tensor([1, 2, 3], "int32", device="cuda:0")
        self.__dlpack__, self.__dlpack_device__ = self.tensor.__dlpack__, \
            self.tensor.__dlpack_device__

    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        return self.array.__arrow_c_device_array__(requested_schema, **kwargs)


class ManagedTwice(CopiedToTheHost):
    """The same of memory that both reach, which is right."""

    def __init__(self):
        super().__init__()
        self.tensor = adicheck.tensor([1, 2, 3], "int32", device="cuda_managed")
        self.__dlpack__, self.__dlpack_device__ = self.tensor.__dlpack__, \
            self.tensor.__dlpack_device__


class DeviceMemoryForTheHost(_Array):
    """The method of the host hands out memory of a device as it is."""

    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32", device="cuda:0")

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.array.__arrow_c_device_array__(requested_schema)
        _kept.append(array)
        inner = support.within(array).array
        moved = support.ArrowArray.from_buffer_copy(inner)
        _kept.append(moved)
        inner.release = None
        return schema, _new(ctypes.addressof(moved), _text("arrow_array"), _nothing)


_nothing = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value


class _Schema(Exports):
    """Right but for `__arrow_c_schema__`."""

    def __arrow_c_schema__(self):
        return self.spoiled(self.array.__arrow_c_schema__())


class SchemaIsNone(_Schema):
    def spoiled(self, capsule):
        return None


class SchemaOfOtherName(_Schema):
    def __arrow_c_schema__(self):
        return self.array.__arrow_c_array__()[1]


class SchemaWithoutDestructor(_Schema):
    def spoiled(self, capsule):
        _kept.append(capsule)
        return _new(ctypes.addressof(support.within(capsule)), _text("arrow_schema"), None)


class SchemaIsKept(_Schema):
    def spoiled(self, capsule):
        _kept.append(capsule)
        return _new(ctypes.addressof(support.within(capsule)), _text("arrow_schema"), _nothing)


class SchemaIsRight(_Schema):
    def spoiled(self, capsule):
        return capsule


class SchemaIsNotTold(_Schema):
    """Which no document forbids."""

    def spoiled(self, capsule):
        raise NotImplementedError("a type alone")


# ---- streams ----

class Streams:
    """The reference's streams, in capsules that are not as they should be."""

    method, name = "__arrow_c_stream__", "arrow_array_stream"

    def __init__(self):
        self.stream = adicheck.stream([[1, None], [3]], "int32")

    def __getattr__(self, name):
        if name == self.method:
            return self.export
        raise AttributeError(name)

    def export(self, requested_schema=None, **kwargs):
        return getattr(self.stream, self.method)(requested_schema, **kwargs)

    def again(self, capsule, name, destructor):
        _kept.append(capsule)
        return _new(ctypes.addressof(support.within(capsule)), _text(name), destructor)


class StreamOtherName(Streams):
    def export(self, requested_schema=None, **kwargs):
        capsule = super().export(requested_schema, **kwargs)
        set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
            ("PyCapsule_SetName", ctypes.pythonapi))
        set_name(capsule, _text("a_stream"))
        return capsule


class DeviceStreamOtherName(StreamOtherName):
    method = "__arrow_c_device_stream__"


class StreamNoDestructor(Streams):
    def export(self, requested_schema=None, **kwargs):
        return self.again(super().export(requested_schema, **kwargs), self.name, None)


class StreamEmptyDestructor(Streams):
    def export(self, requested_schema=None, **kwargs):
        return self.again(super().export(requested_schema, **kwargs), self.name, _nothing)


class StreamNoCapsule(Streams):
    def export(self, requested_schema=None, **kwargs):
        return ctypes.addressof(support.within(super().export(requested_schema, **kwargs)))


class DeviceStreamKeywordRefused(Streams):
    method = "__arrow_c_device_stream__"

    def export(self, requested_schema=None):
        return super().export(requested_schema)


class DeviceStreamKeywordIgnored(Streams):
    method = "__arrow_c_device_stream__"

    def export(self, requested_schema=None, **kwargs):
        return super().export(requested_schema)


class StreamHandedOutTwice(Streams):
    """One capsule for all who ask."""

    def __init__(self):
        super().__init__()
        self.capsule = self.stream.__arrow_c_stream__()

    def export(self, requested_schema=None, **kwargs):
        return self.capsule


def one_stream():
    if not hasattr(one_stream, "made"):
        one_stream.made = StreamHandedOutTwice()
    return one_stream.made


class StreamOfOtherDevice(Streams):
    """A stream that says that it is of CUDA, and has chunks of the host."""

    method = "__arrow_c_device_stream__"

    def export(self, requested_schema=None, **kwargs):
        capsule = super().export(requested_schema, **kwargs)
        support.within(capsule).device_type = 3
        return capsule


class ReleasesByItself(Exports):
    """No defect: the destructors call what `release` was set to, and do not look which that is."""

    def __init__(self):
        super().__init__(destroys=False)

    def _again(self, capsule):
        return released_by_itself(capsule)


class StreamReleasesByItself(Streams):
    def export(self, requested_schema=None, **kwargs):
        return released_by_itself(super().export(requested_schema, **kwargs))


_held = {}  # by the address of a capsule, that of the reference, and what releases it


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release_held(at):
    capsule, structure, release = _held.pop(at)
    if structure.release:
        support.DELETER(release)(ctypes.addressof(structure))


def released_by_itself(capsule):
    structure, name = support.within(capsule), support.name(capsule)
    made = _new(ctypes.addressof(structure), _text(name),
                ctypes.cast(_release_held, ctypes.c_void_p))
    _held[id(made)] = capsule, structure, structure.release
    return made


class StreamWithoutSchema(Streams):
    """One of whose callbacks is not there."""

    missing = "get_schema"

    def export(self, requested_schema=None, **kwargs):
        capsule = super().export(requested_schema, **kwargs)
        setattr(support.within(capsule), self.missing, None)
        return capsule


class StreamWithoutNext(StreamWithoutSchema):
    missing = "get_next"


class StreamWithoutError(StreamWithoutSchema):
    missing = "get_last_error"


class DeviceStreamWithoutSchema(StreamWithoutSchema):
    method = "__arrow_c_device_stream__"


class DeviceStreamWithoutNext(StreamWithoutNext):
    method = "__arrow_c_device_stream__"


class StreamOfUnsoundChunk(Streams):
    """The second chunk is changed as it is given."""

    def __init__(self):
        self.stream = adicheck.stream([["a", None], ["b"], ["c"]])

    @staticmethod
    def change(array):
        array.length = -1

    def export(self, requested_schema=None, **kwargs):
        capsule = super().export(requested_schema, **kwargs)
        stream = support.within(capsule)
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        of_stream, count = kind(stream.get_next), itertools.count()

        @kind
        def get_next(at, out):
            code = of_stream(at, out)
            if next(count) == 1:
                self.change(support.ArrowArray.from_address(out))
            return code
        _kept.append(get_next)
        stream.get_next = ctypes.cast(get_next, ctypes.c_void_p)
        return capsule


class StreamOfTooManyBuffers(StreamOfUnsoundChunk):
    @staticmethod
    def change(array):
        array.n_buffers = 4


class StreamNeverTheSame(Streams):
    """Each stream has other values."""

    count = 0

    def export(self, requested_schema=None, **kwargs):
        StreamNeverTheSame.count += 1
        made = adicheck.stream([[1, None], [StreamNeverTheSame.count]], "int32")
        return made.__arrow_c_stream__(requested_schema)


# ---- consumers of capsules ----

def name_unchecked(obj):
    """Takes whatever is in a capsule."""
    class Renamed:
        def __arrow_c_array__(self, requested_schema=None):
            schema, array = obj.__arrow_c_array__()
            get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
                ("PyCapsule_GetPointer", ctypes.pythonapi))
            _kept.append(array)
            within = get(array, support.name(array).encode())
            return schema, _new(within, _text("arrow_array"), None)
    return _taken(Renamed())


def requests_a_format(obj):
    return _taken(support.Shows(arrow_c_array=lambda: obj.__arrow_c_array__("int32")))


def requests_a_used_schema(obj):
    schema = adicheck.schema("int32").__arrow_c_schema__()
    adicheck.from_arrow(support.Shows(arrow_c_schema=lambda: schema))
    return _taken(support.Shows(arrow_c_array=lambda: obj.__arrow_c_array__(schema)))


def requests_another_type(obj):
    """Which it need not get."""
    schema = adicheck.schema("int64").__arrow_c_schema__()
    return _taken(support.Shows(arrow_c_array=lambda: obj.__arrow_c_array__(schema)))


def frees_first(obj):
    """Gives the capsule up, and imports what was in it."""
    schema, array = obj.__arrow_c_array__()
    at = ctypes.addressof(support.within(array))
    del array
    lone = _new(at, _text("arrow_array"), None)
    return _taken(support.Shows(arrow_c_array=lambda: (schema, lone)))


def prefers_the_old(obj):
    if hasattr(obj, "_export_to_c"):
        obj._export_to_c(0, 0)
    return _taken(obj)


def not_marked(obj):
    """Moves the array out, and leaves it as it was."""
    schema, array = obj.__arrow_c_array__()
    copy = support.ArrowArray.from_buffer_copy(support.within(array))
    _kept.append(copy)
    lone = _new(ctypes.addressof(copy), _text("arrow_array"), None)
    return _taken(support.Shows(arrow_c_array=lambda: (schema, lone)))


def first_chunk_only(obj):
    return adicheck.from_arrow(obj).chunks[0]


def stream_is_kept(obj):
    """Takes the stream out, and never releases it."""
    capsule = obj.__arrow_c_stream__()
    at = support.within(capsule)
    copy = support.ArrowArrayStream.from_buffer_copy(at)
    at.release = None
    _kept.append(copy)
