# SPDX-License-Identifier: Apache-2.0
"""The command: `adicheck ...`, or `python -m adicheck ...`."""

import os
import pathlib
import sys


def main():
    command = pathlib.Path(__file__).with_name("adicheck")
    os.execv(command, ["adicheck", *sys.argv[1:]])


if __name__ == "__main__":
    main()
