#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is planted in streams and asynchronous streams is found wherever it shows, as its rule and
no other, and nothing is found where it does not show.

usage: tests/predicates.py BUILD [--few] [NAME ...]

In which traces a defect shows is its row in tests/mutants/shows.def, about the facts of
tests/traces.py; every planted defect of streams on the CPU has one. Each trace is played alone:
programs of steps with whoever produces, consumes or relays, and of asynchronous consumers what the
producer does. A defect of order says itself when it has shown in a run: it writes a line to the
file that ADI_SHOWS names (base_shows), and is played under schedules: of some programs all with one
turn, and some that are drawn. --few: of each a sample.
"""
import dataclasses
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent import futures

import traces

DEVICES = "ext_dev|cuda|rocm|opencl|vulkan|vpi|hexagon|metal|oneapi|webgpu"
MUTANT = re.compile(rf'^MUTANT\(((?:({DEVICES})_)?((?:array_)?stream_\w+|async_\w+)), '
                    r'"([^"]*)", "(\w+)", "([^"]*)"\)', re.MULTILINE)
SHOWS = re.compile(r'^(SHOWS|SHOWS_AS|NOT_IN_TRACES)\((\w+), "([^"]*)"(?:, "([^"]*)")?\)',
                   re.MULTILINE)
OPTIONS = re.compile(r'^OPTIONS\("([^"]*)", "(--timeout [^"]*)"\)', re.MULTILINE)
SEEN = re.compile(r"^\w+  ([a-z]+/[\w-]+)  (?:MUST|SHOULD|MAY)  (\w+)", re.MULTILINE)
# run behind the host
LATE = ("ext_dev", "cuda", "rocm", "vpi", "hexagon", "metal", "oneapi", "webgpu")
QUIET = ("pass", "skip", "unsupported")
FEW = 2  # of those traces that show a defect, and of those that do not

# ---- programs ----

STREAMS = """
    se0 x0; sf0 x0; se0 t+ x0; se0 m01 x1
    se0 sh0>1 x1 x0; sf0 sh0>1 x1 x0; se0 sh0>1 x0 hr1 x1; se0 sh0>1 x1 sh0>1 hr1 x1 x0
    se0 m01 sh1>0 x0 x1; se0 sh0>1 sn0>2 x2 x0 hr1 x1; se0 sn0>1 x1 sh0>1 hr1 x1 x0
    se0 sn0>1 x1 x0; se0 sn0>1 r1 x1 x0; se0 sn0>1 x0 r1 x1; se0 sn0>1 x0 x1; se0 sn0>1 t+ x1 x0
    se0 sn0>1 sn0>2 x0 r2 x2 r1 x1; se0 sn0>1 x1 sn0>1 x0 r1 x1; se0 sn0>1 x1 t+ sn0>1 x0 r1 x1
    se0 m01 sn1>0 x0 x1; se0 sn0>1 x1 m01 sn1>0 x0 x1
    se0 m01 sn1>0 r0 x0 x1; se0 sn0>1 x1 m01 sn1>0 r0 x0 x1
    se0 sn0>1 x1 sn0>1 x1 sn0>1 x0; se0 sn0>1 x1 sn0>1 x1 sn0>1 sn0>1 x0
    se0 sn0>1 x1 sn0>1 x1 sn0>1 sh0>1 hr1 x1 x0
    se0 sn0>1 c1.0>2 x1 r2 x2 x0; se0 sn0>1 c1.0>2 x0 x1 r2 x2; se0 sn0>1 c1.1>2 x0 x1 r2 x2
    sf0 sn0>1 x1 x0; sf0 sn0>1 x1 sn0>1 x0; sf0 sn0>1 sn0>2 x0 r1 x1; sf0 sn0>1 x1 sn0>1 sl0 x0
    sf0 sn0>1 x1 sn0>1 sl0 sh0>1 x1 x0; sf0 sn0>1 x1 m01 sn1>0 sl1 x1
"""
TWO_STREAMS = """
    se0 sn0>1 se2 sn2>3 x2 x0 r1 x1 r3 x3; se0 x0 sf0 sn0>1 x1 sn0>1 sl0 x0
"""
CONSUMED = """
    se0 su0; sf0 su0; se0 m01 su1; sf0 m01 su1; se0 su0 sf0 su0; se0 x0 se0 su0
    se0 sh0>1 x1 su0; se0 sh0>1 su0 hr1 x1; sf0 sh0>1 x1 su0; sf0 sn0>1 x1 su0
    se0 sn0>1 x1 su0; se0 sn0>1 su0 r1 x1; se0 sn0>1 x1 sn0>1 x1 su0
    se0 sn0>1 x1 sn0>1 x1 sn0>1 su0; se0 sn0>1 x1 sn0>1 x1 sn0>1 sn0>1 su0
    se0 x0; sf0 sn0>1 x1 sn0>1 x0; se0 sn0>1 x1 sn0>1 x1 sn0>1 x0
"""
RELAYED = """
    se0 x0; se0 sn0>1 x1 sy01 x1; se0 sn0>1 x1 sy01 sn1>2 x2 sn1>2 x1
"""
ASYNCS = """
    ae0 x0; ae0 ac0 x0; ae0 ar0 x0; ae0 aj0 x0; af0 x0; af0 ac0 x0; af0 aj0 x0
    ae0 ar0 an0>1 x1 x0; ae0 ar0 an0>1 x1 ac0 x0; ae0 ar0 an0>1 x1 aj0 x0
    ae0 ar0 an0>1 ke1>2 r2 x2 x0; ae0 ar0 an0>1 ke1>2 x0 r2 x2; ae0 ar0 an0>1 aj0 ke1>2 x0 r2 x2
    ae0 ar0 an0>1 ke1>2 c2.0>3 x2 r3 x3 x0; ae0 ar0 an0>1 m12 t+ ke2>1 m13 x0 r3 x3
    ae0 ar0 ar0 an0>1 an0>2 x2 x1 x0; ae0 ar0 ar0 an0>1 an0>2 ke2>3 x1 x0 x3
    ae0 ar0 ar0 an0>1 an0>2 x2 x1 ar0 t+ x0; ae0 ar0 ar0 an0>1 an0>2 x2 x1 ac0 x0
    af0 ar0 an0>1 x1 x0; af0 ar0 ar0 an0>1 ke1>2 r2 x0 x2; af0 ar0 an0>1 ke1>2 x2 t+ x0
    ae0 aj0 x0 ae0 ar0 an0>1 x1 x0; ae0 x0 af1 ar1 an1>0 x0 x1
"""


# On devices, beside those of arrays whose data are there.
STREAMS_TO_COME = """
    sp0 x0; sp0 sn0>1 x1 x0; sp0 sn0>1 w1 r1 x1 x0; sp0 sn0>1 x1 sn0>1 w1 r1 x1 x0
    sp0 sn0>1 sn0>2 x0 w2 r2 x2 w1 r1 x1; sp0 sn0>1 sn0>2 w1 r1 x1 w2 r2 x2 x0
    sp0 sn0>1 x1 m01 sn1>0 x0 x1; sp0 sn0>1 x1 sn0>1 x1 sn0>1 x0
"""
CONSUMED_TO_COME = """
    sp0 su0; sp0 m01 su1; sp0 sh0>1 su0 hr1 x1; sp0 su0 se0 su0; sp0 sn0>1 x1 su0
    sp0 sn0>1 su0 w1 r1 x1; sp0 sn0>1 x1 sn0>1 x1 su0; sp0 sn0>1 x1 sn0>1 x1 sn0>1 su0; sp0 x0
"""
ASYNCS_TO_COME = """
    ap0 x0; ap0 ar0 an0>1 x1 x0; ap0 ar0 an0>1 ke1>2 w2 r2 x2 x0
    ap0 ar0 ar0 an0>1 an0>2 x2 x1 x0; ap0 ar0 ar0 an0>1 an0>2 ke2>3 x1 x0 w3 r3 x3
    ap0 ar0 ar0 an0>1 an0>2 ke1>3 x2 w3 r3 x3 x0
    ap0 ar0 ar0 an0>1 an0>2 ke1>3 ke2>1 w3 r3 x3 w1 r1 x1 x0
"""


def split(text):
    return [steps.strip() for line in text.strip().splitlines() for steps in line.split(";")]


def relayed(steps):
    return re.sub(r"^s([ef])0", r"s\g<1>3 sy30", steps)


PROGRAMS = {
    "stream-producer": split(STREAMS) + split(TWO_STREAMS),
    "array-stream-producer": split(STREAMS) + split(TWO_STREAMS),
    "stream-consumer": split(CONSUMED),
    "array-stream-consumer": split(CONSUMED),
    "stream-relay": [relayed(steps) for steps in split(STREAMS)] + split(RELAYED),
    "async-producer": split(ASYNCS),
}

TO_COME = {
    "stream-producer": split(STREAMS_TO_COME),
    "stream-consumer": split(CONSUMED_TO_COME),
    "async-producer": split(ASYNCS_TO_COME),
}

# ---- what is planted ----


@dataclasses.dataclass
class Defect:
    """A row of mutants.def, and what shows.def says of it."""
    name: str
    device: str
    kind: str  # its name without the device's
    rule: str
    party: str
    sample: str
    options: list
    shows: list  # (rule, when)

    def is_consumer(self):
        return self.kind.startswith("async_consumer_")

    def says_itself(self):
        return any(when.startswith("itself") for _, when in self.shows)

    def programs(self):
        """Those that are played under schedules."""
        return self.shows[0][1].split()[1:] or SCHEDULED

    def parts(self):
        """Those that it plays in programs."""
        if self.is_consumer():
            return []
        if self.kind.startswith("async_"):
            return ["async-producer"]
        if self.kind.startswith("stream_relay_"):
            return ["stream-relay"]
        source = pathlib.Path(f"tests/mutants/{self.name}.c")
        if not source.exists():
            source = pathlib.Path(f"tests/mutants/any/{self.kind}.c")
        source = source.read_text(encoding="utf-8")
        own = "ADI_ARRAY_STREAMS" in source and self.device == "cpu"
        roles = {"ADI_PRODUCES_STREAM": ["stream-producer"] + own * ["array-stream-consumer"],
                 "ADI_CONSUMES_STREAM": ["stream-consumer"] + own * ["array-stream-producer"]}
        return [part for role, parts in roles.items() if role in source for part in parts]

    def wanted(self, streams):
        """The rules that are to be found, and those that may be."""
        must, may = set(), set()
        for stream in streams:
            stream.facts["late"] = self.device in LATE
            for rule, when in self.shows:
                names = {name: stream[name] for name in re.findall(r"[a-z_]+", when)}
                shown = eval(when, {"__builtins__": {}}, names)  # a table of this tree
                if shown is None:
                    may.add(rule)
                elif shown:
                    must.add(rule)
        return must, may


def read_table():
    """All of them; and what is wrong with the tables."""
    folder = pathlib.Path("tests/mutants")
    table = (folder / "mutants.def").read_text(encoding="utf-8")
    said = list(SHOWS.finditer((folder / "shows.def").read_text(encoding="utf-8")))
    options = dict(OPTIONS.findall(table))
    defects = []
    for name, device, kind, rule, party, cases in MUTANT.findall(table):
        shows = [(rule, row[3]) if row[1] == "SHOWS" else (row[3], row[4])
                 for row in said if row[2] == kind and row[1] != "NOT_IN_TRACES"]
        sample = re.match(r"(?:@\(|\*)?(\w+)", cases)[1]
        sample = "struct" if cases.startswith("@(int32|struct)") else sample
        limit = options.get(rule, "--timeout 1").split()
        defects.append(Defect(name, device or "cpu", kind, rule, party, sample, limit, shows))
    rows = [row[2] for row in said]
    wrong = [f"{defect.name} has no row" for defect in defects if defect.kind not in rows]
    names = [defect.kind for defect in defects]
    wrong += [f"{name} is not in mutants.def" for name in rows if name not in names]
    return defects, wrong


# ---- playing ----


def play_program(build, defect, part, steps):
    """The rules that are found; the party of each is as the rule has it."""
    line = [f"{build}/adicheck", "replay", "--as", part, *defect.options, "--adapter",
            f"{build}/tests/mutants/{defect.name}.so",
            f"{defect.device} {defect.sample} {steps}"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    found = SEEN.findall(done.stdout)
    if done.returncode > 2:
        raise ValueError(f"{part} {steps}: status {done.returncode}: {done.stderr.strip()}")
    return {(rule, party) for rule, party in found}


def play_schedule(build, defect, schedule, shows=None):
    """What is found; None: nothing was judged."""
    line = [f"{build}/adicheck", "run", f"{build}/tests/mutants/{defect.name}.so", "--device",
            "cpu:-1", "--case", f"struct/many/{'consume-' * defect.is_consumer()}async-scheduled",
            "--schedule", schedule, "--timeout", "0.5", "--json", "-"]
    done = subprocess.run(line, capture_output=True, text=True, check=False,
                          env=dict(os.environ, ADI_SHOWS=str(shows or "")))
    rows = json.loads(done.stdout)["results"]
    found = {(row["rule"], row["party"]) for row in rows if row["verdict"] not in QUIET}
    is_judged = found or any(row["verdict"] == "pass" for row in rows)
    return found if is_judged else None


def all_traces(defect):
    """(part, trace, the facts of its streams)"""
    if defect.is_consumer() and defect.device == "cpu":
        for feed in traces.FEEDS:
            yield None, feed, [traces.facts_of_feed(feed)]
    for part in defect.parts():
        for steps in PROGRAMS[part] + (TO_COME[part] if defect.device != "cpu" else []):
            if defect.sample == "struct" or " c" not in steps:
                yield part, steps, traces.streams_of(part, steps)


def sample(chosen, name):
    """A few of those that show it, and of those that do not: which, hangs on its name."""
    first = zlib.crc32(name.encode())
    halves = [[trace for trace in chosen if bool(trace[2][0]) == shown] for shown in (True, False)]
    return [half[(first + i * (len(half) // FEW or 1)) % len(half)]
            for half in halves if half for i in range(min(FEW, len(half)))]


def judge(build, defect, few):
    chosen = [(part, trace, defect.wanted(streams)) for part, trace, streams in all_traces(defect)]
    shown = sum(bool(must or may) for _, _, (must, may) in chosen)
    wrong = []
    for part, trace, (must, may) in sample(chosen, defect.name) if few else chosen:
        found = (play_schedule(build, defect, trace) if part is None
                 else play_program(build, defect, part, trace))
        rules = None if found is None else {rule for rule, _ in found}
        others = [party for rule, party in found or () if rule == defect.rule and
                  party != defect.party and rule != "life/memory-leaked"]
        if rules is None or not must <= rules or rules - must - may or others or len(rules) > 1:
            said = "not judged" if found is None else sorted(found) or "nothing"
            wrong.append(f"{part or 'schedule'} {trace}: {said}, wanted {sorted(must) or 'nothing'}"
                         f"{f', or {sorted(may)}' if may else ''}")
    hangs_on_late = any(" late" in f" {when}" for _, when in defect.shows)
    if not shown and defect.shows and not (hangs_on_late and defect.device not in LATE):
        wrong.append("no trace shows it")
    return f"shows in {shown} of {len(chosen)} traces", wrong


# ---- what hangs on who goes on ----

SCHEDULED = ["2sttfl", "1sttel", "2sTtfl", "1fl"]
POINTS = 28
DRAWN = 40


def schedules(defect, few):
    actors = 2 if defect.is_consumer() else 3
    for program in defect.programs()[: 2 if few else None]:
        yield program
        for at, actor in itertools.product(range(1, POINTS), range(actors)):
            if not few or at % 9 == 0:
                yield f"{program} {at}>{actor}"
        for seed in range(1, (DRAWN // 20 if few else DRAWN) + 1):
            yield f"{program} ~{seed}"


def judge_itself(build, defect, few):
    shown, hidden, wrong = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        shows = pathlib.Path(folder) / "shows"
        for schedule in schedules(defect, few):
            shows.write_bytes(b"")
            found = play_schedule(build, defect, schedule, shows)
            has_shown = shows.stat().st_size > 0
            shown += has_shown
            hidden += not has_shown
            if found != ({(defect.rule, defect.party)} if has_shown else set()):
                said = "not judged" if found is None else sorted(found) or "nothing"
                wrong.append(f"{schedule}: {said}, and it has "
                             f"{'shown' if has_shown else 'not shown'}, wanted {defect.rule}")
    if not few and not shown:
        wrong.append("no schedule shows it")
    if not few and not hidden:
        wrong.append("no schedule hides it")
    return f"shows on {shown} of {shown + hidden} schedules", wrong


def main(arguments):
    few = "--few" in arguments
    build, *names = [word for word in arguments if word != "--few"]
    defects, wrong = read_table()
    chosen = [defect for defect in defects if not names or defect.name in names]
    with futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        judged = pool.map(lambda defect: (judge_itself if defect.says_itself() else judge)(
            build, defect, few), chosen)
        for defect, (said, more) in zip(chosen, judged):
            if not few:
                print(f"  {defect.name}: {said}", flush=True)
            wrong += [f"{defect.name}: {line}" for line in more]
    print(f"  predicates  {len(chosen)} planted defects{', of each a sample' if few else ''}")
    for line in wrong:
        print(f"predicates: {line}", file=sys.stderr)
    return 0 if chosen and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
