#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""tests/documented.py is tried on small trees: whether each finding names the program that shows
it, and each program is named.

    tests/documented_test.py
"""

import pathlib
import sys
import tempfile

import documented

# What it says of the library "lib": the sections of its page, the programs there, and lines.
ROWS = [
    (["1. It leaks\nProgram: `leaks.c`."], ["leaks.c"], []),
    (["It leaks\nProgram: `leaks.py`."], ["leaks.py"], []),
    (["It leaks\n    // repro/leaks.rs; as in the document"], ["leaks.rs"], []),
    (["It leaks\nPrograms: `leaks.c`, `hangs.c`, with `handler.h`."],
     ["leaks.c", "hangs.c", "handler.h"], []),
    (["1. It leaks\nProgram: `leaks.c`.", "Seen, and not a deviation\nOthers do."], ["leaks.c"],
     []),
    (["1. It leaks\nIn `lib.c`."], [], ["shows: 1. It leaks"]),
    (["1. It leaks\nProgram: `leaks.c`."], [], ["shows: 1. It leaks"]),
    (["1. It leaks\nProgram: `leaks.c`.", "2. It hangs\nIn `hangs.c`."], ["leaks.c"],
     ["shows: 2. It hangs"]),
    (["1. It leaks\nProgram: `leaks.c`."], ["leaks.c", "hangs.c"], ["speak of hangs.c"]),
    (["1. It leaks\nProgram: `leaks.c`."], ["gpu/leaks.c"], []),
    (["1. It leaks\nProgram: `leaks.c`."], ["leaks.c", "gpu/hangs.c"], ["speak of hangs.c"]),
    (["Seen, and not a deviation\nOthers do."], ["leaks.c"], ["speak of leaks.c"]),
]


def says(sections, programs):
    """What is said of such a tree."""
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        repro, pages = top / "tests/peers/lib/repro", top / "docs/findings"
        repro.mkdir(parents=True)
        pages.mkdir(parents=True)
        for program in programs:
            (repro / program).parent.mkdir(exist_ok=True)
            (repro / program).touch()
        text = "# lib\n\nIts programs.\n" + "".join(f"\n## {section}\n" for section in sections)
        (pages / "lib_streams.md").write_text(text, encoding="utf-8")
        return list(documented.shown(top))


def main():
    wrong = 0
    for sections, programs, wanted in ROWS:
        said = says(sections, programs)
        if len(said) != len(wanted) or not all(map(str.__contains__, said, wanted)):
            print(f"documented_test: of {sections} and {programs}: {said}, wanted {wanted}",
                  file=sys.stderr)
            wrong += 1
    print(f"documented_test: {len(ROWS)} trees")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
