#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Holds traces against tests/model/async.pml: spin looks whether the model can go that way.

    tests/model/traces.py BUILD    each trace of the reference is accepted (tests/model/traces.c;
                                   with ADI_TEST_FULL those of every schedule that it enumerates),
                                   and refused without one of its events; and those to which
                                   each mutation leads are refused where they go wrong
"""

import os
import re
import subprocess
import sys

from run import call, options, play, rows

NAMES = {1: "on_schema", 2: "on_next_task", 3: "on_end", 4: "on_error", 5: "release",
         6: "request", 7: "cancel", 8: "extract_data", 9: "gone"}
GONE, ENDS, FAILED = 9, 16, 32


class Trace:
    """A line of tests/model/traces.c: events are (thread, event, of)."""

    def __init__(self, name, batches, fails, events):
        self.name, self.batches, self.fails, self.events = name, batches, fails, tuple(events)

    @staticmethod
    def read(line):
        name, batches, fails, *events = line.split()
        return Trace(name, int(batches), int(fails),
                     [tuple(int(part) for part in event.split(":")) for event in events])


def in_words(event):
    thread, what, of = event
    answer = "" if not what & ENDS else " ends" if not what & FAILED else " fails"
    return f"{thread}:{NAMES[what % ENDS]}({of}){answer}"


TABLE = """
struct event { short me, what; unsigned char of; };
#define TRACES %d
%s
static const struct trace { unsigned char batches, fails; const struct event *events; } traces[] = {
%s};
static unsigned char is_accepted[TRACES];
static short furthest[TRACES];

static void say(void) {
    for (int i = 0; i < TRACES; i++) printf("trace %%d %%d %%d\\n", i, is_accepted[i], furthest[i]);
}

static void reach(int which, int at) {
    static int is_first = 1;
    if (is_first) atexit(say);
    is_first = 0;
    if (at > furthest[which]) furthest[which] = (short)at;
}
"""


def table(traces):
    lists = "".join(
        f"static const struct event events{i}[] = {{"
        + "".join("{%d,%d,%d}," % event for event in trace.events) + "{0,0,0}};\n"
        for i, trace in enumerate(traces))
    entries = "".join(f"    {{{trace.batches}, {trace.fails}, events{i}}},\n"
                      for i, trace in enumerate(traces))
    return TABLE % (len(traces), lists, entries)


def accepts(folder, traces):
    """For each: is it accepted, and how many of its events the model can go."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "traces.h"), "w", encoding="utf-8") as file:
        file.write(table(traces))
    said = play(folder, "TRACED", "-E")[2]
    if "errors: 0" not in said:
        sys.exit(f"traces: the model breaks a property of its own: {said}")
    return [(seen[0] == "1", int(seen[1]))
            for seen in re.findall(r"^trace \d+ (\d) (\d+)$", said, re.MULTILINE)]


def of_reference(build):
    how_many = "all" if os.environ.get("ADI_TEST_FULL") else "30"
    program = os.path.join(build, "tests/model/traces")
    played = subprocess.run([program, how_many], stdout=subprocess.PIPE, text=True, check=True)
    lines = played.stdout.splitlines()
    return len(lines), [Trace.read(line) for line in sorted(set(lines))]


def of_mutations(build):
    """How far spin has gone where it refutes one, and what it has refuted."""
    for name, definitions, outcome, _ in rows():
        if "MUTATION=" not in definitions:
            continue
        folder = os.path.join(build, "model", name)
        play(folder, definitions)
        said = call(folder, "spin", "-t", *options(definitions), "async.pml")
        events = [tuple(int(part) for part in event)
                  for event in re.findall(r"event (\d+) (\d+) (\d+)$", said, re.MULTILINE)]
        fails = int("FAILS=1" in definitions)
        yield outcome, Trace(name, 2, fails, events)


def spoiled(traces):
    """Each without one event, another one each time, which no way through the model lacks."""
    for number, trace in enumerate(traces):
        at = number * 7 % len(trace.events)
        yield Trace(trace.name, trace.batches, trace.fails,
                    trace.events[:at] + trace.events[at + 1:])


def legal_events(outcome, trace):
    """How many of a mutation's: where one waits for ever, or forgets a task, it is all of them."""
    whats = [what for _, what, _ in trace.events]
    if outcome == "ends" or trace.name == "drops-a-task":
        return len(whats)
    return whats.index(GONE) if GONE in whats else len(whats) - 1


def main(build):
    wrong = 0
    played, traces = of_reference(build)
    verdicts = accepts(os.path.join(build, "model", "reference"), traces)
    for trace, (is_accepted, furthest) in zip(traces, verdicts):
        if not is_accepted:
            wrong += 1
            print(f"traces: {trace.name} is not accepted:", *map(in_words, trace.events[:furthest]),
                  "and then", *map(in_words, trace.events[furthest:][:1]), file=sys.stderr)
    print(f"  {len(traces)} traces of {played} schedules of the reference: "
          f"{len(traces) - wrong} are accepted")

    verdicts = accepts(os.path.join(build, "model", "spoiled"), list(spoiled(traces)))
    for trace, (is_accepted, _) in zip(spoiled(traces), verdicts):
        if is_accepted:
            wrong += 1
            print(f"traces: {trace.name}: accepted without an event:",
                  *map(in_words, trace.events), file=sys.stderr)
    print(f"  {sum(not seen[0] for seen in verdicts)} of them are refused without one of their "
          "events")

    mutated = list(of_mutations(build))
    verdicts = accepts(os.path.join(build, "model", "mutations"), [trace for _, trace in mutated])
    for (outcome, trace), (is_accepted, furthest) in zip(mutated, verdicts):
        wanted = legal_events(outcome, trace)
        if is_accepted or furthest != wanted:
            wrong += 1
            print(f"traces: {trace.name}: accepted to event {furthest}, wanted {wanted}:",
                  *map(in_words, trace.events), file=sys.stderr)
    print(f"  {len(mutated)} traces of mutations are refused, where they go wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
