#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""tests/peers/listed.py is tried on small lists and records.

    tests/peers/listed_test.py
"""

import contextlib
import io
import json
import os
import sys
import tempfile

import listed

TYPES = ("binary_view", "utf8_view", "int32", "int64", "utf8", "map", "struct", "null", "bool")


def result(case, verdict, rule="life/memory-leaked", device="cpu:-1"):
    return {"rule": rule, "party": "producer", "device": device, "case": case, "verdict": verdict}


def case(name, verdict, *rest, **more):
    return result(f"{name}/many/export", verdict, *rest, **more)


def results(deviating, verdict="xfail"):
    """A case of each type; those of some deviate."""
    return [case(name, verdict if name in deviating else "pass") for name in TYPES]


def row(case, rule="life/memory-leaked", version="1.*", why="why"):
    return f"{rule} | {case} | {version} | {why} (a | link | 2027-11-30\n"


VIEWS = ("binary_view", "utf8_view")

# What is tried; the list; the results; what is said, "" nothing.
TRIED = [
    ("a row for what deviates", row("@(binary|utf8)_view/*"), results(VIEWS), ""),
    ("no row, and nothing deviates", "# none\n\n", results(()), ""),
    ("a row for everything", row("*"), results(VIEWS),
     "known.txt:1: the row names 9 cases that were judged, and 2 of them deviate"),
    ("what shows by chance is not counted", row("*", why="by chance: why"), results(VIEWS), ""),
    ("one in four is enough", row("@(utf8_view|int32|int64|map)/*"), results(VIEWS), ""),
    ("one in five is not", "#\n" + row("@(utf8_view|int32|int64|map|utf8)/*"), results(VIEWS),
     "known.txt:2: the row names 5 cases"),
    ("what was refused is not judged", row("*"),
     results(VIEWS)[:2] + [case(name, "unsupported") for name in TYPES[2:]], ""),
    ("nor is a row of the record that counts every tree a case", row("*"),
     results(VIEWS)[1:5] + [result("", "pass")], ""),
    ("a case in which many rules were judged is one", row("*"),
     results(VIEWS)[:4] + [result("utf8_view/many/export", "pass", "life/crash")] * 9, ""),
    ("another rule's finding makes no row fit", row("*", "life/*"),
     [case(name, "xfail", "array/misread") for name in TYPES] + [case("int32", "xfail")],
     "names 9 cases that were judged, and 1 of them"),
    ("what another device does is its own", row("cuda* *"),
     results(()) + [result("int32/many/export", "xfail", device="cuda:0")], ""),
    ("of its device", row("cpu *"), results(VIEWS), "known.txt:1: the row names 9 cases"),
    ("a case on two devices is two", row("*"), results(VIEWS)[1:4] + [
        case(name, "pass", device="cuda:0") for name in TYPES[1:4]],
     "names 6 cases that were judged, and 1 of them"),
    ("of another version", row("*", version="2.*"), results(VIEWS), ""),
    ("a crash is a case that was judged", row("*"),
     results(VIEWS)[:2] + [case(name, "crash") for name in TYPES[2:]], "names 9"),
    ("a SHOULD without a row", "", results(VIEWS, "warn"),
     "no row for version 1.0 covers life/memory-leaked, a SHOULD that the producer breaks in 2 "
     "cases, such as cpu:-1 binary_view/many/export"),
    ("a note needs none", "", results(VIEWS, "note"), ""),
]


def say(rows, said_of):
    with tempfile.TemporaryDirectory() as top:
        paths = [os.path.join(top, name) for name in ("known.txt", "x.json")]
        record = {"implementation": {"name": "x", "version": "1.0"}, "results": said_of}
        for path, text in zip(paths, (rows, json.dumps(record))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = listed.main(*paths)
    return status, said.getvalue()


def main():
    failed = 0
    for what, rows, said_of, wanted in TRIED:
        status, said = say(rows, said_of)
        if wanted not in said or (wanted == "") != (said == "") or status != (wanted != ""):
            print(f"listed_test.py: {what}: wanted {wanted!r} in {said!r}, {status}",
                  file=sys.stderr)
            failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
