# SPDX-License-Identifier: Apache-2.0
"""mpi4py: the address of what is to be sent. Sending itself would dereference it."""

import adicheck
import mpi4py
from mpi4py import MPI

VERSION = mpi4py.__version__


def use(obj):
    MPI.Get_address(obj)


def described(obj):
    """What it would send, which is read instead."""
    read = MPI.buffer.frombuffer(obj)
    description = obj.__cuda_array_interface__
    if description.get("strides") in (None, (12, 4)):  # the others' order is not in what it says
        return adicheck.from_cuda_array_interface(
            {**description, "data": (read.address, read.readonly)}, owner=obj)


PRODUCES = {"cpu": {"buffer": {"buffer": lambda: MPI.buffer.allocate(16)}}}
CONSUMES = {"cpu": {"dlpack": use},
            "cuda": {"dlpack": use, "cuda_array_interface": described},
            "cuda_host": {"dlpack": use}, "cuda_managed": {"dlpack": use}}
