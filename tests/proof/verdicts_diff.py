#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The file of the verdict table, and what has changed between two of them.

    tests/proof/verdicts_diff.py OLD NEW [EXCUSED]

Fails if a row came, went or has another count, and EXCUSED does not name it with a reason; if an
excuse has no reason; if an excuse or a renaming is for nothing. Of OLD only those adapters and
devices are looked at that NEW covers, as its head says. A line of EXCUSED, between tabs, is one of

    ADAPTER DEVICE RULE PARTY VERDICT REASON      globs, each for one column of the table
    ADAPTER NEW-NAME REASON                       the adapter has another name in NEW
"""

import fnmatch
import os
import sys

COLUMNS = ("adapter", "device", "rule", "party", "verdict", "count")


class Table:
    """The counts by (adapter, device, rule, party, verdict), and the globs of what was played."""

    def __init__(self, counts, adapters="*", devices="*"):
        self.counts, self.adapters, self.devices = counts, adapters, devices

    def write(self, path, head):
        rows = [(*key, count) for key, count in sorted(self.counts.items())]
        lines = [f"# {line}".rstrip() for line in head]
        lines += [f"# adapters: {self.adapters}", f"# devices: {self.devices}"]
        lines += ["\t".join(map(str, row)) for row in [COLUMNS, *rows]]
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        os.replace(path + ".new", path)

    def covered_by(self, other):
        """The counts of what `other` covers, too."""
        return {
            key: count
            for key, count in self.counts.items()
            if fnmatch.fnmatchcase(key[0], other.adapters)
            and fnmatch.fnmatchcase(key[1], other.devices)
        }


def read(path):
    cover, counts = {}, {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            word, _, value = line[1:].partition(":")
            cover[word.strip()] = value.strip()
            continue
        fields = tuple(line.rstrip("\n").split("\t"))
        if len(fields) != len(COLUMNS):
            sys.exit(f"{path}: a line of {len(fields)} columns: {line.rstrip()}")
        if fields != COLUMNS:
            counts[fields[:-1]] = fields[-1]
    if not {"adapters", "devices"} <= set(cover):
        sys.exit(f"{path}: the head does not say which adapters and devices it covers")
    return Table(counts, cover["adapters"], cover["devices"])


class Excused:
    """What may have changed, and why."""

    def __init__(self, path):
        self.path, self.globs, self.names, self.used = path, [], {}, set()
        for line in open(path, encoding="utf-8") if path else ():
            fields = line.rstrip("\n").split("\t")
            if line.startswith("#") or fields == [""]:
                continue
            if len(fields) not in (3, len(COLUMNS)) or not all(field.strip() for field in fields):
                sys.exit(f"{path}: neither an excuse with a reason nor a new name: {line.rstrip()}")
            if len(fields) == 3:
                self.names[fields[0]] = fields[1]
            else:
                self.globs.append(tuple(fields[:-1]))

    def rename(self, counts):
        """The counts under the names that the adapters have now."""
        renamed = {}
        for key, count in counts.items():
            name = self.names.get(key[0])
            if name is not None:
                self.used.add(key[0])
            to = (name or key[0], *key[1:])
            if to in renamed:
                sys.exit(f"{self.path}: two adapters are {' '.join(to[:2])} now")
            renamed[to] = count
        return renamed

    def names_row(self, key):
        fitting = [globs for globs in self.globs if all(map(fnmatch.fnmatchcase, key, globs))]
        self.used.update(fitting)
        return bool(fitting)

    def unused(self):
        return [" ".join(globs) for globs in self.globs if globs not in self.used] + [
            f"{name} {self.names[name]}" for name in self.names if name not in self.used]


def changes(old, new):
    """(key, what happened) for each row that is not what it was."""
    for key in sorted(set(old) | set(new)):
        before, after = old.get(key), new.get(key)
        if before != after:
            yield key, ("came: " + after if before is None else
                        f"went: {before}" if after is None else f"{before} -> {after}")


def main(old_path, new_path, excused_path=None):
    old, new, excused = read(old_path), read(new_path), Excused(excused_path)
    old.counts = excused.rename(old.counts)
    kept = old.covered_by(new)
    if not kept:
        sys.exit(f"{old_path} and {new_path} have nothing in common")
    changed = list(changes(kept, new.covered_by(old)))
    wrong = [(key, how) for key, how in changed if not excused.names_row(key)]
    for key, how in changed:
        print(f"{'' if (key, how) in wrong else 'excused: '}{' '.join(key)}: {how}")
    # A part of the table need not come to every excuse.
    idle = excused.unused() if (new.adapters, new.devices) == ("*", "*") else []
    for line in idle:
        print(f"{excused_path}: excuses nothing: {line}")
    print(f"verdicts: {len(kept)} rows, {len(changed)} changed, {len(wrong)} of them not excused")
    if wrong:
        print("verdicts: a row that is meant to change, or is of a new adapter, has its line in "
              "tests/proof/excused.tsv: ADAPTER DEVICE RULE PARTY VERDICT REASON, between tabs")
    return 1 if wrong or idle else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
