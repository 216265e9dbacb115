# SPDX-License-Identifier: Apache-2.0
"""Consumers that keep what they take beyond the call that judges them, and let go of it then."""

import subprocess
import sys
import textwrap
import unittest

import adicheck

# A crash is to end nothing else.
JUDGED = """
    import gc
    import adicheck
    kept = []
    def keeps(obj):
        {keeps}
    found = adicheck.check_consumer(keeps, protocols={protocol!r}, devices={device!r},
                                    cases="int32/many/*")
    print(*sorted(finding.rule for finding in found))
    kept.clear()
    gc.collect()
    print("released")
"""
DELETER, RELEASE = "dlpack/deleter-not-called", "life/never-released"
IMPORTS = "kept.append(adicheck.from_{}(obj)); return kept[-1]"


class Late(unittest.TestCase):
    def judge(self, keeps, protocol, device):
        program = textwrap.dedent(JUDGED).format(keeps=keeps, protocol=protocol, device=device)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=300)
        self.assertEqual((done.returncode, done.stdout.splitlines()[1:]), (0, ["released"]),
                         done.stderr)
        return set(done.stdout.splitlines()[0].split())

    def devices(self, protocol):
        return ["cpu"] if protocol in ("arrow_c_stream", "arrow_c_array") else \
            ["cpu", *(["cuda:0"] if "cuda:0" in adicheck.devices() else [])]

    def test_arrays_and_streams_may_be_released(self):
        for protocol in ("arrow_c_stream", "arrow_c_device_stream", "arrow_c_array",
                         "arrow_c_device_array"):
            for device in self.devices(protocol):
                for keeps in IMPORTS.format("arrow"), f"kept.append(obj.__{protocol}__())":
                    with self.subTest(protocol, device=device, keeps=keeps):
                        self.assertEqual(self.judge(keeps, protocol, device), {RELEASE})

    def test_tensors_may_be_deleted(self):
        for device in self.devices("dlpack"):
            with self.subTest(device):
                self.assertEqual(self.judge(IMPORTS.format("dlpack"), "dlpack", device), {DELETER})

    # What is kept while something else is judged is of a run that is over.
    def test_another_run_may_come_in_between(self):
        keeps = IMPORTS.format("arrow") + """
    def copies(obj):
        return adicheck.array(adicheck.from_arrow(obj).to_pylist(), "int32")
    for _ in range(2):
        adicheck.check_consumer(keeps, protocols="arrow_c_device_array", devices={0!r},
                                cases="int32/many/*")
        adicheck.check_consumer(copies, protocols="arrow_c_device_array", devices={0!r},
                                cases="int32/many/consume")"""
        for device in self.devices("arrow_c_device_array"):
            with self.subTest(device):
                rules = self.judge(keeps.format(device), "arrow_c_device_array", device)
                self.assertEqual(rules, {RELEASE})


if __name__ == "__main__":
    unittest.main()
