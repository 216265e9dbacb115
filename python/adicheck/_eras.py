# SPDX-License-Identifier: Apache-2.0
"""Profiles: the documents that an implementation was written by, each of which asks for less than
the one behind it."""

from dataclasses import dataclass

NEWEST = 3


@dataclass(frozen=True)
class Era:
    """`minor` of DLPack 1 is the latest that a tensor is asked for; `stream_only`: of the arguments
    of __dlpack__ there is no other; rules that are not of it; `cuda` is the newest version of the
    CUDA Array Interface whose duties count, None: it is not said."""

    minor: int = NEWEST
    stream_only: bool = False
    without: frozenset = frozenset()
    cuda: int | None = None

    def __and__(self, other):
        versions = {self.cuda, other.cuda} - {None}
        return Era(min(self.minor, other.minor), self.stream_only or other.stream_only,
                   self.without | other.without, min(versions, default=None))


# NULL strides were right up to 1.1.
_BEFORE_1_2 = frozenset({"dlpack/strides-null"})
# What came with max_version, dl_device and copy; and BufferError, which was TypeError in places.
_BEFORE_2023 = _BEFORE_1_2 | {
    "array-api/keyword-missing", "array-api/exception-differs", "array-api/host-copy-refused",
    "array-api/export-exception-differs", "array-api/refusal-differs", "array-api/no-fallback",
    "array-api/read-only-refused", "array-api/copy-shared", "array-api/copy-made",
    "array-api/result-elsewhere", "array-api/refusal-replaced", "array-api/no-attribute-error",
    "dlpack/layout-deprecated", "dlpack/layout-unasked"}

ERAS = {
    "dlpack-0": Era(0, True, _BEFORE_2023),
    "dlpack-1.0": Era(0, False, _BEFORE_1_2),
    "dlpack-1.1": Era(1, False, _BEFORE_1_2),
    "dlpack-1.2+": Era(),
    "array-api-2021": Era(0, True, _BEFORE_2023),
    "array-api-2022": Era(0, True, _BEFORE_2023),
    "array-api-2023": Era(0, False, _BEFORE_1_2),
    "array-api-2024": Era(1, False, _BEFORE_1_2),
    **{f"cai-{version}": Era(cuda=version) for version in range(4)},
}


def split(profile):
    """The era that the names of a profile come to, and the profile of the command among them."""
    names = [] if profile is None else \
        profile.replace(",", " ").split() if isinstance(profile, str) else list(profile)
    era, others = Era(), [name for name in names if name not in ERAS]
    for name in names:
        era = era & ERAS.get(name, Era())
    if others not in ([], ["cpu"]):
        raise ValueError(f"{', '.join(others)} is no profile; there are cpu, {', '.join(ERAS)}")
    return era, others[0] if others else None
