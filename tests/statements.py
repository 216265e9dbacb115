#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a sentence of the documents is checked, a comment says it: /* CD-031: a schema has ... */

docs/coverage.tsv says which sentences are checked (`rule` or `part`). Each of them has such a
comment in the sources, of two lines at most, in Python of one, and no comment names any other
sentence.

    statements.py [ROOT]        prints what is wrong; exit status 1 if anything is
"""
import pathlib
import re
import sys

FOLDERS = "ref", "devices", "sim", "harness", "python/src", "python/adicheck"
SUFFIXES = ".c", ".h", ".cc", ".def", ".inc", ".py"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
OF_PYTHON = re.compile(r"^ *# (.*)$", re.MULTILINE)
TWO_LETTERS = "[A-Z]{2}"


def patterns(known):
    """An id, and a comment that states what ids stand for. Two letters are always an id's; longer
    ones (DLH-31, CAI2-04) only if coverage.tsv has them: there is UTF-16, too."""
    letters = {sentence.rpartition("-")[0] for sentence in known} - {""}
    longer = sorted(map(re.escape, letters), key=len, reverse=True)
    sentence = rf"\b(?:{'|'.join([*longer, TWO_LETTERS])})-[0-9]+\b"
    statement = rf"/\* (?P<ids>{sentence}(?:, {sentence})*): \S[^\n]*(?:\n[^\n]*)?\*/"
    return re.compile(sentence), re.compile(statement)


def dispositions(root):
    """What docs/coverage.tsv says becomes of each sentence."""
    rows = (root / "docs/coverage.tsv").read_text().splitlines()[1:]
    return {row.split("\t")[0]: row.split("\t")[2] for row in rows}


def comments(root, sentence):
    """Each comment that names a sentence: where it is, its text, and the ids in it."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text()
            if path.suffix == ".py":
                text = OF_PYTHON.sub(r"/* \1 */", text)
            for found in COMMENT.finditer(text):
                ids = sentence.findall(found[0])
                if ids:
                    line = text.count("\n", 0, found.start()) + 1
                    yield f"{path.relative_to(root)}:{line}", found[0], ids


def wrong(root):
    known = dispositions(root)
    stated = set()
    identifier, stating = patterns(known)
    for place, text, ids in comments(root, identifier):
        statement = stating.fullmatch(text)
        if statement is None or identifier.findall(statement["ids"]) != ids:
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
