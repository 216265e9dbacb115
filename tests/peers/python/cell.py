# SPDX-License-Identifier: Apache-2.0
"""Judges one library on one device, a cell (role, protocol) after the other, and writes what comes
of each to a pipe as a line of JSON; matrix.py starts it, and again behind a cell that ended it.

    cell.py FILE DEVICE PIPE LEFT_OUT [ROLE/PROTOCOL ...]     without these cells; LEFT_OUT: JSON,
                                                              the cases that a consumer is spared

FILE is of libraries/: what a library makes, by device and protocol, and how it takes. A sample is
a callable, or a pair of one and the values that it has to have.

    VERSION = "1.0"
    PRODUCES = {"cpu": {"dlpack": {"rows": make}, "arrow_c_stream": {"rows": (make, [1, 2])}}}
    CONSUMES = {"cpu": {"dlpack": use}}
    ISOLATE = False    what it cannot do in a process that is made by fork
    TYPES = "+s"       of the streams that a consumer takes, if not all
    ENDS = {"dlpack": "*/consume-dlpack-no-deleter"}    cases of a consumer that end the process, by
                       then or later: they come last, and what was seen before is kept
    ROWS = False       a table has rows, and no null in place of one: None where all its values are
"""

import ctypes
import importlib.util
import json
import os
import re
import sys

import adicheck

CHUNKS = [("int32", [[1, 2], [], [None, 4]]), ("utf8", [["a", None], ["bc"]]),
          ("float64", [[0.5], [None]]), ("bool", [[True, None], [False]]),
          ("utf8_view", [["a", "more than twelve bytes"], [None]]),
          ("+l(u)", [[["a", None], None], [[]]]),
          ("+s(i u)", [[{"f0": 1, "f1": None}], [{"f0": 2, "f1": "b"}]])]
TENSORS = [(dtype, strides) for dtype in ("int8", "uint16", "int32", "int64", "float32", "float64")
           for strides in (None, (1, 2), (-2, 1))]
ROWS = [[1, 2], [3, 4]]
ASKED_TWICE = "what this object gives was consumed"


def load(path):
    spec = importlib.util.spec_from_file_location("library", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_findings(found):
    """What is written of findings of the package: each once, with how many cases show it."""
    rows, refusals = {}, dict(found.refusals)
    for one in found:
        if one.verdict == "error":  # the harness could not judge: no finding
            refusals[one.message] = refusals.get(one.message, 0) + 1
            continue
        key = one.rule, one.party, one.verdict
        row = rows.setdefault(key, {"rule": one.rule, "party": one.party, "verdict": one.verdict,
                                    "message": one.message, "text": one.text, "cases": []})
        if one.case not in row["cases"]:
            row["cases"].append(one.case)
    return {"counts": dict(found.counts), "refusals": refusals, "findings": list(rows.values()),
            "judged": sorted(found._cases)}


class Only:
    """An object that shows one method of another."""

    def __new__(cls, obj, name):
        def method(self, requested_schema=None, **kwargs):
            return getattr(obj, name)(requested_schema, **kwargs)
        return object.__new__(type("Only", (Only,), {name: method}))


def plain(result):
    """The values of whatever was made of an object."""
    if any(hasattr(result, f"__arrow_c_{name}__") for name in ("array", "stream")):
        return adicheck.from_arrow(result).to_pylist()
    if hasattr(result, "tolist"):
        return result.tolist()
    return memoryview(adicheck.from_dlpack(result) if hasattr(result, "__dlpack__") else
                      result).tolist()


def given(protocol, device):
    """What a consumer is given where no case is played, with its values."""
    if protocol.startswith("arrow_"):
        for type, chunks in CHUNKS:
            type, rows = adicheck.schema(type), sum(chunks, [])
            name = f"{type.format}/values"
            if protocol.endswith("_stream"):
                stream = adicheck.stream(chunks, type, device=device)
                yield name, Only(stream, f"__{protocol}__"), rows
            else:
                yield name, adicheck.array(rows, type, device=device, protocols=protocol), rows
    else:
        for dtype, strides in TENSORS:
            yield f"{dtype}/strides-{strides}/values", adicheck.tensor(
                ROWS, dtype, strides=strides, device=device, protocols=protocol), ROWS


def by_values(tried):
    """Compares values. `tried`: name, what gives them, and those that are wanted."""
    counts, refusals, wrong, judged = {}, {}, [], []
    for name, give, wanted in tried:
        try:
            got = give()
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            refusals[words] = refusals.get(words, 0) + 1
            counts["unsupported"] = counts.get("unsupported", 0) + 1
            continue
        verdict = "pass" if got == wanted else "fail"
        counts[verdict] = counts.get(verdict, 0) + 1
        judged.append(name)
        if verdict == "fail":
            wrong.append((name, got, wanted))
    rows = []
    if wrong:
        name, got, wanted = wrong[0]
        message = f"the values are {got}, and were {wanted}"
        rows.append({"rule": "values/differ", "party": "library", "verdict": "fail",
                     "message": message, "text": f"{name}: {message}",
                     "cases": [name for name, *_ in wrong]})
    return {"counts": counts, "refusals": refusals, "findings": rows, "judged": judged,
            "how": "values"}


pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
pointer_in.restype, pointer_in.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
get_schema_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
release_of = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def format_at(address):
    """As format_of, of an ArrowSchema that stays its owner's; None: it is released."""
    words = (ctypes.c_uint64 * 9).from_address(address)
    if words[7] == 0:
        return None
    children = (ctypes.c_uint64 * words[4]).from_address(words[5]) if words[4] else []
    return (ctypes.string_at(words[0]).decode(), [format_at(child) for child in children],
            format_at(words[6]) if words[6] else None)


def format_in(capsule, of_device):
    """The same of the stream in a capsule, which is asked for its schema: that may be done as often
    as one likes. None: it is released, or has an error."""
    name = b"arrow_device_array_stream" if of_device else b"arrow_array_stream"
    address, schema = pointer_in(capsule, name), (ctypes.c_uint64 * 9)()
    get_schema, _, _, release, _ = (ctypes.c_uint64 * 5).from_address(address + 8 * of_device)
    if release == 0 or get_schema_of(get_schema)(address, schema) != 0:
        return None
    try:
        return format_at(ctypes.addressof(schema))
    finally:
        release_of(schema[7])(schema)


def format_of(schema):
    return (schema.format, [format_of(child) for child in schema.children],
            schema.dictionary and format_of(schema.dictionary))


class Noted:
    """Hands on what an object gives, and notes its type: it is to be had once."""

    def __new__(cls, obj):
        def method(name):
            def call(self, requested_schema=None, **kwargs):
                given = getattr(obj, name)(requested_schema, **kwargs)
                self.format = (format_at(pointer_in(given[0], b"arrow_schema"))
                               if isinstance(given, tuple) else
                               format_in(given, name == "__arrow_c_device_stream__"))
                return given
            return call
        names = [name for name in dir(obj) if name.startswith("__arrow_c_")]
        members = {name: method(name) for name in names
                   if name.endswith(("_array__", "_stream__"))}
        self = object.__new__(type("Noted", (Noted,), members))
        self.format = None
        return self


def is_row_of_nulls(value):
    return isinstance(value, dict) and all(item is None for item in value.values())


def keeping(use, has_rows):
    """`use`, whose result is looked at where it has the type of what was given: who makes another
    of it, as libraries of data frames do, may have other values, too. If `has_rows`, so may who
    has no nulls in place of structs."""
    def call(obj):
        if not any(name.startswith("__arrow_c_") for name in dir(obj)):
            return use(obj)
        noted = Noted(obj)
        result = use(noted)
        if result is None:
            return None
        read = adicheck.from_arrow(result)
        if format_of(read.type) != noted.format:
            return None
        return None if has_rows and any(map(is_row_of_nulls, read.to_pylist())) else read
    return call


def consume(library, protocol, device, use, spared, only=None):
    options = {"protocols": protocol, "devices": f"{device}:0" if device != "cpu" else "cpu",
               "isolate": device == "cpu" and getattr(library, "ISOLATE", True),
               "cases": only or (f"!({'|'.join(spared)})" if spared else None)}

    def compare():
        return by_values((name, lambda: plain(use(obj)), wanted)
                         for name, obj, wanted in given(protocol, options["devices"])
                         if name.startswith(getattr(library, "TYPES", "")))
    try:
        kept = keeping(use, getattr(library, "ROWS", False))
        whole = of_findings(adicheck.check_consumer(kept, **options))
    except (TypeError, ValueError) as error:
        if not re.search("is no protocol|all was refused|exports nothing", str(error)):
            raise
        # With some spared there are no others.
        return {"counts": {}, "refusals": {}, "findings": []} if options["cases"] else compare()
    if only:
        return whole
    # The cases of streams have four types; and an object of a case is asked once: who asks twice,
    # as DuckDB does, refuses nearly all.
    if protocol.endswith("_stream") or any(ASKED_TWICE in words for words in whole["refusals"]):
        add(whole, compare())
    return whole


def add(whole, part):
    """A sample's result to those of the samples before it."""
    whole.setdefault("judged", []).extend(part.get("judged", []))
    for name in "counts", "refusals":
        for key, count in part[name].items():
            whole[name][key] = whole[name].get(key, 0) + count
    for row in part["findings"]:
        same = [one for one in whole["findings"] if one["rule"] == row["rule"] and
                one["verdict"] == row["verdict"] and one["party"] == row["party"]]
        if same:
            same[0]["cases"] += row["cases"]
        else:
            whole["findings"].append(row)


def produce_one(protocol, sample):
    make, wanted = sample if isinstance(sample, tuple) else (sample, None)
    whole = of_findings(adicheck.check_producer(make, protocols=protocol))
    if wanted is not None:
        add(whole, by_values([(protocol, lambda: plain(Only(make(), f"__{protocol}__")), wanted)]))
    return whole


def produce(protocol, samples):
    whole = {"counts": {}, "refusals": {}, "findings": []}
    for name, sample in samples.items():
        try:
            part = produce_one(protocol, sample)
        except Exception as error:
            cause = error.__cause__ or error
            words = f"{name}: {type(cause).__name__}: {cause}"
            part = {"counts": {"unsupported": 1}, "refusals": {words: 1}, "findings": []}
        for row in part["findings"]:
            row["cases"] = [f"{name}: {case}" for case in row["cases"]]
        part["judged"] = [f"{name}: {case}" for case in part.get("judged", [])]
        add(whole, part)
    return whole


def judge(library, role, protocol, device, what, spared, only=None):
    try:
        if role == "producer":
            return produce(protocol, what)
        return consume(library, protocol, device, what, spared, only)
    except Exception as error:
        cause = error.__cause__ or error
        return {"counts": {}, "refusals": {f"{type(cause).__name__}: {cause}": 1}, "findings": []}


def main(path, device, pipe, left_out, *done):
    left_out = json.loads(left_out)
    with open(int(pipe), "w", encoding="utf-8", buffering=1) as out:
        def say(**line):
            out.write(json.dumps(line, default=repr) + "\n")
            out.flush()
        try:
            library = load(path)
        except Exception as error:
            say(unavailable=f"{type(error).__name__}: {error}")
            return
        say(version=library.VERSION)
        cells = [(role, protocol, what)
                 for role, table in (("producer", library.PRODUCES), ("consumer", library.CONSUMES))
                 for protocol, what in table.get(device, {}).items()]
        for role, protocol, what in cells:
            at = f"{role}/{protocol}"
            if at in done:
                continue
            say(begin=at)
            spared = left_out.get(at, [])
            last = getattr(library, "ENDS", {}).get(protocol) if role == "consumer" else None
            cell = judge(library, role, protocol, device, what, [*spared, last] if last else spared)
            if last:
                say(part=at, **cell)
                add(cell, judge(library, role, protocol, device, what, [], last))
            say(end=at, **cell)
        say(ended=True)
        # What libraries leave behind in threads, or take down in the wrong order, is no cell.
        os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
