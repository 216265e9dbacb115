#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is planted in asynchronous consumers and depends on who goes on when, or in asynchronous
producers and depends on what is done, is found wherever it shows, as its rule and no other, and
nothing is found where it does not.

usage: tests/predicates.py BUILD [--few] [NAME ...]

A planted defect says itself when it has shown in a run: it writes a line to the file that ADI_SHOWS
names (base_shows). That is its predicate. Each schedule is played alone: of some programs all with
one turn, and some that are drawn; --few: a part of those.

Of a producer the predicate is one of the steps of a program (PREDICATES). Some come to their end
by whoever is faster: there the defect may show, or not, and a predicate says None.
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

ROWS = re.compile(r'^MUTANT\((async_consumer_\w+), "([^"]*)", "consumer", '
                  r'"[^"]*consume-async-scheduled"\)')
PROGRAMS = ["2sttfl", "1sttel", "2sTtfl", "1fl"]
POINTS = 28
ACTORS = 2
DRAWN = 40
CASE = "struct/many/consume-async-scheduled"

# ---- of producers ----

STEPS = ["ae0 x0", "ae0 ac0 x0", "ae0 ar0 x0", "ae0 aj0 x0", "af0 x0", "af0 ac0 x0", "af0 aj0 x0",
         "ae0 ar0 an0>1 x1 x0", "ae0 ar0 an0>1 x1 ac0 x0", "ae0 ar0 an0>1 x1 aj0 x0",
         "ae0 ar0 an0>1 ke1>2 r2 x2 x0", "ae0 ar0 an0>1 ke1>2 x0 r2 x2",
         "ae0 ar0 an0>1 ke1>2 c2.0>3 x2 r3 x3 x0", "ae0 ar0 an0>1 m12 t+ ke2>1 m13 x0 r3 x3",
         "ae0 ar0 ar0 an0>1 an0>2 x2 x1 x0", "ae0 ar0 ar0 an0>1 an0>2 ke2>3 x1 x0 x3",
         "ae0 ar0 ar0 an0>1 an0>2 x2 x1 ar0 t+ x0", "ae0 ar0 ar0 an0>1 an0>2 x2 x1 ac0 x0",
         "af0 ar0 an0>1 x1 x0", "af0 ar0 ar0 an0>1 ke1>2 r2 x0 x2", "af0 ar0 an0>1 ke1>2 x2 t+ x0",
         "ae0 aj0 x0 ae0 ar0 an0>1 x1 x0", "ae0 x0 af1 ar1 an1>0 x0 x1"]


@dataclasses.dataclass(eq=False)
class Stream:
    """What has been done to one when its release is brought about."""
    fails: bool
    requested: int = 0
    refused: bool = False
    cancelled: bool = False
    read_later: bool = False  # a batch of it is read, behind the release

    def is_cancelled(self):
        return self.cancelled or not (self.refused or self.is_requested())

    def is_requested(self):
        return self.requested >= (1 if self.fails else 2)


def streams_of(steps):
    """All streams of a program, and whose is what lies in a slot."""
    streams, handlers, slots, over = [], {}, {}, []
    for word in filter(lambda word: word[0] != "t", steps.split()):
        at, to = (int(digit) for digit in (re.findall(r"\d", word)[0], word[-1]))
        of = slots.get(at)
        if word[:2] in ("ae", "af"):
            slots[at] = handlers[at] = Stream(word[1] == "f")
            streams.append(slots[at])
        elif word[0] in "mc" or word[:2] in ("an", "ke"):
            slots[to] = of
        if of and word[0] == "a":
            of.requested += word[1] == "r"
            of.refused |= word[1] == "j"
            of.cancelled |= word[1] == "c"
        elif word[0] == "r":
            of.read_later |= of in over
        elif word[0] == "x" and of and handlers.get(at) is of:
            over.append(of)
            del handlers[at]
    return streams


def is_cancelled(stream):
    if stream.is_requested() and stream.cancelled:
        return None  # its end may have come before
    return stream.is_cancelled() and not stream.fails


def fails(stream):
    if stream.fails and stream.is_requested() and not stream.cancelled and not stream.refused:
        return True
    return None if stream.fails and stream.requested + stream.refused > 0 else False


PREDICATES = {
    "async_cancel_in_error": is_cancelled,
    "async_error_after_refused_task": lambda stream: stream.refused,
    "async_error_as_end": fails,
    "async_end_after_error": fails,
    "async_chunks_of_stream": lambda stream: stream.read_later,
}
PRODUCER = re.compile(r'^MUTANT\((async_\w+), "([^"]*)", "producer"')
SEEN = re.compile(r"^\w+  ([a-z]+/[\w-]+)  (?:MUST|SHOULD|MAY)  \w+", re.MULTILINE)


def shows(name, steps):
    """True, False, or None: by chance."""
    said = [PREDICATES[name](stream) for stream in streams_of(steps)]
    return True if True in said else None if None in said else False


def judge_producer(build, name, rule, few):
    wanted, wrong = 0, []
    for steps in STEPS[:: 3 if few else 1]:
        line = [f"{build}/adicheck", "replay", "--as", "async-producer", "--adapter",
                f"{build}/tests/mutants/{name}.so", f"cpu struct {steps}"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        found, shown = set(SEEN.findall(done.stdout)), shows(name, steps)
        wanted += shown is True
        if found != ({rule} if shown else set()) and not (shown is None and found == {rule}):
            wrong.append(f"{steps}: {sorted(found) or 'nothing'}, and it "
                         f"{ {True: 'shows', False: 'does not show', None: 'may show'}[shown]}")
    print(f"  {name}: shows in {wanted} programs")
    if not wanted:
        wrong.append("no program shows it")
    for line in wrong:
        print(f"predicates: {name}: {line}, wanted {rule}", file=sys.stderr)
    return not wrong


# ---- of consumers ----


def schedules(few):
    for program in PROGRAMS[: 2 if few else None]:
        yield program
        for at, actor in itertools.product(range(1, POINTS), range(ACTORS)):
            yield f"{program} {at}>{actor}"
        for seed in range(1, (DRAWN // 8 if few else DRAWN) + 1):
            yield f"{program} ~{seed}"


def play(build, name, schedule, shows):
    """What is found (rules and parties; None: nothing was judged), and whether the defect has
    shown."""
    shows.write_bytes(b"")
    line = [f"{build}/adicheck", "run", f"{build}/tests/mutants/{name}.so", "--device", "cpu:-1",
            "--case", CASE, "--schedule", schedule, "--timeout", "0.5", "--json", "-"]
    done = subprocess.run(line, capture_output=True, text=True, check=False,
                          env=dict(os.environ, ADI_SHOWS=str(shows)))
    rows = json.loads(done.stdout)["results"]
    quiet = ("pass", "skip", "unsupported")
    found = {(row["rule"], row["party"]) for row in rows if row["verdict"] not in quiet}
    is_judged = found or any(row["verdict"] == "pass" for row in rows)
    return found if is_judged else None, shows.stat().st_size > 0


def judge(build, name, rule, few, shows):
    shown, hidden, wrong = 0, 0, []
    for schedule in schedules(few):
        found, has_shown = play(build, name, schedule, shows)
        shown += has_shown
        hidden += not has_shown
        if found != ({(rule, "consumer")} if has_shown else set()):
            said = "not judged" if found is None else sorted(found) or "nothing"
            wrong.append(f"{schedule}: {said}, and it has {'shown' if has_shown else 'not shown'}")
    print(f"  {name}: shows on {shown} of {shown + hidden} schedules")
    if not shown:
        wrong.append("no schedule shows it")
    if not hidden:
        wrong.append("no schedule hides it")
    for line in wrong:
        print(f"predicates: {name}: {line}, wanted {rule}", file=sys.stderr)
    return not wrong


def main(arguments):
    few = "--few" in arguments
    build, *names = [word for word in arguments if word != "--few"]
    table = pathlib.Path("tests/mutants/mutants.def").read_text(encoding="utf-8")
    rows = [match for match in map(ROWS.match, table.splitlines()) if match]
    producers = [match for match in map(PRODUCER.match, table.splitlines())
                 if match and match[1] in PREDICATES]
    with tempfile.TemporaryDirectory() as folder:
        judged = [judge(build, row[1], row[2], few, pathlib.Path(folder) / "shows")
                  for row in rows if not names or row[1] in names]
    judged += [judge_producer(build, row[1], row[2], few)
               for row in producers if not names or row[1] in names]
    return 0 if judged and all(judged) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
