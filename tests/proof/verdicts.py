#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The verdict table: what `adicheck run` says of every adapter of the tests.

    tests/proof/verdicts.py BUILD [--adapters GLOB] [--devices GLOB] [--jobs N] [--times N]

Writes BUILD/proof/verdicts.tsv: a line for each adapter, type of device, rule, party and verdict
with how many rows of the record they have, and one with the exit status. What is left of a run that
was interrupted (BUILD/proof/verdicts/) is taken up where it is newer than what it came from.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import json
import os
import subprocess
import sys
import time

import judge_run
import table
import verdicts_diff

REFUSED = 254  # the exit status of a run that never began
LIMIT = 600  # seconds until a run is given up: longer than any takes on a busy machine

# The cases that each is played in beside those of its row in tests/mutants/mutants.def.
SMOKE = "@(int32|struct)/@(nulls|many)/*"
SMOKE_OF = {"opencl": "int32/nulls/*", "vulkan": "int32/nulls/*"}  # dearer
FEW = "@(int32|utf8|struct|dictionary_int8_utf8)"  # types that stand for all

# What those are called with that are in no row. The limits are wider than the suites': a busy
# machine must not make a verdict.
HOSTILE = ["--case", "int*/many/export", "--timeout", "2", "--memory", "600"]
HOSTILE_OTHERWISE = {
    **dict.fromkeys(("memory", "memory_of_child", "flood", "flood_log"),
                    [*HOSTILE[:2], "--timeout", "60", "--memory", "600"]),
    "fork_bomb": [*HOSTILE[:2], "--timeout", "60", "--memory", str(1 << 20)],
    "hides_touch": ["--case", "int32/many/consume"],
    **dict.fromkeys(("after_other", "dies_alone"), ["--case", "@(uint8|int32)/many/export"]),
}
WAIT_MS = "1000"  # until an event is said to be one that never completes
# Who breaks these makes each case wait for its limit, and is played in those of its row only.
SLOW = ("life/hang", "life/process-left-behind", "sync/event-never-completes")

# Adapters that do what a variable says.
VARIANTS = {
    "hostile/hides_touch": ("ADI_HOSTILE_CALL", ["signal", "sigaction"]),
    "hostile/seeded": ("ADI_HOSTILE", list("12345678")),
    "adapters/vendor": ("ADI_TEST_VENDOR", [
        "", "probe", "open", "one queue", "untold", "type", "id", "memory", "copy", "copy's type",
        "relay", "sum", "not-resident", "sum-refused", "sum-fails"]),
}

LEFT_OUT = {
    "hostile/alarm": "strikes when it likes: in which case is chance",
    "hostile/thread": "strikes when it likes: in which case is chance",
    "hostile/killed": "does what a file says that a test writes",
    "hostile/once": "does what a file says that a test writes",
    "hostile/signals_harness": "ends the command",
    "mutants/vpi_engine_left_stuck": "is in no row: a suite plays it",
}

# Rows that are left out, since they are not the same in each run: globs, and why.
CHANCE = [
    ("opencl_event_before_kernel", "opencl", "array/data-differs", "*", "*",
     "queues run beside the host there: what is read before the kernel ends is chance"),
    ("opencl_event_before_kernel", "opencl", "life/depends-on-address", "*", "*",
     "as before: the same defect, seen in the next step"),
    ("vulkan_consumer_destroys_copy", "vulkan", "sync/released-while-reading", "*", "pass",
     "was the copy still under way when it was released? lavapipe's threads decide"),
    ("vulkan_consumer_destroys_copy", "vulkan", "life/crash", "*", "*",
     "as before: what a copy into freed memory does"),
    ("vulkan_consumer_destroys_copy", "vulkan", "array/misread", "*", "*", "as before"),
    ("vulkan_consumer_destroys_copy", "vulkan", "sync/read-before-wait", "*", "*", "as before"),
    ("vulkan_consumer_releases_early", "vulkan", "life/crash", "*", "*",
     "what its copy out of freed memory does"),
    ("vulkan_consumer_releases_early", "vulkan", "array/misread", "*", "*", "as before"),
    ("data_comes_late", "cpu", "life/crash", "*", "*",
     "its thread writes when it comes to it: into what is freed by then, or not"),
    ("data_comes_late", "cpu", "life/depends-on-address", "*", "*", "as before"),
    ("data_comes_late", "cpu", "life/memory-leaked", "*", "*", "as before"),
]

# Rows that are there in each run, with a count that is not the same: it is ">0". Globs, and why.
ANY_NUMBER = [
    ("opencl_event_before_kernel", "opencl", "sync/event-too-early", "*", "fail",
     "the same defect: how often it is seen as what it is, and not by what it leads to"),
]


class Job:
    """An adapter and what it is played with."""

    def __init__(self, name, path, device, arguments, **environment):
        self.name, self.path, self.device = name, path, device
        self.arguments, self.environment = arguments, environment

    def line(self, build):
        which = [] if self.path is None else [self.path]
        return [f"{build}/adicheck", "run", *which, "--device", self.device, "--seed", "1",
                "--jobs", "1", "--json", "-", *self.arguments]

    def type(self):
        return self.device.rstrip("*").split(":")[0]

    def part(self, folder):
        return f"{folder}/{self.name.replace('/', '-')}@{self.type()}.tsv"


def mutant_jobs(build):
    by_rule = table.options()
    rows = [(one.name, one.rule, one.cases) for one in table.mutants()]
    rows += [(name, None, cases.replace("*/", FEW + "/", 1) if cases.startswith("*/") else cases)
             for name, cases in table.rows(table.MUTANTS, "ODD")]
    rows += [(name, None, f"{FEW}/@(nulls|many|empty|offset)/*") for name in table.sound()]
    for name, rule, cases in rows:
        device = table.device_of(name)
        every = cases if rule in SLOW else f"@({cases}|{SMOKE_OF.get(device, SMOKE)})"
        options = by_rule.get(rule, [])
        more = {"ADI_SIM_POLICY": "random"} if name in table.at_random() else {}
        if rule == "sync/event-never-completes":
            more["ADI_WAIT_MS"] = WAIT_MS
        yield Job(name, f"{build}/tests/mutants/{name}.so",
                  device if device == "cpu" else device + ":0", ["--case", every, *options], **more)


def other_jobs(build):
    """The adapters that have no row, as their source files are named."""
    for source in sorted(glob.glob("tests/hostile/*.c") + glob.glob("tests/adapters/*.c")):
        name = source[len("tests/"):-len(".c")]
        folder, word = name.split("/")
        if name in LEFT_OUT:
            continue
        path = f"{build}/tests/{name}.so"
        variable, values = VARIANTS.get(name, ("ADI_TEST_NOTHING", [""]))
        for value in values:
            which = name + (":" + value.replace(" ", "-") if value else "")
            if word == "vendor":
                options = ["--case", "struct/nulls/*"]
                yield Job(which, path, "cuda*", options, ADI_CUDA="off", **{variable: value})
            else:
                options = HOSTILE_OTHERWISE.get(word, HOSTILE) if folder == "hostile" else [
                    "--case", SMOKE]
                yield Job(which, path, "cpu", options, **{variable: value})


def reference_jobs():
    for device in table.devices():
        yield Job("reference", None, "cpu" if device == "cpu" else device + ":*", [])


def environment_of(job, folder):
    """Nothing of the caller's that has a say in verdicts."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ADI_")}
    # Vulkan's loader need not look for GPUs.
    lavapipe = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
    if lavapipe:
        kept["VK_ICD_FILENAMES"] = lavapipe[0]
    return {**kept, "XDG_STATE_HOME": f"{folder}/state", "ADI_SIM_POLICY": "lazy",
            "ADI_SIM_SEED": "1", **{key: value for key, value in job.environment.items() if value}}


def record_of(job, build, folder):
    """The exit status and the record, None where none was written."""
    for _ in range(judge_run.TRIES):
        done = subprocess.run(job.line(build), env=environment_of(job, folder), timeout=LIMIT,
                              capture_output=True, stdin=subprocess.DEVNULL)
        if not done.stdout:
            if done.returncode != REFUSED:
                sys.exit(f"verdicts: {job.name}: {done.stderr.decode(errors='replace')}")
            return done.returncode, None
        record = json.loads(done.stdout)
        if not judge_run.is_busy(record):
            return done.returncode, record
    sys.exit(f"verdicts: {job.name}: the machine is busy; what was played until now is kept")


def fits(key, rows):
    return any(all(map(fnmatch.fnmatchcase, key, globs)) for *globs, _ in rows)


def play(job, build, folder):
    """The counts of a job."""
    status, record = record_of(job, build, folder)
    counts = collections.Counter({(job.name, job.type(), "-", "-", "exit"): status})
    if record is None:
        return counts
    # An adapter that could not be loaded was asked for no device.
    if record["devices"] and not any(device["available"] for device in record["devices"]):
        sys.exit(f"verdicts: {job.name}: there is no {job.device} here (adicheck devices)")
    for row in record["results"]:
        device = row["device"].split(":")[0] or job.type()
        key = (job.name, device, row["rule"] or "-", row["party"] or "-", row["verdict"])
        if not fits(key, CHANCE):
            counts[key] += 1
    return {key: ">0" if fits(key, ANY_NUMBER) else count for key, count in counts.items()}


def is_newer(part, sources):
    return os.path.exists(part) and all(
        os.path.getmtime(source) < os.path.getmtime(part) for source in sources)


def part_of(job, build, folder):
    """The rows of a job: played now, unless a run that was interrupted has."""
    part = job.part(folder)
    sources = [f"{build}/adicheck", table.MUTANTS, __file__, *filter(None, [job.path])]
    start = time.monotonic()
    if not is_newer(part, sources):
        counts = play(job, build, folder)
        verdicts_diff.Table(counts, job.name, job.type()).write(part, [])
    return verdicts_diff.read(part).counts, time.monotonic() - start


def all_jobs(build):
    return [*reference_jobs(), *mutant_jobs(build), *other_jobs(build)]


def unplayed(jobs):
    """Adapters of the source tree that nothing plays, and that nobody says why."""
    names = {job.name.split(":")[0] for job in jobs} | set(LEFT_OUT)
    for folder in ("mutants", "hostile", "adapters"):
        for source in sorted(glob.glob(f"tests/{folder}/*.c") + glob.glob(f"tests/{folder}/*.cc")):
            word = os.path.splitext(os.path.basename(source))[0]
            if f"{folder}/{word}" not in names and (folder != "mutants" or word not in names):
                yield f"{folder}/{word}"


def play_all(jobs, build, folder, at_once):
    """The counts of all jobs, how long each took, and what was wrong."""
    counts, taken, wrong = {}, [], []
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        running = {pool.submit(part_of, job, build, folder): job for job in jobs}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(running), 1):
                try:
                    rows, seconds = future.result()
                    counts.update(rows)
                    taken.append((seconds, running[future]))
                except SystemExit as refused:
                    wrong.append(refused.code)
                if sys.stderr.isatty():
                    print(f"\r{done} of {len(jobs)} ", end="", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return counts, taken, wrong


def head():
    yield from ("SPDX-License-Identifier: Apache-2.0", "")
    yield "What `adicheck run` says of each adapter of the tests. `make verdicts` writes it;"
    yield "`make verdicts-diff` compares a build with it. Not to be edited."
    yield "Left out, not being the same in each run:"
    for *globs, why in CHANCE:
        yield f"  {' '.join(globs)}: {why}"
    yield "In each run, and not as often:"
    for *globs, why in ANY_NUMBER:
        yield f"  {' '.join(globs)}: {why}"
    yield "Not played:"
    for name, why in LEFT_OUT.items():
        yield f"  {name}: {why}"


def main():
    parser = argparse.ArgumentParser(description="Writes BUILD/proof/verdicts.tsv.")
    parser.add_argument("build", metavar="BUILD")
    parser.add_argument("--adapters", metavar="GLOB", default="*", help="only these")
    parser.add_argument("--devices", metavar="GLOB", default="*", help="only on these types")
    parser.add_argument("--jobs", metavar="N", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--times", metavar="N", type=int, default=0, help="say which took longest")
    words = parser.parse_args()
    every = all_jobs(words.build)
    wrong = list(unplayed(every))
    if wrong:
        sys.exit(f"verdicts: neither played nor left out with a reason: {' '.join(wrong)}")
    missing = [job.path for job in every if job.path and not os.path.exists(job.path)]
    if missing:
        sys.exit(f"verdicts: {missing[0]}: `make verdicts` builds it")
    jobs = [job for job in every if fnmatch.fnmatchcase(job.name, words.adapters)
            and fnmatch.fnmatchcase(job.type(), words.devices)]
    if not jobs:
        sys.exit(f"verdicts: there is no adapter {words.adapters} on {words.devices}")
    folder, start = f"{words.build}/proof/verdicts", time.monotonic()
    os.makedirs(folder, exist_ok=True)
    counts, taken, wrong = play_all(jobs, words.build, folder, words.jobs)
    for seconds, job in sorted(taken, key=lambda pair: -pair[0])[:words.times]:
        print(f"{seconds:7.1f} s  {job.name} on {job.device}")
    if wrong:
        sys.exit("\n".join(wrong))
    written = verdicts_diff.Table(counts, words.adapters, words.devices)
    written.write(f"{words.build}/proof/verdicts.tsv", head())
    for job in jobs:
        os.remove(job.part(folder))
    print(f"verdicts: {len(counts)} rows of {len(jobs)} adapters and devices in "
          f"{time.monotonic() - start:.0f} s: {words.build}/proof/verdicts.tsv")


if __name__ == "__main__":
    main()
