"""The strategy that draws whole programs.

Choices are made so that a program nearly always builds and runs as a full module: parts are
bound before they are used, and calls go one way only (`RANKS`), so that nothing recurses.
What is drawn first, and what stands first in a list of options, is the simplest.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st

from tests.differential import catalogue
from tests.differential.classes import draw_class, draw_net
from tests.differential.programs import FLAGS, ClassDef, File, Program
from tests.differential.scope import RANKS, Scope, below, chance, pick


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A package with one to four module classes in one to three files."""
    flags = FLAGS[: draw(below(3)) if chance(draw, 35) else 0]
    ranks = pick(draw, RANKS)
    nets: dict[str, catalogue.Kind] = {}
    net_classes: list[ClassDef] = []
    for index in range(draw(below(3)) if chance(draw, 40) else 0):
        cls, kind = draw_net(draw, f"Net{index}", nets)
        nets[cls.name] = kind
        net_classes.append(cls)
    classes: list[tuple[str, ClassDef]] = []
    scopes: list[Scope] = []
    files = ["module", "base", "more"][: 1 + (chance(draw, 40)) + (chance(draw, 15))]
    files = sorted(files)  # base before module before more
    place = 0
    for index in range(1 + draw(below(4))):
        base = None
        scope = Scope(flags, ranks)
        if scopes and chance(draw, 55):
            parent = draw(below(len(scopes)))
            scope = scopes[parent].copy()
            base = (classes[parent][1].name, scopes[parent])
        if place + 1 < len(files) and index and chance(draw, 50):
            place += 1
        cls = draw_class(draw, f"M{index}", base, scope, nets)
        classes.append((files[place], cls))
        scopes.append(scope)
    return _assembled(draw, files, net_classes, classes, flags)


def _assembled(
    draw: st.DrawFn,
    files: list[str],
    nets: list[ClassDef],
    classes: list[tuple[str, ClassDef]],
    flags: tuple[str, ...],
) -> Program:
    made: list[File] = []
    homes: dict[str, str] = {}
    if nets and chance(draw, 60):
        made.append(File("nets", (), tuple(nets)))
        homes.update({n.name: "nets" for n in nets})
        nets = []
    homes.update({cls.name: name for name, cls in classes})
    for name in files:
        own = [cls for file, cls in classes if file == name]
        if not own:
            continue
        here = tuple(nets) if not made or made[-1].name == "nets" else ()
        if here:
            homes.update({n.name: name for n in here})
        mine = [*here, *own]
        texts = "\n".join(cls.text for cls in mine)
        used = [n for n, home in homes.items() if home != name and re.search(rf"\b{n}\b", texts)]
        forms = ("from .{0} import {1}", "from .{0} import *")
        imports = [pick(draw, forms).format(homes[wanted], wanted) for wanted in used]
        made.append(File(name, tuple(dict.fromkeys(imports)), tuple(mine)))
    concrete = tuple((name, cls.name) for name, cls in classes)
    return Program(tuple(made), catalogue.LIBRARY, concrete, flags)
