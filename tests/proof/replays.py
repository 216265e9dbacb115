#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Whether the line that a finding is printed with shows it again.

    tests/proof/replays.py BUILD [--one-a-rule] [--programs] [NAME ...]

Plays each planted defect (those whose NAME, a glob, fits) in the cases of its row, types the
`replay:` line of its finding as it is printed, and looks for the same rule, party and verdict, and
for the exit status that they have. Findings that need the cases before them are named. Fails unless
every line holds. What has no device here is left out, and said, and does not count.

--programs: of the asynchronous producers, those that the cover (program-async) and one second of
the fuzzer (fuzz-async) find something in: each finding, whatever its rule.
"""

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys

import judge_run
import table

RED = ("fail", "crash", "timeout")
SEEN = re.compile(r"^(\w+)  ([a-z]+/[\w-]+)  (?:MUST|SHOULD|MAY)  (\w+)", re.MULTILINE)
OPTIONS = table.options()
TRIES = 3  # on a busy machine nothing may be decided of what hangs


def environment(build, name):
    path = os.path.abspath(build) + ":" + os.environ["PATH"]
    policy = {"ADI_SIM_POLICY": "random"} if name in judge_run.AT_RANDOM else {}
    return {**os.environ, "PATH": path, "ASAN_OPTIONS": "detect_leaks=0", **policy}


def found(build, mutant):
    """The rows of the run; and the one of the defect, None: it is not there."""
    device = table.device_of(mutant.name)
    line = ["adicheck", "run", f"{build}/tests/mutants/{mutant.name}.so", "--device",
            device if device == "cpu" else device + ":0", "--case", mutant.cases, "--json", "-",
            *OPTIONS.get(mutant.rule, ())]
    done = subprocess.run(line, env=environment(build, mutant.name), stdin=subprocess.DEVNULL,
                          capture_output=True)
    report = json.loads(done.stdout)
    there = any(device["available"] for device in report["devices"])
    rows = [row for row in report["results"] if row["verdict"] not in judge_run.QUIET]
    own = [row for row in rows if (row["rule"], row["party"]) == (mutant.rule, mutant.party)]
    return there, rows, own[0] if own else None


def typed(build, name, line):
    done = subprocess.run(["sh", "-c", line], env=environment(build, name), text=True,
                          errors="replace", stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode, {(rule, party, verdict)
                             for verdict, rule, party in SEEN.findall(done.stdout)}


def judge(build, mutant):
    """A sentence on what is wrong; "": nothing; and whether the case needs those before it."""
    for _ in range(TRIES):
        there, rows, row = found(build, mutant)
        if row is not None or not there:
            break
    if row is None:
        return ("its finding is not there" if there else None), False
    wanted = (row["rule"], row["party"], row["verdict"])
    red = any(r["verdict"] in RED for r in rows if r["case"] == row["case"])
    status, said = typed(build, mutant.name, row["replay"])
    preceding = any(word.startswith("@(") for word in shlex.split(row["replay"]))
    if wanted not in said:
        return f"{row['replay']}: no {wanted} in {sorted(said)}, status {status}", preceding
    if status != red:
        return f"{row['replay']}: exit status {status}, wanted {int(red)}", preceding
    return "", preceding


# ---- findings of programs ----

BY_CHANCE = {"async_wakes_nobody": "a request has to come between two instructions"}
PROGRAMS = ("run", "--case", "@(int32|struct)/many/program-async"), ("fuzz", "--time", "1")


def rows_of_programs(build, name, word, *options):
    line = ["adicheck", word, f"{build}/tests/mutants/{name}.so", "--device", "cpu", *options,
            "--json", "-"]
    done = subprocess.run(line, env=environment(build, name), stdin=subprocess.DEVNULL,
                          capture_output=True)
    return [row for row in json.loads(done.stdout)["results"]
            if row["verdict"] not in judge_run.QUIET and row.get("confirmed", True)]


def judge_programs(build, mutant):
    """The same, of all findings; and how many there are."""
    rows = [row for line in PROGRAMS for row in rows_of_programs(build, mutant.name, *line)]
    for row in rows:
        for _ in range(TRIES):
            status, said = typed(build, mutant.name, row["replay"])
            if (row["rule"], row["party"], row["verdict"]) in said:
                break
        else:
            why = f"{row['replay']}: no {row['rule']} in {sorted(said)}, status {status}"
            return why, len(rows)
    return "", len(rows)


def main_of_programs(build, mutants):
    mutants = [mutant for mutant in mutants
               if mutant.name.startswith("async_") and mutant.party == "producer"
               and mutant.name not in BY_CHANCE]
    said = judge_run.in_parallel(lambda mutant: judge_programs(build, mutant), mutants)
    wrong = [f"{mutant.name}: {why}" for mutant, (why, _) in zip(mutants, said) if why]
    for line in wrong:
        print("replays:", line)
    for name, why in BY_CHANCE.items():
        print(f"replays: left out, shows by chance: {name}: {why}")
    print(f"replays: {sum(n for _, n in said)} findings of programs of {len(mutants)} asynchronous "
          f"producers, and {len(wrong)} of these whose line does not show one again")
    return 1 if wrong or not sum(n for _, n in said) else 0


# ---- all of it ----

def chosen(arguments):
    globs = [word for word in arguments if not word.startswith("--")]
    mutants = [mutant for mutant in table.mutants()
               if not globs or any(fnmatch.fnmatchcase(mutant.name, glob) for glob in globs)]
    if "--one-a-rule" in arguments:
        mutants = list({mutant.rule: mutant for mutant in reversed(mutants)}.values())
    return mutants


def main(build, *arguments):
    mutants = chosen(arguments)
    if "--programs" in arguments:
        return main_of_programs(build, mutants)
    wrong, absent, preceding = [], [], []
    said = judge_run.in_parallel(lambda mutant: judge(build, mutant), mutants)
    for mutant, (why, needs) in zip(mutants, said):
        if why is None:
            absent.append(mutant.name)
        elif why:
            wrong.append(f"{mutant.name}: {why}")
        if needs:
            preceding.append(mutant.name)
    for line in wrong:
        print("replays:", line)
    if absent:
        print("replays: left out, there is no such device:", ", ".join(absent))
    if preceding:
        print("replays: these need the cases before them:", ", ".join(preceding))
    typed_in_all = len(mutants) - len(absent)
    print(f"replays: {typed_in_all - len(wrong)} of {typed_in_all} findings are shown again by "
          f"their lines")
    return 1 if wrong or not typed_in_all else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
