# SPDX-License-Identifier: Apache-2.0
"""Nothing is lost, from whatever thread it is given back, and while the interpreter shuts down."""

import gc
import os
import subprocess
import sys
import threading
import unittest

import adicheck
from adicheck import _core
from support import SANITIZED, Numbers, consume_dlpack, on_thread, within

# So many with a sanitizer, too, in `make test-full`.
MANY = 5000 if SANITIZED and "ADI_TEST_FULL" not in os.environ else 100_000


def run(program):
    """A program of its own, whose heap is malloc's alone. What it says."""
    header = "import ctypes, gc, sys\nimport adicheck\nfrom adicheck import _core\n" \
             "from support import *\n"
    environment = {**os.environ, "PYTHONMALLOC": "malloc",
                   "PYTHONPATH": os.pathsep.join([os.path.dirname(adicheck.__path__[0]),
                                                  os.path.dirname(__file__)])}
    done = subprocess.run([sys.executable, "-c", header + program], capture_output=True, text=True,
                          env=environment, timeout=3000)
    return done.returncode, done.stdout, done.stderr


# What is done, and what it is done with.
LOOPS = {
    "arrow": ("x = adicheck.array([{'a': 'b', 'c': [1]}])", "adicheck.from_arrow(x)"),
    "arrow-unconsumed": ("x = adicheck.array([1])",
                         "x.__arrow_c_array__(); x.__arrow_c_device_array__()"),
    "arrow-requested": ("x = adicheck.array([1]); s = adicheck.schema('l')",
                        "adicheck.from_arrow(x, s)"),
    "stream": ("x = adicheck.stream([[1], [2]])", "adicheck.from_arrow(x)"),
    "stream-unconsumed": ("x = adicheck.stream([[1]])",
                          "x.__arrow_c_stream__(); x.__arrow_c_device_stream__()"),
    "dlpack": ("x = adicheck.tensor([[1, 2]])", "adicheck.from_dlpack(x)"),
    "dlpack-copied": ("x = adicheck.tensor([1])", "adicheck.from_dlpack(x, copy=True)"),
    "dlpack-unconsumed": ("x = adicheck.array([1])",
                          "x.__dlpack__(); x.__dlpack__(max_version=(1, 3))"),
    "dlpack-refused": ("x = adicheck.array([1, None], protocols='dlpack')",
                       "try:\n            x.__dlpack__()\n"
                       "        except BufferError:\n            pass"),
    "exchange": ("x = adicheck.tensor([1], protocols='dlpack_c_exchange_api')",
                 "adicheck.from_dlpack(x)"),
    "exchange-lent": ("import exchange, support; x = adicheck.tensor([1]); "
                      "borrow = exchange.function(exchange.REFERENCE, 'borrow')",
                      "borrow(x, support.DLTensor())"),
    "watched": ("x = adicheck.tensor([1])",
                "with adicheck.watch(x) as w: adicheck.from_dlpack(w)"),
    "watched-arrow": ("x = adicheck.array([{'a': 'b', 'c': [1]}])",
                      "with adicheck.watch(x) as w: adicheck.from_arrow(w)"),
    "watched-stream": ("x = adicheck.stream([['a'], ['b']])",
                       "with adicheck.watch(x) as w: adicheck.from_arrow(w)"),
    "watched-buffer": ("x = adicheck.tensor([[1, 2]])",
                       "with adicheck.watch(x) as w: memoryview(w).release()"),
    "buffer": ("x = adicheck.tensor([[1, 2]])", "memoryview(x); x.__array_interface__"),
}
ON_CUDA = {
    "cuda": ("x = adicheck.array([1], device='cuda:0')", "adicheck.as_cuda_array(x)"),
    "cuda-refused": ("x = adicheck.array([1], device='cuda:0'); d = x.__cuda_array_interface__",
                     "try:\n            adicheck.from_cuda_array_interface({**d, 'stream': 0}, x)\n"
                     "        except ValueError:\n            pass"),
    "cuda-dlpack": ("x = adicheck.tensor([1], device='cuda:0')", "adicheck.from_dlpack(x)"),
    "cuda-arrow": ("x = adicheck.array([1], device='cuda:0')", "adicheck.from_arrow(x)"),
}

LOOP = """
{set_up}
def loop(times):
    for _ in range(times):
        {body}
    gc.collect()
    return heap_in_use(), _core.live()
loop(1000)
before = loop(1000)
after = loop({times})
print(after[0] - before[0], after[1] - before[1])
"""


class Loops(unittest.TestCase):
    def go(self, loops, times):
        for name, (set_up, body) in loops.items():
            with self.subTest(name):
                code, said, error = run(LOOP.format(set_up=set_up, body=body, times=times))
                self.assertEqual((code, error), (0, ""))
                heap, live = map(int, said.split())
                self.assertEqual(live, 0)
                self.assertLess(heap, 4 * times)  # a block of malloc's has 16 bytes at least

    def test_exports_and_imports_lose_nothing(self):
        self.go(LOOPS, MANY)

    def test_those_of_a_device_lose_nothing(self):
        self.go(ON_CUDA, 2000)

    def test_a_loss_is_seen(self):
        _, said, _ = run(LOOP.format(set_up="x = adicheck.array([1]); kept = []", times=2000,
                                     body="kept.append(x.__arrow_c_array__())"))
        heap, _ = map(int, said.split())
        self.assertGreater(heap, 2000)
        code, said, _ = run(LOOP.format(
            set_up="x = adicheck.array([1])", times=2000,
            body="s, a = x.__arrow_c_array__(); within(a).release = None"))
        self.assertGreater(int(said.split()[0]), 2000)


class Threads(unittest.TestCase):
    def test_an_owner_is_given_up_on_another_thread(self):
        class Owner:
            pass

        x = adicheck.array([1, 2], "int32", device="cuda:0")
        owner = Owner()
        references = sys.getrefcount(owner)
        y = adicheck.from_cuda_array_interface(x.__cuda_array_interface__, owner)
        _, array = y.__arrow_c_device_array__()
        taken = type(within(array)).from_buffer_copy(within(array))
        within(array).array.release = None
        del y, array
        self.assertEqual(sys.getrefcount(owner), references + 1)
        on_thread(taken.array.release, taken)
        self.assertEqual(sys.getrefcount(owner), references)

    def test_many_threads_at_once(self):
        tensor, array = adicheck.tensor([1, 2]), adicheck.array([1, 2], device="cuda:0")
        gc.collect()
        live, failures = _core.live(), []

        def work():
            try:
                for _ in range(100):
                    adicheck.from_dlpack(tensor)
                    adicheck.from_arrow(array)
                    adicheck.as_cuda_array(array)
                    adicheck.from_dlpack(adicheck.from_dlpack(array), device="cpu")
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gc.collect()
        self.assertEqual((failures, _core.live() - live), ([], 0))

    def test_a_deleter_that_needs_the_gil_on_another_thread(self):
        x = Numbers()
        capsule = adicheck.from_dlpack(x).__dlpack__(max_version=(1, 3))
        managed = consume_dlpack(capsule)
        on_thread(managed.deleter, managed)
        self.assertEqual(x.deleted, 1)


# A C library that gives back what it holds when the process ends, behind the interpreter's end.
AT_EXIT = """
libc = ctypes.CDLL(None)
libc.__cxa_atexit.argtypes = [ctypes.c_void_p] * 3
def at_exit(function, structure):
    libc.__cxa_atexit(function, ctypes.addressof(structure), None)
"""


class Shutdown(unittest.TestCase):
    def expect(self, program):
        code, said, error = run(AT_EXIT + program + "\nprint('end')")
        self.assertEqual((code, said, error), (0, "end\n", ""))

    def test_objects_that_live_to_the_end(self):
        self.expect("""
kept = [adicheck.array([1]), adicheck.tensor([1]), adicheck.stream([[1]]), adicheck.schema("i"),
        adicheck.array([1], device="cuda:0"), memoryview(adicheck.tensor([1]))]
kept += [kept[0].__arrow_c_array__(), kept[1].__dlpack__(), kept[4].__arrow_c_device_array__(),
         adicheck.as_cuda_array(kept[4]), kept[2].__arrow_c_stream__()]
kept.append(kept)
sys.kept = kept
""")

    def test_deleters_behind_the_end(self):
        self.expect("""
tensor = consume_dlpack(adicheck.tensor([1]).__dlpack__(max_version=(1, 3)))
at_exit(tensor.deleter, tensor)
_, capsule = adicheck.array(["a"]).__arrow_c_array__()
array = ArrowArray.from_buffer_copy(within(capsule))
within(capsule).release = None
ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
at_exit(array.release, array)
""")

    def test_an_owner_behind_the_end(self):
        self.expect("""
x = adicheck.array([1], "int32", device="cuda:0")
y = adicheck.from_cuda_array_interface(x.__cuda_array_interface__, x)
_, capsule = y.__arrow_c_device_array__()
array = ArrowDeviceArray.from_buffer_copy(within(capsule))
within(capsule).array.release = None
ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
at_exit(array.array.release, array)
del x, y
""")

    def test_owners_given_up_while_the_interpreter_ends(self):
        self.expect("""
import threading
x = adicheck.array([1], "int32", device="cuda:0")
said = x.__cuda_array_interface__
def work():
    while True:
        _, capsule = adicheck.from_cuda_array_interface(said, object()).__arrow_c_device_array__()
        array = ArrowDeviceArray.from_buffer_copy(within(capsule))
        within(capsule).array.release = None
        call(array.array.release, array)
threading.Thread(target=work, daemon=True).start()
import time
time.sleep(0.05)
""")


if __name__ == "__main__":
    unittest.main()
