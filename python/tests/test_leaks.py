# SPDX-License-Identifier: Apache-2.0
"""What is left of an export when it has been released is found where memory is not weighed; and who
gives all back is not blamed, whatever else grows."""

import collections
import ctypes
import gc
import os
import subprocess
import sys
import threading
import time
import unittest

import adicheck
from adicheck import _core, check_consumer, check_producer
from support import (DELETER, SANITIZED, ArrowArray, ArrowArrayStream, Versioned, call,
                     capsule, consume_dlpack, name, within)

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
TENSORS, ARRAYS = "dlpack/memory-leaked", "life/memory-leaked"
WEIGHED = _core.weighs()
ALONE = "ADI_TEST_ALONE" in os.environ
_kept = []


@DELETER
def nothing(_):
    """A deleter that does nothing."""


NOTHING = ctypes.cast(nothing, ctypes.c_void_p).value


class Tensors:
    """The reference's, whose structures are changed as they are handed out."""

    def __init__(self):
        self.array = adicheck.tensor([1, 2, 3], "int32")

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        made = self.array.__dlpack__(**arguments)
        self.change(within(made))
        return made

    def change(self, managed):
        """Nothing is wrong with it."""


class NeverDeleted(Tensors):
    def change(self, managed):
        managed.deleter = NOTHING


class BlockKept(Tensors):
    """The data is copied to a block of its own, and that is never freed."""
    size, frees = 1 << 20, False

    def change(self, managed):
        block, deleter, at = libc.malloc(self.size), managed.deleter, ctypes.addressof(managed)
        ctypes.memmove(block, managed.tensor.data, 12)
        managed.tensor.data = block

        @DELETER
        def delete(_):
            if self.frees:
                libc.free(block)
            managed.deleter = deleter
            call(deleter, managed)
            _kept.append(callbacks.pop(at))
            if len(_kept) > 1:  # not the one that runs
                _kept.pop(0)
        callbacks[at] = delete
        managed.deleter = ctypes.cast(delete, ctypes.c_void_p).value


callbacks = {}


class BlockFreed(BlockKept):
    frees = True


class SmallBlockKept(Tensors):
    def change(self, managed):
        managed.tensor.data = ctypes.memmove(libc.malloc(64), managed.tensor.data, 12)
        managed.deleter = NOTHING


class Own(Tensors):
    """Structures of ctypes, that are held as long as they are needed."""
    held = {}

    def __dlpack__(self, **arguments):
        made = self.array.__dlpack__(**arguments)
        theirs, kind = consume_dlpack(made), name(made).removeprefix("used_")
        mine = type(theirs).from_buffer_copy(theirs)
        at = ctypes.addressof(mine)
        delete = DELETER(lambda _: self.delete(at))
        mine.deleter = ctypes.cast(delete, ctypes.c_void_p).value
        self.held[at] = mine, delete, theirs
        return capsule(mine, kind)

    def delete(self, at):
        mine, delete, theirs = self.held.pop(at)
        call(theirs.deleter, theirs)
        Own.last = delete  # which runs


class OwnKept(Own):
    def delete(self, at):
        """It is forgotten."""


class Records(Own):
    """It writes each call down, and each deletion."""
    calls = []

    def __dlpack__(self, **arguments):
        self.calls.append({**arguments, "number": len(self.calls)})
        return super().__dlpack__(**arguments)

    def delete(self, at):
        self.calls.append({"deleted": hex(at), "by": threading.current_thread().name})
        super().delete(at)


class RecordsItself(Tensors):
    calls = []

    def change(self, managed):
        self.calls.append(self)


class Late(Own):
    """It deletes what has been given up when there is much of it."""
    given_up = []

    def delete(self, at):
        self.given_up.append(at)
        while len(self.given_up) > 100 and at == self.given_up[-1]:
            for other in self.given_up[:-1]:
                super().delete(other)
            del self.given_up[:-1]


class OnAThread(Own):
    """Another thread deletes, a moment later."""
    queue = collections.deque()
    thread = None
    ends = threading.Event()

    def work(self):
        while not self.ends.wait(0.3):
            while self.queue:
                Own.delete(self, self.queue.popleft())

    def delete(self, at):
        if self.thread is None:
            OnAThread.thread = threading.Thread(target=self.work, daemon=True)
            self.thread.start()
        self.queue.append(at)

    @classmethod
    def stop(cls):
        cls.ends.set()
        cls.thread.join()


class Cyclic(Own):
    """What it holds goes when cycles are collected."""

    def delete(self, at):
        held = self.held.pop(at)
        call(held[2].deleter, held[2])
        cycle = [held]
        cycle.append(cycle)


class Fills(Tensors):
    """What the last 300 have needed is kept, and given back then."""
    ring = [Versioned() for _ in range(300)]
    last, n = collections.deque(), 0

    def __dlpack__(self, **arguments):
        if arguments.get("copy") or not arguments.get("max_version"):
            raise BufferError("not here")
        Fills.n += 1
        mine = self.ring[self.n % len(self.ring)]
        theirs = consume_dlpack(self.array.__dlpack__(**arguments))
        self.last.append(theirs)
        if len(self.last) > len(self.ring):
            oldest = self.last.popleft()
            call(oldest.deleter, oldest)
        ctypes.memmove(ctypes.addressof(mine), ctypes.addressof(theirs), ctypes.sizeof(mine))
        mine.deleter = NOTHING
        return capsule(mine, "dltensor_versioned")


class OneStructure:
    """One structure for all; each export holds the object."""
    held = []
    gives_back = False

    def __init__(self):
        self.source = adicheck.tensor([1, 2, 3], "int32")
        theirs = consume_dlpack(self.source.__dlpack__(max_version=(1, 3)))
        self.managed = Versioned.from_buffer_copy(theirs)
        self.delete = DELETER(self.forget)
        self.managed.deleter = ctypes.cast(self.delete, ctypes.c_void_p).value

    def forget(self, _):
        if self.gives_back:
            self.held.remove(self)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or stream is not None or not max_version or dl_device not in (None, (1, 0)):
            raise BufferError("not here")
        self.held.append(self)
        return capsule(self.managed, "dltensor_versioned")


class OneStructureGivenBack(OneStructure):
    gives_back = True


class Arrays:
    """The reference's, whose release is another."""
    protocol, release = "arrow_c_array", None

    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32")

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.array.__arrow_c_array__(requested_schema)
        if self.release is not None:
            within(array).release = ctypes.cast(self.release, ctypes.c_void_p).value
        return schema, array


@DELETER
def forget_array(at):
    ArrowArray.from_address(at).release = None


class ArraysKept(Arrays):
    release = forget_array


class DeviceArraysKept:
    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32")

    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        schema, array = self.array.__arrow_c_device_array__(requested_schema, **keywords)
        within(array).array.release = ctypes.cast(forget_array, ctypes.c_void_p).value
        return schema, array


class Streams:
    release = None

    def __init__(self):
        self.stream = adicheck.stream([[1, None], [3]], "int32")

    def __arrow_c_stream__(self, requested_schema=None):
        made = self.stream.__arrow_c_stream__(requested_schema)
        if self.release is not None:
            within(made).release = ctypes.cast(self.release, ctypes.c_void_p).value
        return made


@DELETER
def forget_stream(at):
    ArrowArrayStream.from_address(at).release = None


class StreamsKept(Streams):
    release = forget_stream


LEAKING = [(NeverDeleted, TENSORS), (BlockKept, TENSORS), (SmallBlockKept, TENSORS),
           (OwnKept, TENSORS), (OneStructure, TENSORS), (ArraysKept, ARRAYS),
           (DeviceArraysKept, ARRAYS), (StreamsKept, ARRAYS)]
RIGHT = [Tensors, BlockFreed, Own, Records, RecordsItself, Late, OnAThread, Cyclic, Fills,
         OneStructureGivenBack, Arrays, Streams]
ASIDE = {"dlpack/data-misaligned", "dlpack/capsule-not-deleted", "dlpack/deleter-after-end"}


def shared(kind):
    """One object for all calls, which lives on."""
    made = kind()
    return lambda: made


@unittest.skipIf(SANITIZED or WEIGHED, "memory is weighed exactly, in each case")
class All(unittest.TestCase):
    """In a process of its own: in one that holds all that other tests have left the collector of
    cycles takes long, and what is left here is not to be deleted when that ends."""

    @unittest.skipIf(ALONE, "this is that process")
    def test_in_a_process_of_its_own(self):
        here = os.path.dirname(os.path.abspath(__file__))
        paths = [os.path.dirname(os.path.abspath(adicheck.__path__[0])), here]
        done = subprocess.run([sys.executable, "-m", "unittest", "test_leaks"], cwd=here, text=True,
                              capture_output=True,
                              env={**os.environ, "ADI_TEST_ALONE": "1",
                                   "PYTHONPATH": os.pathsep.join(paths)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"Ran \d+ tests")


@unittest.skipUnless(ALONE, "is played in a process of its own")
@unittest.skipIf(SANITIZED or WEIGHED, "memory is weighed exactly, in each case")
class AProducer(unittest.TestCase):
    def rules(self, make, **options):
        found = check_producer(make, devices="cpu", **options)
        return {finding.rule for finding in found} - ASIDE, found

    def found(self, make, rule, **options):
        """Where the machine is busy it may not be told: then it is asked again, and nothing else is
        said."""
        for _ in range(4):
            rules, found = self.rules(make, **options)
            if rule in rules:
                break
            self.assertEqual(rules, set(), found)
            self.assertFalse(any(rule in held for held in found._judged.values()))
        return rules, found

    def test_that_leaves_something_behind_is_found(self):
        for kind, rule in LEAKING:
            for make, isolate in (kind, False), (shared(kind), False), (kind, True):
                with self.subTest(kind.__name__, is_shared=make is not kind, isolate=isolate):
                    rules, found = self.found(make, rule, isolate=isolate)
                    self.assertEqual(rules, {rule}, found)
                    self.assertFalse(any(rule in held for held in found._judged.values()))
            _kept.clear()

    def test_that_gives_all_back_is_not_blamed(self):
        for kind in RIGHT:
            for make in kind, shared(kind):
                with self.subTest(kind.__name__, is_shared=make is not kind):
                    rules, found = self.rules(make)
                    self.assertEqual(rules, set(), str(found))
        OnAThread.stop()

    def test_is_told_what_is_left(self):
        seen = {kind: next(finding.seen for finding in self.found(kind, TENSORS)[1]
                           if finding.rule == TENSORS) for kind in (BlockKept, OneStructure)}
        self.assertRegex(seen[BlockKept], r"^(.*, )?10\d\d\d\d\d bytes$")
        self.assertRegex(seen[OneStructure], "^1 reference")

    def test_is_passed_where_it_was_judged_alone(self):
        def held(make, protocol):
            return TENSORS if TENSORS in self.rules(make)[1]._judged[protocol] else None
        self.assertEqual(held(Tensors, "dlpack"), TENSORS)
        self.assertIsNone(held(Records, "dlpack"))  # nobody knows whose it is

    def test_that_grows_by_other_things_is_not_blamed(self):
        texts = []

        class Grows(Tensors):
            def change(self, managed):
                import fractions  # noqa: F401
                sys.intern(f"name {len(texts)}")
                texts.append("x" * 2000)
        self.assertEqual(self.rules(Grows)[0], set())

    def test_is_left_as_it_was(self):
        gc.disable()
        try:
            check_producer(Tensors, devices="cpu")
            self.assertFalse(gc.isenabled())
        finally:
            gc.enable()
        check_producer(Tensors, devices="cpu")
        self.assertTrue(gc.isenabled())

    def test_that_is_slow_is_not_judged(self):
        class Slow(NeverDeleted):
            def change(self, managed):
                time.sleep(0.12)
                super().change(managed)
        rules, found = self.rules(Slow)
        self.assertEqual(rules, set())
        self.assertNotIn(TENSORS, found._judged["dlpack"])

    def test_that_refuses_the_next_is_not_blamed(self):
        class Few(Tensors):
            n = 0

            def change(self, managed):
                self.n += 1
                if self.n > 20:
                    raise BufferError("no more")
        self.assertEqual(self.rules(Few)[0], set())


def in_a_cycle(held):
    cycle = [held]
    cycle.append(cycle)
    return held


class InACycle:
    """What it exports is held until cycles are collected."""

    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        made = adicheck.array([1, 2], "int32", device="cuda:0")
        return in_a_cycle(made).__arrow_c_device_array__(requested_schema, **keywords)


@unittest.skipUnless("cuda:0" in adicheck.devices(), "there is no device of CUDA")
class MemoryOfADevice(unittest.TestCase):
    def test_that_cycles_hold_is_not_left_behind(self):
        for collects in True, False:
            with self.subTest(collects=collects):
                self.addCleanup(gc.enable)
                (gc.enable if collects else gc.disable)()
                found = check_producer(InACycle, devices="cuda:0")
                self.assertNotIn(ARRAYS, {finding.rule for finding in found}, found)
                self.assertEqual(gc.isenabled(), collects)
                found = check_consumer(lambda obj: in_a_cycle(adicheck.from_dlpack(obj)),
                                       protocols="dlpack", devices="cuda:0", cases="int32/many/*")
                self.assertNotIn(TENSORS, {finding.rule for finding in found}, found)

    def test_that_is_held_for_ever_is_left_behind(self):
        class Keeps(InACycle):
            def __arrow_c_device_array__(self, requested_schema=None, **keywords):
                _kept.append(adicheck.array([1, 2], "int32", device="cuda:0"))
                return _kept[-1].__arrow_c_device_array__(requested_schema, **keywords)
        found = check_producer(Keeps, devices="cuda:0")
        self.assertIn(ARRAYS, {finding.rule for finding in found}, found)


class AConsumer(unittest.TestCase):
    def test_is_not_said_to_lose_nothing(self):
        found = check_consumer(adicheck.from_dlpack, protocols="dlpack", devices="cpu",
                               cases="int32/many/*")
        self.assertNotIn(TENSORS, found._judged["dlpack"])
        self.assertEqual(TENSORS in found._unreached, not WEIGHED)


if __name__ == "__main__":
    unittest.main()
