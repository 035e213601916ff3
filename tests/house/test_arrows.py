"""The rooms import each other only along the arrows of the design; and the check itself can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from .arrows import ARROWS, python_breaches, script_breaches

ROOT = Path(__file__).resolve().parents[2]


def test_python_rooms_follow_the_arrows() -> None:
    assert [str(breach) for breach in python_breaches(ROOT)] == []


def test_typescript_rooms_stay_in_their_room() -> None:
    assert [str(breach) for breach in script_breaches(ROOT)] == []


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """An empty house with a door in every room."""
    for room in ARROWS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("def build(): ...\n")
    for room in ("injector_js", "player_build/player"):
        (tmp_path / room / "src").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "code", "problem"),
    [
        ("reel/model.py", "from pagereel.recorder import build", "reel must not import recorder"),
        ("reel/deep/er.py", "from ...redaction import build", "reel must not import redaction"),
        ("redaction/a.py", "def late():\n    import pagereel.recorder", "redaction must not import recorder"),
        ("recorder/a.py", "from .. import player_build", "recorder must not import player_build"),
        ("integrations/a.py", "import pagereel.cli", "integrations must not import cli"),
        ("front/a.py", "from pagereel.reel import build", "front must not import reel"),
        ("cli/a.py", "from pagereel.reel.writer import build", "reel.writer.build is private"),
        ("cli/a.py", "from pagereel.reel import hidden", "private"),
    ],
)
def test_an_import_against_an_arrow_is_found(house: Path, file: str, code: str, problem: str) -> None:
    path = house / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(code)
    [breach] = python_breaches(house)
    assert problem in str(breach)


def test_an_arrow_that_may_start_in_one_place_does_so(house: Path) -> None:
    (house / "player_build" / "one.py").write_text("from pagereel.redaction import build")
    assert python_breaches(house) == []
    (house / "player_build" / "two.py").write_text("from ..redaction import build")
    [breach] = python_breaches(house)
    assert "in one place only" in str(breach)


def test_typescript_that_leaves_its_room_is_found(house: Path) -> None:
    file = house / "player_build" / "player" / "src" / "a.ts"
    file.write_text('import {\n  encode,\n} from "../../../injector_js/src/encode.ts";\nimport "./fine.ts";\n')
    [breach] = script_breaches(house)
    assert breach.line == 3
