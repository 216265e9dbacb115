#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Shows what docs/findings/python.md tells, without the package: runs the programs of repro/, each
with the library that its name begins with. Those on CUDA take the libcuda.so.1 that there is: for
`make peers` the simulated one.

    tests/peers/python/repro.py PEERS

Exits 1 if one does not end in 0: it shows its deviation no more, and its row in
ci/known/python_NAME.txt goes, too.
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import matrix  # noqa: E402 (where it lies is said above)

LIMIT = 60


def library_of(program, names):
    """The longest name that the program's begins with."""
    return max((name for name in names if program.stem.startswith(f"{name}_")), key=len)


def show(program, python):
    """What it printed, and whether it shows its deviation; None: there is no such Python."""
    if not pathlib.Path(python).exists():
        return None, ""
    try:
        ended = subprocess.run([python, program], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        return False, str(error)
    return ended.returncode == 0, ended.stdout


def main(peers, folder=matrix.HERE / "repro"):
    names = [path.stem for path in (matrix.HERE / "libraries").glob("*.py")]
    pythons, failed = matrix.environments(pathlib.Path(peers).resolve()), 0
    for program in sorted(folder.glob("*.py")):
        name = library_of(program, names)
        shown, said = show(program, pythons.get(name, pythons[None]))
        if shown is None:
            continue
        print(f"  {program.name}: {'shown' if shown else 'NOT SHOWN'}")
        print("".join(f"      {line}\n" for line in said.splitlines()[-6:]), end="")
        failed |= not shown
    return int(failed)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
