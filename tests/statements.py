#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a sentence of the documents is checked, a comment says it: /* CD-031: a schema has ... */
In Python it is # CAI2-18: a consumer keeps ...

docs/coverage.tsv says which sentences are checked (`rule` or `part`). Each of them has such a
comment in the sources, of two lines at most, and no comment names any other sentence. What is a
decision of the reference's own (`reference`) has one, too, and the tests that hold it to that are
there.

    statements.py [ROOT]        prints what is wrong; exit status 1 if anything is
"""
import pathlib
import re
import sys

STATED = "rule", "part", "reference"
TESTS = "tests/ref", "python/tests"
FOLDERS = "ref", "devices", "sim", "harness", "python/src", "python/adicheck"
SUFFIXES = ".c", ".h", ".cc", ".def", ".inc", ".py"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PYTHONS = re.compile(r"(?:^ *# [^\n]*\n)+", re.MULTILINE)
TWO_LETTERS = "[A-Z]{2}"


def patterns(known):
    """An id, and a comment that states what ids stand for. Two letters are always an id's; longer
    ones (DLH-31, CAI2-04) only if coverage.tsv has them: there is UTF-16, too."""
    letters = {sentence.rpartition("-")[0] for sentence in known} - {""}
    longer = sorted(map(re.escape, letters), key=len, reverse=True)
    sentence = rf"\b(?:{'|'.join([*longer, TWO_LETTERS])})-[0-9]+\b"
    statement = rf"/\* (?P<ids>{sentence}(?:, {sentence})*): \S[^\n]*(?:\n[^\n]*)?\*/"
    return re.compile(sentence), re.compile(statement)


def coverage(root):
    """The rows of docs/coverage.tsv: sentence, document, disposition, by, note."""
    rows = (root / "docs/coverage.tsv").read_text().splitlines()[1:]
    return [(row.split("\t") + [""])[:5] for row in rows]


def tests(root):
    """Their names: of C as they are, of Python as Class.test."""
    found = set()
    for path in (path for folder in TESTS for path in (root / folder).glob("*")):
        if path.suffix == ".c":
            found.update(re.findall(r"^START_TEST\((\w+)\)", path.read_text(), re.MULTILINE))
        elif path.suffix == ".py":
            within = None
            for kind, name in re.findall(r"^(class|    def) (\w+)", path.read_text(), re.MULTILINE):
                within = name if kind == "class" else within
                found.add(f"{within}.{name}")
    return found


def untested(root):
    """Decisions of the reference that name no test, or one that is not there."""
    known = tests(root)
    for sentence, _, disposition, by, _ in coverage(root):
        if disposition == "reference":
            yield from (f"docs/coverage.tsv: {sentence} names {name}, which is no test"
                        for name in by.split(" ") if name not in known)


def of_python(comment):
    """As C has it."""
    return "/* " + "\n".join(line.strip()[2:] for line in comment.splitlines()) + " */"


def comments(root, sentence):
    """Each comment that names a sentence: where it is, its text, and the ids in it."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text()
            is_python = path.suffix == ".py"
            for found in (PYTHONS if is_python else COMMENT).finditer(text):
                ids = sentence.findall(found[0])
                if ids:
                    line = text.count("\n", 0, found.start()) + 1
                    comment = of_python(found[0]) if is_python else found[0]
                    yield f"{path.relative_to(root)}:{line}", comment, ids


def wrong(root):
    known = {row[0]: row[2] for row in coverage(root)}
    stated = set()
    identifier, stating = patterns(known)
    for place, text, ids in comments(root, identifier):
        statement = stating.fullmatch(text)
        if statement is None or identifier.findall(statement["ids"]) != ids:
            yield f"{place}: {ids[0]}: want /* ID: statement */, of two lines at most"
        for sentence in ids:
            if sentence not in known:
                yield f"{place}: {sentence} is not in docs/coverage.tsv"
            elif known[sentence] not in STATED:
                yield f"{place}: docs/coverage.tsv calls {sentence} {known[sentence]}, not checked"
            else:
                stated.add(sentence)
    for sentence, disposition in known.items():
        if disposition in STATED and sentence not in stated:
            yield f"docs/coverage.tsv: {sentence} is checked, but no comment in the sources says it"
    yield from untested(root)


found = list(wrong(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
