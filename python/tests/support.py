# SPDX-License-Identifier: Apache-2.0
"""The structures behind capsules, seen by ctypes, and somebody else's objects."""

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char, c_char_p, c_int, c_int32, c_int64,
                    c_size_t, c_ssize_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, cast,
                    py_object, pythonapi)

import adicheck

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")


class ArrowSchema(Structure):
    pass


class ArrowArray(Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)), ("release", c_void_p), ("private_data", c_void_p)]
ArrowArray._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))), ("dictionary", POINTER(ArrowArray)),
    ("release", c_void_p), ("private_data", c_void_p)]


class ArrowDeviceArray(Structure):
    _fields_ = [("array", ArrowArray), ("device_id", c_int64), ("device_type", c_int32),
                ("sync_event", c_void_p), ("reserved", c_int64 * 3)]


class ArrowArrayStream(Structure):
    _fields_ = [("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p),
                ("release", c_void_p), ("private_data", c_void_p)]


class ArrowDeviceArrayStream(Structure):
    _fields_ = [("device_type", c_int32), *ArrowArrayStream._fields_]


class DLTensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32),
                ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
                ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("byte_offset", c_uint64)]


class Legacy(Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class Versioned(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("manager_ctx", c_void_p),
                ("deleter", c_void_p), ("flags", c_uint64), ("tensor", DLTensor)]


class Buffer(Structure):
    """A Py_buffer."""
    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


class ArrayStruct(Structure):
    """A PyArrayInterface."""
    _fields_ = [("two", c_int), ("nd", c_int), ("typekind", c_char), ("itemsize", c_int),
                ("flags", c_int), ("shape", POINTER(c_ssize_t)), ("strides", POINTER(c_ssize_t)),
                ("data", c_void_p), ("descr", c_void_p)]


READ_ONLY, IS_COPIED = 1, 2

STRUCTURES = {"arrow_schema": ArrowSchema, "arrow_array": ArrowArray,
              "arrow_device_array": ArrowDeviceArray, "arrow_array_stream": ArrowArrayStream,
              "arrow_device_array_stream": ArrowDeviceArrayStream, "dltensor": Legacy,
              "used_dltensor": Legacy, "dltensor_versioned": Versioned,
              "used_dltensor_versioned": Versioned}

DELETER = CFUNCTYPE(None, c_void_p)

for _name, _result, _arguments in (
        ("PyCapsule_GetName", c_char_p, [py_object]),
        ("PyCapsule_GetPointer", c_void_p, [py_object, c_char_p]),
        ("PyCapsule_SetName", ctypes.c_int, [py_object, c_char_p]),
        ("PyCapsule_New", py_object, [c_void_p, c_char_p, c_void_p])):
    getattr(pythonapi, _name).restype = _result
    getattr(pythonapi, _name).argtypes = _arguments

_name_at = ctypes.PYFUNCTYPE(c_void_p, py_object)(("PyCapsule_GetName", pythonapi))
_names = {}  # the name of a capsule is not copied
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, py_object, c_void_p)(("PyCapsule_SetName", pythonapi))
_kept = []


def _learn_names():
    """Where the names of DLPack's are compiled in."""
    for arguments in {}, {"max_version": (1, 3)}:
        x = adicheck.tensor([1])
        capsule = x.__dlpack__(**arguments)
        _names[name(capsule)] = _name_at(capsule)
        adicheck.from_dlpack(Shows(dlpack=lambda **_: capsule, dlpack_device=lambda: (1, 0)))
        _names[name(capsule)] = _name_at(capsule)


def name_at(name):
    """A text that stays where it is."""
    if not _names:
        _learn_names()
    if name not in _names:
        _kept.append(ctypes.create_string_buffer(name.encode()))
        _names[name] = ctypes.addressof(_kept[-1])
    return _names[name]


def capsule(structure, name):
    """A capsule without a destructor."""
    return pythonapi.PyCapsule_New(ctypes.addressof(structure), name_at(name), None)


pythonapi.PyCapsule_New.argtypes = [c_void_p, c_void_p, c_void_p]


def name(capsule):
    return pythonapi.PyCapsule_GetName(capsule).decode()


_is_valid = ctypes.PyDLL(None).PyCapsule_IsValid
_is_valid.argtypes = [c_void_p, c_char_p]


def is_named(at, kind):
    """Has the capsule at that address the name? For destructors: nothing is counted there."""
    return _is_valid(at, kind.encode()) == 1


def within(capsule):
    """The structure that a capsule holds."""
    kind = name(capsule)
    at = pythonapi.PyCapsule_GetPointer(capsule, kind.encode())
    return cast(at, POINTER(STRUCTURES[kind])).contents


def consume_dlpack(capsule):
    """Takes the tensor over, as a consumer does."""
    tensor = within(capsule)
    used = name_at("used_" + name(capsule))
    set_name = ctypes.PYFUNCTYPE(ctypes.c_int, py_object, c_void_p)(
        ("PyCapsule_SetName", pythonapi))
    assert set_name(capsule, used) == 0
    return tensor


def call(function, structure):
    """Calls a release callback or a deleter: without the GIL, as ctypes does."""
    DELETER(function)(ctypes.addressof(structure))


def on_thread(function, structure):
    """The same on a thread that Python does not know."""
    libc, thread = ctypes.CDLL(None), c_void_p()
    libc.pthread_create.argtypes = [c_void_p] * 4
    libc.pthread_join.argtypes = [c_void_p, c_void_p]
    assert libc.pthread_create(byref(thread), None, function, ctypes.addressof(structure)) == 0
    assert libc.pthread_join(thread, None) == 0


class Heap(Structure):
    _fields_ = [(field, c_size_t) for field in ("arena", "ordblks", "smblks", "hblks", "hblkhd",
                                                "usmblks", "fsmblks", "uordblks", "fordblks",
                                                "keepcost")]


def heap_in_use():
    """Bytes that malloc has given out; the sanitizer's own count, where one is there, has none of
    what it keeps."""
    if SANITIZED:
        counted = ctypes.CDLL(None).__sanitizer_get_current_allocated_bytes
        counted.restype = c_size_t
        return counted()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Heap
    heap = mallinfo()
    return heap.uordblks + heap.hblkhd


class Numbers:
    """Somebody's int32 array on the host, as a tensor of DLPack of whatever version. It lives until
    it is deleted, and counts how often it is."""

    exported = []

    def __init__(self, values=(1, 2, 3), version=(1, 3), **members):
        self.memory = (c_int32 * len(values))(*values)
        self.shape = (c_int64 * 1)(len(values))
        self.strides = (c_int64 * 1)(1)
        self.deleted = 0
        self.asked = None
        self.device = (1, 0)
        tensor = DLTensor(data=ctypes.addressof(self.memory), device_type=1, ndim=1, bits=32,
                          lanes=1, shape=self.shape, strides=self.strides)
        self.deleter = DELETER(self.delete)
        deleter = cast(self.deleter, c_void_p)
        self.is_legacy = version is None
        if self.is_legacy:
            self.managed = Legacy(tensor=tensor, deleter=deleter)
        else:
            self.managed = Versioned(*version, deleter=deleter, tensor=tensor)
        for member, value in members.items():
            has = self.managed if hasattr(self.managed, member) else self.managed.tensor
            setattr(has, member, value)

    def delete(self, _):
        self.deleted += 1
        self.exported.remove(self)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **arguments):
        self.asked = arguments
        self.exported.append(self)
        return capsule(self.managed, "dltensor" if self.is_legacy else "dltensor_versioned")


class Shows:
    """An object with these attributes."""

    def __init__(self, **attributes):
        for attribute, value in attributes.items():
            setattr(self, f"__{attribute}__", value)
