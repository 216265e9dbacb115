# SPDX-License-Identifier: Apache-2.0
"""What programs do with AMD's hip-python, each as it should be and with the waiting taken out. It
loads the first libamdhip64.so that there is.

    with_hip_python.py CASE right|wrong      with_hip_python.py list
"""

import ctypes
import sys

from hip import hip

BYTES = 4096
NON_BLOCKING, NO_TIMES, GLOBAL = 1, 2, 1
TO_DEVICE, TO_HOST, ANY = (hip.hipMemcpyKind.hipMemcpyHostToDevice,
                           hip.hipMemcpyKind.hipMemcpyDeviceToHost,
                           hip.hipMemcpyKind.hipMemcpyDefault)


def call(function, *arguments):
    """Its results without the code, which has to be that of success."""
    answer = function(*arguments)
    code, *results = answer if isinstance(answer, tuple) else (answer,)
    assert code == hip.hipError_t.hipSuccess, (function.__name__, code)
    return results[0] if len(results) == 1 else results


class Scene:
    """Two streams that do not block, an event, memory of each kind."""

    def __init__(self):
        call(hip.hipInit, 0)
        assert call(hip.hipGetDeviceCount) == 2
        self.s = call(hip.hipStreamCreateWithFlags, NON_BLOCKING)
        self.t = call(hip.hipStreamCreateWithFlags, NON_BLOCKING)
        self.event = call(hip.hipEventCreateWithFlags, NO_TIMES)
        self.memory, self.other = call(hip.hipMalloc, BYTES), call(hip.hipMalloc, BYTES)
        self.pinned, self.out = call(hip.hipHostMalloc, BYTES, 0), call(hip.hipHostMalloc, BYTES, 0)
        ctypes.memset(int(self.pinned), 7, BYTES)
        ctypes.memset(int(self.out), 0, BYTES)

    def close(self):
        call(hip.hipDeviceSynchronize)
        for memory in self.memory, self.other:
            call(hip.hipFree, memory)
        for memory in self.pinned, self.out:
            call(hip.hipHostFree, memory)
        call(hip.hipEventDestroy, self.event)
        call(hip.hipStreamDestroy, self.s)
        call(hip.hipStreamDestroy, self.t)

    def copy_in(self, stream):
        call(hip.hipMemcpyAsync, self.memory, self.pinned, BYTES, TO_DEVICE, stream)

    def copy_out(self, stream, memory=None):
        call(hip.hipMemcpyAsync, self.out, memory or self.memory, BYTES, TO_HOST, stream)

    def value(self):
        """The last byte that has come out."""
        return ctypes.string_at(int(self.out), BYTES)[BYTES - 1]


def ordered_by_event(on, wait):
    on.copy_in(on.s)
    call(hip.hipEventRecord, on.event, on.s)
    if wait:
        call(hip.hipStreamWaitEvent, on.t, on.event, 0)
    on.copy_out(on.t)
    call(hip.hipStreamSynchronize, on.t)
    return on.value()


def waited_by_host(on, wait):
    on.copy_in(on.s)
    on.copy_out(on.s)
    if wait:
        call(hip.hipStreamSynchronize, on.s)
    return on.value()


def waited_by_event(on, wait):
    on.copy_in(on.s)
    on.copy_out(on.s)
    call(hip.hipEventRecord, on.event, on.s)
    if wait:
        call(hip.hipEventSynchronize, on.event)
    return on.value()


def polled(on, wait):
    on.copy_in(on.s)
    on.copy_out(on.s)
    call(hip.hipEventRecord, on.event, on.s)
    while wait and hip.hipEventQuery(on.event)[0] == hip.hipError_t.hipErrorNotReady:
        pass
    return on.value()


def behind_stream_0(on, wait):
    """A stream that does not block is in no order with it."""
    call(hip.hipMemsetAsync, on.memory, 7, BYTES, None)
    if wait:
        call(hip.hipStreamSynchronize, None)
    on.copy_out(on.t)
    call(hip.hipStreamSynchronize, on.t)
    return on.value()


def by_a_blocking_stream(on, wait):
    """One that blocks is in order with stream 0 by itself."""
    stream = call(hip.hipStreamCreateWithFlags, 0 if wait else NON_BLOCKING)
    call(hip.hipMemsetAsync, on.memory, 7, BYTES, None)
    on.copy_out(stream)
    call(hip.hipStreamSynchronize, stream)
    call(hip.hipStreamDestroy, stream)
    return on.value()


def waited_by_free(on, wait):
    """hipFree waits for the whole device."""
    scratch = call(hip.hipMalloc, BYTES)
    on.copy_in(on.s)
    on.copy_out(on.s)
    if wait:
        call(hip.hipFree, scratch)
    value = on.value()
    if not wait:
        call(hip.hipFree, scratch)
    return value


def freed_in_order(on, wait):
    memory = call(hip.hipMallocAsync, BYTES, on.s)
    call(hip.hipMemsetAsync, memory, 7, BYTES, on.s)
    on.copy_out(on.s, memory)
    call(hip.hipFreeAsync, memory, on.s if wait else on.t)
    call(hip.hipStreamSynchronize, on.s)
    return on.value()


def managed(on, wait):
    memory = call(hip.hipMallocManaged, BYTES, GLOBAL)
    call(hip.hipMemsetAsync, memory, 7, BYTES, on.s)
    if wait:
        call(hip.hipStreamSynchronize, on.s)
    value = ctypes.string_at(int(memory), BYTES)[0]
    call(hip.hipFree, memory)
    return value


def between_devices(on, wait):
    call(hip.hipSetDevice, 1)
    there = call(hip.hipMalloc, BYTES)
    on.copy_in(on.s)
    call(hip.hipMemcpyPeerAsync, there, 1, on.memory, 0, BYTES, on.s)
    call(hip.hipSetDevice, 0)
    if wait:
        call(hip.hipStreamSynchronize, on.s)
    on.copy_out(on.t, there)
    call(hip.hipStreamSynchronize, on.t)
    call(hip.hipFree, there)
    return on.value()


def told_by_host_function(on, wait):
    """A function of libc's tells the program what stands before it in its stream."""
    libc, told = ctypes.CDLL(None), (ctypes.c_char * 64)()
    libc.sem_init(told, 0, 0)
    address = ctypes.cast(libc.sem_post, ctypes.c_void_p).value
    function = hip.hipHostFn_t.fromObj(address)
    on.copy_in(on.s)
    if not wait:
        call(hip.hipLaunchHostFunc, on.s, function, ctypes.addressof(told))
    on.copy_out(on.s)
    if wait:
        call(hip.hipLaunchHostFunc, on.s, function, ctypes.addressof(told))
    libc.sem_wait(told)
    return on.value()


# The violation that is reported without the waiting.
CASES = {
    ordered_by_event: "race",
    waited_by_host: "touched-before-wait",
    waited_by_event: "touched-before-wait",
    polled: "touched-before-wait",
    behind_stream_0: "race",
    by_a_blocking_stream: "race",
    waited_by_free: "touched-before-wait",
    freed_in_order: "freed-in-use",
    managed: "touched-before-wait",
    between_devices: "race",
    told_by_host_function: "touched-before-wait",
}


def main(name, way="right"):
    if name == "list":
        for case, violation in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == name)
    on = Scene()
    value = case(on, way == "right")
    assert way == "wrong" or value == 7, (name, value)
    on.close()


main(*sys.argv[1:])
