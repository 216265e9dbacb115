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
    return {"rule": rule, "party": "producer", "device": device, "case": case, "verdict": verdict,
            "message": "refused: no views" if verdict == "unsupported" else ""}


def case(name, verdict, *rest, of="export", **more):
    return result(f"{name}/many/{of}", verdict, *rest, **more)


def results(deviating, verdict="xfail"):
    """A case of each type; those of some deviate."""
    return [case(name, verdict if name in deviating else "pass") for name in TYPES]


def all_of(verdict, scenario):
    """A case of each type on two devices."""
    return [case(name, verdict, of=scenario, device=device)
            for name in TYPES for device in ("cpu:-1", "cuda:0")]


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
    ("a scenario of which none deviates", row("*"),
     all_of("xfail", "export") + all_of("pass", "relay"),
     "known.txt:1: the row names 18 cases of the scenario relay, and none of them deviates"),
    ("a scenario of which one does", row("*"),
     all_of("xfail", "export") + all_of("pass", "relay")[1:] + [case("int32", "xfail", of="relay")],
     ""),
    ("a type of which none deviates", row("*"),
     [one for name in ("int32", "map") for n in range(12)
      for one in [case(name, "pass" if name == "map" else "xfail", of=f"relay-{n}")]],
     "known.txt:1: the row names 12 cases of the type map, and none"),
    ("a SHOULD without a row", "", results(VIEWS, "warn"),
     "no row for version 1.0 covers life/memory-leaked, a SHOULD that the producer breaks in 2 "
     "cases, such as cpu:-1 binary_view/many/export"),
    ("a note needs none", "", results(VIEWS, "note"), ""),
]


# What is tried; a page of findings, where six cases deviate and three were refused; what is said.
QUOTED = [
    ("a page without figures", "Rows 2 and 3 of a case.", ""),
    ("about as many", "Over 5 rows, `life/memory-leaked`.", ""),
    ("fewer than half", "over 2 rows, `life/memory-leaked`", "memory-leaked: the record has 6"),
    ("half", "(over 3\ncases, `life/memory-leaked`)", ""),
    ("no more than the record has", "over 6 rows, `life/memory-leaked`", "the record has 6"),
    ("what no case breaks any more", "over 10 rows, `life/crash`", "life/crash: the record has 0"),
    ("what was refused", 'It is refused (over 2 rows, "no\n  views").', ""),
    ("what was refused otherwise", 'over 2 rows, "no union"', "no union: the record has 0"),
    ("a figure that is exact", "6 rows, `life/memory-leaked`", "6 rows: such a figure ages"),
    ("a figure of nothing", "over 3,000 rows of it", "3,000 rows: such a figure ages"),
    ("two figures", "over 5 rows, `life/memory-leaked`, and over 1 case; 9 rows", "9 rows: such"),
]


def say(rows, said_of, page="", name="known"):
    with tempfile.TemporaryDirectory() as top:
        paths = [os.path.join(top, file) for file in ("known.txt", f"{name}.json")]
        listed.PAGES = top
        with open(os.path.join(top, "known_streams.md"), "w", encoding="utf-8") as file:
            file.write(page)
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
    record = results(TYPES[:6])[:6] + [case(name, "unsupported") for name in TYPES[6:]]
    tried = TRIED + [(what, row("*"), record, page, wanted) for what, page, wanted in QUOTED]
    tried.append(("of another record", row("*"), record, "6 rows", "known-debug", ""))
    for what, *said_of, wanted in tried:
        status, said = say(*said_of)
        if wanted not in said or (wanted == "") != (said == "") or status != (wanted != ""):
            print(f"listed_test.py: {what}: wanted {wanted!r} in {said!r}, {status}",
                  file=sys.stderr)
            failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
