#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""What a newer release of each library does otherwise than the one before: which findings went and
which came, by rule, party and type of device, with the number of rows before and now.

    tests/peers/changes.py BEFORE NOW          two folders of records (NAME.json) by `make peers`
    tests/peers/changes.py BEFORE NOW NAME     of one library only, a debug build of it included
"""

import collections
import glob
import json
import os
import sys

# What is known to break a rule breaks it, by a crash or otherwise; what was not judged is no
# finding.
SAYS = {"xfail": "fail", "crash": "fail", "hang": "fail", "xpass": "pass", "skip": "pass"}


def read(path):
    """The release that was judged, and how many rows (rule, party, type, verdict) has."""
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    rows = collections.Counter()
    for row in record["results"]:
        verdict = SAYS.get(row["verdict"], row["verdict"])
        if verdict != "pass":
            rows[row["rule"], row["party"], row["device"].split(":")[0], verdict] += 1
    return record["implementation"]["version"], rows


def changes(before, now):
    """Lines that say what is no longer so, is so now, or is so in another number of cases."""
    for key in sorted(before | now):
        rule, party, device, verdict = key
        was, is_ = before[key], now[key]
        if was == is_:
            continue
        what = "came" if was == 0 else "went" if is_ == 0 else "changed"
        yield f"  {what:8}{verdict:12} {rule}  {party}  {device}  {was} -> {is_} rows"


def main(before, now, peer=None):
    names = sorted(os.path.basename(path) for path in glob.glob(os.path.join(before, "*.json")))
    if peer:
        names = [name for name in names if name in (f"{peer}.json", f"{peer}-debug.json")]
    only = f" PEER={peer}" if peer else ""
    if not names and not peer:
        sys.exit(f"{before} has no records; type: make peers RELEASE=before")
    if not names:
        print(f"{peer}: has no record in {before}, so that nothing is compared")
    for name in names:
        library = name[: -len(".json")]
        if not os.path.exists(os.path.join(now, name)):
            print(f"{library}: has no record in {now}; to compare, type: make peers{only}")
            continue
        (was, old), (version, new) = read(os.path.join(before, name)), read(os.path.join(now, name))
        print(f"{library} {was} -> {version}")
        print("\n".join(changes(old, new)) or "  nothing changed")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
