"""What the prefilter needs to know of a file, by its bytes alone.

Nothing is parsed: regular expressions that begin with a literal read up to 1 GB/s. They may
see more than there is, such as a class in a docstring, but must never see less.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from inflint.sources.suppressions import names_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_HEADER = re.compile(
    rb"class[ \t\f\\\r\n]+([\w\x80-\xff]+)[ \t\f]*(?:\(([^()#'\"\[\]\\]*)\)|([(\[\\:]))"
)
_FROM = re.compile(
    rb"from[ \t]+([.\w\x80-\xff]+)[ \t]+import[ \t\\\r\n]*"
    rb"(\((?:[^)#]|#[^\n]*)*|[^\n\\]*(?:\\\r?\n[^\n\\]*)*)"
)
_IMPORT = re.compile(
    rb"import[ \t]+([\w.\x80-\xff]+)(?:[ \t]+as[ \t]+([\w\x80-\xff]+))?([ \t]*,[^\n]*)?"
)
_MORE = rb",[ \t]*([\w.\x80-\xff]+)(?:[ \t]+as[ \t]+([\w\x80-\xff]+))?"
_COMMENT = rb"#[^\n]*"
_EQUAL = re.compile(rb"= ?((?:[a-z_]\w*\.)*[A-Z][\w\x80-\xff]*)[ \t]*(?:[\r\n#;]|\Z)")
_TARGET = re.compile(rb"[^\n:]*?([\w\x80-\xff]+)[ \t]*(?::[^\n=]*)?\Z")
_TOKEN = rb"""#[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[()\[\]]|[^#'"()\[\]]+|."""
_LONGEST = 65536
"""Bytes of a class header after which it is taken to end."""


class Summary(NamedTuple):
    """A file's bytes in short.

    Attributes:
        classes: Class names, with the text of their bases.
        imports: Bound name, module and attribute; no attribute for a whole module, and
            ``*`` as the name for all that a module has.
        aliases: Pairs of names: what the second is called elsewhere.
        broken: It holds null bytes, so that Python refuses it.
        marked: It mentions all that the caller looks for.
        suppresses: It may hold suppressions that name rules.
    """

    classes: tuple[tuple[str, str], ...] = ()
    imports: tuple[tuple[str, str, str], ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    broken: bool = False
    marked: bool = False
    suppresses: bool = False

    @property
    def defined(self) -> Iterator[str]:
        """The names of all classes."""
        return (name for name, _ in self.classes)


def summarise(data: bytes, marks: Collection[bytes] = ()) -> Summary:
    """The summary of a file; it is marked if it holds all of ``marks``."""
    imports = tuple(_imports(data)) if b"import" in data else ()
    renamed = ((n, b) for b, _, n in imports if n and n not in {b, "*"})
    return Summary(
        tuple(_classes(data)) if b"class" in data else (),
        imports,
        (*renamed, *_assigned(data)),
        b"\0" in data[:4096],
        bool(marks) and all(mark in data for mark in marks),
        names_rules(data),
    )


def assigns(data: bytes, name: str) -> bool:
    """Whether a file may bind a name by an assignment."""
    raw = re.escape(name.encode())
    return re.search(raw + rb"\b[^=\n]*=(?!=)", data) is not None  # a literal first: fast


def _classes(data: bytes) -> Iterator[tuple[str, str]]:
    for match in _HEADER.finditer(data):
        name, bases, opened = match.groups()
        if opened == b":":
            bases = b""
        elif opened is not None:
            bases = _bases(data, match.start(3))
        yield _text(name), _text(bases)


def _bases(data: bytes, start: int) -> bytes:
    """The bases of a header with more than names in it: a generic, a call, a comment."""
    kept: list[bytes] = []
    opened: list[bytes] = []
    for match in re.finditer(_TOKEN, data[start : start + _LONGEST]):
        token = match[0]
        if token in b"([":
            opened.append(token)
        elif token in b")]" and opened:
            if opened.pop() == b"(" and not opened:
                break
        elif not opened and b":" in token:
            break
        elif opened and b"[" not in opened and token[:1] not in b"#'\"":
            kept.append(token)
    return b"".join(kept)


def _imports(data: bytes) -> list[tuple[str, str, str]]:
    found = []
    for dotted, alias, more in _IMPORT.findall(data):
        found.append(_whole(dotted, alias))
        if more:
            found += [_whole(*other) for other in re.findall(_MORE, more)]
    for source, names in _FROM.findall(data):
        module = _text(source)
        if b"#" in names:
            names = re.sub(_COMMENT, b"", names)  # noqa: PLW2901 - the same names, bare
        for name in _text(names).strip("( \t\r").split(","):
            words = name.replace("\\", " ").split(None, 3)
            if words:
                attribute = words[0].rstrip(";")
                renamed = len(words) > 2 and words[1] == "as"
                found.append((words[2].rstrip(";") if renamed else attribute, module, attribute))
    return found


def _whole(dotted: bytes, alias: bytes) -> tuple[str, str, str]:
    module = _text(dotted if alias else dotted.partition(b".")[0])
    return (_text(alias) if alias else module), module, ""


def _assigned(data: bytes) -> Iterator[tuple[str, str]]:
    """``y = x``, for names as classes have them."""
    for match in _EQUAL.finditer(data):
        start = match.start()
        line = data[max(0, start - 200, data.rfind(b"\n", 0, start) + 1) : start]
        target = _TARGET.match(line)
        if target is not None:
            yield _text(match[1].rpartition(b".")[2]), _text(target[1])


def _text(raw: bytes) -> str:
    """A name as Python has it; where it is no UTF-8, most encodings agree on letters."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text if text.isascii() else normalize("NFKC", text)
