# SPDX-License-Identifier: Apache-2.0
"""The protocols by their names, and whether an object has one."""

# The device's methods first, an array before a stream.
ARROW = "arrow_c_device_array", "arrow_c_array", "arrow_c_device_stream", "arrow_c_stream"
STREAMS = "arrow_c_device_stream", "arrow_c_stream"
OF_THE_HOST = "arrow_c_array", "arrow_c_stream"
CUDA, ARRAY, BUFFER = "cuda_array_interface", "array_interface", "buffer"
EXCHANGE = "dlpack_c_exchange_api"


def has(obj, name):
    if name == ARRAY and hasattr(obj, "__array_struct__"):
        return True
    if name == EXCHANGE and hasattr(obj, "__c_dlpack_exchange_api__"):
        return True
    if name != BUFFER:
        return hasattr(obj, f"__{name}__")
    try:
        with memoryview(obj):
            return True
    except TypeError:
        return False
    except Exception:  # it has one, and refuses
        return True
