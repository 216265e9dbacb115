#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""What lcov counted, room by room.

    tests/cov/table.py INFO TABLE LINES BRANCHES

Writes TABLE and says which files have the largest holes. Fails if less than LINES % of the lines or
BRANCHES % of the branches of ref/ or of harness/ were reached.
"""

import os
import sys

TOPS = ("ref", "harness")
FIELDS = ("LF", "LH", "BRF", "BRH")  # lines, lines reached, branches, branches reached
HOLES = 10


def read(path):
    """The four numbers of each file."""
    counts = {}
    for line in open(path, encoding="utf-8"):
        key, _, value = line.rstrip("\n").partition(":")
        if key == "SF":
            now = counts[os.path.relpath(value)] = dict.fromkeys(FIELDS, 0)
        elif key in FIELDS:
            now[key] = int(value)
    return {file: [now[field] for field in FIELDS] for file, now in counts.items()}


def below(room, counts):
    """The sum over a folder."""
    return [sum(numbers) for numbers in
            zip(*(count for file, count in counts.items() if file.startswith(room + "/")))]


def percents(count):
    return [100 * reached / every if every else 100.0
            for every, reached in (count[:2], count[2:])]


def words(room, count):
    of_lines, of_branches = percents(count)
    return (f"{room:<16} {of_lines:5.1f} % of {count[0]:5} lines  "
            f"{of_branches:5.1f} % of {count[2]:5} branches")


def holes(counts):
    """The files with the most that was not reached."""
    missed = {file: (count[0] - count[1], count[2] - count[3]) for file, count in counts.items()}
    for file in sorted(missed, key=lambda one: -2 * missed[one][0] - missed[one][1])[:HOLES]:
        yield f"  {missed[file][0]:4} lines and {missed[file][1]:4} branches not reached in {file}"


def main(info, table, *wanted):
    counts = read(info)
    rooms = sorted({os.path.dirname(file) for file in counts} | set(TOPS),
                   key=lambda room: (TOPS.index(room.split("/")[0]), room))
    lines = [words(room, below(room, counts)) for room in rooms]
    with open(table, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(*lines, *holes(counts), sep="\n")
    low = [top for top in TOPS
           if any(p < int(w) for p, w in zip(percents(below(top, counts)), wanted))]
    for top in low:
        print(f"coverage: {top}/ is below {wanted[0]} % of lines or {wanted[1]} % of branches",
              file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
