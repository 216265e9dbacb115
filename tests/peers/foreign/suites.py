#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Plays the suites that others' packages carry, as they are, on the simulated CUDA driver, and
holds what fails, and what the simulation reports, against the list NAME.txt (rows.py).

    suites.py BUILD PEERS [NAME..]            all, or these
    suites.py --rows BUILD PEERS [NAME..]     prints rows for what fails now

With ADI_TEST_FULL=1 those parts of a suite, too, that take minutes. With ADI_SIM_KERNELS=opaque
the lists do not hold, as nothing is computed: what is reported is told, and nothing else.
"""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import modules
import rows

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 120  # seconds without news, after which a test hangs
AT_ONCE = 2

Suite = collections.namedtuple("Suite", "venv package folders env")

SUITES = {
    "numba": Suite("venv", "numba.cuda.tests",
                   "cudadrv cudapy cudasim doc_examples nocuda", {"CUDA_HOME": "cuda-home"}),
    "numba-cuda": Suite("venv-cuda", "numba.cuda.tests", "core cudadrv cudasim nocuda nrt", {}),
    "numba-cuda-kernels": Suite("venv-cuda", "numba.cuda.tests", "cudapy doc_examples", {}),
    "nanoarrow": None,  # the device tests of its C sources, compiled (peer.mk)
}
FULL = ("numba-cuda-kernels",)


def environment(build, peers, suite):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("ADI_SIM_", "CUDA_")) or name == "ADI_SIM_KERNELS"}
    env.update(LD_LIBRARY_PATH=str(build / "sim"), PYTHONDONTWRITEBYTECODE="1",
               NUMBA_CUDA_DRIVER=str(build / "sim/libcuda.so.1"))
    env.update({name: str(peers / at) for name, at in (suite.env if suite else {}).items()})
    return env


def found(python, suite, env):
    """The modules of a suite, without the package's name."""
    where = f"import {suite.package} as tests; print(tests.__path__[0])"
    root = subprocess.run([python, "-c", where], env=env, capture_output=True, text=True,
                          check=False)
    if root.returncode != 0:
        return []
    root = pathlib.Path(root.stdout.split("\n")[0])
    return sorted(f"{suite.package}." + ".".join(path.relative_to(root).with_suffix("").parts)
                  for folder in suite.folders.split() for path in root.glob(f"{folder}/test_*.py"))


def short(suite, results):
    """Without what all tests begin with."""
    if suite is None:
        return results
    return [result._replace(test=result.test.replace(f"{suite.package}.", "", 1))
            for result in results]


def play(name, build, peers, limit=LIMIT, listed=None):
    """The results of a suite, or None where it is not there."""
    suite = SUITES[name]
    env = environment(build, peers, suite)
    if suite is None:  # programs, one for each module
        folder = build / f"tests/foreign/{name}"
        player = ["sh", "-c", 'exec "$0/$1" "$@"', folder]
        names = sorted(path.name for path in folder.glob("*_test"))
    else:
        python = peers / suite.venv / "bin/python"
        player = [python, HERE / "play.py"]
        names = found(python, suite, env) if python.exists() else []
    if not names:
        return None
    package = f"{suite.package}." if suite else ""
    left_out = [package + test for test in (listed or rows.Rows(HERE / f"{name}.txt")).left_out]
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        env.update(TMPDIR=work, XDG_CACHE_HOME=work)

        def one(module):
            return modules.play_twice(player, module, pathlib.Path(work), env, limit, left_out)

        played = pool.map(one, names)
        return short(suite, [result for results in played for result in results])


def reported(results):
    return [f"{result.test}: {' '.join(result.why.split())[:600]}" for result in results
            if result.why.startswith("reported: ")]


def summary(name, results):
    count = collections.Counter(result.outcome for result in results)
    reports = sum(result.why.startswith("reported: ") for result in results)
    opaque = sum(result.opaque and result.outcome == "passed" for result in results)
    apart = f" ({opaque} of them with opaque launches)" if opaque else ""
    return (f"  {name}: of {len(results)} tests {count['passed']} pass{apart}, {count['failed']} "
            f"fail, {count['skipped']} are skipped; the simulation reports {reports}")


def main(arguments):
    wanted_rows = arguments[:1] == ["--rows"]
    build, peers, *names = arguments[wanted_rows:]
    failed = False
    for name in names or [name for name in SUITES
                          if name not in FULL or os.environ.get("ADI_TEST_FULL")]:
        listed = rows.Rows(HERE / f"{name}.txt")
        results = play(name, pathlib.Path(build).resolve(), pathlib.Path(peers).absolute(),
                       listed=listed)
        if results is None:
            print(f"skip peers: the suite of {name}: it is not there (make peers)")
            continue
        if wanted_rows:
            print("\n".join(listed.written(results)))
        wrong = (reported(results) if os.environ.get("ADI_SIM_KERNELS", "refused") != "refused"
                 else list(listed.wrong(results)))
        print("".join(f"  {name}: {line}\n" for line in wrong) + summary(name, results), flush=True)
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
