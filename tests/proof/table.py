# SPDX-License-Identifier: Apache-2.0
"""The tables of the source tree, read as the C preprocessor would."""

import re

MUTANTS = "tests/mutants/mutants.def"
DEFECTS = "tests/harness/defects.def"
LIFE = "harness/life/all.def"
FAMILIES = "harness/rules/all.def"
DEVICES = "devices/devices.def"


def rows(path, macro):
    """The texts of each row `MACRO(word, "text", ...)`."""
    source = open(path, encoding="utf-8").read()
    lines = re.findall(rf"^{macro}\((.*)\)$", source, re.MULTILINE)
    return [[a or b for a, b in re.findall(r'"([^"]*)"|(\w+)', line)] for line in lines]


class Mutant:
    def __init__(self, name, rule, party, cases):
        self.name, self.rule, self.party, self.cases = name, rule, party, cases


def devices():
    """The types of devices that there are."""
    return [name for (name,) in rows(DEVICES, "DEVICE")]


def device_of(name):
    """The type of device that a mutant is for: as `adapter_device` of tests/harness/judged.c."""
    fitting = [device for device in devices() if name.startswith(device + "_")]
    return max(fitting, key=len, default="cpu")


def mutants():
    return [Mutant(*row) for row in rows(MUTANTS, "MUTANT")]


def sound():
    return [name for (name,) in rows(MUTANTS, "SOUND")]


def odd():
    """The cases in which nothing may be said about an adapter, by adapter."""
    return dict(rows(MUTANTS, "ODD"))


def options():
    """What the mutants of a rule are judged with, by rule: as the suites have it."""
    given = rows(MUTANTS, "OPTIONS")
    assert len(dict(given)) == len(given), "a rule has two rows OPTIONS"
    return {rule: line.split() for rule, line in given}


def at_random():
    """The mutants that nothing shows but under the simulation's policy `random`."""
    return {name for (name,) in rows(MUTANTS, "AT_RANDOM")}


def elsewhere():
    """Why no adapter breaks a rule, by rule."""
    return dict(rows(MUTANTS, "ELSEWHERE"))


def museum():
    """Where a defect was shipped, and the mutant that does the same: pairs."""
    return rows(MUTANTS, "MUSEUM")


def waiting():
    """Where, what was shipped, and what is missing before a mutant can do the same."""
    return rows(MUTANTS, "WAITING")


def broken_by(path, pattern):
    """The rules that rows of a table break."""
    return set(re.findall(pattern, open(path, encoding="utf-8").read(), re.MULTILINE))


def defects():
    return broken_by(DEFECTS, r'^DEFECT\("([^"]*)"')


def included(path):
    """The files that a table is put together of."""
    names = re.findall(r'#include "(.*)"', open(path, encoding="utf-8").read())
    return [path[: path.rindex("/") + 1] + name.split("/")[-1] for name in names]


def lives():
    """The files with the life of each kind of handle."""
    return included(LIFE)


def edges():
    return set().union(*(broken_by(life, r'^EDGE\(.*VIOLATES\("([^"]*)"\)') for life in lives()))


def families():
    """The files with the rules of each family."""
    return included(FAMILIES)


def _found():
    """How each rule is found (CHECK, MONITOR, CASE or IN_PYTHON), by rule, in their order."""
    found = {}
    for family in families():
        source = open(family, encoding="utf-8").read()
        for row in re.split(r"^RULE\(", source, flags=re.MULTILINE)[1:]:
            rule = re.match(r'"([^"]*)"', row).group(1)
            found[rule] = re.search(r"^ *(CHECK|MONITOR|CASE|IN_PYTHON)\(", row,
                                    re.MULTILINE).group(1)
    return found


def rules():
    """How each rule is found, but for those of in_python()."""
    return {rule: how for rule, how in _found().items() if how != "IN_PYTHON"}


def in_python():
    """The rules that only the package for Python sees: their planted defects are in
    python/tests/."""
    return [rule for rule, how in _found().items() if how == "IN_PYTHON"]
