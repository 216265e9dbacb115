# SPDX-License-Identifier: Apache-2.0
"""Values that are expected, as the type that shows them has them: a date is the number that is
stored, and 0.1 what is next to it in a float32."""

import datetime
import numbers
import struct
from fractions import Fraction

# Nanoseconds, by how the format strings of Arrow have it.
_UNITS = {"s": 10**9, "m": 10**6, "u": 10**3, "n": 1}
_DAY = 86400 * _UNITS["s"]
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


# ---- numbers ----

def _round(letter, value):
    if isinstance(value, complex):
        return complex(_round(letter, value.real), _round(letter, value.imag))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    try:
        return struct.unpack(letter, struct.pack(letter, value))[0]
    except OverflowError:  # it is nearer to none that the type has
        return float("inf") if value > 0 else float("-inf")


def of_floats(letter, wanted):
    """The same, rounded as floats of 16 ("e") or 32 bits ("f") are; by other letters as it is."""
    if isinstance(wanted, list):
        return [of_floats(letter, item) for item in wanted]
    return _round(letter, wanted) if letter in ("e", "f") else wanted


# ---- types of Arrow ----

def _nanoseconds(value):
    """Of a time, since the beginning of what it is counted from."""
    if isinstance(value, datetime.datetime):
        naive = value if value.tzinfo is None else \
            value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (naive - _EPOCH) // _MICROSECOND * 1000 + getattr(value, "nanosecond", 0)
    if isinstance(value, datetime.date):
        return (value.toordinal() - _EPOCH.toordinal()) * _DAY
    if isinstance(value, datetime.time):
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        return seconds * _UNITS["s"] + value.microsecond * 1000
    return value // _MICROSECOND * 1000 + getattr(value, "nanoseconds", 0)


_TIMES = {"td": datetime.date, "tt": datetime.time, "ts": datetime.date, "tD": datetime.timedelta}


def _whole(fraction):
    return fraction.numerator if fraction.denominator == 1 else fraction


def _leaf(format, value):
    if isinstance(value, _TIMES.get(format[:2], ())):
        unit = _DAY if format == "tdD" else _UNITS[format[2]]
        return _whole(Fraction(_nanoseconds(value), unit))
    if format.startswith("d:") and isinstance(value, numbers.Number) and hasattr(value, "scaleb") \
            and value.is_finite():
        return _whole(Fraction(value) * Fraction(10) ** int(format.split(",")[1]))
    return of_floats(format, value)


def _of_union(schema, value, ids):
    is_pair = isinstance(value, (list, tuple)) and len(value) == 2 and value[0] in ids
    if not is_pair and value is not None:
        raise NotImplementedError("a value of a union without its type id")
    return value and [value[0], of_type(schema.children[ids.index(value[0])], value[1])]


def of_type(schema, value):
    """One value, or lists of them."""
    layout, _, _, ids = schema._layout
    if layout.endswith("union"):
        return _of_union(schema, value, ids)
    if schema.dictionary is not None:
        return of_type(schema.dictionary, value)
    if layout == "run_end":
        return of_type(schema.children[1], value)
    if isinstance(value, dict):
        types = {child.name: child for child in schema.children} if layout == "struct" else {}
        return {name: of_type(types[name], item) if name in types else item
                for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        if schema.format == "+m":
            return [_of_entry(schema.children[0], item) for item in value]
        is_list = schema.children and layout != "struct"
        return [of_type(schema.children[0] if is_list else schema, item) for item in value]
    return value if schema.children else _leaf(schema.format, value)


def _of_entry(schema, item):
    if not isinstance(item, (list, tuple)) or len(item) != 2:
        return item
    return [of_type(child, part) for child, part in zip(schema.children, item)]


def of_rows(schema, wanted):
    """The values of an array, or the only one."""
    if isinstance(wanted, list):
        return [of_type(schema, value) for value in wanted]
    return of_type(schema, wanted)


# ---- what is none of these ----

_KNOWN = numbers.Number, str, bytes, bytearray, type(None)


def unknown(wanted):
    """The first of the values that no type has as it is; else None."""
    if isinstance(wanted, (list, tuple)):
        items = wanted
    elif isinstance(wanted, dict):
        items = wanted.values()
    else:
        return None if isinstance(wanted, _KNOWN) else wanted
    return next((found for found in map(unknown, items) if found is not None), None)
