#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Plays the planted defects of tests/mutants/mutants.def that are on CUDA, and what is odd but
legal there, on this machine's own driver.

    tests/sim/gpu/planted.py BUILD [UNSEEN]

A defect has to be found as its row says; of what is odd nothing may be said. UNSEEN, by default
tests/sim/gpu/unseen.tsv, has those that a driver does not show, each with the reason; a row that a
driver does show is stale, and fails too. What an adapter does to the driver ends with its process.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[3]
ROW = re.compile(r'^MUTANT\((cuda_\w+),\s*"([^"]+)",\s*"([^"]+)",\s*"([^"]+)"\)', re.MULTILINE)
ODD = re.compile(r'^ODD\((cuda_\w+),\s*"([^"]+)"\)', re.MULTILINE)
QUIET = "pass", "skip", "unsupported", "note"
SECONDS = 60
AT_ONCE = 4  # a process takes a second to begin CUDA where sixteen do


def device_of(name):
    """By the longest name that it begins with."""
    return next(device for device in ("cuda_managed", "cuda_host", "cuda")
                if name.startswith(f"{device}_"))


def play(build, name, cases):
    """What is said of an adapter: the findings, as (rule, party); None: no report."""
    command = [f"{build}/adicheck", "run", f"{build}/tests/mutants/{name}.so", "--device",
               f"{device_of(name)}:0", "--case", cases, "--json", "-"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=SECONDS, check=False,
                              env={**os.environ, "ADI_CUDA": os.environ.get("ADI_CUDA", "real")})
        report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None, 0
    results = report["results"]
    return ({(row["rule"], row["party"]): row.get("message", "") for row in results
             if row["verdict"] not in QUIET},
            sum(row["verdict"] == "pass" for row in results))


def wrong_with(build, name, rule, party, cases):
    """What is not as the row says, a sentence; None: all is."""
    found, passed = play(build, name, cases)
    if found is None:
        return "there was no report"
    if rule is None and (found or not passed):
        return f"said: {found}" if found else "nothing was judged"
    if rule is not None and set(found) != {(rule, party)}:
        return f"{rule} by the {party} was wanted, said: {found or 'nothing'}"
    return None


def main(build, unseen=TOP / "tests/sim/gpu/unseen.tsv"):
    text = (TOP / "tests/mutants/mutants.def").read_text(encoding="utf-8")
    rows = [*((name, None, None, cases) for name, cases in ODD.findall(text)), *ROW.findall(text)]
    known = dict(line.split("\t") for line in pathlib.Path(unseen).read_text(
        encoding="utf-8").splitlines() if line and not line.startswith("#"))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for (name, *_), said in zip(rows, pool.map(lambda row: wrong_with(build, *row), rows)):
            if said is not None and name not in known:
                print(f"{name}: {said}", flush=True)
            elif said is None and name in known:
                print(f"{name}: {unseen} says that it is not seen, and it is", flush=True)
            bad += (said is not None) != (name in known)
    for name in set(known) - {name for name, *_ in rows}:
        print(f"{name}: {unseen} has it, and mutants.def has not")
        bad += 1
    print(f"{len(rows)} adapters with CUDA, {len(known)} unseen, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
