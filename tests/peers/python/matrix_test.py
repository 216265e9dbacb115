#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""What the matrix says of libraries that are made up: of one that is right, of a planted defect
with and without its row, of what refuses, ends, hangs or is not there. The package is on
PYTHONPATH."""

import contextlib
import datetime
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import listed  # noqa: E402 (where they lie is said above)
import matrix  # noqa: E402
import page  # noqa: E402
import repro  # noqa: E402

HEAD = """
import os, signal, time
import adicheck
VERSION = "1.2"
PRODUCES, CONSUMES = {}, {}
ISOLATE = False
"""
RIGHT = HEAD + """
PRODUCES = {"cpu": {"arrow_c_array": {"three": lambda: adicheck.array([1, None, 3], "int32")}}}
CONSUMES = {"cpu": {"arrow_c_array": adicheck.from_arrow, "arrow_c_stream": adicheck.from_arrow}}
"""
PLANTED = HEAD + """
class Listed:
    __array_interface__ = {"shape": [2], "typestr": "|u1", "version": 3}
PRODUCES = {"cpu": {"array_interface": {"a list": Listed}}}
"""
RULE, CELL = "array-interface/shape-invalid", "cpu producer array_interface"
ENDS = HEAD + """
def ends():
    os.kill(os.getpid(), signal.SIGSEGV)
PRODUCES = {"cpu": {"buffer": {"it": ends}, "arrow_c_array": {"one": lambda: adicheck.array([1])}}}
"""
TODAY = datetime.date(2026, 11, 26)


class Matrix(unittest.TestCase):
    def judge(self, source, rows="", limit=60):
        with tempfile.TemporaryDirectory() as top:
            library, known = pathlib.Path(top, "made_up.py"), pathlib.Path(top, "known.txt")
            library.write_text(source, encoding="utf-8")
            known.write_text(rows, encoding="utf-8")
            return matrix.of_library("made_up", library, sys.executable, known, ["cpu"], TODAY,
                                     limit)

    def cells(self, record):
        return {(cell["role"], cell["protocol"]): cell for cell in record["cells"]}

    def row(self, rule=RULE, case=f"{CELL} *", version="1.*", reason="a list", until="2999-01-01"):
        return f"{rule} | {case} | {version} | {reason} | repro/it.py | {until}\n"

    def test_what_is_right_passes(self):
        record = self.judge(RIGHT)
        self.assertEqual({cell["verdict"] for cell in record["cells"]}, {"pass"})
        self.assertEqual((record["version"], len(record["cells"])), ("1.2", 3))
        self.assertEqual((record["unknown"], record["stale"]), ([], []))

    def test_a_planted_defect_is_not_known(self):
        record = self.judge(PLANTED)
        self.assertEqual(record["cells"][0]["verdict"], "fail")
        self.assertEqual(len(record["unknown"]), 1)
        self.assertRegex(record["unknown"][0], f"made_up 1.2: {CELL}: {RULE}: ")

    def test_with_its_row_it_is(self):
        record = self.judge(PLANTED, self.row())
        self.assertEqual((record["unknown"], record["stale"]), ([], []))
        finding = record["cells"][0]["findings"][0]
        self.assertEqual((finding["known"], finding["reason"], finding["link"]),
                         (True, "a list", "repro/it.py"))

    def test_a_row_is_for_its_rule_its_cell_its_version_and_its_time(self):
        for row in (self.row(rule="array-interface/version-*"), self.row(version="2.*"),
                    self.row(case="cpu consumer array_interface *"), self.row(until="2026-11-25"),
                    self.row(case="cuda producer array_interface *"),
                    self.row(case=f"{CELL} another: *")):
            with self.subTest(row):
                self.assertEqual(len(self.judge(PLANTED, row)["unknown"]), 1)

    def test_a_row_that_covers_nothing_is_said(self):
        for row, is_stale in ((self.row(), True), (self.row(reason="by chance: a list"), False),
                              (self.row(version="2.*"), False)):
            right = PLANTED.replace("[2]", "(2,)").replace("|u1", "|O8")
            with self.subTest(row):
                self.assertEqual(len(self.judge(RIGHT + right, row)["stale"]), is_stale)

    def test_unless_nothing_was_judged(self):
        source = HEAD + 'PRODUCES = {"cpu": {"array_interface": {"none": lambda: 1 / 0}}}'
        record = self.judge(source, self.row())
        self.assertEqual(record["stale"], [])
        self.assertIn("ZeroDivisionError", record["cells"][0]["why"])

    def test_who_refuses_all_is_not_judged(self):
        source = HEAD + """
def use(obj):
    raise TypeError("not mine")
CONSUMES = {"cpu": {"dlpack": use, "arrow_c_stream": use}}
"""
        for cell in self.judge(source)["cells"]:
            self.assertIsNone(cell["verdict"])
            self.assertIn("not mine", cell["why"])

    def test_other_values_are_found_where_values_are_compared(self):
        source = HEAD + """
def use(obj):
    return adicheck.stream([[7]], adicheck.from_arrow(obj).type)
CONSUMES = {"cpu": {"arrow_c_stream": use}}
PRODUCES = {"cpu": {"arrow_c_stream": {"one": (lambda: adicheck.stream([[1]]), [2])}}}
"""
        record = self.judge(source)
        self.assertEqual({cell["verdict"] for cell in record["cells"]}, {"fail"})
        self.assertEqual({(cell["role"], line.split(": ")[2])
                          for cell in record["cells"] for line in record["unknown"]
                          if f" {cell['role']} " in line},
                         {("producer", "values/differ"), ("consumer", "values/differ"),
                          ("consumer", "array/misread")})

    def test_what_streams_is_judged_and_has_its_values(self):
        source = HEAD + """
class Deaf:
    def __arrow_c_stream__(self, requested_schema=None):
        return adicheck.stream([[1], [None]], "int32").__arrow_c_stream__(HEARD)
PRODUCES = {"cpu": {"arrow_c_stream": {"one": (Deaf, [1, None])}}}
"""
        deaf = self.judge(source.replace("HEARD", ""))["cells"][0]
        self.assertEqual([(finding["rule"], finding["verdict"], finding["cases"])
                          for finding in deaf["findings"]],
                         [("pycapsule/request-incompatible-accepted", "warn",
                           ["one: own/own/arrow_c_stream"])])
        right = self.judge(source.replace("HEARD", "requested_schema"))["cells"][0]
        self.assertEqual((right["verdict"], right["findings"]), ("pass", []))
        self.assertGreater(right["counts"]["pass"], 5)

    def test_a_stream_that_is_kept_is_found_whatever_is_read(self):
        source = HEAD + """
import ctypes
at = ctypes.pythonapi.PyCapsule_GetPointer
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
class Given:
    def __init__(self, capsule, name):
        setattr(self, f"__{name}__", lambda requested_schema=None: capsule)
def use(obj):
    name = next(name for name in ("arrow_c_stream", "arrow_c_device_stream")
                if hasattr(obj, f"__{name}__"))
    capsule = getattr(obj, f"__{name}__")()
    words = (ctypes.c_void_p * 6).from_address(
        at(capsule, name.replace("_c", "").replace("stream", "array_stream").encode()))
    release = 3 + ("device" in name)
    if KEEPS:
        words[release] = None
    return adicheck.from_arrow(Given(capsule, name)) if not KEEPS else None
CONSUMES = {"cpu": {"arrow_c_stream": use, "arrow_c_device_stream": use}}
"""
        kept = self.judge(source.replace("KEEPS", "True"))
        self.assertEqual([{finding["rule"] for finding in cell["findings"]}
                          for cell in kept["cells"]], [{"life/never-released"}] * 2)
        right = self.judge(source.replace("KEEPS", "False"))
        self.assertEqual([cell["verdict"] for cell in right["cells"]], ["pass"] * 2)
        self.assertEqual(right["unknown"], [])

    def test_of_a_stream_another_type_may_have_other_values(self):
        source = HEAD + """
TYPES = "i/"
def use(obj):
    taken = adicheck.from_arrow(obj)
    if taken.type.format != "i":
        raise NotImplementedError
    values = [[x for x in chunk.to_pylist()] for chunk in taken.chunks]
    return adicheck.stream(values, "int64")
CONSUMES = {"cpu": {"arrow_c_stream": use}}
"""
        self.assertEqual(self.judge(source)["cells"][0]["verdict"], "pass")
        same = source.replace("x for x", "7 for x").replace("int64", "int32")
        self.assertIn("array/misread", str(self.judge(same)["unknown"]))

    def test_a_table_has_no_null_in_place_of_a_row(self):
        source = HEAD + """
def use(obj):
    taken = adicheck.from_arrow(obj)
    if taken.type.format != "+s":
        raise NotImplementedError
    none = {child.name: None for child in taken.type.children}
    return adicheck.stream([[none if row is None else row for row in chunk.to_pylist()]
                            for chunk in taken.chunks], taken.type)
CONSUMES = {"cpu": {"arrow_c_stream": use}}
TYPES, ROWS = "+s", True
"""
        self.assertEqual(self.judge(source)["unknown"], [])
        # Nor does the package compare those (docs/ambiguities.md, 104).
        self.assertEqual(self.judge(source + "ROWS = False")["unknown"], [])
        wrong = source.replace("for row in chunk.to_pylist()]", "for row in chunk.to_pylist()[1:]]")
        self.assertIn("array/misread", str(self.judge(wrong)["unknown"]))

    def test_who_asks_twice_is_judged_by_values(self):
        source = HEAD + """
def use(obj):
    obj.__arrow_c_array__()
    taken = adicheck.from_arrow(obj)
    adicheck.from_arrow(obj)
    return taken
CONSUMES = {"cpu": {"arrow_c_array": use}}
"""
        self.assertEqual(self.judge(source)["unknown"], [])
        wrong = source.replace("return taken", "return adicheck.array([7] * 3)")
        self.assertEqual([line.split(": ")[2] for line in self.judge(wrong)["unknown"]],
                         ["values/differ"])

    def test_another_type_may_have_other_values(self):
        source = HEAD + """
def use(obj):
    taken = adicheck.from_arrow(obj)
    if taken.type.format != "i":
        raise NotImplementedError
    return adicheck.array([float(x or 0) for x in taken.to_pylist()], "float64")
CONSUMES = {"cpu": {"arrow_c_array": use}}
"""
        self.assertEqual(self.judge(source)["cells"][0]["verdict"], "pass")
        same = source.replace("float(x or 0)", "7").replace("float64", "int32")
        self.assertEqual(self.judge(same)["cells"][0]["verdict"], "fail")

    def test_what_ends_loses_no_other_cell(self):
        cells = self.cells(self.judge(ENDS))
        self.assertEqual(cells["producer", "buffer"]["verdict"], "crash")
        self.assertIn("-11", cells["producer", "buffer"]["findings"][0]["message"])
        self.assertEqual(cells["producer", "arrow_c_array"]["verdict"], "pass")

    def test_what_hangs_does_not_either(self):
        source = ENDS.replace("os.kill(os.getpid(), signal.SIGSEGV)", "time.sleep(600)")
        cells = self.cells(self.judge(source, limit=5))
        self.assertEqual(cells["producer", "buffer"]["verdict"], "timeout")
        self.assertEqual(cells["producer", "arrow_c_array"]["verdict"], "pass")

    def test_what_the_harness_tells_before_it_ends_is_the_finding(self):
        source = HEAD + """
import ctypes
at = ctypes.pythonapi.PyCapsule_GetPointer
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
once = __file__ + ".once"
def use(obj):
    schema, array = obj.__arrow_c_array__()
    words = (ctypes.c_void_p * 10).from_address(at(array, b"arrow_array"))
    if words[0] == 67 and words[3] == 2 and not os.path.exists(once):
        open(once, "x").close()
        data = (ctypes.c_void_p * 2).from_address(words[5])[1]
        ctypes.string_at(data + 67 * 8, 4096)
    adicheck.from_arrow(Given(schema, array))
class Given:
    def __init__(self, *both):
        self.both = both
    def __arrow_c_array__(self, requested_schema=None):
        return self.both
CONSUMES = {"cpu": {"arrow_c_array": use}}
"""
        cell = self.judge(source)["cells"][0]
        self.assertEqual([(finding["rule"], finding["verdict"], len(finding["cases"]))
                          for finding in cell["findings"]], [("array/read-past-end", "crash", 1)])
        self.assertEqual(cell["counts"]["crash"], 1)
        self.assertGreater(cell["counts"]["pass"], 1000)

    def test_what_a_case_ends_does_not_lose_those_behind_it(self):
        source = HEAD + """
def use(obj):
    values = adicheck.from_dlpack(obj)
    if values.format in "lf":
        os.abort()
    return values
CONSUMES = {"cpu": {"dlpack": use}}
"""
        source = source.replace("values.format", "values.type.format")
        cell = self.judge(source)["cells"][0]
        told = [finding for finding in cell["findings"] if finding["verdict"] == "crash"]
        self.assertEqual([finding["rule"] for finding in told], ["life/crash"])
        self.assertEqual(len(told[0]["cases"]), 2)
        self.assertIn("SIGABRT", told[0]["message"])
        self.assertGreater(cell["counts"]["pass"], 10)

    def test_what_is_known_to_end_it_comes_last(self):
        source = HEAD + """
ENDS = {"dlpack": "int64/*"}
def use(obj):
    values = adicheck.from_dlpack(obj)
    if values.type.format == "l":
        os.abort()
    return values
CONSUMES = {"cpu": {"dlpack": use}}
"""
        rows = "life/crash | cpu consumer dlpack own | * | it ends | docs/x.md | 2027-01-01"
        record = self.judge(source, rows)
        cell = record["cells"][0]
        self.assertEqual([(finding["rule"], finding["cases"]) for finding in cell["findings"]],
                         [("life/crash", ["own"])])
        self.assertRegex(cell["findings"][0]["message"], "int64/.* SIGABRT")
        self.assertGreater(cell["counts"]["pass"], 20)
        self.assertEqual((record["unknown"], record["stale"]), ([], []))
        source = source.replace("os.abort()", "pass")
        self.assertEqual(self.judge(source)["cells"][0]["verdict"], "pass")

    def test_a_row_that_names_far_more_than_deviates_is_wrong(self):
        source = HEAD + """
def use(obj):
    values = adicheck.from_dlpack(obj)
    return adicheck.tensor([7] * 3, "int64") if values.type.format == "l" else values
CONSUMES = {"cpu": {"dlpack": use}}
"""
        row = "* | cpu consumer dlpack {} | * | it is made up | docs/x.md | 2027-01-01"
        rows = row.format("int64/*")
        self.assertEqual(self.judge(source, rows)["wide"], [])
        wide = self.judge(source, row.format("*"))["wide"]
        self.assertIn("narrow it", wide[-1])
        chance = row.format("*").replace("it is", "by chance: it is")
        self.assertEqual(self.judge(source, chance)["wide"], [])

    def test_what_is_not_there_says_why(self):
        record = self.judge("import no_such_module")
        self.assertEqual((record["cells"], record["unknown"]), ([], []))
        self.assertIn("no_such_module", record["why"])
        self.assertIn("ended with status 3", self.judge("import os; os._exit(3)")["why"])
        hangs = self.judge("import time; time.sleep(600)", limit=2)
        self.assertIn("more than 2 s", hangs["why"])

    def test_what_ends_between_cells_does_not_lose_those_behind_it(self):
        source = RIGHT + """
import json
whole, once = json.dumps, __file__ + ".once"
def dumps(line, **options):
    if "begin" in line and "consumer" in line["begin"] and not os.path.exists(once):
        open(once, "x").close()
        os._exit(4)
    return whole(line, **options)
json.dumps = dumps
"""
        record = self.judge(source)
        self.assertEqual({cell["verdict"] for cell in record["cells"]}, {"pass"})
        self.assertEqual((len(record["cells"]), record["why"]), (3, None))

    def test_without_leave_to_skip_that_is_wrong(self):
        record = dict(name="it", why="no module", cells=[], unknown=[], stale=[])
        for allowed, wanted in (("", []), ("1", ["it: no module"])):
            with unittest.mock.patch.dict(os.environ, ADI_NO_SKIP=allowed):
                self.assertEqual(matrix.wrong_with(record), wanted)

    def test_what_is_wrong_is_judged_once_more(self):
        right = dict(name="it", why=None, cells=[], unknown=[], stale=[])
        wrong = {**right, "unknown": ["a crash"]}
        for records, wanted in (([right, wrong], right), ([wrong, right], right),
                                ([wrong, {**wrong, "stale": ["again"]}], {**wrong,
                                                                          "stale": ["again"]})):
            given = iter(records)
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(matrix.once_more(lambda: next(given)), wanted)

    def test_the_page_has_a_colour_for_each(self):
        absent = dict(name="absent", version=None, why="is <not> here", cells=[])
        records = [self.judge(RIGHT), self.judge(PLANTED, self.row()), self.judge(PLANTED), absent,
                   self.judge(HEAD + 'PRODUCES = {"cpu": {"buffer": {"none": lambda: 1 / 0}}}')]
        with tempfile.TemporaryDirectory() as top:
            target = pathlib.Path(top, "peers")
            page.write(target, records, matrix.DEVICES, matrix.PROTOCOLS, matrix.ROLES)
            written = target.with_suffix(".html").read_text(encoding="utf-8")
            record = json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))
        for kind in "pass", "fail", "unknown", "none":
            self.assertRegex(written, f'<td class="{kind}" [^>]*><a href="#made_up-cpu-')
        self.assertIn('title="unavailable: is &lt;not&gt; here"', written)
        self.assertRegex(written, r'href="[^"]*tests/peers/python/repro/it.py"')
        self.assertEqual(len(record["libraries"]), 5)


class Lists(unittest.TestCase):
    """ci/known/python_*.txt: what a row links to is there, and it names a cell."""

    def rows(self):
        for path in sorted((matrix.TOP / "ci/known").glob("python_*.txt")):
            lines = path.read_text(encoding="utf-8").splitlines()
            for row in listed.read_rows(str(path)):
                yield path, row, listed.split(lines[row.line - 1])

    def anchors(self, page_at):
        headings = re.findall("^## (.*)$", page_at.read_text(encoding="utf-8"), re.MULTILINE)
        return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}

    def test_each_row_links_to_what_is_told_and_to_a_program(self):
        for path, row, fields in self.rows():
            with self.subTest(f"{path.name}:{row.line}"):
                self.assertEqual(len(fields), 6)
                datetime.date.fromisoformat(fields[5])
                links = [link.strip() for link in fields[4].split(";")]
                pages = [link.split("#") for link in links if "#" in link]
                programs = [link for link in links if "#" not in link]
                self.assertTrue(pages and programs)
                for file, anchor in pages:
                    self.assertIn(anchor, self.anchors(matrix.TOP / file))
                for program in programs:
                    below = HERE if program.startswith("repro/") else matrix.TOP
                    self.assertTrue((below / program).exists(), program)

    def test_each_row_is_of_a_library_and_names_a_cell(self):
        places = [f"{device} {role} {protocol}" for device in matrix.DEVICES
                  for role in matrix.ROLES for protocol in matrix.PROTOCOLS]
        for path, row, _ in self.rows():
            with self.subTest(f"{path.name}:{row.line}"):
                self.assertTrue((HERE / f"libraries/{path.stem[len('python_'):]}.py").exists())
                self.assertEqual(len(row.case.split(None, 2)), 3)
                self.assertTrue(any(listed.matches(matrix.place_of(row), place)
                                    for place in places))

    def test_each_program_is_of_a_library(self):
        names = [path.stem for path in (HERE / "libraries").glob("*.py")]
        for program in (HERE / "repro").glob("*.py"):
            self.assertTrue(repro.library_of(program, names))
        self.assertEqual(repro.library_of(pathlib.Path("a_b_c.py"), ["a", "a_b"]), "a_b")


class Programs(unittest.TestCase):
    def test_one_that_shows_nothing_is_said(self):
        with tempfile.TemporaryDirectory() as top:
            for text, wanted in (("print(1)", (True, "1\n")), ("assert False", False)):
                program = pathlib.Path(top, "it.py")
                program.write_text(text, encoding="utf-8")
                shown, said = repro.show(program, sys.executable)
                self.assertIn(wanted, ((shown, said), shown))
        self.assertEqual(repro.show(program, "/no/python"), (None, ""))


if __name__ == "__main__":
    unittest.main()
