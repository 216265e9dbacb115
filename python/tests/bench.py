#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nanoseconds of an export with its import, ours and those of the libraries themselves, which are
left out where they are not there: the best of many short runs, in turn.

    bench.py
"""

import timeit

import adicheck


TIMES, RUNS = 500, 100


def best(*calls):
    runs = [[timeit.timeit(call, number=TIMES) for call in calls] for _ in range(RUNS)]
    return (min(column) / TIMES * 1e9 for column in zip(*runs))


def row(what, *calls):
    ours, theirs = best(*calls)
    print(f"  {what:<52} {ours:7.0f} ns   its own {theirs:7.0f} ns")


class Somebodys:
    """Of whose exports it has to be made sure that they can be read."""

    def __init__(self):
        self.array = adicheck.array([1, 2, 3], "int32")

    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        return self.array.__arrow_c_device_array__(requested_schema, **keywords)


def with_watch():
    def added(what, obj, takes):
        def watched():
            with adicheck.watch(obj) as through:
                takes(through)
        with_it, without = best(watched, lambda: takes(obj))
        print(f"  {'watch adds, ' + what:<52} {with_it - without:7.0f} ns")
    added("to __dlpack__", adicheck.tensor([1, 2, 3], "int32"), adicheck.from_dlpack)
    added("to __arrow_c_device_array__", adicheck.array([1, 2, 3], "int32"), adicheck.from_arrow)
    added("to somebody's __arrow_c_device_array__", Somebodys(), adicheck.from_arrow)


def with_numpy():
    import numpy
    ours, theirs = adicheck.tensor([1, 2, 3], "int32"), numpy.array([1, 2, 3], "int32")
    row("__dlpack__ into numpy", lambda: numpy.from_dlpack(ours), lambda: numpy.from_dlpack(theirs))
    row("numpy's __dlpack__ into adicheck", lambda: adicheck.from_dlpack(theirs),
        lambda: numpy.from_dlpack(theirs))
    row("a buffer into numpy", lambda: numpy.asarray(memoryview(ours)),
        lambda: numpy.asarray(memoryview(theirs)))


def with_pyarrow():
    import pyarrow
    ours, theirs = adicheck.array([1, 2, 3], "int32"), pyarrow.array([1, 2, 3], pyarrow.int32())
    taking = pyarrow.Array._import_from_c_device_capsule
    row("__arrow_c_device_array__ into pyarrow",
        lambda: taking(*ours.__arrow_c_device_array__()),
        lambda: taking(*theirs.__arrow_c_device_array__()))
    row("pyarrow's __arrow_c_device_array__ into adicheck", lambda: adicheck.from_arrow(theirs),
        lambda: taking(*theirs.__arrow_c_device_array__()))


for library in with_numpy, with_pyarrow, with_watch:
    try:
        library()
    except ImportError as missing:
        print(f"  left out: {missing} (make peers)")
