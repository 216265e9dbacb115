# SPDX-License-Identifier: Apache-2.0
"""What tensors come to that have other elements than the first one had, with which all are
compared: it is the first that may have been wrong."""

from . import _core
from ._core import from_dlpack
from ._memory import Nowhere, of_dictionary
from ._trial import Shown
from ._values import is_same

DATA, HOST, DEPENDS = ("dlpack/data-differs", "dlpack/host-copy-not-finished",
                       "dlpack/tensor-depends-on-array")
UNORDERED = "dlpack/stream-ignored"


_SECOND = "dlpack-twice", "dlpack-copy", "dlpack-no-copy"  # a tensor beside the first


def _left_out(row):
    _, party, _, device, case, *_ = row
    return ("", party, "skip", device, case, "not judged: what the values are compared with was "
            "read from a tensor that was not written yet", "", "", "", "", ())


def _items(array):
    try:
        return of_dictionary(from_dlpack(array, device="cpu").__array_interface__)
    except Nowhere:
        return None


def copy_differs(make):
    """Has a copy other elements than the tensor, while both are there? False also where nobody can
    read them."""
    def asked(**more):
        return Shown(dlpack=lambda **arguments: obj.__dlpack__(**{**arguments, **more}),
                     dlpack_device=obj.__dlpack_device__)
    obj = make()
    try:
        plain, copied = from_dlpack(asked()), from_dlpack(asked(copy=True))
        return not is_same(_items(plain), _items(copied))
    except Exception:
        return False


def _of_data(row, what, options):
    _, _, _, device, case, message, seen, wanted, *_ = row
    return _core.tell(case, device, [], [(DATA, f"{what}: {message}", seen, wanted)],
                      options["strict"], options["known"], True)


def by_cause(rows, differs, options):
    """The rows, of which none names what nobody knows. `differs`: as copy_differs(), of the
    producer."""
    def breaks(rule, *scenarios):
        return any(row[0] == rule and row[2] in ("fail", "xfail") and
                   (not scenarios or row[4].rpartition("/")[2] in scenarios) for row in rows)
    is_unordered, is_alone = breaks(UNORDERED), breaks(DATA, "dlpack", "dlpack-1-0")
    made = []
    for row in rows:
        scenario = row[4].rpartition("/")[2]
        is_second = row[0] == DEPENDS and scenario in _SECOND
        if row[2] != "fail" or row[0] not in (DATA, HOST, DEPENDS):
            made.append(row)
        elif is_unordered and row[5].startswith("element "):
            made.append(_left_out(row))
        elif row[0] == HOST and row[3].startswith("cpu"):  # where nothing is under way
            made += _of_data(row, "a tensor that is asked for on the CPU", options)
        elif is_second and is_alone:
            made += _of_data(row, "a tensor with another before it, as alone", options)
        elif is_second and scenario == "dlpack-copy" and differs():
            made += _of_data(row, "a copy, while the tensor is there as well", options)
        else:
            made.append(row)
    return made
