# SPDX-License-Identifier: Apache-2.0
"""Plays modules of tests on the simulation, each in a process of its own, and reads what they and
the simulation's log say.

A test that hangs or ends the process is told so, and the rest of its module is played in another
one. What the log has from the beginning of a test to that of the next one is charged to it, what
comes before the first one, and what the log has merged, to the module.
"""

import collections
import contextlib
import json
import os
import pathlib
import signal
import subprocess

Result = collections.namedtuple("Result", "test outcome why opaque")
LOOK = 0.2  # seconds
LAUNCHED = b'"may_use"'  # what an opaque launch may touch


def run(command, env, results, output, limit):
    """How it ended: None if it was killed because for so many seconds no test began or ended."""
    with open(output, "ab") as out:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, cwd=output.parent,
                                   start_new_session=True)
    size, looks = 0, 0  # what is stopped for a while, this included, does not look
    while True:
        try:
            status = process.wait(LOOK)
            break
        except subprocess.TimeoutExpired:
            now = results.stat().st_size if results.exists() else 0
            size, looks = now, looks + 1 if now == size else 0
            if looks * LOOK > limit:
                status = None
                process.send_signal(signal.SIGABRT)  # play.py says where it is
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                break
    try:
        os.killpg(process.pid, signal.SIGKILL)  # and whatever its tests have left behind
    except ProcessLookupError:
        pass
    process.wait()
    return status


def where(output):
    """What its output says of where it was, or else its last line."""
    text = output.read_text(encoding="utf-8", errors="replace")
    _, at, stacks = text.rpartition("Fatal Python error: ")
    return at + stacks if at else text.strip().rpartition("\n")[2] or "nothing"


def play(player, module, work, env, limit, left_out):
    """The results of a module; `left_out` are tests that are not to be played."""
    stem = work / module.replace("/", "_")
    results, log, output, done = (stem.with_name(stem.name + end)
                                  for end in (".results", ".log", ".out", ".done"))
    env = {**env, "ADI_SIM_LOG": str(log)}
    events, ended, finished = [], {}, set(left_out)
    while True:
        done.write_text("".join(f"{test}\n" for test in sorted(finished)), encoding="utf-8")
        status = run([*player, module, results, log, done], env, results, output, limit)
        events = read(results)
        over = {event["test"] for event in events if "is" in event}
        how = ("hung" if status is None else f"died of signal {-status}" if status < 0
               else f"ended its process with status {status}")
        begun = [event["test"] for event in events if "test" in event and "is" not in event]
        open_tests = [test for test in begun if test not in over and test not in ended]
        if open_tests:
            ended[open_tests[-1]] = how
        elif status != 0 or not (events and "end" in events[-1]):
            ended[module] = f"{how}: {where(output)}"
        if not open_tests:
            return judge(module, events, ended, log, output)
        finished |= over | set(ended)


def play_twice(player, module, work, env, limit, left_out):
    """What hangs is told, and played once more: the machine may have been busy elsewhere."""
    for way in ("first", "again"):
        (work / way).mkdir(exist_ok=True)
        found = play(player, module, work / way, env, limit, left_out)
        hung = [result.why for result in found if result.why.startswith("hung")]
        if not hung:
            break
        if way == "first":
            print(f"  {module} hung, and is played once more: {hung[0][:3000]}", flush=True)
    return found


def read(results):
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_bytes().splitlines()]


def judge(module, events, ended, log, output):
    lines = charged(module, events, log.read_bytes() if log.exists() else b"")
    if b"adisim: the log " in output.read_bytes():
        lines[module].append(b'{"violation":"the log is not whole","in":"","text":""}')
    outcomes = {event["test"]: (event["is"], event["why"]) for event in events if "is" in event}
    outcomes.update({test: ("failed", how) for test, how in ended.items()})
    for test in sorted(set(lines) - set(outcomes)):
        outcomes[test] = ("passed", "")
    found = []
    for test, (outcome, why) in outcomes.items():
        reports = [json.loads(line) for line in lines[test] if is_report(line)]
        if reports:
            outcome = "failed"
            said = [f"reported: {report.get('violation', 'merged')} in {report['in']}: "
                    f"{report.get('text', '')}" for report in reports]
            why = "; ".join([*said, why])
        opaque = any(LAUNCHED in line for line in lines[test])
        if test != module or reports or module in ended or outcome == "skipped":
            found.append(Result(test, outcome, why, opaque))
    return found


def is_report(line):
    return line.startswith((b'{"violation"', b'{"merged"'))


def charged(module, events, log):
    """The lines of the log of each test."""
    begins = [(event["at"], event["test"]) for event in events
              if "test" in event and "is" not in event]
    lines, at, current = collections.defaultdict(list), 0, module
    for line in log.splitlines(keepends=True):
        while begins and begins[0][0] <= at:
            current = begins.pop(0)[1]
        lines[module if line.startswith(b'{"merged"') else current].append(line)
        at += len(line)
    return lines
