# SPDX-License-Identifier: Apache-2.0
"""A tensor on the CPU, without a copy, is asked for: the standard asks for BufferError, and another
exception is raised."""

import jax.numpy

try:
    jax.numpy.arange(3).__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
except Exception as error:
    print(repr(error)[:200])
    assert not isinstance(error, BufferError)
else:
    raise AssertionError
