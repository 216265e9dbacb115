#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""tests/peers/changes.py is tried on small records.

    tests/peers/changes_test.py
"""

import contextlib
import io
import json
import os
import sys
import tempfile

import changes


def row(verdict, rule="life/crash", device="cpu:-1"):
    return {"rule": rule, "party": "producer", "device": device, "verdict": verdict}


# What was done; the rows before and now; what is said of them.
TRIED = [
    ("nothing", [row("fail")], [row("fail")], "  nothing changed"),
    ("a finding is known now", [row("fail")], [row("xfail")], "  nothing changed"),
    ("a crash is known now", [row("crash")], [row("xfail")], "  nothing changed"),
    ("a pass more is no change", [row("pass")], [row("pass")] * 2, "  nothing changed"),
    ("a skip is no change", [], [row("skip")], "  nothing changed"),
    ("mended", [row("fail")] * 2, [row("pass")] * 2,
     "went    fail         life/crash  producer  cpu  2 -> 0 rows"),
    ("broken", [], [row("crash")],
     "came    fail         life/crash  producer  cpu  0 -> 1 rows"),
    ("in more cases", [row("note")], [row("note")] * 3,
     "changed note         life/crash  producer  cpu  1 -> 3 rows"),
    ("on another device", [row("fail")], [row("fail", device="cuda:0")],
     "came    fail         life/crash  producer  cuda"),
]


def say(before, now):
    with tempfile.TemporaryDirectory() as top:
        for name, version, rows in (("before", "1.0", before), ("now", "1.1", now)):
            os.mkdir(os.path.join(top, name))
            record = {"implementation": {"name": "x", "version": version}, "results": rows}
            with open(os.path.join(top, name, "x.json"), "w", encoding="utf-8") as file:
                json.dump(record, file)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            changes.main(os.path.join(top, "before"), os.path.join(top, "now"))
    return said.getvalue()


# The libraries with a record of before; PEER; which are told of. Of z there is no record now.
TOLD = [
    (("x", "y"), None, "xy"),
    (("x", "y"), "x", "x"),
    (("x-debug", "x", "xx"), "x", "xx"),
    (("y",), "x", "x"),
    (("y", "z"), "z", "z"),
]


def say_of(libraries, peer):
    record = {"implementation": {"name": "-", "version": "1.0"}, "results": []}
    with tempfile.TemporaryDirectory() as top:
        for name in ("before", "now"):
            os.mkdir(os.path.join(top, name))
            for library in libraries:
                if (name, library) == ("now", "z"):
                    continue
                record["implementation"]["name"] = library
                path = os.path.join(top, name, f"{library}.json")
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(record, file)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            changes.main(os.path.join(top, "before"), os.path.join(top, "now"), peer)
    return said.getvalue()


def main():
    failed = 0
    for libraries, peer, wanted in TOLD:
        said = say_of(libraries, peer)
        told = "".join(line[0] for line in said.splitlines() if not line.startswith(" "))
        if told != wanted or (peer == "z") != ("type: make peers PEER=z" in said):
            print(f"changes_test.py: {libraries}, PEER={peer}: {said!r}", file=sys.stderr)
            failed = 1
    for what, before, now, wanted in TRIED:
        said = say(before, now)
        if wanted not in said or "x 1.0 -> 1.1" not in said:
            print(f"changes_test.py: {what}: wanted {wanted!r} in {said!r}", file=sys.stderr)
            failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
