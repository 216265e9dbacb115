# SPDX-License-Identifier: Apache-2.0
"""A tensor without a deleter ends the process when the JAX array that stands on it goes."""

import ctypes
import os
import struct

import jax
import jax.numpy

jax.config.update("jax_enable_x64", True)
memory = ctypes.create_string_buffer(256)
data = ctypes.addressof(memory)
data += -data % 64
ctypes.memmove(data, struct.pack("3q", 1, 2, 3), 24)
shape, strides = (ctypes.c_int64 * 1)(3), (ctypes.c_int64 * 1)(1)
# data, device: CPU, ndim, dtype: int64, shape, strides, byte_offset; manager_ctx, deleter: NULL
tensor = ctypes.create_string_buffer(struct.pack(
    "@PiiiBBHPPQPP", data, 1, 0, 1, 0, 64, 1, ctypes.addressof(shape), ctypes.addressof(strides), 0,
    0, 0))
new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Shows:
    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **keywords):
        return new(ctypes.addressof(tensor), b"dltensor", None)


def imports():
    print(jax.numpy.from_dlpack(Shows()), flush=True)


child = os.fork()
if child == 0:
    imports()
    jax.numpy.arange(3).__dlpack__()
    os._exit(0)
_, status = os.waitpid(child, 0)
print("signal", os.WTERMSIG(status))
assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == 6
