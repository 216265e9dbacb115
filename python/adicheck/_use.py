# SPDX-License-Identifier: Apache-2.0
"""A consumer under test, as it is called: what it raises that is no refusal, what it gives that
nobody can read, and what it has not asked for."""

import builtins
import functools
import re
import types

from . import _core
from ._core import MISTAKES, Array, Stream

_EXPORTS = ("__arrow_c_device_array__", "__arrow_c_array__", "__arrow_c_device_stream__",
            "__arrow_c_stream__", "__dlpack__", "__cuda_array_interface__")
_TABLE = "__dlpack_c_exchange_api__"
_EXPORTER = type(_core.exporter(b"", "B", 1, (0,), (1,), 0, False))
_WHOLE = Array, Stream, list, bytes, bytearray, memoryview  # that ask for nothing later


_BEFORE = "it was called before, and is wrong"


class NoRefusal(Exception):
    """What stands for an exception that is passed on, wherever the case is played."""


# The same, by its words: an attribute that a module does not have is named wrongly.
_OF_MODULES = re.compile(r"(?:^|: )AttributeError: ((?:partially initialized )?module '.*)")


def file_of(use):
    """Where its code is; None: it is no code of Python."""
    while isinstance(use, functools.partial):
        use = use.func
    use = getattr(use, "__func__", use)
    code = getattr(use, "__code__", None) or \
        getattr(getattr(type(use), "__call__", None), "__code__", None)
    return getattr(code, "co_filename", None)


def _raised_in(error):
    """The file that it was raised in."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return None if last is None else last.tb_frame.f_code.co_filename


def is_mistake(error, file):
    """Is it one of whoever has written that file, or of a name, and no refusal?"""
    if not isinstance(error, Exception) or type(error) in MISTAKES:
        return True
    if type(error) is AttributeError:
        return isinstance(error.obj, types.ModuleType)
    is_import = type(error) in (ImportError, ModuleNotFoundError) and error.name is not None
    return (is_import or type(error) is AssertionError) and _raised_in(error) == file


def named(words):
    """The exception of these words, "NameError: name 'x' is not defined"."""
    name, _, rest = words.partition(": ")
    kind = getattr(builtins, name, None)
    if not isinstance(kind, type) or not issubclass(kind, BaseException) or \
            issubclass(kind, (OSError, BaseExceptionGroup)):
        return RuntimeError(words)
    try:
        return kind(rest)
    except TypeError:  # which takes more than a text, as OSError does
        return RuntimeError(words)


def raise_mistake(refusals):
    """What names nothing that could be refused is no refusal of a producer either."""
    for words in refusals:
        for kind in MISTAKES:
            mistake = re.search(rf"(?:^|: ){kind.__name__}: (.*)", words)
            if mistake:
                raise kind(mistake[1])
        if _OF_MODULES.search(words):
            raise AttributeError(_OF_MODULES.search(words)[1])


def _is_buffer(obj):
    try:
        with memoryview(obj):
            return True
    except Exception:
        return False


def _has(obj, name):
    try:
        return hasattr(obj, name)
    except Exception:  # it has one, and refuses
        return True


class Use:
    """Calls it. `mistake` is the first exception that is no refusal."""

    def __init__(self, use, takes_lists):
        self._use, self._takes_lists, self._file = use, takes_lists, file_of(use)
        self.mistake = None

    def __call__(self, obj, **arguments):
        if self.mistake is not None:
            raise NoRefusal(_BEFORE)
        try:
            result = self._use(obj, **arguments)
        except BaseException as error:
            if is_mistake(error, self._file):
                self._give_up(error)
            del obj  # a frame that is kept with the exception does not keep it
            raise error.with_traceback(None)
        if not self._can_be_read(result):
            self._give_up(TypeError(
                f"use() gave {result!r}, which exports nothing; it may be "
                f"{'a list, a buffer, ' if self._takes_lists else ''}an object with a method of "
                "Arrow's or DLPack's or with __cuda_array_interface__, or None"))
        if (result is None or isinstance(result, _WHOLE)) and not _is_asked(obj):
            raise BufferError("use() came back, and has not asked the object for its data")
        return result

    def _can_be_read(self, result):
        if result is None or isinstance(result, (Array, Stream)):
            return True
        if self._takes_lists and (isinstance(result, list) or _is_buffer(result) or
                                  _has(result, "__array_interface__")):  # it says where it lies
            return True
        return any(_has(result, name) for name in _EXPORTS) or _has(type(result), _TABLE)

    def _give_up(self, error):
        self.mistake = error
        raise NoRefusal(f"{type(error).__name__}: {error}") from None

    def end(self, refused_in=None):
        """Raises what is no refusal, with a note about where it was raised; `refused_in`: by the
        words of refusals, of other processes as well, their cases."""
        for words, case in (refused_in or {}).items():
            if words.startswith("NoRefusal: ") and not words.endswith(_BEFORE):
                error = self.mistake or named(words.removeprefix("NoRefusal: "))
                error.add_note(f"adicheck: raised in the case {case}")
                raise error
        if self.mistake is not None:
            raise self.mistake
        raise_mistake(refused_in or ())  # of what it has given back


def _is_asked(obj):
    """Was it asked for its data? Of what nobody knows it of: yes."""
    if isinstance(obj, _EXPORTER):
        return obj.asked != []
    known = getattr(type(obj), "_is_asked", None)
    return known is None or known(obj)
