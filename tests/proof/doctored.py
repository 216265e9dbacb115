#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The proof is tried on tables that were tampered with: each time it has to fail, and to say why.

    tests/proof/doctored.py BUILD

The tables are those of the source tree cut down to four rules. Untouched they pass; then one thing
at a time is taken away or falsified, or the command says something else than it found. Tables and
builds are copies in a scratch folder.
"""

import os
import re
import subprocess
import sys
import tempfile

import table

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = ("schema/flags-unknown", "array/length-negative", "sync/read-before-wait",
        "life/release-twice")
MUTANT = 'MUTANT({}, "{}", "{}", "int32/many/{}")\n'
ELSEWHERE = 'ELSEWHERE("sync/read-before-wait", "only the life cycle does, in this tree")\n'
KILLS, JUDGE, PAGE = "kills.py", "judge.py", "page.py"
SEEDS, REPLAYS = "seeds.py 1-2 ", "replays.py "  # and the adapters


class Tree:
    """A scratch folder with the tables, and a build whose programs can be replaced."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, os.path.join(folder, "build")
        self.command = os.path.abspath(f"{build}/adicheck")
        os.makedirs(os.path.join(self.build, "proof"))
        for program in ("adicheck", "tests", "proof/adicheck", "proof/unit"):
            self.link(program, os.path.abspath(os.path.join(build, program)))
        for path in (table.MUTANTS, table.DEFECTS, table.LIFE, *table.lives(), table.FAMILIES,
                     table.DEVICES):
            self.write(path, open(path, encoding="utf-8").read())
        for path in table.families():
            self.write(path, self.kept_rules(path))
        self.keep(table.MUTANTS, r"^(MUTANT|ELSEWHERE)\(")
        self.edit(table.MUTANTS, r'^MUTANT\(.*"sync/read-before-wait".*\n', "")
        self.edit(table.MUTANTS, r"^#undef ELSEWHERE\n", ELSEWHERE + "#undef ELSEWHERE\n")
        self.edit(table.MUTANTS, r"^MUSEUM\(.*\n", "")
        self.edit(table.MUTANTS, r"^SOUND\((?!correct\)).*\n", "")

    def link(self, program, to):
        path = os.path.join(self.build, program)
        if os.path.lexists(path):
            os.remove(path)
        os.symlink(to, path)

    def script(self, program, text):
        path = os.path.join(self.build, program)
        os.remove(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def write(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    @staticmethod
    def kept_rules(path):
        head, *rules = re.split(r"^(?=RULE\()", open(path, encoding="utf-8").read(), flags=re.M)
        return head + "".join(rule for rule in rules if rule.split('"')[1] in KEPT)

    def keep(self, path, macro):
        """Takes away the rows of rules that are not kept."""
        rules = "|".join(KEPT)
        self.edit(path, rf'{macro}(?!.*"({rules})").*\n', "")

    def edit(self, path, pattern, text):
        old = open(os.path.join(self.folder, path), encoding="utf-8").read()
        new = re.sub(pattern, text, old, flags=re.M)
        if new == old:
            sys.exit(f"doctored: nothing in {path} is like {pattern}")
        self.write(path, new)

    def add(self, name, rule, party, scenario):
        self.edit(table.MUTANTS, r"^#undef ELSEWHERE\n",
                  MUTANT.format(name, rule, party, scenario) + "#undef ELSEWHERE\n")

    def prove(self, tool):
        name, *more = tool.split()
        words = [os.path.join(HERE, name), self.build, *more]
        if tool == PAGE:
            words.append(os.path.join(self.folder, "page.md"))
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True,
                              errors="replace")
        return done.returncode, done.stdout + done.stderr


def drop_mutants(rule):
    return lambda tree: tree.edit(table.MUTANTS, rf'^MUTANT\(.*"{rule}".*\n', "")


def drop_planted(rule):
    return lambda tree: tree.edit(table.DEFECTS, rf'^DEFECT\("{rule}"', 'DEFECT("gone"')


def legal(tree):
    tree.edit("harness/life/array.def", r'VIOLATES\("sync/read-before-wait"\)', "CANNOT")


def both(*tamper):
    return lambda tree: [one(tree) for one in tamper]


def add(*mutant):
    return lambda tree: tree.add(*mutant)


def sees(*programs):
    """Programs that cannot be blinded stand in for those that can."""
    return lambda tree: [tree.link(f"proof/{name}", os.path.join(tree.build, of))
                         for name, of in programs]


def red(number):
    text = f"#!/bin/sh\necho '0%: Checks: {number}, Failures: 1, Errors: 0'\n"
    return lambda tree: tree.script("proof/unit", text)


def says(otherwise):
    """A command that does what the shell says with the real one, $REAL, instead."""
    return lambda tree: tree.script("adicheck", f"#!/bin/sh\nREAL={tree.command}\n{otherwise}\n")


def replay_says(otherwise):
    """As before, but only for a line that was typed: who asks for the record gets it."""
    return says(f'case "$*" in *--json*) exec "$REAL" "$@" ;; esac\n{otherwise}')


def say_more(rule):
    """Each record has one breach more, of this rule."""
    return says(f"""exec python3 - "$REAL" "$@" <<'E'
import json, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True)
record = json.loads(done.stdout)
record["results"].append(dict(record["results"][0], rule="{rule}", verdict="fail"))
print(json.dumps(record))
sys.exit(done.returncode)
E""")


def miss_seed(number):
    """With one seed a correct adapter is judged instead."""
    return says(f"""case " $* " in *" --seed {number} "*)
    word=$1 other=$(dirname "$2")/correct.so; shift 2; exec "$REAL" "$word" "$other" "$@" ;; esac
exec "$REAL" "$@\"""")


def left(name, *rows):
    """Leaves what a tool would have written."""
    text = "".join("\t".join(row) + "\n" for row in rows)
    return lambda tree: tree.write(f"build/proof/{name}", text)


RAN = both(left("kills.tsv", ["mutant", "rule", "party", "structure", "smoke", "move", "cover"],
                ["length_negative", "array/length-negative", "producer", *["found"] * 4]),
           left("judge.tsv", ["rule", "planted", "cover", "mutants", "instead"],
                ["array/length-negative", "3", "0", "length_negative", "-"]))


def fuzzed(mutant, mark):
    return left("technique-fuzz.tsv", ["mutant", "fuzz", "ten seconds"], [mutant, mark])


OTHER_PARTY = both(drop_mutants("array/length-negative"),
                   add("length_negative", "array/length-negative", "consumer", "export"))
CUDA_OFF = says('export ADI_CUDA=off; exec "$REAL" "$@"')

# What is done to the tables or the build, the tool, what it has to say; None: it passes.
DOCTORED = [
    ("nothing", lambda tree: None, KILLS, None),
    ("nothing", lambda tree: None, JUDGE, None),
    ("a rule lost its mutants", drop_mutants("life/release-twice"), KILLS,
     "life/release-twice: no adapter of tests/mutants breaks it"),
    ("a mutant is none", add("correct", "array/length-negative", "producer", "export"), KILLS,
     "correct: nothing finds that it breaks array/length-negative"),
    ("a mutant blames the other party", OTHER_PARTY, KILLS,
     "length_negative: nothing finds that it breaks array/length-negative"),
    ("a mutant breaks a rule that is not there",
     add("length_negative", "array/length-imaginary", "producer", "export"), KILLS,
     "length_negative: there is no rule array/length-imaginary"),
    ("what is called sound is not",
     lambda tree: tree.edit(table.MUTANTS, r"^SOUND\(correct\)", "SOUND(length_negative)"), KILLS,
     "length_negative is sound, and blamed for array/length-negative"),
    ("a defect of the museum is not planted any more",
     lambda tree: tree.edit(table.MUTANTS, r"^#undef MUSEUM", 'MUSEUM("where", gone)'), KILLS,
     "where: there is no mutant gone"),
    ("nobody breaks it elsewhere either", legal, KILLS,
     "sync/read-before-wait: no mutant, no row"),
    ("an adapter breaks what none can break",
     add("length_negative", "sync/read-before-wait", "producer", "export"), KILLS,
     "sync/read-before-wait: an adapter breaks it, and it is said that none can"),
    ("a rule that only the tests of a table break lost its rows", legal, JUDGE,
     "sync/read-before-wait: nobody notices that the judge is blind to it"),
    ("a rule has nothing that would notice",
     both(drop_mutants("array/length-negative"), drop_planted("array/length-negative")), JUDGE,
     "array/length-negative: nobody notices that the judge is blind to it"),
    ("the judge is not blinded",
     sees(("adicheck", "adicheck"), ("unit", "tests/unit")), JUDGE,
     "life/release-twice: nobody notices that the judge is blind to it"),
    ("a mutant is none", add("correct", "array/length-negative", "producer", "export"), JUDGE,
     "correct: array/length-negative is not found by a judge that sees"),
    ("the unit tests are red without being blinded", red(1), JUDGE,
     "harness_check: 1 tests are red with a judge that sees"),
    ("no unit test is run", red(0), JUDGE, "no result"),
    ("everything was run", RAN, PAGE, None),
    ("a further technique was", both(RAN, fuzzed("length_negative", "noticed")), PAGE, None),
    ("a further technique forgot a mutant", both(RAN, fuzzed("offset_negative", "found")), PAGE,
     "length_negative is None, wanted one of found, noticed, -, chance"),
    ("nothing was run", lambda tree: None, PAGE, "kills.tsv: `make mutants` writes it"),
    ("nothing", lambda tree: None, SEEDS + "length_negative odd_releases_at_close", None),
    ("a mutant is none", add("correct", "array/length-negative", "producer", "export"),
     SEEDS + "correct", "found 0 of 2  array/length-negative by the producer"),
    ("a mutant blames the other party", OTHER_PARTY, SEEDS + "length_negative", "found 0 of 2"),
    ("something else is said, too", say_more("life/leaked"), SEEDS + "length_negative",
     "found 0 of 2"),
    ("one seed misses it", miss_seed(2), SEEDS + "length_negative", "seed 2: nothing"),
    ("what is called legal is not",
     both(drop_mutants("array/length-negative"),
          lambda tree: tree.edit(table.MUTANTS, r"^ODD\(odd_releases_at_close, .*",
                                 'ODD(length_negative, "int32/many/export")')),
     SEEDS + "length_negative", "not blamed 0 of 2"),
    ("there is no such device", CUDA_OFF, SEEDS + "cuda_odd_polls", "seeds: 0 of 0"),
    ("nothing has that name", lambda tree: None, SEEDS + "imaginary", "seeds: 0 of 0"),
    ("nothing", lambda tree: None, REPLAYS + "length_negative releases_twice", None),
    ("a mutant is none", add("correct", "array/length-negative", "producer", "export"),
     REPLAYS + "correct", "correct: its finding is not there"),
    ("a line shows nothing", replay_says("exit 0"), REPLAYS + "length_negative",
     "no ('array/length-negative', 'producer', 'fail') in [], status 0"),
    ("a line blames another",
     replay_says('"$REAL" "$@" | sed s/producer/consumer/; exit 1'),
     REPLAYS + "length_negative", "no ('array/length-negative', 'producer', 'fail')"),
    ("a line names another rule",
     replay_says('"$REAL" "$@" | sed s/length-neg/offset-neg/; exit 1'),
     REPLAYS + "length_negative", "no ('array/length-negative', 'producer', 'fail')"),
    ("a line only warns", replay_says('"$REAL" "$@" | sed s/^fail/warn/; exit 1'),
     REPLAYS + "length_negative", "no ('array/length-negative', 'producer', 'fail')"),
    ("a line has another exit status", replay_says('"$REAL" "$@"; exit 0'),
     REPLAYS + "length_negative", "exit status 0, wanted 1"),
    ("there is no such device",
     both(CUDA_OFF, add("cuda_consumer_never_waits", "sync/read-before-wait", "consumer",
                        "consume-pending")),
     REPLAYS + "cuda_consumer_never_waits", "replays: 0 of 0"),
    ("nothing has that name", lambda tree: None, REPLAYS + "imaginary", "replays: 0 of 0"),
]


def complaint(build, what, tamper, tool, wanted):
    """What is wrong with the tool; None: it does what it should."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(folder, build)
        tamper(tree)
        status, said = tree.prove(tool)
    if wanted is None:
        return None if status == 0 else f"{tool} fails though {what} was done: {said}"
    if status == 0:
        return f"{what}: {tool} passes"
    return None if wanted in said else f"{what}: {tool} does not say \"{wanted}\", but: {said}"


def differs(build):
    """What is wrong with a page that is read back and written again; None: it is the same."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(folder, build)
        both(RAN, fuzzed("length_negative", "noticed"), left("life.txt", ["cover", "7"]))(tree)
        tree.prove(PAGE)
        with open(f"{folder}/page.md", encoding="utf-8") as file:
            first = file.read()
        for name in os.listdir(f"{folder}/build/proof"):
            if name.endswith((".tsv", ".txt")):
                os.remove(f"{folder}/build/proof/{name}")
        words = [os.path.join(HERE, "unpage.py"), tree.build, f"{folder}/page.md"]
        said = subprocess.run(words, cwd=folder, capture_output=True, text=True).stderr
        said += tree.prove(PAGE)[1]
        with open(f"{folder}/page.md", encoding="utf-8") as file:
            return None if file.read() == first else f"unpage.py reads a page wrongly: {said}"


def main(build):
    wrong = [why for row in DOCTORED if (why := complaint(build, *row)) is not None]
    wrong += filter(None, [differs(build)])
    for line in wrong:
        print(f"doctored: {line}", file=sys.stderr)
    if not wrong:
        refused = sum(wanted is not None for *_, wanted in DOCTORED)
        print(f"doctored: {refused} of {refused} doctored proofs are refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
