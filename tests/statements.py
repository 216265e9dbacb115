#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a sentence of the documents is checked, a comment says it: /* CD-031: a schema has ... */

docs/coverage.tsv says which sentences are checked (`rule` or `part`). Each of them has such a
comment in the sources, of two lines at most, and no comment names any other sentence.

    statements.py [ROOT]        prints what is wrong; exit status 1 if anything is
"""
import pathlib
import re
import sys

FOLDERS = "ref", "devices", "sim", "harness"
SUFFIXES = ".c", ".h", ".cc", ".def", ".inc"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ID = re.compile(r"\b[A-Z]{2}-[0-9]+\b")
STATEMENT = re.compile(
    r"/\* (?P<ids>ID(?:, ID)*): \S[^\n]*(?:\n[^\n]*)?\*/".replace("ID", ID.pattern)
)


def dispositions(root):
    """What docs/coverage.tsv says becomes of each sentence."""
    rows = (root / "docs/coverage.tsv").read_text().splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t")[2] for row in rows}


def comments(root):
    """Each comment that names a sentence: where it is, its text, and the ids in it."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text()
            for found in COMMENT.finditer(text):
                ids = ID.findall(found[0])
                if ids:
                    line = text.count("\n", 0, found.start()) + 1
                    yield f"{path.relative_to(root)}:{line}", found[0], ids


def wrong(root):
    known = dispositions(root)
    stated = set()
    for place, text, ids in comments(root):
        statement = STATEMENT.fullmatch(text)
        if statement is None or ID.findall(statement["ids"]) != ids:
            yield f"{place}: {ids[0]}: want /* ID: statement */, of two lines at most"
        for sentence in ids:
            if sentence not in known:
                yield f"{place}: {sentence} is not in docs/coverage.tsv"
            elif known[sentence] not in ("rule", "part"):
                yield f"{place}: docs/coverage.tsv calls {sentence} {known[sentence]}, not checked"
            else:
                stated.add(sentence)
    for sentence, disposition in known.items():
        if disposition in ("rule", "part") and sentence not in stated:
            yield f"docs/coverage.tsv: {sentence} is checked, but no comment in the sources says it"


found = list(wrong(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
