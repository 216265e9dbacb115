# SPDX-License-Identifier: Apache-2.0
"""What the steps of a program do to each stream of an implementation's, as facts: the names that
the predicates of tests/mutants/shows.def are about.

Of a stream that is asked by the program (producers and relays), or that an implementation asks for
what remains of it (consumers), to its end and once behind it:

  late            the device runs behind the host: what nobody waits for is not there
  pending         the data of its chunks are to come when they are handed out
  fails, n        it has n chunks, or tasks: one, and an error behind it, or two, and the end
  consumed        an implementation asks for what remains, which is n; before: so many were before
  elsewhere       it was released on another thread
  together        the most chunks that were there at once
  given, asked    chunks that came, calls of get_next
  ended, behind   its end was asked for, and once more
  failed, text    get_next has answered the error, and get_last_error was called behind that
  schemas         calls of get_schema; schemas_later: behind a chunk, before the end or the error
  schemas_after   behind a chunk, whatever else
  moved           it was released elsewhere than where it was made; moved_next: asked there for a
                  chunk, or the end; moved_first: for its first chunk; moved_given: a chunk
                  came there
  first_outlives  its first chunk is read when the stream is released; outlives: any is
  parted          the first child of a chunk is read when the chunk is released
  schema_outlives a schema is read when the stream is released

Of an asynchronous one:

  requested, refused, cancelled   calls of ar; aj; ac
  ends_by_cancel  it was cancelled, by x0 unless all was requested; cancelled_late: when all was
  ends_in_cancel  nothing but that ends it; None: its end may have come before
  told_error      its error is told; None: it may be, before what else ends it
  owed            the most that was requested and not taken
  unended         the most that was requested, by aj as well, and neither extracted nor given up
  taken           tasks that came and were copied
  later           one was extracted, or given up, behind its call, and the stream had neither failed
                  nor been refused or cancelled by then; later_unsound: it had
  given_up_unsound, extracted_unsound   which of them was done then
  emptied         a task was extracted with an array behind a refusal
  second          its second task was extracted
  read_later      an array of it is read when it is released
"""
import re

WORD = re.compile(r"(t)[+-]|([a-z]{1,2})(\d)(?:\.(\d))?(?:>?(\d))?$")


class Stream:
    """Facts of a stream; those that were never set are 0 or False."""

    def __init__(self, fails):
        self.facts = {"fails": fails, "n": 1 if fails else 2}

    def __getitem__(self, name):
        return self.facts.get(name, 0)

    def count(self, name):
        self.facts[name] = self[name] + 1

    def note(self, name, value=True):
        self.facts[name] = self[name] or value


class Slot:
    """What lies in a slot."""

    def __init__(self, kind, stream, **more):
        self.kind, self.stream = kind, stream
        self.moved = more.get("moved", False)
        self.number = more.get("number", 0)  # of a chunk, from 0
        self.parent = more.get("parent")  # of a child: the chunk
        self.child = more.get("child", 0)
        self.is_over = False


def words(steps):
    for word in steps.split():
        match = WORD.match(word)
        name, digits = match[1] or match[2], match.groups()[2:]
        yield word, name, *(int(digit) if digit else None for digit in digits)


class Streams:
    """Plays the steps; `judged`: what makes a stream that is under test, "se" or "sy"."""

    def __init__(self, steps, judged):
        self.slots, self.found, self.judged, self.elsewhere = {}, [], judged, False
        for word, name, at, child, to in words(steps):
            if name == "t":
                self.elsewhere = word == "t+"
            else:
                getattr(self, "do_" + name)(at, child, to)

    def do_se(self, at, _child, _to, fails=False):
        self.slots[at] = Slot("stream", Stream(fails))
        if self.judged == "se":
            self.found.append(self.slots[at].stream)

    def do_sf(self, at, child, to):
        self.do_se(at, child, to, fails=True)

    def do_sp(self, at, child, to):
        self.do_se(at, child, to)
        self.slots[at].stream.note("pending")

    def do_w(self, _at, _child, _to):
        """Whoever waits changes nothing."""

    def do_sy(self, at, child, _to):
        to = int(child if child is not None else _to)
        made = Stream(self.slots[at].stream["fails"])
        made.facts["n"] -= self.slots[at].stream["given"]
        self.slots[to] = Slot("stream", made)
        self.found.append(made)

    def do_sh(self, at, _child, to):
        stream = self.slots[at].stream
        stream.count("schemas")
        if stream["given"]:
            stream.note("schemas_after")
            stream.note("schemas_later", not (stream["ended"] or stream["failed"]))
        stream.note("called")
        self.slots[to] = Slot("schema", stream)

    def do_sn(self, at, _child, to):
        stream = self.slots[at].stream
        stream.count("asked")
        stream.note("called")
        self.slots.pop(to, None)
        if stream["given"] < stream["n"]:
            stream.note("moved_next", self.slots[at].moved)
            stream.note("moved_first", self.slots[at].moved and not stream["given"])
            self.slots[to] = Slot("chunk", stream, number=stream["given"])
            stream.note("moved_given", self.slots[at].moved)
            stream.count("given")
            stream.count("alive")
            stream.facts["together"] = max(stream["together"], stream["alive"])
        elif stream["fails"]:
            stream.note("failed")
        else:
            stream.note("behind", stream["ended"])
            stream.note("moved_next", self.slots[at].moved)
            stream.note("ended")

    def do_sl(self, at, _child, _to):
        self.slots[at].stream.note("text")

    def do_su(self, at, _child, _to):
        of = self.slots[at].stream
        taken = Stream(of["fails"])
        left = of["n"] - of["given"]
        taken.facts.update(n=left, given=left, asked=left + 1, called=True, schemas=1,
                           consumed=True, before=len(self.found), pending=of["pending"])
        taken.facts.update({"failed": True, "text": True} if of["fails"]
                           else {"ended": True, "behind": True})
        self.found.append(taken)
        of.note("released")

    def do_hr(self, at, _child, _to):
        slot = self.slots[at]
        slot.stream.note("schema_outlives", slot.stream["released"])

    def do_c(self, at, child, to):
        chunk = self.slots[at]
        self.slots[to] = Slot("child", chunk.stream, number=chunk.number, parent=chunk, child=child)

    def do_m(self, at, child, to):
        to = int(child if child is not None else to)
        slot = self.slots.pop(at)
        slot.moved = True
        self.slots[to] = slot

    def do_r(self, at, _child, _to):
        slot = self.slots[at]
        first = slot.number == 0 and (slot.kind == "chunk" or slot.child == 0)
        slot.stream.note("outlives", slot.stream["released"])
        slot.stream.note("first_outlives", slot.stream["released"] and first)
        if slot.parent is not None and slot.child == 0:
            slot.stream.note("parted", slot.parent.is_over)

    def do_x(self, at, _child, _to):
        slot = self.slots.get(at)
        if slot is None:
            return
        if slot.kind == "chunk" and not slot.is_over:
            slot.stream.facts["alive"] -= 1
        slot.is_over = True
        if slot.kind == "stream":
            slot.stream.note("released")
            slot.stream.note("moved", slot.moved)
            slot.stream.note("elsewhere", self.elsewhere)


class Asyncs:
    """The same of asynchronous streams."""

    def __init__(self, steps):
        self.slots, self.found, self.handlers = {}, [], {}
        for word, name, at, child, to in words(steps):
            if name != "t":
                getattr(self, "do_" + name)(at, to if child is None else child, word)

    def do_ae(self, at, _to, word):
        self.slots[at] = Slot("handler", Stream(word[1] == "f"))
        self.found.append(self.slots[at].stream)

    do_af = do_ae

    def do_ap(self, at, _to, word):
        self.do_ae(at, _to, word)
        self.slots[at].stream.note("pending")

    def do_w(self, _at, _to, _word):
        """Whoever waits changes nothing."""

    def do_ar(self, at, _to, _word):
        stream = self.slots[at].stream
        stream.count("requested")
        stream.facts["owed"] = max(stream["owed"], stream["requested"] - stream["taken"])
        self.count_unended(stream)

    def do_aj(self, at, _to, _word):
        self.slots[at].stream.note("refused")
        self.count_unended(self.slots[at].stream)

    @staticmethod
    def count_unended(stream):
        stream.count("calls")
        stream.facts["unended"] = max(stream["unended"], stream["calls"] - stream["finished"])

    def do_ac(self, at, _to, _word):
        stream = self.slots[at].stream
        stream.note("cancelled")

    def do_an(self, at, to, _word):
        stream = self.slots[at].stream
        self.slots[to] = Slot("task", stream, number=stream["taken"])
        stream.count("taken")

    def end_task(self, slot, how):
        stream = slot.stream
        unsound = stream["cancelled"] or stream["refused"] or stream["fails"]
        stream.note("later_unsound" if unsound else "later")
        if unsound:
            stream.note(how + "_unsound")
        stream.note("emptied", how == "extracted" and stream["refused"])
        stream.count("finished")
        slot.is_over = True

    def do_ke(self, at, to, _word):
        self.slots[at].stream.note("second", self.slots[at].number > 0)
        self.end_task(self.slots[at], "extracted")
        self.slots[to] = Slot("chunk", self.slots[at].stream)

    def do_c(self, at, _to, word):
        self.slots[int(word[-1])] = Slot("chunk", self.slots[at].stream)

    def do_m(self, at, to, _word):
        self.slots[to] = self.slots.pop(at)

    def do_r(self, at, _to, _word):
        stream = self.slots[at].stream
        stream.note("read_later", stream["released"])

    def do_x(self, at, _to, _word):
        slot = self.slots.get(at)
        if slot is None or slot.is_over:
            return
        stream = slot.stream
        if slot.kind == "task":
            self.end_task(slot, "given_up")
        elif slot.kind == "handler":
            stream.note("released")
            all_asked = stream["requested"] >= stream["n"]
            by_cancel = stream["cancelled"] or not (stream["refused"] or all_asked)
            late = stream["cancelled"] and all_asked  # its end may have come before
            stream.note("ends_by_cancel", by_cancel)
            stream.note("cancelled_late", late)
            stream.facts["ends_in_cancel"] = None if late else by_cancel and not stream["fails"]
            told = stream["fails"] and all_asked and not (by_cancel or stream["refused"])
            maybe = stream["fails"] and stream["requested"] + stream["refused"] > 0
            stream.facts["told_error"] = told or (None if maybe else False)
            if stream["requested"] > stream["taken"] and not stream["fails"]:
                stream.note("later")  # what comes until then is given up, as a copy
        slot.is_over = True


def streams_of(part, steps):
    """The facts of each stream of the program that is judged in this part."""
    if part == "async-producer":
        return Asyncs(steps).found
    judged = {"stream-relay": "sy", "stream-consumer": "su", "array-stream-consumer": "su"}
    return Streams(steps, judged.get(part, "se")).found


# ---- asynchronous consumers ----

FEEDS = ["1fl", "1sel", "1sfl", "1stel", "1stfl", "2sttel", "1sttel", "1sttfl", "2sTtfl", "1sTfl"]


def facts_of_feed(feed):
    """What a producer does with a consumer's handler (harness/play/feed_program.h):

      at_once        so many are to be requested at once
      schema, ends, errs   on_schema, the end, and on_error are called
      tasks, batches       tasks that come, and those of them that can be extracted
      extract_fails        one cannot; what comes next is on_error, which is not `errs`
      task_calls           calls of on_next_task
    """
    stream = Stream("f" in feed)
    fails = "T" in feed
    tasks = feed[: feed.index("T") + 1] if fails else feed
    count = sum(letter in "tT" for letter in tasks)
    stream.facts.update(at_once=int(feed[0]), schema="s" in feed, ends="e" in feed,
                        errs="f" in feed and not fails, tasks=count, batches=count - fails,
                        extract_fails=fails, task_calls=count + ("e" in feed))
    return stream
