# SPDX-License-Identifier: Apache-2.0
"""What the package has, and what each part takes and gives.

Devices are named "cpu", "cuda", "cuda:1", as `devices()` has them. Memory of a device other than
the CPU cannot be read by the CPU, also where the device is simulated. An object that is given up on
any thread, or after the interpreter has ended, gives its memory back.

ValueError is what no document allows, TypeError what is of another type; BufferError (DLPack,
buffers) and NotImplementedError (Arrow, the CUDA Array Interface) what is legal and cannot be had.
OSError: there is no such device here.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing_extensions import CapsuleType
from typing import Any, ClassVar, Literal, Protocol, TypedDict

__version__: str

_Protocols = str | Iterable[str] | None
_Type = str | "Schema" | "_HasSchema"

class _HasSchema(Protocol):
    def __arrow_c_schema__(self) -> CapsuleType: ...

class _Description(TypedDict, total=False):
    shape: tuple[int, ...]
    typestr: str
    data: tuple[int, bool]
    version: int
    strides: tuple[int, ...] | None
    descr: list[tuple[Any, ...]]
    mask: Any
    stream: int | None

class Schema:
    """A type of Arrow's, with what belongs to it. Equal: the same type, names, flags and
    metadata."""

    @property
    def format(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def flags(self) -> int: ...
    @property
    def metadata(self) -> dict[bytes, bytes] | None: ...
    @property
    def children(self) -> tuple[Schema, ...]: ...
    @property
    def dictionary(self) -> Schema | None: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...

class Array:
    """Memory of one device. Of the methods that begin with underscores an object has those of
    its `protocols`, and no others; as a buffer it can be read if "buffer" is among them."""

    @property
    def device(self) -> str: ...
    @property
    def type(self) -> Schema: ...
    @property
    def protocols(self) -> tuple[str, ...]: ...
    def to_pylist(self) -> list[Any]: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(
        self, requested_schema: CapsuleType | None = None
    ) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_device_array__(
        self, requested_schema: CapsuleType | None = None, **kwargs: None
    ) -> tuple[CapsuleType, CapsuleType]: ...
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    __dlpack_c_exchange_api__: ClassVar[CapsuleType]
    __c_dlpack_exchange_api__: ClassVar[int]
    @property
    def __cuda_array_interface__(self) -> _Description: ...
    @property
    def __array_interface__(self) -> _Description: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class Stream:
    """Chunks of one type. Each call of its methods gives a stream over all of them. On devices
    other than the CPU there is no __arrow_c_stream__."""

    @property
    def device(self) -> str: ...
    @property
    def type(self) -> Schema: ...
    @property
    def chunks(self) -> tuple[Array, ...]: ...
    def to_pylist(self) -> list[Any]: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...
    def __arrow_c_device_stream__(
        self, requested_schema: CapsuleType | None = None, **kwargs: None
    ) -> CapsuleType: ...

def devices() -> tuple[str, ...]:
    """The names of what is here."""

def schema(type: _Type) -> Schema:
    """A type by its name ("int32", "utf8") or its format string and what belongs to it: "+s(i u!
    +l(z))" is a struct of an int32, a string that is not nullable, and a list of bytes; "c[u]"
    is a dictionary of strings."""

def array(
    data: Any,
    type: _Type | None = None,
    *,
    device: str = "cpu",
    protocols: _Protocols = None,
    cai_version: Literal[0, 1, 2, 3] = 3,
) -> Array:
    """An Arrow array with these values, or with those of an object that shows a protocol.
    Without a type, one is guessed. Values of nested types are lists and dicts; dates and times
    are the numbers that are stored, decimals integers without their scale, values of unions
    pairs (type id, value).

    It shows `protocols`, by the names of the attributes without underscores ("arrow_c_array",
    "dlpack"), or "buffer"; None: all that the data has. What is named and cannot be had is
    refused when it is asked for. `cai_version` is that of __cuda_array_interface__. What is
    shown may not be written to."""

def tensor(
    data: Any,
    dtype: str | None = None,
    *,
    strides: Sequence[int] | None = None,
    byte_offset: int = 0,
    device: str = "cpu",
    protocols: _Protocols = None,
) -> Array:
    """A tensor of nested lists, of bytes, or of a number, whose elements lie as `strides` (in
    elements) say, the first of them `byte_offset` bytes behind where the tensor points, or more,
    where elements lie in front of it. It may be written to. Types: int8 to uint64, float16 to
    float64, bfloat16, bool, complex64, complex128."""

def stream(chunks: Iterable[Any], schema: _Type | None = None, *, device: str = "cpu") -> Stream:
    """A stream of arrays, or of what arrays are made of."""

def from_dlpack(
    x: Any, /, *, device: str | tuple[int, int] | None = None, copy: bool | None = None
) -> Array:
    """The tensor of `x`, where it lies. On CUDA it is asked for with the legacy default stream;
    what has no __dlpack__ is asked by the exchange API of its class, behind its work stream.
    BufferError: it cannot be had so; what `x` raises is passed on. Array API, "from_dlpack"."""

def from_arrow(
    obj: Any, requested_schema: Schema | CapsuleType | None = None
) -> Array | Stream | Schema:
    """What `obj` shows under the PyCapsule interface: the device's methods first, an array
    before a stream. A stream is read to its end. Nothing is copied."""

def from_cuda_array_interface(
    desc: _Description, owner: object | None = None, sync: bool = True
) -> Array:
    """What the dictionary describes. `owner` is kept while the memory is used; without one, user
    code sees to that. What Arrow cannot describe in place is copied. Without `sync`, the order
    of work is user code's. NotImplementedError: a mask, or a type that Arrow lacks."""

def as_cuda_array(obj: Any, sync: bool = True) -> Array:
    """The same of an object with __cuda_array_interface__, which is its owner."""

class Finding:
    """A rule that was broken; `str()` tells it as the command does. `adicheck explain RULE` says
    more. Where no case was played `case` and `device` are empty."""

    rule: str
    party: str
    verdict: str
    device: str
    case: str
    message: str
    seen: str
    wanted: str
    mend: str
    text: str
    steps: tuple[str, ...]
    protocol: str

class Findings(list[Finding]):
    """Findings, of which `str()` tells each cause once, with its cases; how many cases came to each
    verdict, "pass" included; the words of refusals, and how many cases were refused with them; why
    cases were skipped, and how many. `undecided`: why nothing is decided, though there are
    findings, since no case passed and some were refused; "" where something is."""

    counts: dict[str, int]
    refusals: dict[str, int]
    skips: dict[str, int]
    undecided: str
    @property
    def unjudged(self) -> str:
        """How many cases were not judged and why, where a consumer keeps what it was given, and no
        other process can play the rest since a device is in use, or where the judging failed
        ("error"); "": none."""
    @property
    def conformant(self) -> bool:
        """Nothing that a document demands was broken, recommendations and notes aside,
        something was decided, and no case was left out."""

def check_producer(
    make: Callable[[], Any],
    *,
    protocols: _Protocols = None,
    devices: str | Iterable[str] | None = None,
    profile: str | None = None,
    strict: bool = False,
    known: str | os.PathLike[str] | None = None,
    isolate: bool = False,
    expected: Any = ...,
) -> Findings:
    """Judges what the objects show that `make` gives: at each call a new one, with the same
    values. None: all protocols of theirs, streams among them, by their first 8 chunks. What the first
    one exports is what all others are compared with, also what it makes of a requested schema; of
    "cuda_array_interface", "array_interface" (with __array_struct__) and "buffer" one object is
    looked at, and whether a CUDA array's stream stands for all work on it, where the devices are
    simulated. `devices` are globs over the names of `devices()` or their types: data elsewhere is
    not judged. ValueError: one matches no device that is here, or there are none.

    `expected`: the values of the objects, as a number, a list, or lists in lists, as to_pylist()
    gives them, or an array that has that, or tolist(): what each protocol shows is compared with
    it, or counted as a refusal where its type is one that Python does not read. None is a value.
    Dates, times and decimals of Python's stand for the numbers that are stored, and floats for what
    is next to them in the type that shows them. TypeError: it is
    nothing of the kind. No two protocols are compared with each other, but
    those with and without devices of Arrow.

    What an export leaves behind is told where that can be seen of some thousand exports of one
    object; nobody knows it of data on devices.

    It is judged in this process: what ends it ends Python, and says on standard error which case
    and rule it was. With `isolate` the cases are played in processes that are made by fork, where a
    crash is a finding, and a hang: devices that are not the CPU may not have been used before, and
    most not looked for either, as `devices()` does and a judgement that is not of the CPU alone.

    `strict`: recommendations are failures, too. `known`: a file of known deviations, which are
    xfail, and xpass where they are none any more; the version of an object of Python is "".
    `profile`: "cpu", or what the implementation was written by: "dlpack-0", "dlpack-1.0", "dlpack-1.1", "dlpack-1.2+", "array-api-2021" to
    "array-api-2024", or several with blanks between; what came later is not asked for, nor judged;
    and "cai-0" to "cai-3": the version of the CUDA Array Interface whose duties count, at most the
    object's own. ValueError: it has no protocol, or nothing could be judged and nothing was found,
    since all was refused or lies elsewhere. What `make` raises is passed on; so is what the object
    raises at once, if nothing else can be judged: beside other protocols it is a refusal. One
    thread at a time."""

def check_consumer(
    use: Callable[[Any], Any],
    *,
    protocols: _Protocols = None,
    devices: str | Iterable[str] | None = None,
    profile: str | None = None,
    strict: bool = False,
    known: str | os.PathLike[str] | None = None,
    isolate: bool = False,
    cases: str | None = None,
) -> Findings:
    """Judges what `use` does with objects that show one protocol each: "arrow_c_array",
    "arrow_c_device_array", "arrow_c_stream", "arrow_c_device_stream", "dlpack"; None: each of
    them; or "dlpack_c_exchange_api". Their memory is guarded, and on one of `devices`; None: the
    CPU. An object is for one call of `use`, which takes what it gives, and returns an exporter of
    what it has read, in the type that it was given or another representation of that, or None: then
    values are not judged; TypeError: something else. What it
    raises is a refusal, and no finding, but where a document names the exception; so is None
    without having asked for the data. What is a mistake of its own, and no refusal, is passed on,
    with a note about the case:
    NameError, SyntaxError, AttributeError of a module, what is no Exception, and of the file that
    `use` is in AssertionError and an import that fails.
    `cases` is a glob: "int32/*/consume".

    "cuda_array_interface" (on CUDA), "array_interface" and "buffer" (on the CPU) are judged if they
    are named; what is returned may be a list or a buffer, too. Is what it stands on kept, and what
    is read-only not written? Without a profile the dictionaries of CUDA are of version 3, and of version 2 where
    that asks for more. All else as above.

    A `use` that takes `copy` by its name, as from_dlpack does, is judged by that, too, on the CPU and
    without `cases`."""

class Watched:
    """Has the methods of the object that is watched, of `protocols`."""

    findings: Findings | None
    def finish(self) -> Findings:
        """Ends the watch: what is not released by now never will be."""
    def __enter__(self) -> Watched: ...
    def __exit__(self, *_: object) -> None: ...

def watch(obj: Any, *, protocols: _Protocols = None) -> Watched:
    """An object with the same data, whoever takes it is watched. Of `protocols`, or all that it has
    of these:

    "arrow_c_array", "arrow_c_device_array": what is released, how often, from where, what is
    changed in the structures, and what is written to buffers of the CPU.
    "arrow_c_stream", "arrow_c_device_stream": which callback is called, and when, and the same of
    the stream, its schemas and its chunks. If its consumer asks for no schema before the first
    chunk, the watch does. A chunk that is not sound is handed on unwatched. That an error or the end
    is overlooked, or a text of an error kept, leaves no trace in somebody's stream.
    "dlpack": how often the tensor is deleted, and whether its capsule is renamed before. Who leaves
    both to the capsule has refused it, or read within it: which of them, check_consumer sees alone.
    "buffer": whether each buffer is released, once, and shape, strides and internal are left alone.
    What is written to read-only memory is not watched: its owner may write to it.
    "arrow_c_schema" is handed on unwatched.

    "cuda_array_interface" and "array_interface" are not watched: a dictionary has no callback, so
    nothing that its consumer does is seen by who gave it, neither the last use of the memory nor a
    wait. check_consumer judges that by objects of its own, on devices that see it.

    Where nobody has asked for the data, `.undecided` of the findings says so, and `.conformant` is
    False. ValueError: `obj` has none of these; and when it is asked: what it exports is not sound,
    and its consumer would not be to blame."""
