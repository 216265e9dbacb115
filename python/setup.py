# SPDX-License-Identifier: Apache-2.0
"""Packs what `make python` has built: a wheel of one platform, for every Python from 3.11 on."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Distribution, setup

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / "build/python"


class Binary(Distribution):
    def has_ext_modules(self):
        return True


def make():
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    subprocess.run(["make", "-s", f"-j{len(os.sched_getaffinity(0))}", "-C", ROOT, "python",
                    f"PYTHON={sys.executable}"], check=True, env=environment, stdout=sys.stderr)


make()
scratch = BUILT / "setuptools"
scratch.mkdir(exist_ok=True)
setup(
    version=re.search(r"^VERSION := (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)[1],
    distclass=Binary,
    packages=["adicheck"],
    package_dir={"adicheck": os.path.relpath(BUILT / "adicheck", pathlib.Path(__file__).parent)},
    package_data={"adicheck": ["*", "*/*", "include/adicheck/*"]},
    exclude_package_data={"adicheck": ["__pycache__/*"]},
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build": {"build_base": str(scratch)},
        "egg_info": {"egg_base": str(scratch)},
    },
)
