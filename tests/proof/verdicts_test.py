#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The differ of the verdict table is tried on small tables; every adapter must be played.

    tests/proof/verdicts_test.py
"""

import contextlib
import io
import os
import sys
import tempfile

import verdicts
import verdicts_diff

FAIL = ("a", "cuda", "life/crash", "producer", "fail")
LEAK = ("a", "cuda", "life/memory-leaked", "producer", "fail")
EXIT = ("b", "cpu", "-", "-", "exit")
TWIN = ("b", *FAIL[1:])
OLD = {FAIL: 2, LEAK: 1, EXIT: 0, TWIN: 2}
EXCUSE = "\t".join(FAIL) + "\tsaid by another rule now\n"


def without(key):
    return {row: count for row, count in OLD.items() if row != key}


def renamed(to):
    return {(to if key[0] == "a" else key[0], *key[1:]): count for key, count in OLD.items()}


# What was done; the new table, its globs, the excuses; the exit status, what is said.
TRIED = [
    ("nothing", OLD, "*", "*", "", 0, "4 rows, 0 changed"),
    ("a count changed", OLD | {FAIL: 3}, "*", "*", "", 1, "life/crash producer fail: 2 -> 3"),
    ("an exit status changed", OLD | {EXIT: 1}, "*", "*", "", 1, "b cpu - - exit: 0 -> 1"),
    ("a row went", without(LEAK), "*", "*", "", 1, "life/memory-leaked producer fail: went: 1"),
    ("a row came", OLD | {(*FAIL[:4], "note"): 1}, "*", "*", "", 1, "producer note: came: 1"),
    ("an adapter came", OLD | {("c", *FAIL[1:]): 1}, "*", "*", "", 1,
     "of a new adapter, has its line in tests/proof/excused.tsv"),
    ("an adapter came with its reason", OLD | {("c", *FAIL[1:]): 1}, "*", "*",
     "c\t*\t*\t*\t*\tit shows another sample\n", 0, "1 changed, 0 of them"),
    ("a verdict changed", without(FAIL) | {(*FAIL[:4], "note"): 2}, "*", "*", EXCUSE, 1,
     "2 changed, 1 of them not excused"),
    ("an excused count changed", OLD | {FAIL: 3}, "*", "*", EXCUSE, 0, "excused: a cuda"),
    ("an excused row went", without(FAIL), "*", "*", EXCUSE, 0, "1 changed, 0 of them"),
    ("all of an adapter is excused", OLD | {FAIL: 3, LEAK: 2}, "*", "*",
     "a\t*\t*\t*\t*\tanother sample\n", 0, "2 changed, 0 of them"),
    ("another row is excused", OLD | {LEAK: 3}, "*", "*", EXCUSE, 1, "life/memory-leaked"),
    ("an excuse is for nothing", OLD, "*", "*", EXCUSE, 1, "excuses nothing: a cuda life/crash"),
    ("an excuse has no reason", OLD | {FAIL: 3}, "*", "*", "\t".join(FAIL) + "\t\n", 1,
     "neither an excuse with a reason"),
    ("a remark is no excuse", OLD | {FAIL: 3}, "*", "*", "# " + EXCUSE, 1, "2 -> 3"),
    ("an adapter is called something else", renamed("c"), "*", "*", "", 1, "went"),
    ("that is said", renamed("c"), "*", "*", "a\tc\tone file for each device\n", 0, "0 changed"),
    ("that is not so", OLD, "*", "*", "c\td\tone file for each device\n", 1, "excuses nothing: c"),
    ("two adapters have one name now", OLD, "*", "*", "a\tb\tone file\n", 1,
     "two adapters are b cuda now"),
    ("a part was played", {EXIT: 0, TWIN: 2}, "b", "*", EXCUSE, 0, "2 rows, 0 changed"),
    ("a row of that part changed", {EXIT: 1, TWIN: 2}, "b", "*", "", 1, "0 -> 1"),
    ("a device was played", without(EXIT), "*", "cu*", "", 0, "3 rows, 0 changed"),
    ("nothing of that was there", {}, "nobody", "*", "", 1, "nothing in common"),
]


def complaint(folder, what, new, adapters, devices, excuses, wanted, words):
    """What is wrong with the differ; None: it does what it should."""
    paths = [os.path.join(folder, name) for name in ("old.tsv", "new.tsv", "excused.tsv")]
    verdicts_diff.Table(OLD).write(paths[0], ["A remark: nothing is meant by it."])
    verdicts_diff.Table(new, adapters, devices).write(paths[1], [])
    with open(paths[2], "w", encoding="utf-8") as file:
        file.write("# A remark\n\n" + excuses)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            status = verdicts_diff.main(*paths)
        except SystemExit as refused:
            status = 1
            print(refused.code)
    if status != wanted:
        return f"{what}: exit status {status}, wanted {wanted}: {said.getvalue()}"
    return None if words in said.getvalue() else f'{what}: no "{words}" in: {said.getvalue()}'


def astray():
    """What the program that writes the table says of adapters, and is not so."""
    jobs = verdicts.all_jobs("build")
    for name in verdicts.unplayed(jobs):
        yield f"{name} is neither played nor left out with a reason (tests/proof/verdicts.py)"
    for name in verdicts.LEFT_OUT:
        if not os.path.exists(f"tests/{name}.c"):
            yield f"{name} is left out, and not there"
    names = {(job.name, job.type()) for job in jobs}
    if len(names) != len(jobs):
        yield "an adapter is played twice on a device"
    for name, device, *_ in verdicts.CHANCE + verdicts.ANY_NUMBER:
        if (name, device) not in names:
            yield f"{name} on {device} is said to be chance, and not played"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    with tempfile.TemporaryDirectory() as folder:
        wrong = [why for row in TRIED if (why := complaint(folder, *row)) is not None]
    wrong += astray()
    for line in wrong:
        print(f"verdicts: {line}", file=sys.stderr)
    if not wrong:
        print(f"verdicts: {len(TRIED)} pairs of tables are told apart as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
