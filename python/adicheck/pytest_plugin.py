# SPDX-License-Identifier: Apache-2.0
"""Judging in a test suite: each rule is a test.

    def test_arrays(adi_device, adi_producer_case):
        adi_producer_case(lambda: mine.array([1, 2], device=adi_device))

is judged once a device, and told rule by rule: `test_arrays[cpu-array/data-differs]`. A rule that
was broken fails, a recommendation that was not kept warns, a known deviation is an xfail, and one
that is none any more fails. `adi_consumer_case` does so with what takes an object.
"""

import warnings

import pytest

from . import _core
from ._judge import check_consumer, check_producer

_BOTH = "array", "schema", "device", "sync", "life", "dlpack", "exchange"
_FAMILIES = {"producer": (*_BOTH, "pycapsule", "array-api", "cai", "array-interface", "buffer"),
             "consumer": (*_BOTH, "array-api")}
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
            if charged in (party, "both") and rule.split("/")[0] in _FAMILIES[party]]


def pytest_generate_tests(metafunc):
    if "adi_device" in metafunc.fixturenames:
        devices = _option(metafunc.config, "adi_devices").replace(",", " ").split()
        metafunc.parametrize("adi_device", devices, ids=devices, indirect=True)
    for party in _CHECKS:
        name = f"adi_{party}_case"
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, _rules(party), ids=_rules(party), indirect=True)


@pytest.fixture
def adi_device(request):
    """Each of the devices of --adi-devices."""
    return request.param


_judged = pytest.StashKey()


class Case:
    """One rule, of what is judged when it is called; that is done once."""

    def __init__(self, request, party):
        self._party = party
        self._rule = request.param
        self._config = request.config
        self._device = None
        if "adi_device" in request.fixturenames:
            self._device = request.getfixturevalue("adi_device")
        self._key = request.node.nodeid.partition("[")[0], self._device, party
        self._kept = request.session.stash.setdefault(_judged, {})

    def _judge(self, callable, options):
        if self._key not in self._kept:
            config = self._config
            options.setdefault("devices", self._device)
            options.setdefault("known", _option(config, "adi_known") or None)
            options.setdefault("profile", _option(config, "adi_profile") or None)
            options.setdefault("isolate", config.getoption("adi_isolate"))
            options.setdefault("strict", config.getoption("adi_strict"))
            self._kept[self._key] = _CHECKS[self._party](callable, **options)
        return self._kept[self._key]

    def __call__(self, callable, **options):
        found = [f for f in self._judge(callable, options) if f.rule == self._rule]
        texts = {verdict: "\n\n".join(dict.fromkeys(str(f) for f in found if f.verdict == verdict))
                 for verdict in ("fail", "crash", "timeout", "error", "xpass", "xfail", "warn")}
        wrong = [text for verdict, text in texts.items() if text and verdict not in
                 ("xfail", "warn")]
        if wrong:
            pytest.fail("\n\n".join(wrong), pytrace=False)
        if texts["xfail"]:
            pytest.xfail(texts["xfail"])
        if texts["warn"]:
            warnings.warn(AdiWarning(texts["warn"]), stacklevel=2)


@pytest.fixture
def adi_producer_case(request):
    """Call it with what gives an object to judge."""
    return Case(request, "producer")


@pytest.fixture
def adi_consumer_case(request):
    """Call it with what takes an object."""
    return Case(request, "consumer")
