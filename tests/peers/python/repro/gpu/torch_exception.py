# SPDX-License-Identifier: Apache-2.0
"""A tensor on a device of Metal, which PyTorch does not have here, is asked for: the standard asks
for BufferError, and another exception is raised."""

import torch

try:
    torch.arange(3, device="cuda").__dlpack__(max_version=(1, 0), dl_device=(8, 0))
except Exception as error:
    print(repr(error)[:200])
    assert not isinstance(error, BufferError)
else:
    raise AssertionError
