"""What the prefilter needs to know of a file, by its bytes alone.

Nothing is parsed: regular expressions that begin with a literal read up to 1 GB/s. They may
see more than there is, such as a class in a docstring, but must never see less.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from inflint.sources.suppressions import names_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Texts are bytes as Latin-1, so that a place is a byte; re.ASCII reads them as bytes would be.
_HEADER = re.compile(
    r"class[ \t\f\\\r\n]+([\w\x80-\xff]+)[ \t\f]*(?:\(([^()#'\"\[\]\\]*)\)|([(\[\\:]))", re.ASCII
)
_FROM = re.compile(
    r"from[ \t]+([.\w\x80-\xff]+)[ \t]+import[ \t\\\r\n]*"
    r"(\([^)#]*(?:#[^\n]*[^)#]*)*|[^\n\\]*(?:\\\r?\n[^\n\\]*)*)",
    re.ASCII,
)
_IMPORT = re.compile(  # not that of `from m import`: before a statement there is no word
    r"import(?<![\w.\x80-\xff][ \t]import)[ \t]+"
    r"([\w.\x80-\xff]+)(?:[ \t]+as[ \t]+([\w\x80-\xff]+))?([ \t]*,[^\n]*)?",
    re.ASCII,
)
_MORE = re.compile(r",[ \t]*([\w.\x80-\xff]+)(?:[ \t]+as[ \t]+([\w\x80-\xff]+))?", re.ASCII)
_WORD = re.compile(r"[^\W\d]\w*")
_BOUND = re.compile(rb"(?!\w|[ \t]*[.(\[])[^=\n]*=(?!=)")
_WORDY = re.compile(rb"\w")
_CALLED = re.compile(rb"[\w)\]][ \t]*\Z")
_COMMENT = re.compile(r"#[^\n]*")
_EQUAL = re.compile(
    r"= ?((?!None\b|True\b|False\b)[A-Z][\w\x80-\xff]*|[a-z_][\w.]*\.[A-Z][\w\x80-\xff]*)"
    r"[ \t]*(?:[\r\n#;]|\Z)",
    re.ASCII,
)
_TARGET = re.compile(r"[^\n:]*?([\w\x80-\xff]+)[ \t]*(?::[^\n=]*)?\Z", re.ASCII)
_LEXEME = r"""#[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[()\[\]]|[^#'"()\[\]]+|."""
_LONGEST = 65536
"""Bytes of a class header after which it is taken to end."""


class Summary(NamedTuple):
    """A file's bytes in short.

    Attributes:
        classes: Class names, with the text of their bases.
        imports: Those that a base may come from: bound name, module and attribute; no
            attribute for a whole module, and ``*`` as the name for all that a module has.
        aliases: Pairs of names: what the second is called elsewhere.
        broken: It holds null bytes, so that Python refuses it.
        marked: It mentions all that the caller looks for, and gives the last of it, a keyword
            argument, something that it imports or a class of its own.
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


def summarise(data: bytes, marks: Sequence[bytes] = ()) -> Summary:
    """The summary of a file.

    Args:
        data: The file.
        marks: What it has to mention to be marked, a keyword argument last.
    """
    text = data.decode("latin-1")
    classes = tuple(_classes(text)) if "class" in text else ()
    imports = _imports(text) if "import" in text else []
    renamed = ((n, b) for b, _, n in imports if n and n not in {b, "*"})
    first = {words[0] for _, bases in classes for _, words in split_bases(bases) if words}
    wanted = {*first, "*"} if first else first
    return Summary(
        classes,
        tuple(each for each in imports if each[0] in wanted),
        (*renamed, *_assigned(text)),
        b"\0" in data[:4096],
        all(mark in data for mark in marks)
        and any(_given(text, mark.decode(), imports, classes) for mark in marks[-1:]),
        names_rules(data),
    )


def _given(
    text: str,
    keyword: str,
    imports: Iterable[tuple[str, str, str]],
    classes: Iterable[tuple[str, str]],
) -> bool:
    """Whether a keyword argument may get something that is imported, or a class of the file."""
    given = re.findall(rf"{keyword}\s*=\s*([\w\x80-\xff]+)", text, re.ASCII)
    known = {name for name, *_ in (*imports, *classes)}
    return bool(given) and ("*" in known or not known.isdisjoint(map(_text, given)))


def imported(data: bytes) -> list[tuple[str, str, str]]:
    """All imports of a file, as a summary has some of them."""
    return _imports(data.decode("latin-1"))


def split_bases(bases: str) -> list[tuple[str, list[str]]]:
    """The bases of a class: of each its text, and the words in it."""
    return [(base, _WORD.findall(base)) for base in bases.split(",")] if bases else []


def assigns(data: bytes, name: str) -> bool:
    """Whether a file may bind a name by an assignment."""
    raw = name.encode()
    at = data.find(raw)
    while at >= 0:
        if _BOUND.match(data, at + len(raw)):
            line = data[max(data.rfind(end, 0, at) for end in b"\n\r") + 1 : at]
            if not _WORDY.match(line[-1:]) and not _in_call(line):
                return True
        at = data.find(raw, at + 1)
    return False


def _in_call(line: bytes) -> bool:
    """Whether what follows is an argument or a parameter: no place to bind anything."""
    opened = 0
    for at in range(len(line) - 1, -1, -1):
        opened += {ord("("): 1, ord(")"): -1}.get(line[at], 0)
        if opened > 0:
            called = _CALLED.search(line, 0, at) is not None
            return called and b"'" not in line and b'"' not in line
    return False


def _classes(data: str) -> Iterator[tuple[str, str]]:
    for match in _HEADER.finditer(data):
        name, bases, opened = match.groups()
        if opened == ":":
            bases = ""
        elif opened is not None:
            bases = _bases(data, match.start(3))
        yield _text(name), _text(bases)


def _bases(data: str, start: int) -> str:
    """The bases of a header with more than names in it: a generic, a call, a comment."""
    kept: list[str] = []
    opened: list[str] = []
    for match in re.finditer(_LEXEME, data[start : start + _LONGEST]):
        lexeme = match[0]
        if lexeme in "([":
            opened.append(lexeme)
        elif lexeme in ")]" and opened:
            if opened.pop() == "(" and not opened:
                break
        elif not opened and ":" in lexeme:
            break
        elif opened and "[" not in opened and lexeme[:1] not in "#'\"":
            kept.append(lexeme)
    return "".join(kept)


def _imports(data: str) -> list[tuple[str, str, str]]:
    found = []
    for dotted, alias, more in _IMPORT.findall(data):
        found.append(_whole(dotted, alias))
        if more:
            found += [_whole(*other) for other in _MORE.findall(more)]
    for source, names in _FROM.findall(data):
        module = _text(source)
        if names.isidentifier() and names.isascii():  # mostly
            found.append((names, module, names))
            continue
        if "#" in names:
            names = _COMMENT.sub("", names)  # noqa: PLW2901 - the same names, bare
        for name in _text(names).strip("( \t\r").split(","):
            bare = name.strip()
            if bare.isidentifier():
                found.append((bare, module, bare))
                continue
            words = name.replace("\\", " ").split(None, 3)
            if words:
                attribute = words[0].rstrip(";")
                renamed = len(words) > 2 and words[1] == "as"
                found.append((words[2].rstrip(";") if renamed else attribute, module, attribute))
    return found


def _whole(dotted: str, alias: str) -> tuple[str, str, str]:
    module = _text(dotted if alias else dotted.partition(".")[0])
    return (_text(alias) if alias else module), module, ""


def _assigned(data: str) -> Iterator[tuple[str, str]]:
    """``y = x``, for names as classes have them."""
    for match in _EQUAL.finditer(data):
        start = match.start()
        line = data[max(0, start - 200, data.rfind("\n", 0, start) + 1) : start]
        target = _TARGET.match(line)
        if target is not None:
            yield _text(match[1].rpartition(".")[2]), _text(target[1])


def _text(raw: str) -> str:
    """A name as Python has it; where it is no UTF-8, most encodings agree on letters."""
    if raw.isascii():
        return raw
    try:
        text = raw.encode("latin-1").decode()
    except UnicodeDecodeError:
        text = raw
    from unicodedata import normalize

    return normalize("NFKC", text)
