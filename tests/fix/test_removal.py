"""What RLlib cannot remove on an EnvRunner: deleted by ``setup()``, or never built there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fix.harness import IMPORTS, check_noop, check_transformed

if TYPE_CHECKING:
    from pathlib import Path

ENCODER = """\
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.pol = nn.Linear(4, 4)
        self.vf = nn.Linear(4, 4)


"""
SETUP = """\
    def setup(self):
        self.enc = Encoder()
        self.pi = nn.Linear(4, 2)
"""
REST = """\

    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.pi(self.enc.pol(batch[Columns.OBS]))}

    def get_non_inference_attributes(self):
        return ["enc.vf"]
"""
DELETED = """\
        if self.inference_only:
            del self.enc.vf
"""


def policy(setup: str = SETUP, rest: str = REST, more: str = "") -> str:
    head = "class Policy(TorchRLModule, InferenceOnlyAPI):\n"
    return f"{IMPORTS}{ENCODER}{head}{setup}{rest}{more}"


def moved(setup: str, directory: Path, after: str = "", **kwargs: str) -> None:
    """The fix of a ``setup()``; by default the deletion goes to its end."""
    codes = "INF301 INF302"
    result = policy(after or setup + DELETED, **kwargs)
    check_transformed(policy(setup, **kwargs), result, directory, codes=codes)


# INF301: where the deletion goes


def test_at_the_end(tmp_path: Path) -> None:
    moved(SETUP, tmp_path)


def test_the_receiver_has_another_name(tmp_path: Path) -> None:
    setup = SETUP.replace("self", "this")
    moved(setup, tmp_path, setup + DELETED.replace("self", "this"))


def test_behind_a_compound_statement_and_before_comments(tmp_path: Path) -> None:
    setup = SETUP + "        if self.model_config:\n            pass  # nothing\n"
    comment = "        # the end\n"
    moved(setup + comment, tmp_path, setup + DELETED + comment)


def test_a_last_block_of_that_mode_is_joined(tmp_path: Path) -> None:
    setup = SETUP + "        if self.inference_only:\n            self.x = 1\n"
    moved(setup, tmp_path, setup + "            del self.enc.vf\n")


def test_before_a_bare_return(tmp_path: Path) -> None:
    moved(SETUP + "        return\n", tmp_path, SETUP + DELETED + "        return\n")


def test_in_an_early_return_of_that_mode(tmp_path: Path) -> None:
    head = SETUP + "        if self.inference_only:\n"
    tail = "            return\n        self.vf = nn.Linear(4, 1)\n"
    moved(head + tail, tmp_path, head + "            del self.enc.vf\n" + tail)


def test_behind_an_early_return_of_the_other_mode(tmp_path: Path) -> None:
    moved(SETUP + "        if not self.inference_only:\n            return\n", tmp_path)


def test_built_in_a_helper_method_and_by_a_base(tmp_path: Path) -> None:
    helper = SETUP.replace("setup", "_build")
    moved("    def setup(self):\n        self._build()\n", tmp_path, rest="\n" + helper + REST)


def test_built_by_the_setup_of_a_base(tmp_path: Path) -> None:
    forward, listed = REST.split("\n    def get_non")
    base = f"{IMPORTS}{ENCODER}class Base(TorchRLModule):\n{SETUP}{forward}\n\n"
    head = "class Policy(Base, InferenceOnlyAPI):\n    def setup(self):\n        super().setup()\n"
    before, after = base + head, base + head + DELETED
    listed = "\n    def get_non" + listed
    check_transformed(before + listed, after + listed, tmp_path, codes="INF301")


def test_tabs_and_crlf_stay(tmp_path: Path) -> None:
    def written(text: str) -> bytes:
        return text.replace("    ", "\t").replace("\n", "\r\n").encode()

    before, after = written(policy()), written(policy(SETUP + DELETED))
    check_transformed(before, after, tmp_path, codes="INF301")


# INF301: how it is reached


def test_elements_go_from_the_last_one_on(tmp_path: Path) -> None:
    built = "        self.heads = nn.ModuleList([nn.Linear(4, 2) for _ in range(3)])\n"
    rest = REST.replace("self.pi(", "self.heads[0](").replace('"enc.vf"', '"heads.1", "heads.2"')
    lines = "            del self.heads[2]\n            del self.heads[1]\n"
    setup = SETUP + built
    guard = "        if self.inference_only:\n"
    moved(setup, tmp_path, setup + guard + lines, rest=rest)


def test_an_element_before_one_in_use_has_to_stay(tmp_path: Path) -> None:
    built = "        self.heads = nn.ModuleList([nn.Linear(4, 2), nn.Linear(4, 2)])\n"
    rest = REST.replace("self.pi(", "self.heads[1](").replace('"enc.vf"', '"heads.0"')
    after = policy(SETUP + built, rest.replace('["heads.0"]', "[]"))
    check_transformed(policy(SETUP + built, rest), after, tmp_path, codes="INF301")


def test_an_element_of_a_dict_in_the_quotes_of_the_file(tmp_path: Path) -> None:
    built = "        self.nets = nn.ModuleDict({'q': nn.Linear(4, 1), 'pi': nn.Linear(4, 2)})\n"
    rest = REST.replace("self.pi(", "self.nets['pi'](").replace('"enc.vf"', "'nets.q'")
    setup = SETUP + built
    result = setup + "        if self.inference_only:\n            del self.nets['q']\n"
    moved(setup, tmp_path, result, rest=rest)


def test_a_path_that_inference_reads_is_taken_off_the_list(tmp_path: Path) -> None:
    rest = REST.replace("self.enc.pol(", "self.enc.vf(")
    after = policy(rest=rest.replace('["enc.vf"]', "[]"))
    check_transformed(policy(rest=rest), after, tmp_path, codes="INF301")


def test_the_leaf_is_also_on_the_module(tmp_path: Path) -> None:
    moved(SETUP + "        self.vf = nn.Linear(4, 1)\n", tmp_path)


# INF301: where there is none


OTHER_LIST = """\
class Other(Policy):
    def _forward(self, batch, **kwargs):
        return {Columns.ACTION_DIST_INPUTS: self.enc.vf(batch[Columns.OBS])}

    def get_non_inference_attributes(self):
        return []
"""
OTHER_SETUP = """\
class Other(Policy):
    def setup(self):
        super().setup()
        nn.init.zeros_(self.enc.vf.weight)
"""
INIT = """\
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.enc.vf.requires_grad_(False)
"""
EARLY = """\
        if self.model_config:
            return
        self.x = 1
"""
ONE_LINE = """\
    def setup(self): self.enc = Encoder(); self.pi = nn.Linear(4, 2)
"""


def test_a_later_read_takes_the_path_off_the_list(tmp_path: Path) -> None:
    after = policy(more=INIT).replace('["enc.vf"]', "[]")
    check_transformed(policy(more=INIT), after, tmp_path, codes="INF301")


@pytest.mark.parametrize(
    ("setup", "more", "reason"),
    [
        (SETUP + EARLY, "", "setup() returns early"),
        (SETUP + "        return 1\n", "", "setup() returns a value"),
        (SETUP + "        raise ValueError\n", "", "setup() raises an error"),
        (ONE_LINE, "", "setup() stands on one line"),
        (SETUP, OTHER_LIST, "Other, which derives from it, may need enc.vf"),
        (SETUP, OTHER_SETUP, "Other.setup may read enc.vf"),
    ],
)
def test_no_fix(tmp_path: Path, setup: str, more: str, reason: str) -> None:
    check_noop(policy(setup, more=more), tmp_path, reason, unsafe=True, codes="INF301")


def test_an_owner_with_its_own_way_to_delete(tmp_path: Path) -> None:
    source = policy().replace("        self.vf = nn.Linear(4, 4)\n", ENCODER_WITH_DELATTR)
    check_noop(source, tmp_path, "Encoder defines __delattr__", unsafe=True, codes="INF301")


ENCODER_WITH_DELATTR = """\
        self.vf = nn.Linear(4, 4)

    def __delattr__(self, name):
        raise AttributeError(name)
"""


def test_a_class_without_a_setup_of_its_own(tmp_path: Path) -> None:
    forward, listed = REST.split("\n    def get_non")
    base = f"{IMPORTS}{ENCODER}class Base(TorchRLModule):\n{SETUP}{forward}\n\n"
    source = f"{base}class Policy(Base, InferenceOnlyAPI):\n    def get_non{listed}"
    check_noop(source, tmp_path, "Policy has no setup() of its own")


# The parts of what inference needs, with INF101 and INF201


def test_nested_parts_come_with_the_override(tmp_path: Path) -> None:
    forward = REST.split("\n    def get_non", maxsplit=1)[0]
    setup = SETUP + "        self.vf = nn.Linear(4, 1)\n"
    method = '    def get_non_inference_attributes(self):\n        return ["vf", "enc.vf"]\n'
    before = policy(setup, forward).replace(", InferenceOnlyAPI)", ")")
    after = policy(f"{setup}{DELETED}\n{method}", forward)
    check_transformed(before, after, tmp_path, codes="INF101")


def test_nested_parts_come_with_the_rest_of_the_list(tmp_path: Path) -> None:
    setup = SETUP + "        self.vf = nn.Linear(4, 1)\n"
    before = policy(setup, REST.replace('["enc.vf"]', "[]"))
    after = policy(setup + DELETED, REST.replace('["enc.vf"]', '["vf", "enc.vf"]'))
    check_transformed(before, after, tmp_path, codes="INF201")


def test_the_list_is_written_without_parts_that_cannot_be_deleted(tmp_path: Path) -> None:
    setup = SETUP + "        self.vf = nn.Linear(4, 1)\n        return 1\n"
    before = policy(setup, REST.replace('["enc.vf"]', "[]"))
    after = policy(setup, REST.replace('["enc.vf"]', '["vf"]'))
    check_transformed(before, after, tmp_path, codes="INF201")


# INF301: where all of it is unused


@pytest.mark.parametrize(
    ("names", "after"),
    [
        ('["heads.vf"]', '["heads"]'),
        ('["heads.vf", "heads.q"]', '["heads"]'),
        ("['heads.vf', 'pool']", "['heads', 'pool']"),
    ],
)
def test_all_of_it(tmp_path: Path, names: str, after: str) -> None:
    setup = (
        SETUP
        + """\
        self.heads = nn.ModuleDict({"vf": nn.Linear(4, 1), "q": nn.Linear(4, 1)})
        self.pool = nn.Linear(4, 1)
"""
    )
    setup = setup if "pool" in names else setup.replace("        self.pool = nn.Linear(4, 1)\n", "")
    rest = REST.replace('["enc.vf"]', names)
    fixed = policy(setup, rest.replace(names, after))
    check_transformed(policy(setup, rest), fixed, tmp_path, codes="INF207 INF301")


def test_all_of_it_is_listed_for_others(tmp_path: Path) -> None:
    """A subclass that may need the rest of it keeps it."""
    setup = SETUP + '        self.heads = nn.ModuleDict({"vf": nn.Linear(4, 1)})\n'
    more = """

class Heir(Policy):
    def _forward_inference(self, batch, **kwargs):
        if self.model_config["heads"]:
            return {Columns.ACTION_DIST_INPUTS: list(self.heads.values())[0](batch[Columns.OBS])}
        return self._forward(batch)
"""
    text = policy(setup, REST.replace('["enc.vf"]', '["heads.vf"]'), more)
    check_noop(text, tmp_path, "Heir may need heads", codes="INF301")
