# SPDX-License-Identifier: Apache-2.0
"""What is no verdict: refusals, mistakes of whoever judges, and judging nothing."""

import array
import os
import signal
import sys
import time
import unittest

import adicheck
import defects
import support
from adicheck import check_consumer, check_producer

CUDA = "cuda:1" in adicheck.devices()
ISOLATED = (False, True)


class NoStream:
    def __arrow_c_stream__(self, requested_schema=None):
        return None


class OfAnotherType:
    __dlpack_c_exchange_api__ = type(adicheck.tensor([1], "int32")).__dlpack_c_exchange_api__


class RefusesDLPack:
    """It has texts, say, and a method for what has none."""

    def __init__(self, error=BufferError("no texts")):
        self._shown, self._error = adicheck.array([1, 2], "int32"), error
        self.__array_interface__ = self._shown.__array_interface__

    def __arrow_c_array__(self, requested_schema=None):
        return self._shown.__arrow_c_array__(requested_schema)

    def __dlpack__(self, **arguments):
        raise self._error

    def __dlpack_device__(self):
        return 1, 0


class Raises:
    """An object of one method, which raises this."""

    def __init__(self, protocol, error):
        self.error = error
        setattr(self, f"__{protocol}__", self.ask)
        if protocol == "dlpack":
            self.__dlpack_device__ = lambda: (1, 0)

    def ask(self, *_, **__):
        raise self.error


class Elsewhere(Raises):
    """And so does __dlpack_device__."""

    def __init__(self, error):
        super().__init__("dlpack", error)
        self.__dlpack_device__ = self.ask


class OnMetalAlone:
    """Refuses to be asked for another device, by a TypeError that is about something else."""

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, *, dl_device=None, **keywords):
        raise TypeError("no tensor")


class OneProtocol(unittest.TestCase):
    def test_that_raises_at_once_raises_that(self):
        for error in (ValueError, TypeError, BufferError, RuntimeError, NotImplementedError,
                      LookupError, NameError):
            for make in (*(lambda protocol=protocol: Raises(protocol, error("not mine"))
                           for protocol in ("arrow_c_array", "arrow_c_device_array",
                                            "arrow_c_stream", "arrow_c_device_stream")),
                         lambda: Elsewhere(error("not mine"))):
                for isolate in ISOLATED:
                    with self.subTest(error, isolate=isolate), \
                            self.assertRaisesRegex(error, "^'?not mine'?$") as caught:
                        check_producer(make, devices="cpu", isolate=isolate)
                    self.assertIs(type(caught.exception), error)

    def test_that_is_a_dictionary_raises_that(self):
        class Dictionary:
            @property
            def __array_interface__(self):
                raise ValueError("not mine")
        for isolate in ISOLATED:
            with self.subTest(isolate=isolate), self.assertRaisesRegex(ValueError, "^not mine$"):
                check_producer(Dictionary, protocols="array_interface", devices="cpu",
                               isolate=isolate)

    # AAX-27: which exception that is is judged, and nothing else is.
    def test_that_refuses_tensors_is_told_of_that_alone(self):
        for error in ValueError, TypeError:
            for isolate in ISOLATED:
                found = check_producer(lambda: Raises("dlpack", error("not mine")), devices="cpu",
                                       isolate=isolate)
                self.assertEqual([(finding.rule, finding.verdict) for finding in found],
                                 [("array-api/export-exception-differs", "warn")])
                self.assertIn(f"all was refused: {error.__name__}: not mine", found.undecided)

    def test_whose_type_error_is_about_something_else_raises_it(self):
        for options in {}, {"copy": False}, {"copy": True}:
            with self.subTest(options), self.assertRaisesRegex(TypeError, "^no tensor$"):
                adicheck.from_dlpack(OnMetalAlone(), **options)
        if CUDA:
            with self.assertRaisesRegex(TypeError, "^no tensor$"):
                adicheck.from_dlpack(OnMetalAlone(), device="cuda:0")
        old = defects.OldKeywords()
        self.assertEqual(adicheck.from_dlpack(old).to_pylist(), adicheck.from_dlpack(
            old, copy=True).to_pylist())
        with self.assertRaisesRegex(BufferError, "does not know copy"):
            adicheck.from_dlpack(old, copy=False)

    def test_that_is_refused_leaves_the_others(self):
        alone = sum(check_producer(RefusesDLPack, protocols=protocol).counts["pass"]
                    for protocol in ("arrow_c_array", "array_interface"))
        for isolate in ISOLATED if not adicheck._core.is_opened() else (False,):
            for protocols in None, ("dlpack", "arrow_c_array", "array_interface"):
                with self.subTest(protocols, isolate=isolate):
                    found = check_producer(RefusesDLPack, protocols=protocols, isolate=isolate)
                    self.assertEqual((list(found), found.conformant), ([], True))
                    self.assertEqual(found.counts, {"unsupported": 1, "pass": alone})
                    self.assertEqual(list(found.refusals.values()), [1])
                    self.assertIn("BufferError: no texts", str(found.refusals))

    def test_that_is_refused_and_the_only_one_is_raised(self):
        for protocols in "dlpack", ("dlpack", "dlpack"):
            with self.subTest(protocols), self.assertRaisesRegex(BufferError, "no texts"):
                check_producer(RefusesDLPack, protocols=protocols)

    def test_that_is_wrong_is_no_refusal(self):
        for error in NameError, AssertionError, KeyboardInterrupt:
            with self.subTest(error), self.assertRaisesRegex(error, "not mine"):
                check_producer(lambda: RefusesDLPack(error("not mine")))

        def make():
            if made:
                raise LookupError("lost")
            made.append(True)
            return RefusesDLPack()
        made = []
        with self.assertRaisesRegex(LookupError, "lost"):
            check_producer(make)

    def test_is_not_judged_by_what_is_not_there(self):
        for options in {"known": "/not/there"}, {"profile": "none"}:
            with self.subTest(options), self.assertRaises((OSError, ValueError)):
                check_producer(RefusesDLPack, **options)


class Nothing(unittest.TestCase):
    def test_passed_and_some_refused_is_undecided(self):
        for make, options in ((NoStream, {}), (OfAnotherType, {"protocols":
                                                               "dlpack_c_exchange_api"})):
            with self.subTest(make.__name__):
                found = check_producer(make, **options)
                self.assertNotIn("pass", found.counts)
                self.assertFalse(found.conformant)
                self.assertRegex(found.undecided, "^nothing could be judged: all was refused: ")
                self.assertIn(found.undecided, str(found))
                self.assertTrue(found)

    def test_but_advice_is_conformant(self):
        found = check_producer(defects.KeywordRefused)
        self.assertEqual((found.undecided, found.conformant), ("", True))
        self.assertTrue(found)

    def test_says_what_the_first_refusal_was(self):
        with self.assertRaisesRegex(ValueError, "all was refused: AttributeError: .*'nonexistent'"):
            check_consumer(lambda obj: obj.nonexistent, protocols="dlpack")
        with self.assertRaisesRegex(ValueError, "all was refused: TypeError: .*'more'"):
            check_consumer(lambda obj, more: None, protocols="buffer")

    def test_of_no_case_is_judged(self):
        with self.assertRaisesRegex(ValueError, "nothing could be judged"):
            check_consumer(adicheck.from_arrow, protocols="arrow_c_array", cases="nonesuch/*")


def misnames(obj):
    taken = adicheck.from_arrow(obj)
    if taken.type.format != "i":
        return unknown  # noqa: F821
    return taken


def asserts(obj):
    taken = adicheck.from_arrow(obj)
    assert taken.type.format == "i"
    return taken


def refuses(error):
    def use(obj):
        taken = adicheck.from_arrow(obj)
        if taken.type.format != "i":
            raise error("not mine")
        return taken
    return use


def somebody_asserts(obj):
    taken = adicheck.from_arrow(obj)
    exec(compile("assert taken.type.format == 'i'", "elsewhere.py", "exec"), {"taken": taken})
    return taken


SOME = {"protocols": "arrow_c_array", "cases": "@(int32|utf8)/many/consume", "devices": "cpu"}


class Copies:
    """Refuses to copy, in this way."""

    def __init__(self, error):
        self.tensor, self.error = adicheck.tensor([1, 2], "int32"), error

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, *, copy=None, **keywords):
        if copy:
            raise self.error("not mine")
        return self.tensor.__dlpack__(**keywords)


def without_attribute(words):
    return unittest.nonesuch


class Odd:
    """Raises where it is asked for what is odd."""

    def __init__(self, error):
        self.array, self.error = adicheck.array([1, 2], "int32"), error

    def refuse(self):
        raise self.error("not mine")


class Requested(Odd):
    def __arrow_c_array__(self, requested_schema=None):
        if requested_schema is not None:
            self.refuse()
        return self.array.__arrow_c_array__()


class Wider(Odd):
    def __arrow_c_array__(self, requested_schema=None):
        if requested_schema is not None and adicheck.schema(support.Shows(
                arrow_c_schema=lambda: requested_schema)).format != "i":
            self.refuse()
        return self.array.__arrow_c_array__()


class OfKeywords(Odd):
    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        if keywords:
            self.refuse()
        return self.array.__arrow_c_device_array__()


class Beside(Odd):
    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        return self.array.__arrow_c_device_array__(requested_schema, **keywords)

    def __arrow_c_array__(self, requested_schema=None):
        self.refuse()


class Typed(Odd):
    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)

    def __arrow_c_schema__(self):
        self.refuse()


class OnMetal(Odd):
    def __init__(self, error):
        self.tensor, self.error = adicheck.tensor([1, 2], "int32"), error

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, *, dl_device=None, **keywords):
        if dl_device not in (None, (1, 0)):
            self.refuse()
        return self.tensor.__dlpack__(**keywords)


class AProducer(unittest.TestCase):
    def test_that_is_mistaken_in_a_later_call_is_told(self):
        for isolate in ISOLATED:
            with self.subTest(isolate=isolate), self.assertRaisesRegex(NameError, "not mine"):
                check_producer(lambda: Copies(NameError), protocols="dlpack", devices="cpu",
                               isolate=isolate)

    def test_that_is_mistaken_where_it_is_asked_for_what_is_odd_is_told(self):
        for asked in Requested, OfKeywords, Wider, Beside, Typed, OnMetal:
            for error in NameError, SyntaxError, without_attribute:
                for isolate in ISOLATED:
                    with self.subTest(asked.__name__, error=error, isolate=isolate), \
                            self.assertRaisesRegex((NameError, SyntaxError, AttributeError),
                                                   "not mine|no attribute"):
                        check_producer(lambda: asked(error), devices="cpu", isolate=isolate)

    def test_that_imports_what_is_not_there_is_told(self):
        def imports(words):
            import adicheck_not_there  # noqa: F401
        for isolate in ISOLATED:
            with self.subTest(isolate=isolate), self.assertRaises(ModuleNotFoundError):
                check_producer(lambda: Requested(imports), devices="cpu", isolate=isolate)

    def test_may_refuse_what_is_odd(self):
        for asked in Requested, Wider, Beside, Typed:
            for error in NotImplementedError, ValueError, AttributeError, ImportError:
                with self.subTest(asked.__name__, error=error):
                    rules = {finding.rule for finding in
                             check_producer(lambda: asked(error), devices="cpu")}
                    self.assertLessEqual(rules, {"pycapsule/request-refused"})

    def test_the_words_of_a_refusal_are_told(self):
        for error in BufferError, ZeroDivisionError:
            found = check_producer(lambda: Copies(error), protocols="dlpack")
            self.assertTrue(found.conformant)
            self.assertRegex(" ".join(found.refusals), f"second .*: {error.__name__}: not mine")


class AProducerInItsNthCall(unittest.TestCase):
    def setUp(self):  # what is started in the background may have inherited that it is ignored
        self.addCleanup(signal.signal, signal.SIGINT,
                        signal.signal(signal.SIGINT, signal.default_int_handler))

    def counting(self, nth, does):
        def make():
            array = adicheck.array([1, 2], "int32")

            def method(name):
                def call(*arguments, **keywords):
                    calls[0] += 1
                    if calls[0] == nth:
                        does()
                    return getattr(array, f"__{name}__")(*arguments, **keywords)
                return call
            return support.Shows(**{name: method(name) for name in (
                "dlpack", "dlpack_device", "arrow_c_array", "arrow_c_schema")})
        calls = [0]
        return make, calls

    # Whatever it is asked for then, Ctrl-C ends the judgement, and so does a name that is none.
    def test_is_passed_on_what_is_no_refusal(self):
        def interrupt():
            os.kill(os.getpid(), signal.SIGINT)

        def misname():
            return unknown  # noqa: F821
        for protocol in "dlpack", "arrow_c_array":
            make, calls = self.counting(0, misname)
            self.assertTrue(check_producer(make, protocols=protocol, devices="cpu").conformant)
            for nth in [*range(1, 30), *range(30, calls[0] + 1, 17)]:
                for does, error in (interrupt, KeyboardInterrupt), (misname, NameError):
                    raised, (make, calls) = None, self.counting(nth, does)
                    try:
                        check_producer(make, protocols=protocol, devices="cpu")
                    except (KeyboardInterrupt, NameError) as one:
                        raised = type(one)
                    # How often it is asked is not the same each time.
                    self.assertIs(raised, error if calls[0] >= nth else None, (protocol, nth))
        self.assertTrue(check_producer(self.counting(0, misname)[0], devices="cpu").conformant)

    def test_is_passed_on_from_another_process(self):
        def leaves():
            sys.exit("no more")
        with self.assertRaisesRegex(SystemExit, "no more"):
            check_producer(self.counting(1, leaves)[0], protocols="dlpack", devices="cpu",
                           isolate=True)

    # Each process that is left behind is killed with the one that has started it.
    def test_is_not_conformant_where_no_case_is_played(self):
        def forks():
            if os.fork() == 0:
                time.sleep(20)
                os._exit(0)
        found = check_producer(self.counting(1, forks)[0], protocols="dlpack", devices="cpu",
                               isolate=True)
        self.assertFalse(found.conformant)
        self.assertRegex(found.undecided, "nothing could be judged: .*no case was played")


class AConsumer(unittest.TestCase):
    def test_that_is_mistaken_is_told(self):
        for use, error, words in ((misnames, NameError, "unknown"), (asserts, AssertionError, ""),
                                  (refuses(UnboundLocalError), UnboundLocalError, "not mine"),
                                  (refuses(KeyboardInterrupt), KeyboardInterrupt, "not mine")):
            for isolate in ISOLATED if issubclass(error, Exception) else (False,):
                with self.subTest(error, isolate=isolate), self.assertRaisesRegex(error, words):
                    check_consumer(use, isolate=isolate, **SOME)

    # As a panic of Rust's is in Python. It ends the judgement, and says where.
    def test_whose_exception_is_none_is_told_with_its_case(self):
        class Panic(BaseException):
            """A library's."""

        def use(obj):
            taken = adicheck.from_arrow(obj)
            if taken.to_pylist() == []:
                raise Panic("not mine")
            return taken
        for isolate in ISOLATED:
            with self.subTest(isolate=isolate), \
                    self.assertRaisesRegex(RuntimeError if isolate else Panic, "not mine") as seen:
                check_consumer(use, protocols="arrow_c_array", cases="int32/@(many|empty)/consume*",
                               isolate=isolate)
            self.assertEqual(seen.exception.__notes__, [
                "adicheck: raised in the case int32/empty/consume on cpu:-1, by arrow_c_array"])

    def test_that_is_mistaken_about_what_is_odd_is_told(self):
        """Which it is not given in a case of the harness's."""
        def renamed(obj):
            try:
                return adicheck.from_arrow(obj)
            except ValueError:
                return unknown  # noqa: F821

        def read_only(obj, **keywords):
            taken = adicheck.from_dlpack(obj, **keywords)
            if memoryview(taken).readonly and memoryview(taken).shape == (3,):
                unittest.nonesuch
            return taken

        def imports(obj):
            try:
                return adicheck.from_arrow(obj)
            except ValueError:
                import adicheck_not_there  # noqa: F401
        for use, options, error in (
                (renamed, SOME, NameError), (imports, SOME, ImportError),
                (read_only, {"protocols": "dlpack", "devices": "cpu",
                             "cases": "int32/many/consume-dlpack*"}, AttributeError)):
            for isolate in ISOLATED:
                with self.subTest(use.__name__, isolate=isolate), self.assertRaises(error):
                    check_consumer(use, isolate=isolate, **{**options, "cases": "int32/many/*"})

    def test_that_is_mistaken_about_memory_is_told(self):
        def use(obj):
            return memoryviews(obj)  # noqa: F821
        for isolate in ISOLATED:
            with self.subTest(isolate=isolate), self.assertRaises(NameError):
                check_consumer(use, protocols="buffer", isolate=isolate, devices="cpu")

    def test_may_refuse_by_whatever_exception(self):
        class Own(NameError):
            """A library's."""
        for error in (TypeError, ValueError, NotImplementedError, BufferError, RuntimeError,
                      OverflowError, KeyError, OSError, AttributeError, ImportError, Own):
            with self.subTest(error):
                found = check_consumer(refuses(error), **SOME)
                self.assertTrue(found.conformant)
                self.assertIn("1 of 2 cases refused", str(found))
        self.assertTrue(check_consumer(somebody_asserts, **SOME).conformant)

    def test_that_gives_what_cannot_be_read_is_told(self):
        for wrong in memoryview, lambda taken: array.array("i", [1]), lambda taken: [1, 2], id:
            def use(obj):
                return wrong(adicheck.from_dlpack(obj))
            for isolate in ISOLATED:
                with self.subTest(wrong, isolate=isolate), \
                        self.assertRaisesRegex(TypeError, "exports nothing; it may be an object"):
                    check_consumer(use, protocols="dlpack", isolate=isolate, devices="cpu",
                                   cases="int32/*")
        for right in memoryview, lambda taken: array.array("i", [1, 2]), list:
            check_consumer(lambda obj: right(memoryview(obj)), protocols="buffer")
        with self.assertRaisesRegex(TypeError, "it may be a list"):
            check_consumer(lambda obj: len(memoryview(obj)), protocols="buffer")

    def test_whose_refusals_are_equal_is_counted_once(self):
        def use(obj):
            taken = adicheck.from_arrow(obj)
            if None in taken.to_pylist():
                raise TypeError(f"{obj!r} is not mine, at {id(obj):#x}")
            return taken
        found = check_consumer(use, protocols="arrow_c_array", cases="int32/*/consume")
        self.assertEqual(len(found.refusals), 1, found.refusals)
        self.assertNotIn("0x", str(found.refusals))

    def test_that_asks_for_nothing_is_not_blamed(self):
        for protocol in ("dlpack", "dlpack_c_exchange_api", "arrow_c_array",
                         "arrow_c_device_array", "arrow_c_stream", "array_interface", "buffer"):
            for use in (lambda obj: None, lambda obj: adicheck.array([1, 2], "int32"),
                        lambda obj: (getattr(obj, "__dlpack_device__", int)(), None)[1]):
                with self.subTest(protocol), \
                        self.assertRaisesRegex(ValueError, "has not asked the object"):
                    check_consumer(use, protocols=protocol)

    def test_may_give_what_refuses_to_be_asked(self):
        class Refuses:
            @property
            def __arrow_c_device_array__(self):
                raise RuntimeError("not now")
        def use(obj):
            taken = adicheck.from_arrow(obj)
            return taken if taken.type.format == "i" else Refuses()
        found = check_consumer(use, **SOME)
        self.assertEqual((found.conformant, list(found.refusals.values())), (True, [1]))

    def test_that_asks_late_is_right(self):
        class Late:
            def __init__(self, obj):
                self.obj = obj

            def __arrow_c_array__(self, requested_schema=None):
                return adicheck.from_arrow(self.obj).__arrow_c_array__(requested_schema)
        self.assertTrue(check_consumer(Late, **SOME).conformant)


class Devices(unittest.TestCase):
    def test_that_are_not_here_are_refused(self):
        made = adicheck.array([1, 2], "int32")
        for devices in "gpu", [], "cuda:7", ["cpu", "cuda:7"], "":
            for isolate in ISOLATED:
                with self.subTest(devices, isolate=isolate), \
                        self.assertRaisesRegex(ValueError, "there are cpu, "):
                    check_producer(lambda: made, devices=devices, isolate=isolate)
                with self.assertRaisesRegex(ValueError, "there are cpu, "):
                    check_consumer(adicheck.from_arrow, devices=devices, isolate=isolate)
        with self.assertRaises(TypeError):
            check_producer(lambda: made, devices=[0])

    def test_are_named_by_globs(self):
        made = adicheck.array([1, 2], "int32")
        for devices in "cpu", "c*", "cpu:-1", ["cpu"], ["opencl*", "cpu"] if CUDA else "cpu":
            with self.subTest(devices):
                self.assertEqual(check_producer(lambda: made, devices=devices,
                                                protocols="arrow_c_device_array"), [])

    @unittest.skipUnless(CUDA, "there is no second device of CUDA")
    def test_are_those_that_are_judged(self):
        made = adicheck.array([1, 2], "int32", device="cuda:1")
        for devices in "cpu", "cuda:0":
            with self.subTest(devices), self.assertRaisesRegex(ValueError, f"no data.*{devices}"):
                check_producer(lambda: made, devices=devices)
        found = check_producer(lambda: made, devices="cuda:1")
        self.assertTrue(found.conformant)
        self.assertEqual(found.counts, check_producer(lambda: made).counts)

    @unittest.skipUnless(CUDA, "there is no second device of CUDA")
    def test_hold_for_memory_of_the_host(self):
        for protocol in "buffer", "array_interface":
            shown = adicheck.tensor([1, 2], "int32")
            with self.subTest(protocol):
                with self.assertRaisesRegex(ValueError, "no data.*cuda:0"):
                    check_producer(lambda: shown, protocols=protocol, devices="cuda:0")
                with self.assertRaisesRegex(ValueError, "no data or case.*cuda:0"):
                    check_consumer(memoryview, protocols=protocol, devices="cuda:0")
                self.assertEqual(check_producer(lambda: shown, protocols=protocol, devices="cpu"),
                                 [])

    @unittest.skipUnless(CUDA, "there is no second device of CUDA")
    def test_hold_for_consumers_of_dictionaries(self):
        where = set()
        def use(obj):
            taken = adicheck.as_cuda_array(obj)
            where.add(taken.device)
            return taken
        protocol = {"protocols": "cuda_array_interface"}
        self.assertTrue(check_consumer(use, devices="cuda:1", **protocol).conformant)
        self.assertIn("cuda:1", where)
        self.assertEqual(where, {"cuda:1"})
        where.clear()
        self.assertTrue(check_consumer(use, **protocol).conformant)
        self.assertEqual(where, {"cuda:0", "cuda_host:0", "cuda_managed:0"})
        self.assertTrue(check_consumer(use, devices="cuda_managed:0", **protocol).conformant)
        self.assertIn("cuda_managed:0", where)
        with self.assertRaisesRegex(ValueError, "no data or case"):
            check_consumer(use, devices="cpu", **protocol)


class AFile(unittest.TestCase):
    def test_of_known_deviations_may_be_a_path(self):
        class Path(os.PathLike):
            def __fspath__(self):
                return os.devnull
        self.assertEqual(check_producer(lambda: adicheck.array([1], "int32"), known=Path(),
                                        protocols="arrow_c_array"), [])


if __name__ == "__main__":
    unittest.main()
