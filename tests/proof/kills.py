#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The kill matrix: planted defects (tests/mutants) against the techniques that could find them.

    tests/proof/kills.py BUILD [MUTANT ...]     writes BUILD/proof/kills.tsv, or rows of it

Fails if a defect is found by no technique as what it is; if all are played, also if a rule has no
mutant, or if anything is said about an adapter that is sound.
"""

import fnmatch
import sys

import judge_run
import table

RULES = table.rules()
OPTIONS = table.options()


def predicates_only(rule):
    return RULES.get(rule) == "CHECK"


def every_rule(rule):
    return True


def of_types(*cases):
    """These cases, of the types that the mutant's row names: of others it may not even be one."""
    return lambda mutant: [f"{mutant.cases.split('/')[0]}/{case}" for case in cases]


def of_int32(*cases):
    """These cases of one type; none if the mutant is of another."""

    def named(mutant):
        return fnmatch.fnmatchcase("int32", mutant.cases.split("/")[0])

    return lambda mutant: [f"int32/{case}" for case in cases] if named(mutant) else []


def of_row(mutant):
    return [mutant.cases]


# Name, the cases of the full list that are played, the rules that are known, in words.
TECHNIQUES = [
    ("structure", of_types("many/export"), predicates_only,
     "only the predicates, over one export of each type that the defect is about"),
    ("smoke", of_int32("many/export", "many/consume"), every_rule,
     "one array of int32 exported, read and released; and one consumed"),
    ("move", of_types("many/export-moved"), every_rule,
     "the same exports, moved to a new address and then read and released"),
    ("cover", of_row, every_rule,
     "the list of cases: those that the defect's row in `tests/mutants/mutants.def` names, and all "
     "of it for the sound adapters"),
]
FOUND, NOTICED, UNSEEN, CHANCE = "found", "noticed", "-", "chance"
SIGNS = {FOUND: "x", NOTICED: "o", UNSEEN: ".", CHANCE: "~"}

# Where threads of the machine decide what comes of a defect: techniques that find it today and not
# tomorrow.
BY_CHANCE = {
    "vulkan_consumer_destroys_copy": ("smoke", "fuzz"),  # is the copy still under way?
    "opencl_event_before_kernel": ("fuzz",),  # has the kernel ended when the event is asked for?
}


def is_chance(mutant, technique):
    return technique in BY_CHANCE.get(mutant.name, ())


def judge(build, name, cases, options=()):
    adapter = f"{build}/tests/mutants/{name}.so"
    which = ["--case", cases, "--device", table.device_of(name) + "*"]
    return judge_run.Run(f"{build}/adicheck", adapter, *which, *options)


def look(build, mutant, technique):
    """What a technique makes of a mutant: finds it as what it is, notices something, or nothing."""
    name, cases, knows, _ = technique
    best = UNSEEN
    if is_chance(mutant, name):
        return CHANCE
    for one in cases(mutant):
        run = judge(build, mutant.name, one, OPTIONS.get(mutant.rule, ()))
        run.findings = [finding for finding in run.findings if knows(finding[0])]
        if run.finds(mutant):
            return FOUND
        if run.findings:
            best = NOTICED
    return best


def matrix(build, mutants):
    work = [(mutant, technique) for mutant in mutants for technique in TECHNIQUES]
    marks = judge_run.in_parallel(lambda pair: look(build, *pair), work)
    width = len(TECHNIQUES)
    return [
        [mutant.name, mutant.rule, mutant.party, *marks[i * width : (i + 1) * width]]
        for i, mutant in enumerate(mutants)
    ]


def put(rows):
    names = [technique[0] for technique in TECHNIQUES]
    print(f"{'':39}{'':39}" + " ".join(f"{name:>9}" for name in names))
    for name, rule, _, *marks in rows:
        print(f"{name:<39}{rule:<39}" + " ".join(f"{SIGNS[mark]:>9}" for mark in marks))
    for sign in (FOUND, NOTICED):
        counts = [sum(row[3 + i] == sign for row in rows) for i in range(len(names))]
        print(f"{sign + ' of ' + str(len(rows)):<78}" + " ".join(f"{n:>9}" for n in counts))


def unfound(rows):
    for name, rule, _, *marks in rows:
        if rule not in RULES:
            yield f"{name}: there is no rule {rule}"
        elif FOUND not in marks:
            yield f"{name}: nothing finds that it breaks {rule}"


def complaints(build, rows):
    broken = {row[1] for row in rows}
    for rule in RULES:
        if rule not in broken | set(table.elsewhere()):
            yield f"{rule}: no adapter of tests/mutants breaks it"
    for rule in table.elsewhere():
        if rule in broken:
            yield f"{rule}: an adapter breaks it, and it is said that none can"
        if rule not in table.defects() | table.edges():
            yield (f"{rule}: no mutant, no row of {table.DEFECTS} and no edge of {table.LIFE} "
                   f"breaks it")
    yield from unfound(rows)
    for where, mutant in table.museum():
        if mutant not in {row[0] for row in rows}:
            yield f"{where}: there is no mutant {mutant}"
    names = table.sound()
    for name, run in zip(names, judge_run.in_parallel(lambda one: judge(build, one, "*"), names)):
        for (rule, party), cases in run.by_rule().items():
            yield (f"{name} is sound, and blamed for {rule} as {party} in {len(cases)} cases, "
                   f"{cases[0]} the first")
        if run.status != 0:
            yield f"{name} is sound, and the exit status is {run.status}"


def main(build, names):
    mutants = table.mutants()
    rows = matrix(build, [one for one in mutants if not names or one.name in names])
    put(rows)
    wrong = list(unfound(rows) if names else complaints(build, rows))
    for line in wrong:
        print(f"kill matrix: {line}", file=sys.stderr)
    if wrong:
        return 1
    path = f"{build}/proof/kills.tsv"
    head = ["mutant", "rule", "party", *(technique[0] for technique in TECHNIQUES)]
    if names:
        judge_run.update(path, head, rows, [mutant.name for mutant in mutants])
        return 0
    print(f"kill matrix: {len(rows)} of {len(rows)} defects found as what they are, "
          f"nothing said of {len(table.sound())} sound adapters")
    judge_run.write(path, head, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
