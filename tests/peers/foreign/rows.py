# SPDX-License-Identifier: Apache-2.0
"""The list of tests of a suite that are expected to fail, NAME.txt:

    cause NAME | WORDS | REASON     the failure says WORDS (a glob); why it is so
    NAME | TEST                     fail of this cause: a glob
    left out | TEST | REASON        are not played
    at least | NUMBER               pass

A row whose tests begin to pass is red until it goes, and so is one that names no test.
"""

import collections
import fnmatch
import re

Cause = collections.namedtuple("Cause", "words reason")
Row = collections.namedtuple("Row", "line cause test")


class Rows:
    def __init__(self, path):
        self.path, self.causes, self.rows, self.left_out, self.least = path, {}, [], [], 0
        if not path.exists():
            return
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if text.strip() and not text.startswith("#"):
                self.add(line, [field.strip() for field in text.split(" | ")])

    def add(self, line, fields):
        kind, name = fields[0], fields[1]
        if kind == "left out":
            self.left_out.append(name)
        elif kind == "at least":
            self.least = int(name)
        elif kind.startswith("cause "):
            self.causes[kind.removeprefix("cause ")] = Cause(name, fields[2])
        elif kind in self.causes:
            self.rows.append(Row(line, kind, name))
        else:
            raise SystemExit(f"{self.path}:{line}: no cause is named {kind}")

    def cause_of(self, why):
        return next((name for name, cause in self.causes.items()
                     if fnmatch.fnmatchcase(why, cause.words)), None)

    def wrong(self, results):
        """A line for each thing that is not as the list says."""
        named = collections.defaultdict(list)
        for result in results:
            rows = [row for row in self.rows if fnmatch.fnmatchcase(result.test, row.test)]
            for row in rows:
                named[row].append(result)
            if result.outcome == "failed":
                fits = any(fnmatch.fnmatchcase(result.why, self.causes[row.cause].words)
                           for row in rows)
                other = " of another cause than its row says" if rows else ""
                if not fits:
                    yield f"{result.test} fails{other}: {' '.join(result.why.split())[:600]}"
        for row in self.rows:
            passed = [result.test for result in named[row] if result.outcome == "passed"]
            if passed:
                yield (f"{self.path.name}:{row.line}: {row.test}: {len(passed)} of "
                       f"{len(named[row])} pass, such as {passed[0]}: narrow the row, or take it "
                       "out")
            elif not any(result.outcome == "failed" for result in named[row]):
                yield f"{self.path.name}:{row.line}: {row.test}: names no test that fails"
        passed = sum(result.outcome == "passed" for result in results)
        if passed < self.least:
            yield f"{self.path.name}: {passed} pass, and at least {self.least} should"

    def written(self, results):
        """Rows for what fails now, as few as name nothing else."""
        of = {result.test: self.cause_of(result.why) if result.outcome == "failed" else None
              for result in results if result.outcome != "skipped"}
        left, rows = {test: cause for test, cause in of.items() if cause}, []
        for test in sorted(left):
            if test not in left:
                continue
            for prefix in prefixes(test):
                names = [other for other in of
                         if other == test or prefix != test and other.startswith(prefix)]
                if all(of[other] == of[test] for other in names):
                    rows.append(f"{of[test]} | {prefix}{'*' * (prefix != test)}")
                    for other in names:
                        left.pop(other, None)
                    break
        return sorted(rows)


def prefixes(test):
    """What a row may name it by: from its module on, to the ends of words."""
    parts = [match.end() for match in re.finditer(r"[._/]", test)]
    first = test.find(".", test.find(".") + 1)  # folder.module.
    return [*(test[:end] for end in parts if end > first >= 0), test]
