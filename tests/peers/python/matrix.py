#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Judges what libraries of Python hand out and take, by protocol and device, and writes the matrix:
TARGET.json, TARGET.html.

    tests/peers/python/matrix.py TARGET PEERS [LIBRARY ...]     PEERS has the virtual environments

A library is a file of libraries/. It is judged in a process of its own for each device (cell.py);
where that ends or hangs this is what the cell says, and the cells behind it are judged in another.
A cell of which nothing was judged says why.

Exits 1 if a cell shows what no row of ci/known/python_NAME.txt has, or a row covers nothing, or
names far more cases than deviate (listed.py). The rows are as those of `adicheck run --known`; what
is matched in place of a case is

    DEVICE ROLE PROTOCOL CASE        cpu consumer dlpack int32/many/consume-dlpack
"""

import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(HERE)]

import listed  # noqa: E402 (where they lie is said above)
import page  # noqa: E402

DEVICES = "cpu", "cuda", "cuda_host", "cuda_managed"
PROTOCOLS = ("arrow_c_array", "arrow_c_device_array", "arrow_c_stream", "arrow_c_device_stream",
             "dlpack", "cuda_array_interface", "array_interface", "buffer")
ROLES = "producer", "consumer"
BAD = "crash", "timeout", "fail", "warn"
LIMIT = 120  # seconds that a cell may take

# What the package says before it ends with the process, in how many cases of a cell at most; the
# cell is judged again without these.
TOLD = re.compile(r"^adicheck: (\S+) on \S+: (\S+): (\w+): (.*)$", re.MULTILINE)
MOST = 4

# What ci/known lists is seen on simulated devices: a driver keeps no books, and shows less.
IS_REAL = os.environ.get("ADI_CUDA") == "real"

# What can be had on a machine with a GPU alone, and why.
ABSENT = {
    "cupy": "is linked with NVIDIA's runtime statically: its calls do not reach a simulated one",
    "torch": "its wheels on PyPI are those for CUDA: with what they need several gigabytes",
}


class Worker:
    """A process that judges the cells of a library on a device, without those that are done."""

    def __init__(self, python, path, device, done, said):
        reads, writes = os.pipe()
        self.process = subprocess.Popen(
            [python, str(HERE / "cell.py"), str(path), device, str(writes), *done],
            pass_fds=[writes], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            cwd=tempfile.gettempdir(), start_new_session=True)
        os.close(writes)
        self.pipe = os.fdopen(reads, "rb", buffering=0)
        self.rest = b""

    def line(self, seconds):
        """The next thing that it says. None: it has ended; TimeoutError."""
        until = time.monotonic() + seconds
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.pipe], [], [], max(until - time.monotonic(), 0))
            if not ready:
                raise TimeoutError
            more = self.pipe.read(65536)
            if not more:
                return None
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def end(self):
        """How it ended; its children go with it."""
        if self.process.poll() is None:
            try:
                self.process.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self.process.pid, 9)
        except ProcessLookupError:
            pass
        self.pipe.close()
        return self.process.wait()


def ended(verdict, message, text):
    return {"counts": {verdict: 1}, "refusals": {},
            "findings": [{"rule": "life/crash" if verdict == "crash" else "life/hang",
                          "party": "library", "verdict": verdict, "message": message,
                          "text": text, "cases": ["own"]}]}


class Device:
    """A library on a device: its version, its cells by "role/protocol", why it cannot be had."""

    def __init__(self, limit):
        self.limit = limit
        self.version = self.why = None
        self.cells, self.parts = {}, {}  # of a cell that was judged but for what ends it
        # By cell: cases that ended the process, and are left out; what was told of them.
        self.left_out, self.told = collections.defaultdict(list), collections.defaultdict(list)

    def listen(self, worker):
        """The cell that the process was at when it ended or hung, and which of them; or whether
        it was done."""
        at = None
        try:
            while (line := worker.line(self.limit)) is not None:
                self.version = line.get("version", self.version)
                self.why = line.get("unavailable", self.why)
                at = line.get("begin", at)
                if "part" in line:
                    self.parts[line.pop("part")] = line
                if "end" in line:
                    self.add(line.pop("end"), line)
                    at = None
                if "ended" in line or "unavailable" in line:
                    return None, "done"
        except TimeoutError:
            return at, "timeout"
        return at, "crash"

    def add(self, at, cell):
        cell["findings"] += self.told[at]
        if self.told[at]:
            cell["counts"]["crash"] = len(self.left_out[at])
        self.cells[at] = cell

    def spare(self, at, told):
        """Notes what the package has told, whose case is not played again; False: it is enough, or
        it cannot be left out."""
        case, rule, party, message = told.groups()
        left_out, told_before = self.left_out[at], self.told[at]
        if len(left_out) == MOST or not at.startswith("consumer") or case in left_out:
            return False
        # The last time what was played goes altogether, whatever the type is.
        is_last = len(left_out) == MOST - 1
        left_out.append(f"*/{case.rpartition('/')[2]}" if is_last else case)
        for finding in told_before:
            if finding["rule"] == rule:
                finding["cases"].append(case)
                return True
        told_before.append({"rule": rule, "party": party, "verdict": "crash", "cases": [case],
                            "message": message, "text": told.group()})
        return True


def judge_device(python, path, device, limit=LIMIT):
    """A Device, all of whose cells have been judged."""
    judged = Device(limit)
    while True:
        before = len(judged.cells)
        with tempfile.TemporaryFile() as said:
            worker = Worker(python, path, device, [json.dumps(judged.left_out), *judged.cells],
                            said)
            at, how = judged.listen(worker)
            status = worker.end()
            said.seek(0)
            text = said.read().decode(errors="replace")[-20000:]
        if how == "done":
            return judged
        message = f"it took more than {limit} s" if how == "timeout" else \
            f"the process ended with status {status}"
        if at is None:  # between two cells
            if len(judged.cells) > before:
                continue
            judged.why = f"before anything was judged: {message}"
            return judged
        told = TOLD.search(text)
        if at in judged.parts:
            cell = judged.parts.pop(at)
            end = ended(how, told.group() if told else message, text[-2000:])
            cell["counts"].update(end["counts"])
            judged.add(at, {**cell, "findings": [*cell["findings"], *end["findings"]]})
        elif told is None or not judged.spare(at, told):
            judged.add(at, ended(how, message, text[-2000:]))


def until(row):
    """The last day of a row of known deviations; None: it has none."""
    fields = listed.split(row)
    return datetime.date.fromisoformat(fields[5]) if len(fields) > 5 and fields[5] else None


def known_rows(path, version, today):
    """The rows for a version, as (row, link)."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(row, listed.split(lines[row.line - 1])[4]) for row in listed.read_rows(str(path))
            if listed.matches(row.version, version or "")
            and (until(lines[row.line - 1]) or today) >= today]


def place_of(row):
    """Device, role and protocol that a row names, as a glob."""
    return " ".join([row.device or "*", *row.case.split(None, 2)[:2]])


def mark(cell, place, rows, used):
    """Says of each finding of a cell whether a row covers all of its cases, and by which."""
    for finding in cell["findings"]:
        names = [f"{place} {case}" for case in finding["cases"]]
        own = [(row, link) for row, link in rows if listed.matches(row.rule, finding["rule"])]
        covered = {}
        for row, link in own:
            for name in names:
                if listed.matches(f"{row.device} {row.case}", name):
                    covered.setdefault(name, (row, link))
        if finding["verdict"] in BAD and covered:
            used |= {row.line for row, _ in covered.values()}
        finding["known"] = finding["verdict"] in BAD and len(covered) == len(names)
        if finding["known"]:
            row, link = next(iter(covered.values()))
            finding["reason"], finding["link"] = row.reason, link


class Width:
    """What the rows of a list name of the cases that were judged, and what of that deviates."""

    def __init__(self):
        self.named, self.deviates = collections.defaultdict(set), collections.defaultdict(set)

    def note(self, cell, place, rows):
        wrong = collections.defaultdict(set)
        for finding in cell["findings"]:
            if finding["verdict"] in BAD:
                wrong[finding["rule"]].update(finding["cases"])
        for row, _ in rows:
            glob = f"{row.device} {row.case}"
            for case in {*cell.get("judged", []), *set().union(*wrong.values())}:
                if not listed.matches(glob, f"{place} {case}"):
                    continue
                self.named[row.line].add((place, case))
                if any(case in cases and listed.matches(row.rule, rule)
                       for rule, cases in wrong.items()):
                    self.deviates[row.line].add((place, case))

    def lines(self, rows, known):
        for row, _ in rows:
            if not row.reason.startswith(listed.CHANCE):
                yield from listed.wider(row, self.named[row.line], self.deviates[row.line], known)


def verdict_of(cell):
    """A cell's own: the worst of what it shows; None: nothing was judged."""
    for verdict in BAD:
        if any(finding["verdict"] == verdict for finding in cell["findings"]):
            return verdict
    judged = set(cell["counts"]) - {"unsupported", "skip"}
    return "pass" if judged else None


def of_library(name, path, python, known, devices=DEVICES, today=None, limit=LIMIT):
    """The record of a library; what is wrong with it is in "unknown" and "stale"."""
    record = {"name": name, "version": None, "why": None, "cells": [], "unknown": [], "stale": [],
              "wide": []}
    width = Width()
    used, named = set(), collections.defaultdict(set)
    begun = time.monotonic()
    for device in devices:
        judged = judge_device(python, path, device, limit)
        record["version"] = judged.version or record["version"]
        record["why"] = judged.why or record["why"]
        rows = known_rows(known, record["version"], today or datetime.date.today())
        for place, cell in judged.cells.items():
            role, protocol = place.split("/")
            cell.update(device=device, role=role, protocol=protocol)
            place = f"{device} {role} {protocol}"
            mark(cell, place, rows, used)
            width.note(cell, place, rows)
            cell.pop("judged", None)
            cell["verdict"] = verdict_of(cell)
            for row, _ in rows:
                if listed.matches(place_of(row), place):
                    named[row.line].add(cell["verdict"])
            if cell["verdict"] is None:
                cell["why"] = "; ".join(list(cell["refusals"])[:3]) or "nothing was judged"
            record["unknown"] += [f"{name} {record['version']}: {place}: {finding['rule']}: "
                                  f"{finding['message']} ({finding['cases'][0]})"
                                  for finding in cell["findings"]
                                  if finding["verdict"] in BAD and not finding["known"]]
            record["cells"].append(cell)
    # Where nothing was judged nothing can be covered.
    record["stale"] = [f"{known}:{row.line}: covers nothing that {name} {record['version']} does"
                       for row, _ in (rows if record["version"] else [])
                       if row.line not in used and named[row.line] != {None} and not IS_REAL
                       and not row.reason.startswith(listed.CHANCE)]
    record["wide"] = [*width.lines(rows, known)]
    record["seconds"] = round(time.monotonic() - begun, 1)
    return record


def environments(peers):
    """The Python of each virtual environment: numba-cuda takes the place of numba's own."""
    other = peers / "venv-cuda/bin/python"
    return {"numba_cuda": other, "cuda_core": other, "numpy": other, "array_api_strict": other,
            None: peers / "venv/bin/python"}


def wrong_with(record):
    """What is not as the list says. A library that does not load is skipped, if that is allowed."""
    skipped = (record["why"] and not record["cells"] and record["name"] not in ABSENT
               and os.environ.get("ADI_NO_SKIP"))
    return [*record["unknown"], *record["stale"], *record.get("wide", []),
            *([f"{record['name']}: {record['why']}"] if skipped else [])]


def once_more(judge):
    """A record; that of a second time, if something is wrong with the first: only what
    is so again, and did not come of a full machine, fails."""
    record = judge()
    wrong = wrong_with(record)
    if wrong:
        print("".join(f"  once more: {line}\n" for line in wrong), end="")
        record = judge()
    return record


def main(target, peers, *names):
    pythons = environments(pathlib.Path(peers).resolve())
    paths = {path.stem: path for path in sorted((HERE / "libraries").glob("*.py"))}
    if set(names) - set(paths):
        sys.exit(f"matrix.py: there are {', '.join(paths)}")
    chosen = {name: path for name, path in paths.items() if not names or name in names}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        records = list(pool.map(
            lambda item: once_more(lambda: of_library(
                item[0], item[1], str(pythons.get(item[0], pythons[None])),
                TOP / f"ci/known/python_{item[0]}.txt")), chosen.items()))
    for record in records:
        if record["why"] and not record["cells"] and record["name"] in ABSENT:
            record["why"] = ABSENT[record["name"]]
    records.sort(key=lambda record: record["name"])
    page.write(target, records, DEVICES, PROTOCOLS, ROLES)
    wrong = [line for record in records for line in wrong_with(record)]
    for record in records:
        verdicts = [cell["verdict"] or "not judged" for cell in record["cells"]]
        print(f"  {record['name']} {record['version'] or ''}: " + (
            ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in
                      ("pass", *BAD, "not judged") if verdict in verdicts)
            or f"unavailable: {record['why']}"))
    print("".join(f"peers: {line}\n" for line in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
