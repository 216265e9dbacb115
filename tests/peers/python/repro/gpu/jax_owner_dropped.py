# SPDX-License-Identifier: Apache-2.0
"""JAX's array stands on the memory of a CUDA array interface, and does not keep its owner."""

import gc
import weakref

import jax.numpy


class Owner:
    def __init__(self):
        self.memory = jax.numpy.arange(6, dtype="int32").block_until_ready()
        self.pointer = self.memory.unsafe_buffer_pointer()
        described = self.memory.__cuda_array_interface__
        self.__cuda_array_interface__ = {**described, "version": 2}


owner = Owner()
pointer, alive = owner.pointer, weakref.ref(owner)
taken = jax.numpy.asarray(owner)
del owner
gc.collect()
print(f"the same memory: {taken.unsafe_buffer_pointer() == pointer}; its owner: {alive()}")
assert taken.unsafe_buffer_pointer() == pointer and alive() is None
