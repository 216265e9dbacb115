#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whether a list of known deviations says what the record of a run says, where `adicheck run`
leaves it at that: each SHOULD that is broken has a row, too, and no row names far more cases than
deviate, or a scenario or type of which none does, as it would excuse with its reason whatever else
breaks the rule there. And whether the figures of docs/findings/NAME*.md are of this record, if it
is NAME.json:

    over 900 rows, `sync/read-before-wait`   more, and up to twice as many, break the rule
    over 90 rows, "invalid utf-8"            have this in their message

    tests/peers/listed.py KNOWN RECORD     ci/known/NAME.txt, NAME.json; exits 1 if not
"""

import collections
import ctypes
import glob
import json
import os
import re
import sys

SHARE = 4  # one case in four that a row names, and that was judged, deviates
NONE = 12  # that many of a scenario, or of a type, were judged, and one at least deviates
CHANCE = "by chance: "  # so begins the reason of a row that shows in some runs only

PAGES = os.path.join(os.path.dirname(__file__), "../../docs/findings")
FIGURE = re.compile(r"(over )?\b(\d[\d,]*) (?:rows|cases)\b(?:, (?:`(.+?)`|\"(.+?)\"))?", re.I)

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


def parts(cases):
    """The cases of each scenario and of each type."""
    found = collections.defaultdict(set)
    for case in cases:
        words = case[1].split("/")
        found[f"the scenario {words[-1]}"].add(case)
        found[f"the type {words[0]}"].add(case)
    return found


def wider(row, named, deviates, path):
    """Lines, if that is so of a row that names these cases, and these deviate: (device, case)."""
    for part, cases in sorted(parts(named).items()):
        if deviates and len(cases) >= NONE and not cases & deviates:
            yield (f"{path}:{row.line}: the row names {len(cases)} cases of {part}, and none "
                   "of them deviates: leave them out, as it would excuse another cause of "
                   f"{row.rule} there")
    if deviates and len(deviates) * SHARE < len(named):
        yield (f"{path}:{row.line}: the row names {len(named)} cases that were judged, and "
               f"{len(deviates)} of them deviate: narrow it, as it would excuse another cause "
               f"of {row.rule} in the rest")


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
        yield from wider(row, named, deviates, path)


def count(record, rule, text):
    return sum(result["rule"] == rule and result["verdict"] not in ("pass", *NOT_JUDGED)
               if rule else text in result["message"] for result in record["results"])


def misquoted(record, page):
    """A line for each figure of a page that is not of the record."""
    with open(page, encoding="utf-8") as file:
        text = " ".join(file.read().split())
    for over, most, rule, words in FIGURE.findall(text):
        about, said = rule or words, int(most.replace(",", ""))
        rows = count(record, rule, words)
        if not over or not about:
            yield (f"{os.path.relpath(page)}: {most} rows: such a figure ages; wanted over N rows, "
                   'and then `a/rule` or "what their message says"')
        elif not said < rows <= 2 * said:
            yield f"{os.path.relpath(page)}: over {most} rows, {about}: the record has {rows}"


def main(path, record_path):
    with open(record_path, encoding="utf-8") as file:
        record = json.load(file)
    said = [*unlisted(record, path), *too_wide(record, path)]
    name = os.path.splitext(os.path.basename(path))[0]
    if os.path.basename(record_path) == f"{name}.json":
        for page in sorted(glob.glob(os.path.join(PAGES, f"{name}*.md"))):
            said += misquoted(record, page)
    print("".join(f"  {line}\n" for line in said), end="")
    return 1 if said else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
