#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays each adapter of tests/mutants that is for oneapi on the real runtime that the environment
says: what its row of mutants.def says comes out, or what unseen.tsv says in its place.

    tests/peers/sycl/judge.py BUILD PEERS
"""
import json
import os
import re
import subprocess
import sys

ROWS = "tests/mutants/mutants.def"
UNSEEN = "tests/peers/sycl/unseen.tsv"
ROW = re.compile(r'^MUTANT\((oneapi_\w+), "([^"]+)", "(\w+)", "([^"]+)"\)'
                 r'|^ODD\((oneapi_\w+), "([^"]+)"\)', re.M)
TOLD = ("fail", "error", "warn", "note", "crash")


def rows():
    """(name, rule or None, cases) of each, and the options of rules."""
    with open(ROWS, encoding="utf-8") as file:
        text = file.read()
    options = dict(re.findall(r'^OPTIONS\("([^"]+)", "([^"]+)"\)', text, re.M))
    for found in ROW.finditer(text):
        cases = found[4] or found[6]
        yield found[1] or found[5], found[2], cases, options.get(found[2], "").split()


def unseen():
    """What comes out in place of the rule, by name: another, "-" for nothing, or "*": whatever."""
    with open(UNSEEN, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {line[0]: line[1] for line in lines}


def played(build, peers, name, cases, options):
    """The rules that are told of it; None: there is no such adapter."""
    adapter, record = f"{build}/tests/mutants/{name}.so", f"{peers}/sycl-row.json"
    if not os.path.exists(adapter):
        return None
    command = [f"{build}/adicheck", "run", adapter, "--device", "oneapi*", "--case", cases]
    command += ["--json", record] + options
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(record, encoding="utf-8") as file:
        results = json.load(file)["results"]
    return {one["rule"] for one in results if one["verdict"] in TOLD and one["rule"]}


def words(rules):
    return " ".join(sorted(rules)) or "nothing"


def main():
    build, peers = sys.argv[1:]
    others, wrong, named, silent = unseen(), [], 0, 0
    for name, rule, cases, options in rows():
        want = {rule} if rule else set()
        if name in others:
            told_instead = others.pop(name)
            want = set() if told_instead == "-" else {told_instead}
        told = played(build, peers, name, cases, options)
        if told is None:
            wrong.append(f"{name}: it is not there")
            continue
        if told != want and "*" not in want:
            wrong.append(f"{name}: {words(told)} is told, not {words(want)}")
        named, silent = named + bool(told), silent + (not told)
    wrong += [f"{UNSEEN} has {name}, which is no row" for name in others]
    print(f"  tests/peers/sycl: of {named + silent} adapters {named} are named, {silent} silent; "
          f"{len(wrong)} wrong")
    for line in wrong:
        print(f"peers: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
