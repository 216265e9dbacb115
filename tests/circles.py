#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Files of the program that need each other: circles of calls, and of includes among headers.

    tests/circles.py BUILD [--most N] [--why]

A call is a symbol that one object of BUILD asks for and another one has, and not the C library; of
several that have it those in the nearest folder count. Prints the files of each circle, with --why
who needs what of whom. Fails with more than N circles (0, unless it is said), and if it does not
find the circles of a tree that has one of each.
"""

import argparse
import collections
import ctypes
import os
import re
import subprocess
import sys
import tempfile

ROOMS = ("ref", "harness", "devices", "sim")
PLANTED = {
    "ref/a.c": "int b(void); int a(void); int a(void) { return b(); }",
    "ref/b.c": "int a(void); int b(void); int b(void) { return a(); }",
    "sim/a.c": "int a(void); int a(void) { return 0; }",
    "ref/c.h": '#include "d.h"',
    "ref/d.h": '#include "c.h"',
}


def files_below(folder, pattern):
    for room in ROOMS:
        for path, _, names in os.walk(os.path.join(folder, room)):
            for name in names:
                if re.fullmatch(pattern, name):
                    yield os.path.relpath(os.path.join(path, name), folder)


def nearest(file, others):
    """Those of the others that have most of the file's path."""
    shared = {other: len(os.path.commonpath([file, other])) for other in others}
    return [other for other in others if shared[other] == max(shared.values())]


def calls(tree, build):
    """{file: {file: symbols}} of the objects that have a source in the tree."""
    sources = {}
    for path in files_below(build, r".*\.o"):
        # One source may be compiled several times: version.12.o, version.13.o.
        source = re.sub(r"(\.\d+)?\.o$", ".c", path)
        if os.path.exists(os.path.join(tree, source)):
            sources[os.path.join(build, path)] = source
    if not sources:
        sys.exit(f"circles: no objects in {build}")
    command = ["nm", "-A", "--", *sources]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    has, wants = collections.defaultdict(set), collections.defaultdict(set)
    for path, kind, symbol in re.findall(r"^(.+?):[0-9a-f ]* (\w) (\S+)$", listed.stdout, re.M):
        if kind == "U":
            wants[sources[path]].add(symbol)
        elif kind.isupper():
            has[symbol].add(sources[path])
    libc = ctypes.CDLL(None)
    graph = collections.defaultdict(lambda: collections.defaultdict(set))
    for file, symbols in wants.items():
        for symbol in symbols:
            if has[symbol] and hasattr(libc, symbol):
                continue
            for other in nearest(file, has[symbol] - {file}):
                graph[file][other].add(symbol)
    return graph


def includes(tree):
    """{header: {header: the name it is included by}}."""
    headers = list(files_below(tree, r".*\.(h|def|inc)"))
    graph = collections.defaultdict(lambda: collections.defaultdict(set))
    for file in headers:
        with open(os.path.join(tree, file), encoding="utf-8") as text:
            names = re.findall(r'^ *# *include "(.*)"', text.read(), re.M)
        for name in names:
            found = [h for h in headers if ("/" + h).endswith("/" + os.path.normpath(name))]
            for other in nearest(file, found) if found else []:
                graph[file][other].add(name)
    return graph


def circles(graph):
    """Sets of at least two files of which each reaches each other one."""

    def reached(start):
        seen, todo = set(), [start]
        while todo:
            more = set(graph.get(todo.pop(), ())) - seen
            seen |= more
            todo += more
        return seen

    reach = {file: reached(file) for file in graph}
    groups = {frozenset(o for o in reach[f] if f in reach.get(o, ())) for f in graph}
    return sorted((sorted(group) for group in groups if len(group) > 1), key=len, reverse=True)


def graphs(tree, build):
    return {"call": calls(tree, build), "include": includes(tree)}


def sees_planted():
    with tempfile.TemporaryDirectory() as tree:
        for path, text in PLANTED.items():
            path = os.path.join(tree, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            if path.endswith(".c"):
                subprocess.run(["cc", "-c", "-o", path[:-1] + "o", path], check=True)
        found = [circles(graph) for graph in graphs(tree, tree).values()]
    return found == [[["ref/a.c", "ref/b.c"]], [["ref/c.h", "ref/d.h"]]]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--why", action="store_true")
    options = parser.parse_args()
    if not sees_planted():
        sys.exit("circles: does not see the circles of two files that were planted")
    n = 0
    for what, graph in graphs(os.getcwd(), options.build).items():
        for circle in circles(graph):
            n += 1
            print(f"{len(circle)} files {what} each other: {' '.join(circle)}")
            for file in circle if options.why else ():
                for other in sorted(set(graph[file]) & set(circle)):
                    print(f"    {file} -> {other}: {' '.join(sorted(graph[file][other]))}")
    print(f"{n} circles, at most {options.most}")
    sys.exit(n > options.most)


if __name__ == "__main__":
    main()
