#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Holds records against docs/record.schema.json, as strictly as can be: a member that the schema
# does not name is an error, too, though readers are to pass over it. Files that are no records, as
# those of `adicheck devices`, are passed over.
#
#   tests/record.py FILE..
import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).parent.parent / "docs/record.schema.json"


def strict(schema):
    """The schema with nothing allowed that it does not name."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if made.get("type") == "object" and "properties" in made:
        made["additionalProperties"] = False
    return made


def records(path):
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        sys.exit(f"{path}: {error}")
    listed = found if isinstance(found, list) else [found]
    made = [row for row in listed if isinstance(row, dict) and "adicheck" in row]
    return found if any(set(row) != {"adicheck", "devices"} for row in made) else None


def indices(record):
    """What no schema can say: indices point to something."""
    for row in record["results"]:
        order = row.get("order", {"marks": []})
        n = len(order["marks"])
        for at, mark in enumerate(order["marks"]):
            assert mark["lane"] < len(order["lanes"]), f"mark {at}: no lane {mark['lane']}"
            assert mark.get("after", -1) < at, f"mark {at} comes behind {mark['after']}"
        missing = order.get("missing", {"from": -1, "to": -1})
        assert missing["from"] < n and missing["to"] < n, f"{missing}: {n} marks"
        life = row.get("life", {"steps": []})
        assert life.get("failed", 0) <= len(life["steps"]), f"failed in {life['failed']}"


def main():
    schema = strict(json.loads(SCHEMA.read_text("utf-8")))
    jsonschema.Draft202012Validator.check_schema(schema)
    one = schema["$defs"]["record"] | {"$defs": schema["$defs"]}
    validator = jsonschema.Draft202012Validator(one)
    whole = jsonschema.Draft202012Validator(schema)
    for path in map(pathlib.Path, sys.argv[1:]):
        found = records(path)
        if found is None:
            continue
        # What is wrong with one record is said better without the choice between one and several.
        for record in found if isinstance(found, list) else [found]:
            for error in validator.iter_errors(record):
                sys.exit(f"{path}: {error.json_path}: {error.message[:400]}")
            indices(record)
        whole.validate(found)


main()
