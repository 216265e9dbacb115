# SPDX-License-Identifier: Apache-2.0
"""PyTorch: on the CPU where it is installed, and on a machine that has a GPU on that."""

import torch

VERSION = torch.__version__
ISOLATE = False  # its threads do not outlive a fork
HAS_GPU = torch.cuda.is_available()


def base(dtype=torch.int32, device="cpu"):
    return torch.arange(12, dtype=dtype, device=device).reshape(3, 4)


def samples(device):
    return {"rows": lambda: base(device=device), "floats": lambda: base(torch.float64, device),
            "columns": lambda: base(device=device).T, "steps": lambda: base(device=device)[::2, 1:],
            "empty": lambda: base(device=device)[:0],
            "half": lambda: base(torch.bfloat16, device),
            "complex": lambda: base(device=device).to(torch.complex64)}


def pinned():
    return base().pin_memory()


FORMATS = {"b": torch.int8, "B": torch.uint8, "h": torch.int16, "i": torch.int32,
           "l": torch.int64, "q": torch.int64, "e": torch.half, "f": torch.float32,
           "d": torch.float64, "?": torch.bool}


def of_buffer(obj):
    with memoryview(obj) as view:
        format, shape, is_flat = view.format, view.shape, view.c_contiguous
    if not is_flat:
        raise BufferError("not one after the other")
    return torch.frombuffer(obj, dtype=FORMATS[format.lstrip("=@<")]).reshape(shape)


def of_dictionary(obj):
    return torch.as_tensor(obj, device="cuda")


PRODUCES = {"cpu": {"dlpack": samples("cpu"), "array_interface": {"rows": lambda: base().numpy()}}}
CONSUMES = {"cpu": {"dlpack": torch.from_dlpack, "buffer": of_buffer}}
if HAS_GPU:
    CUDA = samples("cuda")
    WITH_DICTIONARY = {name: make for name, make in CUDA.items() if name != "half"}
    PRODUCES |= {"cuda": {"dlpack": CUDA, "cuda_array_interface": WITH_DICTIONARY},
                 "cuda_host": {"dlpack": {"pinned": pinned}}}
    CONSUMES |= {"cuda": {"dlpack": torch.from_dlpack, "cuda_array_interface": of_dictionary},
                 "cuda_host": {"dlpack": torch.from_dlpack},
                 "cuda_managed": {"dlpack": torch.from_dlpack,
                                  "cuda_array_interface": of_dictionary}}
