# SPDX-License-Identifier: Apache-2.0
"""What a consumer does with streams that are watched, and with what comes out of them."""

import threading
import unittest

import adicheck
import support


def rules(watched):
    return [finding.rule for finding in watched.finish()]


class Streamed:
    """What a consumer does with a stream by hand, through the callbacks of its structure."""

    def __init__(self, watched, name):
        self.is_device = name == "arrow_c_device_stream"
        self.capsule = getattr(watched, f"__{name}__")()
        self.stream = support.within(self.capsule)
        self._chunk = support.ArrowDeviceArray if self.is_device else support.ArrowArray

    def _call(self, member, result, *arguments):
        kinds = [support.c_void_p] * (1 + len(arguments))
        callback = support.CFUNCTYPE(result, *kinds)(getattr(self.stream, member))
        return callback(*map(support.ctypes.addressof, (self.stream, *arguments)))

    def schema(self):
        out = support.ArrowSchema()
        return self._call("get_schema", support.c_int, out), out

    def next(self):
        out = self._chunk()
        code = self._call("get_next", support.c_int, out)
        return code, out.array if self.is_device else out

    def error(self):
        return self._call("get_last_error", support.c_char_p)

    def release(self):
        self._call("release", None)


def release(structure):
    support.call(structure.release, structure)


class Failing:
    """A stream whose source fails behind its first chunk."""

    def __init__(self):
        self.whole = adicheck.stream([[1, 2], [3]], "int32")
        self.asked = 0

    def _show(self, name):
        capsule = getattr(self.whole, f"__{name}__")()
        stream = support.within(capsule)
        kind = support.CFUNCTYPE(support.c_int, support.c_void_p, support.c_void_p)
        get_next = kind(stream.get_next)

        def fail(self_, out):
            self.asked += 1
            return get_next(self_, out) if self.asked == 1 else 5
        self.kept = kind(fail)
        stream.get_next = support.cast(self.kept, support.c_void_p)
        return capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self._show("arrow_c_stream")

    def __arrow_c_device_stream__(self, requested_schema=None, **_):
        return self._show("arrow_c_device_stream")


class AStream(unittest.TestCase):
    NAMES = "arrow_c_stream", "arrow_c_device_stream"

    def go(self, does, wanted, make=lambda: adicheck.stream([[1, 2], [3]], "int32")):
        """What `does` does with a stream, and the rules that are broken by it."""
        for name in self.NAMES:
            with self.subTest(name):
                watched = adicheck.watch(make(), protocols=name)
                streamed = Streamed(watched, name)
                kept = does(streamed)
                found = watched.finish()
                self.assertEqual(sorted({finding.rule for finding in found}), sorted(wanted), found)
                self.assertLessEqual({finding.party for finding in found}, {"consumer"})
                for structure in kept or ():
                    release(structure)

    def test_that_is_used_as_it_should_be_is_not_blamed(self):
        for name in self.NAMES:
            for chunks in [], [[1, 2], [3]], [[i] for i in range(300)]:
                with self.subTest(name, chunks=len(chunks)):
                    stream = adicheck.stream(chunks, "int32")
                    with adicheck.watch(stream, protocols=name) as watched:
                        self.assertEqual(adicheck.from_arrow(watched).to_pylist(), sum(chunks, []))
                    self.assertEqual(watched.findings, [])

    def test_that_nobody_took_is_not_blamed(self):
        for name in self.NAMES:
            watched = adicheck.watch(adicheck.stream([[1]]), protocols=name)
            getattr(watched, f"__{name}__")()
            self.assertEqual(rules(watched), [])

    def test_of_a_device_is_not_blamed(self):
        stream = adicheck.stream([[1, 2], [3]], "int32", device="cuda:0")
        with adicheck.watch(stream) as watched:
            self.assertEqual(adicheck.from_arrow(watched).to_pylist(), [1, 2, 3])
        self.assertEqual(watched.findings, [])

    def test_may_be_left_early_and_outlived_by_what_came_of_it(self):
        def leaves(streamed):
            _, schema = streamed.schema()
            code, chunk = streamed.next()
            self.assertEqual(code, 0)
            streamed.release()
            self.assertIsNone(streamed.stream.release)
            self.assertEqual(support.cast(chunk.buffers[1], support.POINTER(support.c_int32))[1], 2)
            release(chunk)
            release(schema)
        self.go(leaves, [])

    def test_may_be_read_by_who_knows_its_schema(self):
        def knows(streamed):
            for _ in range(2):
                release(streamed.next()[1])
            self.assertIsNone(streamed.next()[1].release)
            streamed.release()
        self.go(knows, [])

    def test_may_be_moved(self):
        def moves(streamed):
            moved = type(streamed.stream).from_buffer_copy(streamed.stream)
            streamed.stream.release = None
            streamed.stream = moved
            release(streamed.next()[1])
            streamed.release()
        self.go(moves, [])

    def test_that_fails_may_be_asked_why(self):
        def asks(streamed):
            release(streamed.next()[1])
            self.assertEqual(streamed.next()[0], 5)
            streamed.error()
            streamed.release()
        self.go(asks, [], Failing)

    def test_that_is_never_released_is_found(self):
        def keeps(streamed):
            moved = type(streamed.stream).from_buffer_copy(streamed.stream)
            streamed.stream.release = None
            return [moved]
        self.go(keeps, ["life/never-released"])

    def test_whose_chunk_is_never_released_is_found(self):
        def keeps(streamed):
            _, chunk = streamed.next()
            streamed.release()
            return [chunk]
        self.go(keeps, ["life/never-released"])

    def test_whose_schema_is_never_released_is_found(self):
        def keeps(streamed):
            _, schema = streamed.schema()
            streamed.release()
            return [schema]
        self.go(keeps, ["life/never-released"])

    def test_that_is_released_twice_is_found(self):
        def releases(streamed):
            again = type(streamed.stream).from_buffer_copy(streamed.stream)
            streamed.release()
            release(again)
        self.go(releases, ["life/release-twice"])

    def test_whose_chunk_is_released_twice_is_found(self):
        def releases(streamed):
            _, chunk = streamed.next()
            again = type(chunk).from_buffer_copy(chunk)
            release(chunk)
            release(again)
            streamed.release()
        self.go(releases, ["life/release-twice"])

    def test_that_is_used_after_it_was_released_is_found(self):
        for use in "schema", "next", "error":
            def uses(streamed):
                before = type(streamed.stream).from_buffer_copy(streamed.stream)
                streamed.release()
                streamed.stream = before
                self.assertIn(getattr(streamed, use)(), (None,)) if use == "error" else \
                    self.assertNotEqual(getattr(streamed, use)()[0], 0)
            with self.subTest(use):
                self.go(uses, ["life/use-after-release"])

    def test_that_is_asked_for_an_error_where_there_is_none_is_found(self):
        def asks(streamed):
            release(streamed.next()[1])
            streamed.error()
            streamed.release()
        self.go(asks, ["stream/error-asked-without-error"])

    def test_that_is_asked_for_more_behind_its_end_is_found(self):
        def asks(streamed):
            for _ in range(2):
                release(streamed.next()[1])
            streamed.next(), streamed.next()
            streamed.release()
        self.go(asks, ["stream/next-after-end"])

    def test_whose_chunk_was_written_to_is_found(self):
        def writes(streamed):
            _, chunk = streamed.next()
            support.ctypes.memset(chunk.buffers[1], 0xA5, 4)
            release(chunk)
            streamed.release()
        self.go(writes, ["array/buffer-mutated"])

    def test_whose_members_were_changed_is_found(self):
        def changes(streamed):
            streamed.stream.private_data = 4096
            streamed.release()
        self.go(changes, ["life/private-data-touched"])

    def test_is_called_by_one_thread_at_a_time(self):
        entered, goes_on = threading.Event(), threading.Event()

        class Slow(Failing):
            def _show(self, name):
                capsule = super()._show(name)
                stream = support.within(capsule)
                first = support.CFUNCTYPE(support.c_int, support.c_void_p, support.c_void_p)(
                    stream.get_next)

                def wait(self_, out):
                    entered.set()
                    goes_on.wait()
                    return first(self_, out)
                self.slow = type(first)(wait)
                stream.get_next = support.cast(self.slow, support.c_void_p)
                return capsule

        def overlaps(streamed):
            entered.clear(), goes_on.clear()
            chunks = []
            thread = threading.Thread(target=lambda: chunks.append(streamed.next()[1]))
            thread.start()
            entered.wait()
            release(streamed.schema()[1])
            goes_on.set()
            thread.join()
            release(chunks[0])
            streamed.release()
        self.go(overlaps, ["stream/calls-overlap"], Slow)

    def test_goes_on_silently_when_its_watch_has_ended(self):
        for name in self.NAMES:
            watched = adicheck.watch(adicheck.stream([[1], [2], [3]], "int32"), protocols=name)
            streamed = Streamed(watched, name)
            _, first = streamed.next()
            self.assertEqual(set(rules(watched)), {"life/never-released"})
            _, second = streamed.next()
            for structure in first, second:
                release(structure)
            again = type(streamed.stream).from_buffer_copy(streamed.stream)
            streamed.release()
            release(again)
            self.assertIsNone(again.release)
            self.assertEqual(set(rules(watched)), {"life/never-released"})

    def test_hands_on_a_chunk_that_is_not_sound(self):
        class Spoiled(Failing):
            def _show(self, name):
                capsule = super()._show(name)
                stream = support.within(capsule)
                kind = support.CFUNCTYPE(support.c_int, support.c_void_p, support.c_void_p)
                get_next = kind(stream.get_next)

                def spoil(self_, out):
                    code = get_next(self_, out)
                    support.ArrowArray.from_address(out).null_count = 2
                    return code
                self.spoil = kind(spoil)
                stream.get_next = support.cast(self.spoil, support.c_void_p)
                return capsule

        def writes(streamed):
            _, chunk = streamed.next()
            support.ctypes.memset(chunk.buffers[1], 0xA5, 4)
            release(chunk)
            streamed.release()
        self.go(writes, [], Spoiled)

    def test_that_is_no_whole_stream_is_not_watched(self):
        for member in "get_schema", "get_next", "get_last_error", "release":
            for name in self.NAMES:
                capsule = getattr(adicheck.stream([[1]]), f"__{name}__")()
                stream = support.within(capsule)
                before = getattr(stream, member)
                setattr(stream, member, None)
                watched = adicheck.watch(support.Shows(**{name: lambda *_: capsule}))
                with self.subTest(name, member=member), self.assertRaises(ValueError):
                    getattr(watched, f"__{name}__")()
                setattr(stream, member, before)


if __name__ == "__main__":
    unittest.main()
