#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/bench/streams.py BUILD [RUNS]: how much longer a run takes by the cases of streams

The reference is judged on all devices, with its roles of streams and asynchronous streams and
without them (no_streams.c), in turns. The medians are compared: of the clock, and of what the
processors have done, which other work on the machine changes less.
"""
import resource
import statistics
import subprocess
import sys
import time

WANTED = 1.5


def seconds(command):
    """Of the clock, and of the processors."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([command, "run"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (time.monotonic() - begun,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    build, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    took = {"adicheck": [], "bench/adicheck": []}
    for _ in range(runs):
        for name, figures in took.items():
            figures.append(seconds(f"{build}/{name}"))
    whole, arrays = ([statistics.median(of) for of in zip(*figures)] for figures in took.values())
    cells = [f"{a / b:.2f} x the {what}"
             for a, b, what in zip(whole, arrays, ("clock", "processors"))]
    print(f"  {'with streams':<20}{cells[0]:>22}{cells[1]:>22}   of the {WANTED} x that are wanted,"
          f" of {arrays[0]:.1f} s and {arrays[1]:.1f} s without")


main()
