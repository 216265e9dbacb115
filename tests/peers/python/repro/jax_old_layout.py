# SPDX-License-Identifier: Apache-2.0
"""Who asks for a tensor of DLPack 1.x gets one of the layout before 1.0."""

import jax.numpy

capsule = jax.numpy.arange(3).__dlpack__(max_version=(1, 3))
print(capsule)
assert '"dltensor"' in repr(capsule)
