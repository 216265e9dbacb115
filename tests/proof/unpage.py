#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Reads docs/proof.md back into the tables under BUILD/proof that it was written from.

    tests/proof/unpage.py BUILD PAGE

So a row of a single defect can be added where the whole proof was not made (make proof-of).
"""

import re
import sys

import judge_run
import kills
import page
import table

MARKS = {sign: mark for mark, sign in page.SIGNS.items()}


def section(text, title):
    """What is below the heading; nothing if there is none."""
    parts = re.split("^## ", text, flags=re.MULTILINE)
    return next((part for part in parts if part.startswith(title + "\n")), "")


def cells(text):
    """The fields of each row of the tables of a section whose first is a name in code."""
    return [[field.strip() for field in line[1:-1].split("|")]
            for line in text.split("\n") if line.startswith("| `")]


def words(field):
    """What page.code made code of."""
    return " ".join(re.findall(r"`([^`]*)`", field)) or "-"


def matrix(text):
    """kills.tsv, and the techniques that were not run there: {file: (head, rows)}."""
    part = section(text, "Kill matrix")
    how = re.findall(r"^- \*(\w+)\*: (.*)$", part, re.MULTILINE)
    own = len(kills.TECHNIQUES)
    party = {mutant.name: mutant.party for mutant in table.mutants()}
    rows = [[words(name), words(rule), *(MARKS[sign] for sign in signs)]
            for name, rule, *signs in cells(part)]
    rows = [row for row in rows if row[0] in party]
    head = ["mutant", "rule", "party", *(name for name, _ in how[:own])]
    yield "kills.tsv", head, [[*row[:2], party[row[0]], *row[2:2 + own]] for row in rows]
    for i, (name, said) in enumerate(how[own:], 2 + own):
        yield f"technique-{name}.tsv", ["mutant", name, said], [[row[0], row[i]] for row in rows]


def judges(text):
    rows = [[words(rule), planted or "0", cover or "0", words(mutants), words(instead)]
            for rule, planted, cover, mutants, instead in
            cells(section(text, "Mutants of the judge"))]
    yield "judge.tsv", ["rule", "planted", "cover", "mutants", "instead"], rows


def in_python(text):
    rows = [[words(rule), words(tests)]
            for rule, tests in cells(section(text, "Mutants of the judge in Python"))]
    if rows:
        yield "python.tsv", ["rule", "tests"], rows


def main(build, where):
    with open(where, encoding="utf-8") as file:
        text = file.read()
    for name, head, rows in [*matrix(text), *judges(text), *in_python(text)]:
        judge_run.write(f"{build}/proof/{name}", head, rows)
    for name, title in page.VERBATIM:
        if f"\n## {title}\n" in text:
            with open(f"{build}/proof/{name}", "w", encoding="utf-8") as file:
                file.write(section(text, title).split("```")[1].lstrip("\n"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
