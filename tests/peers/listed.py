#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whether a list of known deviations says what the record of a run says, where `adicheck run`
leaves it at that: each SHOULD that is broken has a row, too, and no row names far more cases than
deviate, as it would excuse with its reason whatever else breaks the rule there.

    tests/peers/listed.py KNOWN RECORD     ci/known/NAME.txt, NAME.json; exits 1 if not
"""

import collections
import ctypes
import json
import os
import re
import sys

SHARE = 4  # one case in four that a row names, and that was judged, deviates
CHANCE = "by chance: "  # so begins the reason of a row that shows in some runs only

FNM_EXTMATCH = 1 << 5
fnmatch = ctypes.CDLL(None).fnmatch

NOT_JUDGED = ("skip", "unsupported", "error", "xpass")

Row = collections.namedtuple("Row", "line rule device case version reason")


def matches(glob, name):
    """As adicheck's globs do: a shell's, @(one|other) included, and * goes past slashes."""
    return fnmatch(glob.encode(), name.encode(), FNM_EXTMATCH) == 0


def split(line):
    """The fields of a row; a bar within the parentheses of a glob ends none."""
    fields, depth = [""], 0
    for letter in line:
        if len(fields) < 4:
            depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            fields.append("")
        else:
            fields[-1] += letter
    return [field.strip() for field in fields]


def read_rows(path):
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for line, text in enumerate(file, 1):
            if text.strip() and not text.startswith("#"):
                rule, case, version, reason = (split(text) + [""])[:4]
                device, case = ([None] + re.split(r"\s+", case, maxsplit=1))[-2:]
                yield Row(line, rule, device, case, version, reason)


def names(row, result):
    devices = (result["device"], result["device"].split(":")[0])
    if row.device is not None and not any(matches(row.device, name) for name in devices):
        return False
    return matches(row.case, result["case"])


def unlisted(record, path):
    """A line for each SHOULD that is broken and has no row."""
    rules, version = collections.defaultdict(list), record["implementation"]["version"]
    for result in record["results"]:
        if result["verdict"] == "warn":
            rules[result["rule"], result["party"]].append(f"{result['device']} {result['case']}")
    for (rule, party), cases in sorted(rules.items()):
        yield (f"{path}: no row for version {version} covers {rule}, a SHOULD that the {party} "
               f"breaks in {len(cases)} cases, such as {cases[0]}: trace it, show it in repro/, "
               "and list it; or mend what is blamed wrongly")


def too_wide(record, path):
    """A line for each row of this version that names far more cases than deviate."""
    judged = [result for result in record["results"]
              if result["verdict"] not in NOT_JUDGED and result["case"]]
    for row in read_rows(path):
        if not matches(row.version, record["implementation"]["version"]):
            continue
        if row.reason.startswith(CHANCE):
            continue
        named, deviates = set(), set()
        for result in judged:
            if names(row, result):
                case = (result["device"], result["case"])
                named.add(case)
                if result["verdict"] == "xfail" and matches(row.rule, result["rule"]):
                    deviates.add(case)
        if deviates and len(deviates) * SHARE < len(named):
            yield (f"{path}:{row.line}: the row names {len(named)} cases that were judged, and "
                   f"{len(deviates)} of them deviate: narrow it, as it would excuse another cause "
                   f"of {row.rule} in the rest")


def main(path, record):
    with open(record, encoding="utf-8") as file:
        record = json.load(file)
    said = [*unlisted(record, path), *too_wide(record, path)]
    print("".join(f"  {line}\n" for line in said), end="")
    return 1 if said else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
