"""What docs/stability.md calls public is what the committed list says: a name, an option or a key of JSON goes or comes on purpose."""

from __future__ import annotations

import difflib
import json
import re
import shutil
from pathlib import Path

import pytest

from pagereel.cli import main

from .public import GOLDEN, LIST, MODULES, ROOT, UNASKED, player, shape, text

STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")


def test_names_options_and_json_are_those_of_the_list() -> None:
    there = LIST.read_text("utf-8").splitlines()
    lines = list(difflib.unified_diff(there, text().splitlines(), "list", "code", n=2, lineterm=""))
    if lines:
        pytest.fail(
            "What is public has changed. Is it meant, and may this version do it (docs/stability.md)? Then write it with "
            "`python -m tests.house.public`, and a line for users into CHANGELOG.md:\n" + "\n".join(lines[:60])
        )


def test_the_page_names_each_module_and_each_member_of_the_player() -> None:
    assert set(re.findall(r"(?m)^\| `(pagereel[\w.]*)` \|", STABILITY)) == set(MODULES)
    told = STABILITY.split("`window.pagereel`")[1].split("\n")[0]
    assert [name for name in player() if f"`{name}" not in told] == []


def test_the_page_names_what_an_address_takes_and_the_group_of_exporters() -> None:
    listed = json.loads(LIST.read_text("utf-8"))
    assert [name for name in listed["address"] if not re.search(rf"`#{name}=?`", STABILITY)] == []
    assert f"`{listed['entry points']}`" in STABILITY


def test_each_command_that_prints_json_has_its_keys_in_the_list_or_a_reason() -> None:
    listed = json.loads(LIST.read_text("utf-8"))
    printing = {name.removeprefix("pagereel ") for name, takes in listed["commands"].items() if "--json" in takes}
    films = {
        f"export {form}" for form in ("gif", "mp4", "strip", "webm", "webp")
    }  # They take seconds; what they print is export's.
    assert printing == {*listed["json"], *UNASKED, *films}


def test_the_command_lines_page_has_each_variable_of_the_environment() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert (
        sorted(re.findall(r"(?m)^\| `(PAGEREEL_\w+)` \|", page)) == json.loads(LIST.read_text("utf-8"))["environment"]
    )


def test_the_page_of_the_installation_says_what_each_extra_brings() -> None:
    page = (ROOT / "docs" / "installing.md").read_text("utf-8").split("## What each extra brings")[1].split("\n## ")[0]
    told = [name for row in re.findall(r"(?m)^\| (`.*?) \|", page) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(told) == json.loads(LIST.read_text("utf-8"))["extras"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("verify failed.reel", 0),
        ("verify cut.reel", 1),
        ("compare paid.reel paid.reel --redaction off", 0),
        ("compare paid.reel failed.reel --redaction off", 1),
        ("gate failed.reel --known values.txt", 1),
        ("library add raw paid.reel broken.reel", 1),
        ("library audit library", 0),
        ("info broken.reel", 2),
        ("info locked.reel", 2),
        ("info absent.reel", 2),
        ("info failed.reel --such", 2),
    ],
)
def test_the_exit_status_is_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, status: int
) -> None:
    shutil.copytree(GOLDEN, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    Path("values.txt").write_text("Elena Marchetti\n")
    Path("broken.reel").write_text("no recording")
    Path("cut.reel").write_bytes(Path("failed.reel").read_bytes()[:3000])
    Path("raw").mkdir()
    Path("raw/library.toml").write_text('index = "off"\n')
    assert main(line.split()) == status, capsys.readouterr().err


def test_an_interrupted_command_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("pagereel.cli.info.print_info", stop)
    assert main(["info", str(GOLDEN / "failed.reel")]) == 130


def test_the_shape_of_a_list_has_the_keys_of_all_its_items() -> None:
    assert shape({"a": [{"x": 1}, {"x": None, "y": ["t"]}]}) == {"a": [{"x": "number", "y": ["text"]}]}
