"""Hostile input: sources that no one should write, to which inflint must still give an answer.

Each *piece* is a directory with hostile files and a good one. Whatever stands beside it, the good
file's finding has to be reported, within bounds of time and memory, and the exit code is 0 or 1.

By hand: ``python -m tests.differential.hostile --minutes 60 --workers 2``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from inflint.cli import main as inflint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Files = dict[str, bytes]

SECONDS = 90
"""Most processor time for one command on one piece; nearly all take less than one second."""
MEMORY = 8 << 30
"""Address space of a worker, in bytes; half a gigabyte of it is the parser's stack."""
CORPUS = Path(__file__).parent.parent / "corpus" / "cases"
COMMANDS = ("check", "inspect", "fix")

HEAD = """\
import torch
from torch import nn
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

"""
GOOD = (
    HEAD
    + """
class Good(TorchRLModule, InferenceOnlyAPI):
    def setup(self):
        self.pi = nn.Linear(2, 2)

    def get_non_inference_attributes(self):
        return ["pi"]

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(batch[Columns.OBS])}
"""
)


def module(body: str, *, name: str = "M", bases: str = "TorchRLModule, InferenceOnlyAPI") -> bytes:
    """A module class whose body is given."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return (HEAD + f"class {name}({bases}):\n{lines}").encode("utf-8", "surrogatepass")


# Real files, damaged


def real_files() -> list[Path]:
    """Sources to damage: the corpus, and RLlib's own where Ray is installed."""
    found = sorted(CORPUS.rglob("*.py"))
    for entry in sys.path:
        rllib = Path(entry) / "ray" / "rllib"
        if rllib.is_dir():
            found += sorted(rllib.rglob("*rl_module*.py"))
    return found


def _real(rng: random.Random) -> bytes:
    return rng.choice(_REAL).read_bytes()


_REAL = real_files()


def truncated(rng: random.Random) -> Files:
    data = _real(rng)
    return {"bad.py": data[: rng.randrange(len(data) + 1)]}


def flipped(rng: random.Random) -> Files:
    data = bytearray(_real(rng))
    for _ in range(rng.choice((1, 2, 5, 20, 200))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return {"bad.py": bytes(data)}


def nulls(rng: random.Random) -> Files:
    data = bytearray(_real(rng))
    for _ in range(rng.choice((1, 3, 50))):
        data.insert(rng.randrange(len(data) + 1), 0)
    return {"bad.py": bytes(data)}


def spliced(rng: random.Random) -> Files:
    """Lines of real files, dropped, doubled, swapped, moved and shifted."""
    lines = _real(rng).splitlines(keepends=True) + _real(rng).splitlines(keepends=True)
    for _ in range(rng.choice((1, 3, 10, 60))):
        index = rng.randrange(len(lines))
        change = rng.randrange(5)
        if change == 0:
            del lines[index]
        elif change == 1:
            lines.insert(index, rng.choice(lines))
        elif change == 2:
            lines[index] = b"    " + lines[index]
        elif change == 3:
            lines[index] = lines[index].removeprefix(b"    ")
        else:
            other = rng.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
        if not lines:
            break
    return {"bad.py": b"".join(lines)}


def swapped_words(rng: random.Random) -> Files:
    """Words of a real file exchanged: syntax mostly stays, meaning does not."""
    words = _real(rng).decode("utf-8", "replace").split(" ")
    for _ in range(rng.choice((1, 3, 10))):
        first, second = rng.randrange(len(words)), rng.randrange(len(words))
        words[first], words[second] = words[second], words[first]
    return {"bad.py": " ".join(words).encode()}


# Shapes


def deep(rng: random.Random) -> Files:
    """Nested to a depth that no parser likes."""
    depth = rng.choice((50, 90, 200, 900, 3000, 20000))
    shapes: tuple[Callable[[int], str], ...] = (
        lambda n: "x = " + "(" * n + "1" + ")" * n,
        lambda n: "x = " + "[" * n + "]" * n,
        lambda n: "x = " + "{1:" * n + "1" + "}" * n,
        lambda n: "x = " + "-" * n + "1",
        lambda n: "x = " + "not " * n + "1",
        lambda n: "x = self" + ".a" * n,
        lambda n: "x = f" + "(1)" * n,
        lambda n: "x = a" + "[0]" * n,
        lambda n: "x = " + "lambda: " * n + "1",
        lambda n: "x = " + "1 + " * n + "1",
        lambda n: "x = " + "1 if a else " * n + "1",
        lambda n: "x = " + "f(" * n + ")" * n,
        lambda n: "".join(" " * i + "if a:\n    " for i in range(min(n, 900))) + " " * 900 + "pass",
        lambda n: "x = " + "a and (b or " * n + "c" + ")" * n,
        lambda n: "x = f'{" + "(" * n + "1" + ")" * n + "}'",
        lambda n: "if a:\n    pass\n    " + "elif a:\n    pass\n    " * n,
        lambda n: "x = " + "await " * n + "y",
        lambda n: "x = [" + "*[" * n + "]" * n + "]",
    )
    line = rng.choice(shapes)(depth)
    return {"bad.py": module(f"def setup(self):\n    self.pi = nn.Linear(2, 2)\n    {line}")}


def long_line(rng: random.Random) -> Files:
    size = rng.choice((100_000, 1_000_000, 10_000_000))
    kind = rng.randrange(5)
    if kind == 0:
        line = f'x = "{"a" * size}"'
    elif kind == 1:
        line = f"x = 1  # {'a' * size}"
    elif kind == 2:
        line = f"x = [{'1, ' * (size // 30)}]"
    elif kind == 3:
        line = f"{'a' * size} = 1"
    else:
        line = "; ".join(f"x{i} = {i}" for i in range(size // 200))
    return {"bad.py": module(f"def setup(self):\n    self.pi = nn.Linear(2, 2)\n    {line}")}


def huge(rng: random.Random) -> Files:
    """A class with very many attributes, methods or names."""
    count = rng.choice((500, 2_000, 10_000))
    kind = rng.randrange(5)
    names = [f"a{i}" for i in range(count)]
    if kind == 0:
        body = "def setup(self):\n" + "\n".join(f"    self.{n} = nn.Linear(2, 2)" for n in names)
    elif kind == 1:
        body = "def setup(self):\n    self.a0 = nn.Linear(2, 2)\n"
        body += "\n".join(f"def m{i}(self):\n    return self.m{i + 1}()" for i in range(count))
        body += "\ndef _forward(self, batch, **kwargs):\n    return self.m0()"
    elif kind == 2:
        body = f"def get_non_inference_attributes(self):\n    return {names!r}"
        body += "\ndef setup(self):\n    for n in range(10000):"
        body += "\n        setattr(self, f'a{n}', nn.Linear(2, 2))"
    elif kind == 3:
        body = "def setup(self):\n    x = self\n" + "\n".join(
            f"    if self.c{i}:\n        self.a{i} = x" for i in range(count)
        )
        body += "\ndef _forward(self, batch, **kwargs):\n    return self.a0.a1.a2"
    else:
        body = "\n".join(f"{n} = {i}" for i, n in enumerate(names))
    return {"bad.py": module(body)}


def many_classes(rng: random.Random) -> Files:
    """A long chain, a wide fan or a lattice of bases."""
    count = rng.choice((20, 100, 400))
    kind = rng.randrange(3)
    text = (
        HEAD + "class C0(TorchRLModule):\n    def setup(self):\n        self.pi = nn.Linear(2, 2)\n"
    )
    for index in range(1, count):
        if kind == 0:
            bases = f"C{index - 1}"
        elif kind == 1:
            bases = "C0"
        else:
            bases = ", ".join(f"C{i}" for i in sorted({index - 1, index // 2}, reverse=True))
        text += f"class C{index}({bases}):\n    def _f{index}(self):\n"
        text += f"        return super()._f{index - 1}()\n"
    return {"bad.py": text.encode()}


# Circles


def cyclic_imports(rng: random.Random) -> Files:
    count = rng.choice((1, 2, 3, 20))
    files: Files = {}
    for index in range(count):
        other = f"m{(index + 1) % count}"
        line = rng.choice(
            (
                f"from {other} import *",
                f"from .{other} import *",
                f"from {other} import B as B, x",
                f"import {other}",
                f"from . import {other} as B",
                f"from .{other} import B as Base",
            )
        )
        base = rng.choice((f"{other}.B", "B", "Base", "B, TorchRLModule"))
        source = (
            HEAD
            + f"{line}\nx = x\nclass B({base}):\n    def setup(self):\n        super().setup()\n"
        )
        files[f"m{index}.py"] = source.encode()
    if rng.random() < 0.5:
        files["__init__.py"] = b"from .m0 import *\nfrom . import *\n"
    return files


def self_reference(rng: random.Random) -> Files:
    lines = [
        "x = x",
        "x = x + [x]",
        "x: x = x",
        "self = self",
        "self.a = self.a",
        "self.a = self.a.a.a",
        "self.a = {'a': self.a}",
        "self.l = []",
        "self.l.append(self.l)",
        "self.l.append(self)",
        "self.d = {}",
        "self.d['d'] = self.d",
        "self.me = self",
        "self.me.me.b = self.me",
        "self.m = nn.ModuleList([self.m])",
        "self.f = lambda: self.f()",
        "setattr(self, 'a', getattr(self, 'a'))",
        "for self.i in self.i:\n        self.i = self.i",
        "while self.a:\n        self.a = self.a.a",
        "self.__dict__ = self.__dict__",
        "self.__class__ = M",
        "del self",
        "self = type(self)()",
        "self.setup = self.setup",
        "self.setup()",
        "super().setup()",
        "M.setup(self)",
        "exec('self.setup()')",
        "self.q = M()",
        "self.x, self.y = self.y, self.x",
        "[*self.x], self.y = self.x",
        "def g():\n        return g\n    self.g = g()()()",
        "x = [x for x in x if x]",
        "(x := x)",
        "global M",
        "nonlocal y",
    ]
    chosen = [rng.choice(lines) for _ in range(rng.choice((1, 3, 8, 30)))]
    body = "def setup(self):\n" + "\n".join(f"    {line}" for line in chosen)
    body += "\ndef _forward(self, batch, **kwargs):\n    return self._forward(batch)"
    body += "\ndef get_non_inference_attributes(self):"
    body += "\n    return self.get_non_inference_attributes() + [*self.l]"
    bases = rng.choice(
        (
            "TorchRLModule, InferenceOnlyAPI",
            "M",
            "M, TorchRLModule",
            "TorchRLModule, TorchRLModule",
            "*M",
            "M[M]",
            "type(M)",
            "(M := TorchRLModule)",
        )
    )
    tail = rng.choice(
        (
            "",
            "\nM = M\n",
            "\nclass M(M):\n    pass\n",
            "\nM = register(M)\nM.setup = M.setup\n",
            "\nTorchRLModule = M\n",
        )
    )
    return {"bad.py": module(body, bases=bases) + tail.encode()}


# Bytes


def encodings(rng: random.Random) -> Files:
    text = GOOD.replace("Good", "Größe").replace("pi", "größe")
    latin = "# -*- coding: latin-1 -*-\n" + text
    options: tuple[Callable[[], bytes], ...] = (
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: b"\xef\xbb\xbf" * 2 + text.encode(),
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: text.encode("utf-32"),
        lambda: latin.encode("latin-1"),
        lambda: text.encode("latin-1"),
        lambda: b"# coding: no-such-codec\n" + text.encode(),
        lambda: b"# coding: rot13\n" + text.encode(),
        lambda: b"# coding: utf-7\n" + text.encode(),
        lambda: b"# coding: idna\n" + text.encode(),
        lambda: b"# coding: punycode\n" + text.encode(),
        lambda: b"# coding: hex\n" + text.encode(),
        lambda: b"# coding: unicode_escape\n" + text.encode(),
        lambda: b"# coding: undefined\n" + text.encode(),
        lambda: b"\xef\xbb\xbf" + latin.encode("latin-1"),
        lambda: text.replace("\n", "\r\n").encode(),
        lambda: text.replace("\n", "\r").encode(),
        lambda: text.replace("    ", "\t").replace("\n\n", "\r\n\x0c\n").encode(),
        lambda: text.replace("\n", "\x0c\n").encode(),
        lambda: text.replace("\n", "\\\n", 3).encode(),
        lambda: text.rstrip("\n").encode() + b"\\",
        lambda: text.encode() + b"\x1a",
        lambda: text.encode().replace(b" ", b"\xc2\xa0", rng.randrange(1, 9)),
        lambda: bytes(rng.randrange(256) for _ in range(rng.choice((1, 50, 5000)))),
        lambda: b"class M(TorchRLModule):\n" + bytes(rng.randrange(256) for _ in range(500)),
        lambda: b"",
        lambda: b"\n" * 100_000,
        lambda: b"\x00",
        lambda: text.encode("utf-8") + b"\xed\xa0\x80",
    )
    return {"bad.py": rng.choice(options)()}


def odd_files(rng: random.Random) -> Files:
    """Handled by `write`: what a directory may hold beside regular files."""
    kind = rng.choice(("fifo", "loop", "folder", "broken", "name", "device"))
    return {f"<{kind}>": b""}


# Generated sources


def generated(rng: random.Random) -> Files:
    """Random, but valid syntax, in and around a module class."""
    try:
        from pysource_codegen import generate
    except ImportError:
        return spliced(rng)
    source = generate(rng.randrange(1 << 31), node_limit=rng.choice((50, 300, 1500)))
    inside = "".join(f"        {line}\n" for line in source.split("\n"))
    shape = rng.randrange(3)
    if shape == 0:
        text = HEAD + source + "\nclass M(TorchRLModule, InferenceOnlyAPI):\n    pass\n"
    elif shape == 1:
        text = HEAD + "class M(TorchRLModule, InferenceOnlyAPI):\n    def setup(self):\n" + inside
    else:
        method = rng.choice(("_forward", "get_non_inference_attributes", "__init__"))
        text = HEAD + "class M(TorchRLModule, InferenceOnlyAPI):\n"
        text += f"    def {method}(self, *a, **k):\n{inside}"
    return {"bad.py": text.encode("utf-8", "surrogatepass")}


PIECES: tuple[Callable[[random.Random], Files], ...] = (
    truncated,
    flipped,
    nulls,
    spliced,
    swapped_words,
    deep,
    long_line,
    huge,
    many_classes,
    cyclic_imports,
    self_reference,
    self_reference,
    encodings,
    encodings,
    odd_files,
    generated,
    generated,
)


def piece(seed: int) -> tuple[str, Files]:
    """The piece of a seed, and what it is called."""
    rng = random.Random(seed)
    make = rng.choice(PIECES)
    return make.__name__, make(rng)


def write(directory: Path, files: Files) -> None:
    """Write a piece, and the good file."""
    directory.mkdir(parents=True)
    (directory / "good.py").write_text(GOOD)
    for name, data in files.items():
        if name == "<fifo>":
            os.mkfifo(directory / "pipe.py")
        elif name == "<loop>":
            (directory / "loop.py").symlink_to(directory / "loop.py")
            (directory / "again").symlink_to(directory, target_is_directory=True)
        elif name == "<folder>":
            (directory / "folder.py").mkdir()
        elif name == "<broken>":
            (directory / "broken.py").symlink_to(directory / "nowhere.py")
        elif name == "<name>":
            path = os.fsencode(directory) + b"/\xff\xfe \n'\".py"
            Path(os.fsdecode(path)).write_text(GOOD)
        elif name == "<device>":
            (directory / "zero.py").symlink_to("/dev/zero")
        else:
            (directory / name).write_bytes(data)


class TooLongError(Exception):
    """A command took more than its time."""


def answer(command: str, directory: Path) -> str:
    """What is wrong with a command's answer; empty if nothing is."""
    arguments = [command, str(directory), "--target-ray", "2.60.0"]
    arguments += [] if command == "fix" else ["--format", "json"]
    result = CliRunner().invoke(inflint, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join(traceback.format_exception(*result.exc_info))
    if result.exit_code not in (0, 1):
        return f"exit code {result.exit_code}: {result.output[-2000:]}"
    if command == "fix":
        return "" if "good.py" in result.output else "the good file was not repaired"
    report = json.loads(result.stdout)
    entries = report["findings" if command == "check" else "classes"]
    if not any(Path(e["path"]).name == "good.py" for e in entries):
        return "nothing is said of the good file"
    return ""


def run(seed: int, place: Path, report: Callable[[str, str, float], Any]) -> None:
    """All commands on one piece; `report` gets the command, what is wrong, and the seconds."""
    directory = place / f"piece{seed}"
    _, files = piece(seed)
    write(directory, files)
    try:
        for command in COMMANDS:
            started = time.monotonic()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            try:
                wrong = answer(command, directory)
            except TooLongError:
                wrong = f"more than {SECONDS} s of processor time"
            except BaseException as error:  # noqa: BLE001 - the answer to a crash is a report
                wrong = f"{type(error).__name__}: {error}"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            report(command, wrong, time.monotonic() - started)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _too_long(*_: object) -> None:
    raise TooLongError


def work(first: int, until: float) -> None:
    """A worker: pieces one after the other, each told before it starts."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, _too_long)

    def tell(**facts: object) -> None:
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()

    seed = first
    with tempfile.TemporaryDirectory() as place:
        while time.time() < until:
            name, _ = piece(seed)
            tell(seed=seed, name=name)
            run(seed, Path(place), lambda c, w, s: tell(command=c, wrong=w, seconds=round(s, 2)))
            seed += 1
    tell(done=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worker", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        work(options.seed, options.worker)
        return
    until = time.time() + 60 * options.minutes
    lanes = [Lane(options.seed + lane * 1_000_000, until) for lane in range(options.workers)]
    while any(lane.step() for lane in lanes):
        time.sleep(0.2)
    total: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    for lane in lanes:
        total += lane.pieces
        slowest += lane.slowest
    print(f"{sum(total.values())} pieces in {options.workers} x {options.minutes} minutes")
    for name, count in total.most_common():
        print(f"  {count:6} {name}")
    for seconds, what in sorted(slowest, reverse=True)[:10]:
        print(f"  {seconds:7.1f} s  {what}")
    print(f"{sum(len(lane.wrong) for lane in lanes)} wrong answers")
    sys.exit(any(lane.wrong for lane in lanes))


class Lane:
    """Keeps one worker running, and begins anew behind a piece that ended it."""

    def __init__(self, seed: int, until: float) -> None:
        self.until = until
        self.pieces: Counter[str] = Counter()
        self.slowest: list[tuple[float, str]] = []
        self.wrong: list[str] = []
        self._start(seed)

    def _start(self, seed: int) -> None:
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - read as long as the lane runs
        command = [sys.executable, "-m", "tests.differential.hostile"]
        command += ["--seed", str(seed), "--worker", str(self.until)]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.DEVNULL)
        self.seed, self.name, self.at = seed, "", time.time()
        self.read = 0
        self.done = False

    def step(self) -> bool:
        """Look what the worker says; False once it has come to its end."""
        for line in self._lines():
            self._note(json.loads(line))
            self.at = time.time()
        code = self.process.poll()
        if self.done:
            return code is None
        if code is None and time.time() - self.at < 20 * SECONDS:
            return True
        self.process.kill()
        self.process.wait()
        self._complain(f"the process ended with {code}" if code is not None else "hangs")
        if time.time() < self.until:
            self._start(self.seed + 1)
            return True
        return False

    def _lines(self) -> Iterator[str]:
        self.log.seek(self.read)
        text = self.log.read()
        whole = text.rfind("\n") + 1
        self.read += len(text[:whole].encode())
        return iter(text[:whole].splitlines())

    def _note(self, facts: dict[str, Any]) -> None:
        if "done" in facts:
            self.done = True
        elif "seed" in facts:
            self.seed, self.name = facts["seed"], facts["name"]
            self.pieces[self.name] += 1
        else:
            what = f"{facts['command']} on {self.name} ({self.seed})"
            self.slowest = sorted([*self.slowest, (facts["seconds"], what)], reverse=True)[:10]
            if facts["wrong"]:
                self._complain(f"{facts['command']}: {facts['wrong']}")

    def _complain(self, text: str) -> None:
        message = f"{self.name} (seed {self.seed}): {text}"
        self.wrong.append(message)
        print(message, flush=True)


if __name__ == "__main__":
    main()
