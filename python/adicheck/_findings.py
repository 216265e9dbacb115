# SPDX-License-Identifier: Apache-2.0
"""What was found, and how much was judged to come to it; see the stubs."""

import re
from dataclasses import dataclass, field
from functools import cache, cached_property

from . import _core
from ._cases import PLAYED
from ._told import texts_of
from ._trial import without_addresses

# Verdicts that say what is so; and those that say that something is wrong.
DECIDED = {"pass", "fail", "crash", "timeout", "xfail", "xpass"}
ENDED = {"crash", "timeout"}
_UNREACHED = "skip", "unsupported", "error", "crash", "timeout"
_WRONG = "fail", "warn", "note", "crash", "timeout", "xfail", "xpass", "error"

# Rules whose mend is the command's line for a debugger.
_ENDS = "life/crash", "life/hang"

# What is said of a case that was left out, as what was played before keeps what is gone.
UNPLAYED = "not played: an earlier case left nothing to go on with in this process"

# Rules of memory, which cases judge where it is weighed exactly.
LEFT_BEHIND = "life/memory-leaked", "dlpack/memory-leaked"

# The line of a known deviation, in what is said of it.
_KNOWN_AT = re.compile(r":(\d+), until \d{4}-\d\d-\d\d\)")


@dataclass(frozen=True)
class Finding:
    """A rule that was broken, as the command tells it."""

    rule: str
    party: str
    verdict: str
    device: str
    case: str
    message: str
    seen: str
    wanted: str
    mend: str
    text: str = field(repr=False)
    steps: tuple = field(repr=False)
    protocol: str

    def __str__(self):
        return self.text


class Findings(list):
    """Findings, and how much was judged to come to them: how many cases by verdict, the first words
    of what was refused, and why cases were skipped; `undecided`: why nothing is decided, or
    nothing."""

    counts = cached_property(lambda self: {})
    refusals = cached_property(lambda self: {})
    skips = cached_property(lambda self: {})
    undecided = ""
    _unplayed = 0
    # For the plugin: by protocol of which something was judged, the rules that rows say hold.
    _judged = cached_property(lambda self: {})
    _held = cached_property(lambda self: set())
    # For the plugin: by rule, why cases that are there for it came to nothing.
    _unreached = cached_property(lambda self: {})
    # By the words of a refusal, the first case that was refused with them.
    _refused_in = cached_property(lambda self: {})
    # For the matrix of libraries: the cases that came to a verdict.
    _cases = cached_property(lambda self: set())

    @property
    def unjudged(self):
        """How many cases were not judged, and why; nothing: all were."""
        if "error" in self.counts and not self.undecided:
            return f"{self.counts['error']} cases were not judged: {self._error}"
        if not self._unplayed:
            return ""
        return f"{self._unplayed} cases were not judged: in an earlier one the implementation " \
            "kept what it was given, which is gone: judge with isolate=True, in a fresh process"

    @property
    def conformant(self):
        """Nothing that a document asks for was broken, and all was judged."""
        return not self.undecided and not self.unjudged and \
            not any(f.verdict in ("fail", "crash", "timeout", "xpass") for f in self)

    @property
    def _error(self):
        """Why the first of the cases that were not judged was not."""
        return next(finding.message for finding in self if finding.verdict == "error")

    def __str__(self):
        texts = [*texts_of(self)]
        if self.undecided or not texts:
            texts.append(self.undecided or ("" if self.unjudged else "conformant"))
        texts.append(self.unjudged)
        refused = sum(self.refusals.values())
        judged = sum(self.counts.values()) - self.counts.get("unsupported", 0)
        if refused:
            texts.append(f"{refused} of {refused + judged} cases refused: see .refusals")
        texts += [f"{count} of {judged + refused} cases skipped: {why}"
                  for why, count in self.skips.items()]
        return "\n\n".join(filter(None, texts))


def finding_of(protocol, rule, message, seen, wanted, case="", device="", strict=False, party=None,
               verdict=None):
    """One that no case was played for. `party`: of a rule that binds both, who has broken it.
    `verdict`: another one than that of its rule."""
    level, bound, document, section, mend, of_rule = _core.rule(rule, strict)
    party, verdict = party or bound, verdict or of_rule
    lines = [f"{verdict}  {rule}  {level}  {party}", f"      {message}"]
    lines += [f"      saw {seen}   wanted {wanted}"] if seen or wanted else []
    lines += [f'      {document}, "{section}"', f"      mend: {mend}"]
    return Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                   "\n".join(lines), (), protocol)


def row_of(row):
    return (row.rule, row.party, row.verdict, row.device, row.case, row.message,
            row.seen, row.wanted, row.mend, row.text, row.steps)


def is_unplayed(row):
    return row[2] == "skip" and row[5].startswith(UNPLAYED)


@cache
def _scenarios():
    return _core.scenarios()


def _in_a_debugger(is_consumer, protocol, device, case):
    """What a person can do who wants to see what ends the process, or hangs."""
    options = [f"protocols={protocol!r}"]
    if is_consumer and protocol in PLAYED and "/" in case:
        options += [f"cases={case!r}"]
    if device and not device.startswith("cpu"):
        options += [f"devices={device!r}"]
    return f"call check_{'consumer' if is_consumer else 'producer'}(..., {', '.join(options)}) " \
        "without isolate=True in a debugger: gdb --args python FILE, or gdb --args python -m " \
        "pytest -k TEST"


# Behind the words of an exception, how the adapter has passed it on.
_ERRNO = re.compile(r" \((?:Invalid argument|Operation not supported)\)$")


def _refusal(message):
    return _ERRNO.sub("", without_addresses(message))


def collect(found, rows, protocol, era, is_consumer):
    for rule, party, verdict, device, case, message, seen, wanted, mend, text, steps in rows:
        if rule in era.without:
            continue
        if case:
            found.counts[verdict] = found.counts.get(verdict, 0) + 1
        if case and verdict not in ("skip", "unsupported", "error"):
            found._cases.add(case)
        found._unplayed += verdict == "skip" and message.startswith(UNPLAYED)
        if verdict in _UNREACHED and case:
            found._unreached.setdefault(_scenarios().get(case.rpartition("/")[2]), message)
        if verdict == "skip" and case and not message.startswith(UNPLAYED):
            words = without_addresses(message)
            found.skips[words] = found.skips.get(words, 0) + 1
        if verdict == "pass" and rule and not (case and rule in LEFT_BEHIND and
                                               not _core.weighs()):
            found._held.add(rule)
        if verdict == "unsupported":
            words = _refusal(message)
            found.refusals[words] = found.refusals.get(words, 0) + 1
            found._refused_in.setdefault(words, f"{case} on {device}, by {protocol}")
        if rule == "array/data-differs" and case.startswith("own/") and ": saw " in message:
            own, message = message, f"a later export has other values than the first: {message}"
            text = text.replace(own, message, 1)
        if case == "load" and verdict == "error":  # it begins with the adapter, and errno's words
            message = f"nothing can be asked of the object: {message.split(': ', 2)[-1]}"
            text = f"{verdict}\n      {message}"
        if rule in _ENDS:
            own, mend = mend, _in_a_debugger(is_consumer, protocol, device, case)
            text = text.replace(f"mend: {own}", f"mend: {mend}")
        if verdict in _WRONG:
            found.append(Finding(rule, party, verdict, device, case, message, seen, wanted, mend,
                                 text.strip(), steps, protocol))


def forgive(whole):
    """Rows of known deviations name no protocol: one that fits one of them is none too many for the
    others."""
    def known_at(finding):
        return _KNOWN_AT.findall(finding.message)[-1:]
    fitting = [known_at(finding) for finding in whole if finding.verdict == "xfail"]
    for finding in [one for one in whole if one.verdict == "xpass" and known_at(one) in fitting]:
        whole.remove(finding)
        whole.counts["xpass"] -= 1
    if whole.counts.get("xpass") == 0:
        del whole.counts["xpass"]
