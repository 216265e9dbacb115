# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md run as they stand."""

import os
import pathlib
import re
import unittest

import adicheck

README = pathlib.Path(__file__).parent.parent / "README.md"


@unittest.skipUnless(README.exists(), "README.md is not here")
@unittest.skipUnless("cuda:1" in adicheck.devices(), "there is no second device of CUDA")
class TheReadme(unittest.TestCase):
    def test_runs(self):
        blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 2)
        names = {"somebodys_object": adicheck.array([1])}
        with open(os.devnull, "w") as nowhere:
            for block in blocks:
                names["print"] = lambda *words: print(*words, file=nowhere)
                exec(compile(block, "README.md", "exec"), names)
        self.assertEqual(names["found"], [])
        self.assertEqual(names["y"].to_pylist(), [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
