#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whether the documents say what the table of the rules says: in the tables of docs/findings, what
is no MUST has "(SHOULD)" or "(a note)" behind it; each finding there names a program of
tests/peers/NAME/repro that shows it, and each of those is named; and docs/proof.md has every rule
and every planted defect, and no row of another, so that it is of this tree.

    tests/documented.py BUILD     exits 1 if not
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).parent.parent
sys.path.append(str(TOP / "tests/proof"))

import table  # noqa: E402 (where it lies is said above)

# Which verdict a violation of a rule has; "": a fail. As adi_verdict_of_violation has it.
MARKS = {("MUST", "text"): "", ("MUST", "implied"): "",
         ("SHOULD", "text"): " (SHOULD)", ("SHOULD", "implied"): " (SHOULD)"}
OTHERS = " (a note)"
MARKED = re.compile(r"`([a-z]+/[a-z-]+)`( \((?:SHOULD|a note)\))?")


def rules_of(build):
    """The id of each rule, and what stands behind it."""
    said = subprocess.run([f"{build}/adicheck", "list", "rules"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = [line.split(maxsplit=4)[:3] for line in said.splitlines()]
    return {rule: MARKS.get((level, basis), OTHERS) for rule, level, basis in rows}


def levels(rules):
    """A line for each rule in a table that has another mark than its level asks for."""
    for page in sorted([TOP / "docs/findings.md", *(TOP / "docs/findings").glob("*.md")]):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for rule, mark in MARKED.findall(line if line.startswith("|") else ""):
                if mark != rules.get(rule):
                    wanted = f"`{rule}`{rules[rule]}" if rule in rules else "a rule that is there"
                    yield f"{page.relative_to(TOP)}:{number}: `{rule}`{mark}, wanted {wanted}"


SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
PROGRAM = re.compile(r"(?:`|repro/)(\w+\.(?:c|cc|go|rs|py))\b")
NO_FINDING = ("Seen, and not a deviation", "Mended in ")


def shown(top):
    """A line for each finding that names no program, or one that is not there, and for each program
    that no finding names."""
    for folder in sorted(path for path in top.glob("tests/peers/*/repro") if path.is_dir()):
        name = folder.parent.name
        there = {path.name for path in folder.rglob("*.*") if path.suffix != ".h"}
        told = set()
        for page in sorted(top.glob(f"docs/findings/{name}*.md")):
            # What stands before the first heading, then heading and text in turn.
            _, *parts = SECTION.split(page.read_text(encoding="utf-8"))
            for heading, text in zip(parts[::2], parts[1::2]):
                named = set(PROGRAM.findall(text))
                told |= named
                if not heading.startswith(NO_FINDING) and not named & there:
                    yield f"{page.relative_to(top)}: no program of {name}/repro shows: {heading}"
        for program in sorted(there - told):
            yield f"docs/findings/{name}.md: does not speak of {program} of {name}/repro"


def unproved(what, names):
    """A line if docs/proof.md lacks one of the names."""
    page = (TOP / "docs/proof.md").read_text(encoding="utf-8")
    lacking = [name for name in names if f"`{name}`" not in page]
    if lacking:
        yield (f"docs/proof.md: lacks {len(lacking)} of {len(names)} {what}, such as {lacking[0]}: "
               "make mutants, or make proof-of, writes them")


PROVED = re.compile(r"^\| `(\w+)` \| `[a-z]+/[a-z0-9-]+` \|", re.MULTILINE)
NUMBER = re.compile(r"^(\d+) adapters of `tests/mutants`", re.MULTILINE)


def untrue(names):
    """A line for each row of docs/proof.md that is of no planted defect, and for another number of
    them than there are."""
    page = (TOP / "docs/proof.md").read_text(encoding="utf-8")
    for name in PROVED.findall(page):
        if name not in names:
            yield f"docs/proof.md: {name} is no planted defect"
    told = NUMBER.search(page)
    if told is None or int(told.group(1)) != len(names):
        yield (f"docs/proof.md: speaks of {told.group(1) if told else 'no'} adapters, and there "
               f"are {len(names)}")


def main(build):
    rules = rules_of(build)
    defects = [name for name, *_ in table.rows(TOP / table.MUTANTS, "MUTANT")]
    said = [*levels(rules), *shown(TOP),
            *unproved("rules", rules), *unproved("planted defects", defects),
            *untrue(defects)]
    print("".join(f"documented: {line}\n" for line in said), end="", file=sys.stderr)
    print(f"documented: {len(rules)} rules, {len(defects)} planted defects")
    return 1 if said else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
