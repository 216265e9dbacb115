# SPDX-License-Identifier: Apache-2.0
"""Judging in a test suite: each rule is a test.

    def test_arrays(adi_device, adi_producer_case):
        adi_producer_case(lambda: mine.array([1, 2], device=adi_device))

is judged once a device, and told rule by rule: `test_arrays[cpu-array/data-differs]`. A rule that
was broken fails, a recommendation that was not kept warns, a known deviation is an xfail, and one
that is none any more fails; one of which nothing was judged is skipped. `adi_consumer_case` does so
with what takes an object. What is charged by a rule of the other party, as an array that a consumer
gives back, is told as `others`.
"""

import warnings

import pytest

from . import _core
from ._judge import check_consumer, check_producer, devices_of
from ._told import texts_of

_NOT_OF_PYTHON = ("async",)  # families that no protocol has
_OTHERS = "others"

# By protocol: the families by whose rules its cases are judged. Of the others it is known by rules.
_ARROW = "array", "schema", "device", "sync", "life", "pycapsule"
_DLPACK = "dlpack", "array-api", "sync", "life"
_JUDGED_BY = {"arrow_c_array": _ARROW, "arrow_c_device_array": _ARROW, "arrow_c_stream": _ARROW,
              "arrow_c_device_stream": _ARROW, "dlpack": _DLPACK,
              "dlpack_c_exchange_api": (*_DLPACK, "exchange")}
_CHECKS = {"producer": check_producer, "consumer": check_consumer}


class AdiWarning(UserWarning):
    """A recommendation that was not kept."""


def pytest_addoption(parser):
    group = parser.getgroup("adicheck")
    for name, text, default in (("adi_known", "file of known deviations", ""),
                                ("adi_devices", "devices to judge on", "cpu"),
                                ("adi_profile", "cpu, or a version: array-api-2021", "")):
        group.addoption("--" + name.replace("_", "-"), default=None, help=text)
        parser.addini(name, text, default=default)
    group.addoption("--adi-isolate", action="store_true", default=False,
                    help="judge in workers: a crash is a finding")
    group.addoption("--adi-strict", action="store_true", default=False,
                    help="warnings and notes fail, too")


def _option(config, name):
    given = config.getoption(name)
    return config.getini(name) if given is None else given


def _rules(party):
    return [rule for rule, charged in _core.rules()
            if charged in (party, "both") and rule.split("/")[0] not in _NOT_OF_PYTHON]


def _devices(config):
    """Those of the option, globs among them as what they stand for."""
    made, isolate = [], config.getoption("adi_isolate")
    names = _option(config, "adi_devices").replace(",", " ").split()
    try:
        devices_of(names, isolate)
        for name in names:
            is_glob = any(letter in name for letter in "*?[(")
            made += devices_of(name, isolate).named() if is_glob else [name]
    except ValueError as error:
        raise pytest.UsageError(f"--adi-devices: {error}") from None
    return list(dict.fromkeys(made))


def pytest_generate_tests(metafunc):
    cases = [name for party in _CHECKS if (name := f"adi_{party}_case") in metafunc.fixturenames]
    if len(cases) > 1:
        pytest.fail(f"{metafunc.function.__name__} asks for {' and '.join(cases)}, and would be "
                    "a test for each rule of the one with each of the other: write two",
                    pytrace=False)
    if "adi_device" in metafunc.fixturenames:
        devices = _devices(metafunc.config)
        metafunc.parametrize("adi_device", devices, ids=devices, indirect=True)
    for party in _CHECKS:
        name = f"adi_{party}_case"
        if name in metafunc.fixturenames:
            rules = [*_rules(party), _OTHERS]
            metafunc.parametrize(name, rules, ids=rules, indirect=True)


@pytest.fixture
def adi_device(request):
    """Each of the devices of --adi-devices."""
    return request.param


_judged = pytest.StashKey()


class Case:
    """One rule, of what is judged when it is called; that is done once for all of them."""

    def __init__(self, request, party):
        self._party = party
        self._rule = request.param
        self._config = request.config
        self._device = None
        if "adi_device" in request.fixturenames:
            self._device = request.getfixturevalue("adi_device")
        elif party == "consumer":  # a producer's data is where it is
            devices = _devices(self._config)
            self._device = None if devices == ["cpu"] else devices
        # Indices of plain parameters are others in each test, up to pytest 7.
        others = sorted((name, id(value)) for name, value in request.node.callspec.params.items()
                        if name not in {f"adi_{party}_case" for party in _CHECKS})
        self._key = request.node.nodeid.partition("[")[0], party, *others
        self._calls = 0
        self.expected = []  # what is known of the calls so far
        self.left = []  # why nothing was judged in them; "": something was
        self._kept = request.session.stash.setdefault(_judged, {})

    @property
    def is_called(self):
        return self._calls > 0

    def _judge(self, callable, options):
        config = self._config
        options.setdefault("devices", self._device)
        options.setdefault("known", _option(config, "adi_known") or None)
        options.setdefault("profile", _option(config, "adi_profile") or None)
        options.setdefault("isolate", config.getoption("adi_isolate"))
        options.setdefault("strict", config.getoption("adi_strict"))
        return _CHECKS[self._party](callable, **options)

    def _findings(self, callable, options):
        """Of this call, which may be one of several of the test."""
        self._calls += 1
        key = *self._key, self._calls
        if key not in self._kept:
            try:
                self._kept[key] = self._judge(callable, options), None, None
            except Exception as error:
                self._kept[key] = None, error, error.__traceback__
        found, error, traceback = self._kept[key]
        if error is not None:
            raise error.with_traceback(traceback)
        return found

    def _is_told(self, rule):
        return rule not in _rules(self._party) if self._rule == _OTHERS else rule == self._rule

    def _left(self, findings):
        """Why nothing was judged by the rule; "": something was."""
        judged = getattr(findings, "_judged", None)
        if judged is None or self._rule == _OTHERS:
            return ""
        family = self._rule.partition("/")[0]
        if not judged:
            return f"nothing was judged by {self._rule}: no case came to its end"
        if self._rule in findings._unreached and \
                not any(self._rule in held for held in judged.values()):
            return f"nothing was judged by {self._rule}: {findings._unreached[self._rule]}"
        if any(self._rule in held or family in _JUDGED_BY.get(protocol, ())
               for protocol, held in judged.items()):
            return ""
        return f"nothing was judged by {self._rule}, which is no rule of {', '.join(judged)}"

    def __call__(self, callable, **options):
        findings = self._findings(callable, options)
        found = [f for f in findings if self._is_told(f.rule)]
        texts = {verdict: "\n\n".join(texts_of(f for f in found if f.verdict == verdict))
                 for verdict in ("fail", "crash", "timeout", "error", "xpass", "xfail", "warn")}
        wrong = [text for verdict, text in texts.items() if text and verdict not in
                 ("xfail", "warn")]
        if wrong:
            pytest.fail("\n\n".join(wrong), pytrace=False)
        if getattr(findings, "undecided", ""):
            pytest.fail(str(findings), pytrace=False)
        self.left.append("" if found else
                         getattr(findings, "unjudged", "") or self._left(findings))
        self.expected += [texts["xfail"]] if texts["xfail"] else []
        if texts["warn"]:
            warnings.warn(AdiWarning(texts["warn"]), stacklevel=2)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item):
    """When a test has passed: is something of it known, or nothing judged? What it calls then may
    fail still."""
    asked = {name: case for name, case in getattr(item, "funcargs", {}).items()
             if isinstance(case, Case)}
    for name, case in asked.items():
        if not case.is_called:
            pytest.fail(f"{name} was asked for, and has not been called: nothing was judged; a "
                        "test that is not for here says so by pytest.skip()", pytrace=False)
    cases = asked.values()
    expected = [text for case in cases for text in case.expected]
    if expected:
        pytest.xfail("\n\n".join(expected))
    left = [text for case in cases for text in case.left]
    if left and all(left):
        pytest.skip("; ".join(dict.fromkeys(left)))


@pytest.fixture
def adi_producer_case(request):
    """Call it with what gives an object to judge."""
    return Case(request, "producer")


@pytest.fixture
def adi_consumer_case(request):
    """Call it with what takes an object."""
    return Case(request, "consumer")
