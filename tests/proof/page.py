#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/proof.md from what the build left under BUILD/proof: no figure is typed in by hand.

    tests/proof/page.py BUILD PAGE

kills.tsv and judge.tsv must be there; python.tsv has a section if it is, and life.txt is shown as
it is. Made again it
is the same page, however busy the machine: so what `make coverage` counts is no part of it, which
varies with how often the harness had to wait.
A further technique is a column of the kill matrix if its technique-NAME.tsv is there. Its head is
"mutant", the technique, how it works; its rows are a mutant, and found, noticed or -.
"""

import glob
import os
import sys

import judge_run
import kills
import table

SIGNS = {kills.FOUND: "**x**", kills.NOTICED: "o", kills.UNSEEN: "", kills.CHANCE: "~"}
VERBATIM = [("life.txt", "The life cycle, certified")]


def row(fields):
    return "| " + " | ".join(str(field) for field in fields) + " |"


def head(*fields):
    return [row(fields), "|" + "---|" * len(fields)]


def code(words):
    return ", ".join(f"`{word}`" for word in words.split()) if words != "-" else ""


class Further:
    """A technique that is not run here, but left what it found."""

    def __init__(self, path):
        lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8")]
        self.path, (_, self.name, self.words) = path, lines[0]
        self.marks = dict(lines[1:])

    def mark(self, mutant):
        mark = self.marks.get(mutant)
        if mark not in SIGNS:
            sys.exit(f"{self.path}: {mutant} is {mark}, wanted one of {', '.join(SIGNS)}")
        return mark


def matrix(build):
    rows = judge_run.read(f"{build}/proof/kills.tsv")
    further = [Further(path) for path in sorted(glob.glob(f"{build}/proof/technique-*.tsv"))]
    rows = [[*one, *(technique.mark(one[0]) for technique in further)] for one in rows]
    techniques = [(name, words) for name, _, _, words in kills.TECHNIQUES]
    techniques += [(technique.name, technique.words) for technique in further]
    names = [name for name, _ in techniques]
    yield "## Kill matrix"
    yield ""
    yield (
        f"{len(rows)} adapters of `tests/mutants` with one planted defect each, against the "
        f"techniques that could find them; beside them {len(table.sound())} adapters that are "
        f"correct or odd but legal, of which nothing may be said. The build fails if a defect is "
        f"found by no technique as what it is, if a rule has no mutant, or if a sound adapter is "
        f"blamed."
    )
    yield ""
    for name, words in techniques:
        yield f"- *{name}*: {words}"
    yield ""
    yield (
        "**x**: found, as the rule and the party that it is; o: something else was noticed; ~: one "
        "of them or nothing, as the threads of the machine have it."
    )
    yield ""
    yield from head("planted defect", "breaks", *names)
    for name, rule, _, *marks in rows:
        yield row([f"`{name}`", f"`{rule}`", *(SIGNS[mark] for mark in marks)])
    counts = [sum(one[3 + i] == kills.FOUND for one in rows) for i in range(len(names))]
    yield row([f"found of {len(rows)}", "", *(f"{n} ({100 * n // len(rows)} %)" for n in counts)])
    for rule, why in table.elsewhere().items():
        yield ""
        where = table.DEFECTS if rule in table.defects() else table.LIFE
        yield f"No adapter breaks `{rule}`: {why}. A row of `{where}` does."


def museum():
    """What real implementations shipped."""
    shipped = table.museum()
    yield "## The museum"
    yield ""
    yield (
        f"Defects that were in real implementations. {len(shipped)} are planted again and found, "
        f"see above; {len(table.waiting())} wait for what adicheck does not have yet. The build "
        f"fails if a planted one is not in the kill matrix."
    )
    yield ""
    yield from head("where", "mutant")
    for where, mutant in shipped:
        yield row([where, f"`{mutant}`"])
    yield ""
    yield from head("where", "what", "waits for")
    for fields in table.waiting():
        yield row(fields)


def judge(path):
    rows = judge_run.read(path)
    alone = sum(mutants != "-" and instead == "-" for *_, mutants, instead in rows)
    yield "## Mutants of the judge"
    yield ""
    yield (
        f"{len(rows)} judges, each blind to one rule (a second link of the command and of the unit "
        f"tests, `tests/proof/blind.c`; the command that is installed has no such switch). All "
        f"{len(rows)} are noticed: by rows of `{table.DEFECTS}`, by the cover of "
        f"`{table.LIFE}`, by mutants whose finding is gone. The same tests are green when the "
        f"judge sees. The last column is what is said of those mutants instead: for {alone} rules "
        f"it is nothing, the rule alone stands between the defect and its users."
    )
    yield ""
    yield from head("blind to", "planted rows red", "cover red", "mutants red", "said instead")
    for rule, planted, cover, mutants, instead in rows:
        units = (number if number != "0" else "" for number in (planted, cover))
        yield row([f"`{rule}`", *units, code(mutants), code(instead)])


def in_python(path):
    rows = judge_run.read(path)
    yield "## Mutants of the judge in Python"
    yield ""
    yield (
        f"{len(rows)} rules are seen by the package for Python alone; their planted defects are in "
        f"`python/tests`. The package, linked once more and blind to one of them, turns these "
        f"tests red, and none is red when it sees."
    )
    yield ""
    yield from head("blind to", "tests red")
    for rule, tests in rows:
        yield row([f"`{rule}`", code(tests)])


def verbatim(path, title):
    yield f"## {title}"
    yield ""
    yield "```"
    yield from open(path, encoding="utf-8").read().rstrip("\n").split("\n")
    yield "```"


def page(build):
    yield "# Proof that the judge sees"
    yield ""
    yield "Written by `make mutants` (rows of single defects: `make proof-of`); not to be edited."
    yield ""
    yield from matrix(build)
    yield ""
    yield from museum()
    yield ""
    yield from judge(f"{build}/proof/judge.tsv")
    if os.path.exists(f"{build}/proof/python.tsv"):
        yield ""
        yield from in_python(f"{build}/proof/python.tsv")
    for name, title in VERBATIM:
        path = f"{build}/proof/{name}"
        if os.path.exists(path):
            yield ""
            yield from verbatim(path, title)


def main(build, to):
    try:
        text = "\n".join(page(build)) + "\n"
    except FileNotFoundError as missing:
        sys.exit(f"{missing.filename}: `make mutants` writes it")
    with open(to, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"proof: {to}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
