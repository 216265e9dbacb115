# SPDX-License-Identifier: Apache-2.0
"""The mask of a CUDA array interface is not looked at: values that are not valid are read, too."""

import torch

values = torch.arange(1, 4, dtype=torch.int32, device="cuda")
mask = torch.tensor([True, False, True], device="cuda")
torch.cuda.synchronize()


class Masked:
    __cuda_array_interface__ = {**values.__cuda_array_interface__, "version": 3, "mask": mask}


print(torch.as_tensor(Masked(), device="cuda"))
assert torch.as_tensor(Masked(), device="cuda").tolist() == [1, 2, 3]
