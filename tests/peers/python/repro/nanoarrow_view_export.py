# SPDX-License-Identifier: Apache-2.0
"""An array of string views that comes in and goes out again overwrites memory."""

import signal
import subprocess
import sys

PROGRAM = """
import nanoarrow, pyarrow
for i in range(300):
    array = pyarrow.array(["a", "more than twelve bytes" * (1 + i % 7)], pyarrow.{}())
    assert pyarrow.array(nanoarrow.c_array(array)).equals(array)
"""
status = [subprocess.run([sys.executable, "-c", PROGRAM.format(type)], stderr=subprocess.DEVNULL)
          .returncode for type in ("string", "string_view")]
print("strings:", status[0], "string views:", signal.Signals(-status[1]).name)
assert status[0] == 0 and status[1] < 0
