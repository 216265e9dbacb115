# SPDX-License-Identifier: Apache-2.0
"""Runs of the built command, and what they found."""

import concurrent.futures
import json
import os
import subprocess
import sys
import time

import table

AT_RANDOM = table.at_random()
QUIET = ("pass", "skip", "unsupported")

# A run that says so is played again: the machine is no part of what is found.
BUSY = ("the machine is busy", "a machine that is less busy")
TRIES = 10
PATIENCE = 30  # seconds between two tries, at the most


def is_busy(record):
    return any(words in row["message"] for row in record["results"] for words in BUSY)


class Run:
    """What came of judging: the exit status, and (rule, party, case, verdict) of each finding."""

    def __init__(self, command, adapter, *arguments, word="run", blind=None, environment=()):
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", **dict(environment))
        environment.pop("ADI_TEST_BLIND", None)
        if blind:
            environment["ADI_TEST_BLIND"] = blind
        if os.path.splitext(os.path.basename(adapter))[0] in AT_RANDOM:
            environment["ADI_SIM_POLICY"] = "random"
        line = [command, word, adapter, "--jobs", "1", "--json", "-", *arguments]
        for number in range(TRIES):
            time.sleep(min(2**number - 1, PATIENCE))
            done = subprocess.run(line, env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True)
            if not done.stdout:
                sys.exit(f"{' '.join(line)}: no report: {done.stderr.decode(errors='replace')}")
            self.status = done.returncode
            report = json.loads(done.stdout)
            if not is_busy(report):
                break
        else:
            sys.exit(f"{' '.join(line)}: the machine is busy")
        results = report["results"]
        self.available = any(device["available"] for device in report["devices"])
        self.ms = {row["case"]: row["ms"] for row in results}
        self.findings = [
            (row["rule"], row["party"], row["case"], row["verdict"])
            for row in results
            if row["verdict"] not in QUIET
        ]

    def by_rule(self):
        """The cases with a finding, by (rule, party)."""
        found = {}
        for rule, party, case, _ in self.findings:
            found.setdefault((rule, party), []).append(case)
        return found

    def finds(self, mutant):
        return any(
            (rule, party) == (mutant.rule, mutant.party) and verdict != "error"
            for rule, party, _, verdict in self.findings
        )


def in_parallel(work, items):
    """The results of `work` on each item, in their order. Workers wait more than they work."""
    with concurrent.futures.ThreadPoolExecutor(2 * len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(work, items))


def write(path, head, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for row in [head, *rows]:
            file.write("\t".join(str(field) for field in row) + "\n")


def update(path, head, rows, order):
    """Writes these rows into a table that is there; those of other names stay. `order`: of all."""
    named = {row[0]: row for row in [*read(path), *rows]}
    write(path, head, [named[name] for name in order if name in named])


def read(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]
