# SPDX-License-Identifier: Apache-2.0
"""torch.frombuffer releases the buffer that its tensor goes on reading: the owner may move it."""

import torch

owner = bytearray(b"abcdefgh")
tensor = torch.frombuffer(owner, dtype=torch.uint8)
try:
    owner.extend(b"x" * 100000)
except BufferError as error:
    raise AssertionError from error
print("the bytearray was made longer while a tensor stands on its memory")
