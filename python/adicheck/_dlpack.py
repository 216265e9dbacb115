# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with __dlpack__, beside what is in the tensors; and a deleter that is called
when the interpreter has ended."""

import os
import select
import signal

from . import _core
from ._core import from_dlpack
from ._tensors import tensor

_VALUES = [[1, 2, 3], [4, 5, 6]]
_CASE = "int32/many/consume-dlpack-keywords"
_SECONDS = 10


class _Shown:
    """An object over that array, whose __dlpack__ is this."""

    def __init__(self, array, asked):
        self.array, self.asked, self.arguments = array, asked, []

    def _is_asked(self):
        return self.arguments != []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        self.arguments.append(arguments)
        return self.asked(self.array, **arguments)


class _Capsule:
    def __init__(self, capsule):
        self.capsule, self.calls = capsule, 0

    def _is_asked(self):
        return self.calls > 0

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **arguments):
        self.calls += 1
        return self.capsule


def _plain(array, **arguments):
    return array.__dlpack__(**arguments)


def _of_2021(array, *, stream=None):
    return array.__dlpack__(stream=stream)


def _never_in_place(array, *, copy=None, **arguments):
    if copy is False:
        raise BufferError("it cannot be had without a copy")
    return array.__dlpack__(copy=copy, **arguments)


class _Consumer:
    def __init__(self, use, as_array):
        self._use, self._as_array = use, as_array

    def try_(self, obj, **arguments):
        """What came out of it, and the exception."""
        try:
            return self._use(obj, **arguments), None
        except Exception as error:
            return None, error

    def address(self, result):
        """Where its data is; None: nobody knows."""
        try:
            return self._as_array(result).__array_interface__["data"][0]
        except Exception:
            return None


def _array():
    return tensor(_VALUES, "int32", protocols=("dlpack", "array_interface"))


# AAX-31: who knows no other argument is asked with stream alone.
def _keywords(consumer, first):
    if any(set(arguments) - {"stream"} for arguments in first.arguments):
        _, error = consumer.try_(_Shown(_array(), _of_2021))
        rule = "array-api/no-fallback"
        yield (rule, None) if error is None else \
            (rule, "an object whose __dlpack__ knows stream alone was refused",
             type(error).__name__, "a second call, with stream alone")


# AAX-32: that a tensor may not be written to is no reason to refuse it.
def _read_only(consumer):
    frozen = _core.copy(tensor([1, 2, 3], "int32"), "cpu", "dlpack", 3)
    _, error = consumer.try_(_Shown(frozen, _plain))
    rule = "array-api/read-only-refused"
    yield (rule, None) if error is None else \
        (rule, "a tensor that may not be written to was refused", type(error).__name__,
         "an array")


# DLP-12: a capsule is consumed once.
def _used(consumer):
    rule = "dlpack/used-capsule-taken"
    capsule, watch = _core.watch_tensor(_array().__dlpack__(max_version=(1, 3)))
    kept = from_dlpack(_Capsule(capsule))
    shown = _Capsule(capsule)
    result, error = consumer.try_(shown)
    yield (rule, None) if error is not None or not shown.calls else \
        (rule, "a capsule named \"used_dltensor_versioned\" was taken", "an array", "an exception")
    del result, kept
    _core.watch_end(watch)


# AAF-04, AAF-05: a copy is made, or not, as copy says.
def _copies(consumer):
    for rule, copy in (("array-api/copy-shared", True), ("array-api/copy-made", False)):
        array = _array()
        result, error = consumer.try_(_Shown(array, _plain), copy=copy)
        there = None if error is not None else consumer.address(result)
        if there is None:
            continue
        is_shared = there == array.__array_interface__["data"][0]
        yield (rule, None) if is_shared is not copy else \
            (rule, f"copy={copy} was passed, and the result "
             f"{'shares the memory' if is_shared else 'is a copy'}",
             "the same memory" if is_shared else "a copy", "a copy" if copy else "the same memory")


# AAF-01: without device it stays where it is.
def _place(consumer):
    rule = "array-api/result-elsewhere"
    shown = _Shown(_array(), _plain)
    result, error = consumer.try_(shown)
    if error is None and hasattr(result, "__dlpack_device__"):
        where = tuple(map(int, result.__dlpack_device__()))
        yield (rule, None) if where == shown.__dlpack_device__() else \
            (rule, "what is given back is on another device", str(where),
             str(shown.__dlpack_device__()))


# AAF-03, AAF-07, AAI-06: what cannot be had, and what is no tensor.
def _exceptions(consumer):
    for rule, obj, arguments, right, what in (
            ("array-api/refusal-replaced", _Shown(_array(), _never_in_place), {"copy": False},
             (BufferError, ValueError), "an object that cannot be had without a copy"),
            ("array-api/no-attribute-error", object(), {}, (AttributeError,),
             "an object without __dlpack__")):
        _, error = consumer.try_(obj, **arguments)
        yield (rule, None) if isinstance(error, right) else \
            (rule, f"{what} was handed over", "no exception" if error is None
             else type(error).__name__, " or ".join(kind.__name__ for kind in right))


def consume_dlpack(use, as_array, strict, known):
    """Rows, as judge() gives them. A `use` that takes `copy` by its name is judged as the Array
    API's from_dlpack."""
    consumer, first = _Consumer(use, as_array), _Shown(_array(), _plain)
    _, error = consumer.try_(first)
    if error is not None:  # nobody knows why what is odd is refused
        return []
    told = [*_keywords(consumer, first), *_read_only(consumer), *_used(consumer)]
    _, error = consumer.try_(_Shown(_array(), _plain), copy=None)
    if error is None:
        told += [*_copies(consumer), *_place(consumer), *_exceptions(consumer)]
    seen = [row for row in told if row[1] is not None]
    return _core.tell(_CASE, "cpu", [row[0] for row in told], seen, strict, known, False)


def deleted_behind_end(make):
    """How a deleter that is called when the interpreter has ended, in a process of its own, went:
    None if well, or if that could not be seen."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _core.delete_behind_end(make().__dlpack__(max_version=(1, 3)), writes)
        finally:
            os._exit(0)
    os.close(writes)
    said, is_over = b"", False
    try:
        with open(reads, "rb", buffering=0) as pipe:
            while not is_over and select.select([pipe], [], [], _SECONDS)[0]:
                more = pipe.read(1)
                is_over = not more
                said += more
    finally:
        if not is_over or said == b"1":
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if said != b"1":
        return None
    ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    return "it does not come back" if ended in (None, signal.SIGKILL) else \
        f"the process ended by signal {ended}"
