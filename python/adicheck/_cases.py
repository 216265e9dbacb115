# SPDX-License-Identifier: Apache-2.0
"""What a consumer under test is given: objects that show one protocol, and nothing beside."""

from . import _core


class _Given:
    def __init__(self, given):
        self._given, self._asked = given, False

    def _is_asked(self):
        return self._asked

    def _now(self):
        """What gives the data, which is asked for."""
        self._asked = True
        return self._given


class _Arrow(_Given):
    def __arrow_c_schema__(self):
        return self._given.schema()


class _Array(_Arrow):
    def __arrow_c_array__(self, requested_schema=None):
        return self._now().array(True)


class _DeviceArray(_Arrow):
    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        if any(value is not None for value in kwargs.values()):
            raise NotImplementedError(f"unknown keywords: {', '.join(kwargs)}")
        return self._now().array(False)


class _Stream(_Given):
    def __arrow_c_stream__(self, requested_schema=None):
        return self._now().stream(True)


class _DeviceStream(_Given):
    def __arrow_c_device_stream__(self, requested_schema=None, **kwargs):
        if any(value is not None for value in kwargs.values()):
            raise NotImplementedError(f"unknown keywords: {', '.join(kwargs)}")
        return self._now().stream(False)


class _Tensor(_Given):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._now().dlpack(stream, max_version, dl_device, copy)

    def __dlpack_device__(self):
        return self._given.dlpack_device()


class _Exchanged(_Given):
    __dlpack_c_exchange_api__ = _core.exchange_given("given")

    def __init__(self, given):
        self._held, self._asked = given, False

    @property
    def _given(self):
        """Functions of the table ask for it."""
        self._asked = True
        return self._held


# By protocol: its bit in the extension, and what shows it.
PLAYED = {"arrow_c_array": (2, _Array), "arrow_c_device_array": (4, _DeviceArray),
          "arrow_c_stream": (1 << 16, _Stream),
          "arrow_c_device_stream": (1 << 17, _DeviceStream), "dlpack": (8, _Tensor),
          "dlpack_c_exchange_api": (128, _Exchanged)}
# Those of which no case is played: what a producer shows is looked at.
LOOKED_AT = {"cuda_array_interface": 16, "array_interface": 32, "buffer": 64}
