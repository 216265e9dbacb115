# SPDX-License-Identifier: Apache-2.0
"""Producers and consumers with one planted defect each, written in Python."""

import ctypes
import threading

import adicheck
import support

_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))
_kept = []


_text = support.name_at


class Exports:
    """The reference's capsules, wrapped anew: with other names, or other destructors, or none."""

    def __init__(self, rename=None, destroys=True, destructor=None):
        self.array = adicheck.array([1, 2, 3], "int32")
        self.rename, self.destroys, self.destructor = rename or {}, destroys, destructor

    def _again(self, capsule):
        name = support.name(capsule)
        set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
            ("PyCapsule_SetName", ctypes.pythonapi))
        if not self.destroys:
            _kept.append(capsule)
            return _new(ctypes.addressof(support.within(capsule)), _text(name), self.destructor)
        if name in self.rename:
            set_name(capsule, _text(self.rename[name]))
        return capsule

    def __arrow_c_array__(self, requested_schema=None):
        return tuple(map(self._again, self.array.__arrow_c_array__(requested_schema)))


def wrong_name():
    return Exports({"arrow_array": "an_array"})


def no_destructor():
    return Exports(destroys=False)


def empty_destructor():
    nothing = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
    return Exports(destroys=False, destructor=nothing)


def swapped():
    class Swapped(Exports):
        def __arrow_c_array__(self, requested_schema=None):
            return self.array.__arrow_c_array__(requested_schema)[::-1]
    return Swapped()


def no_pair():
    class Lone(Exports):
        def __arrow_c_array__(self, requested_schema=None):
            return list(self.array.__arrow_c_array__(requested_schema))
    return Lone()


def no_capsules():
    class Addresses(Exports):
        def __arrow_c_array__(self, requested_schema=None):
            return 1, 2
    return Addresses()


def consumed():
    """The same capsules at each call."""
    class Cached(Exports):
        def __init__(self):
            super().__init__()
            self.both = self.array.__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.both
    if not hasattr(consumed, "made"):
        consumed.made = Cached()
    return consumed.made


class _Device:
    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32")


class KeywordRefused(_Device):
    def __arrow_c_device_array__(self, requested_schema=None):
        return self.array.__arrow_c_device_array__(requested_schema)


class KeywordIgnored(_Device):
    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        return self.array.__arrow_c_device_array__(requested_schema)


def spoiled(change):
    """The reference's device array, one member of which is not as it was."""
    class Spoiled(_Device):
        def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
            both = self.array.__arrow_c_device_array__(requested_schema, **kwargs)
            change(support.within(both[1]))
            return both
    return Spoiled


def _reserve(array):
    array.reserved[0] = 1


def _miscount(array):
    array.array.null_count = 2


reserved = spoiled(_reserve)
null_count = spoiled(_miscount)


# ---- tensors ----

class Tensors:
    """The reference's tensors, of an array that is told wrong things about, or by."""

    device = "cpu"

    def __init__(self):
        self.array = adicheck.tensor([1, 2, 3], "int32", device=self.device)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)


def spoiled_tensor(data, dtype, change):
    """The reference's tensors, one member of which is not as it was."""
    class Spoiled(Tensors):
        def __init__(self):
            self.array = adicheck.tensor(data, dtype)

        def __dlpack__(self, **arguments):
            capsule = self.array.__dlpack__(**arguments)
            change(support.within(capsule))
            return capsule
    return Spoiled


def _set(**members):
    def change(managed):
        for name, value in members.items():
            setattr(managed if hasattr(managed, name) else managed.tensor, name, value)
    return change


of_one_bit = spoiled_tensor([[True, False], [True, True]], "bool", _set(bits=1))
without_lanes = spoiled_tensor([1, 2], "int32", _set(lanes=0))
without_strides = spoiled_tensor([1, 2], "int32", _set(strides=None, minor=2))


class Lies(Tensors):
    def __dlpack_device__(self):
        return (2, 0)


class OldKeywords(Tensors):
    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__(stream=stream)


class BoundToThread(Tensors):
    """A deleter that does nothing on another thread."""

    of, here = {}, threading.get_ident()

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        managed = support.within(capsule)
        self.of[ctypes.addressof(managed)] = managed.deleter
        managed.deleter = ctypes.cast(_delete_here, ctypes.c_void_p)
        return capsule


@support.DELETER
def _delete_here(at):
    if threading.get_ident() == BoundToThread.here:
        support.DELETER(BoundToThread.of.pop(at))(at)


class VersionRequired(Tensors):
    """max_version without a default."""

    def __dlpack__(self, *, max_version, **keywords):
        return self.array.__dlpack__(max_version=max_version, **keywords)


class OtherException(Tensors):
    def __dlpack__(self, **arguments):
        try:
            return self.array.__dlpack__(**arguments)
        except BufferError as error:
            raise RuntimeError(str(error)) from None


class StreamAccepted(Tensors):
    def __dlpack__(self, *, stream=None, **arguments):
        return self.array.__dlpack__(**arguments)


class OtherName(Tensors):
    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        support.consume_dlpack(capsule)
        return capsule


class DeviceIgnored(Tensors):
    """Wherever a tensor is asked for, it is where the array is."""

    def __dlpack__(self, *, dl_device=None, **arguments):
        return self.array.__dlpack__(**arguments)


class DeviceIgnoredOfCuda(DeviceIgnored):
    device = "cuda:0"


class LegacyNamedVersioned(Tensors):
    """The layout from before 1.0, in a capsule of the other one's name."""

    def __dlpack__(self, *, max_version=None, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        tensor = support.consume_dlpack(capsule)
        address, deleter = ctypes.addressof(tensor), support.DELETER(tensor.deleter)

        def destroy(at):
            if support.is_named(at, "dltensor_versioned"):
                deleter(address)
        destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(destroy)
        _kept.append(destroy)
        return _new(address, _text("dltensor_versioned"), ctypes.cast(destroy, ctypes.c_void_p))


class CopyIgnored(Tensors):
    def __dlpack__(self, *, copy=None, **arguments):
        return self.array.__dlpack__(**arguments)


class NotDeleted(Tensors):
    """Capsules without a destructor."""

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        name = support.name(capsule)
        tensor = ctypes.addressof(support.consume_dlpack(capsule))
        return _new(tensor, _text(name), None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _forget(_):
    """A destructor that does nothing."""


class Forgotten(Tensors):
    """Capsules whose destructor forgets the tensor."""

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        name, tensor = support.name(capsule), support.consume_dlpack(capsule)
        return _new(ctypes.addressof(tensor), _text(name), ctypes.cast(_forget, ctypes.c_void_p))


class ForgottenOwner(Forgotten):
    """And with it a reference to the object."""

    def __dlpack__(self, **arguments):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))
        return super().__dlpack__(**arguments)


class DeletedAtOnce(Tensors):
    """No defect: the destructor calls what `deleter` was set to, and does not look there."""

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        name, tensor = support.name(capsule), support.consume_dlpack(capsule)
        address, deleter = ctypes.addressof(tensor), support.DELETER(tensor.deleter)

        def destroy(at):
            if support.is_named(at, name):
                deleter(address)
        destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(destroy)
        _kept.append(destroy)
        return _new(address, _text(name), ctypes.cast(destroy, ctypes.c_void_p))


class UsedDeleted(Tensors):
    """Capsules that delete their tensor whatever they are named."""

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        name, tensor = support.name(capsule), support.consume_dlpack(capsule)
        destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
            lambda _: support.call(tensor.deleter, tensor))
        _kept.append(destroy)
        return _new(ctypes.addressof(tensor), _text(name), ctypes.cast(destroy, ctypes.c_void_p))


class StreamZero(Tensors):
    """0 is taken for the default stream of CUDA."""

    device = "cuda:0"

    def __dlpack__(self, *, stream=None, **arguments):
        return self.array.__dlpack__(stream=1 if stream == 0 else stream, **arguments)


# ---- consumers ----

def _numbers(at, n):
    return memoryview(ctypes.string_at(at, 4 * n)).cast("i").tolist()


def not_renamed(obj):
    """Reads, and leaves the capsule as it is."""
    tensor = support.within(obj.__dlpack__(max_version=(1, 3)))
    at = tensor.tensor.data + tensor.tensor.byte_offset
    return adicheck.tensor(_numbers(at, tensor.tensor.shape[0]),
                           "int32")


def strides_ignored(obj):
    """Reads what lies side by side."""
    capsule = obj.__dlpack__(max_version=(1, 3))
    tensor = support.consume_dlpack(capsule)
    at = tensor.tensor.data + tensor.tensor.byte_offset
    n = tensor.tensor.shape[0]
    copy = adicheck.tensor(_numbers(at, n), "int32")
    support.call(tensor.deleter, tensor)
    return copy


def never_deleted(obj):
    capsule = obj.__dlpack__(max_version=(1, 3))
    tensor = support.consume_dlpack(capsule)
    at = tensor.tensor.data + tensor.tensor.byte_offset
    n = tensor.tensor.shape[0]
    return adicheck.tensor(_numbers(at, n), "int32")


def deleted_twice(obj):
    capsule = obj.__dlpack__(max_version=(1, 3))
    tensor = support.consume_dlpack(capsule)
    at = tensor.tensor.data + tensor.tensor.byte_offset
    n = tensor.tensor.shape[0]
    copy = adicheck.tensor(_numbers(at, n), "int32")
    deleter = tensor.deleter
    support.call(deleter, tensor)
    support.call(deleter, tensor)
    return copy


def stream_passed(obj):
    """Names a stream where there are none."""
    return adicheck.from_dlpack(_WithStream(obj))


class _WithStream:
    def __init__(self, obj):
        self.obj = obj
        self.__dlpack_device__ = obj.__dlpack_device__

    def __dlpack__(self, *, stream=None, **arguments):
        return self.obj.__dlpack__(stream=1, **arguments)


def _taken(obj):
    """What the reference takes out of the capsules of a device array."""
    return adicheck.from_arrow(obj)


def read_after_release(obj):
    """Reads a buffer that its producer has back."""
    both = obj.__arrow_c_array__()
    array = support.within(both[1])
    values, n = array.buffers[1], array.length
    support.call(array.release, array)
    return adicheck.array(list((ctypes.c_int32 * n).from_address(values)), "int32")


def crashes(obj):
    """Reads where nothing is."""
    obj.__arrow_c_array__()
    return ctypes.c_int32.from_address(8).value


def consumed_released():
    """Capsules whose destructors call `release`, whatever it is."""
    libc = ctypes.CDLL(None)
    libc.abort.restype = None

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def destroy(capsule):
        name = b"arrow_array"
        get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", ctypes.pythonapi))
        array = support.ArrowArray.from_address(get(capsule, name))
        (support.call if array.release else lambda *_: libc.abort())(array.release, array)

    class Blind(Exports):
        def __arrow_c_array__(self, requested_schema=None):
            schema, array = self.array.__arrow_c_array__()
            _kept.extend([destroy, array])
            return schema, _new(ctypes.addressof(support.within(array)), _text("arrow_array"),
                                ctypes.cast(destroy, ctypes.c_void_p))
    return Blind()


def nulls_ignored(obj):
    """Forgets which values are null."""
    values = _taken(obj).to_pylist()
    return adicheck.array([0 if value is None else value for value in values], "int32")


def event_ignored(obj):
    """Reads an array as if its event were NULL."""
    class Unawaited:
        def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
            both = obj.__arrow_c_device_array__()
            support.within(both[1]).sync_event = None
            return both
    return adicheck.array(_taken(Unawaited()).to_pylist(), "int32")
