"""Packages of other people bring formats: `examples/csv_exporter` installed as pip would, and what comes of broken ones."""

from __future__ import annotations

import csv
import importlib
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.integrations import EXPORTERS, export, find_format_of_file, list_formats
from pagereel.integrations.exports import GROUP
from pagereel.reel import ReelWriter

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "csv_exporter"


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    path = tmp_path / "run.reel"
    with ReelWriter(path, {"started": 0}) as writer:
        writer.write({"k": "tool_call", "id": 1, "t": 5.0, "name": "look", "arguments": {"for": "ada@example.com"}})
        writer.write({"k": "tool_result", "id": 2, "t": 6.0, "call": 1, "error": "ada@example.com; not found"})
    return path


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a distribution with these entry points on the path, as `pip install` would."""

    def install_(folder: Path, points: dict[str, str], name: str) -> None:
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [f"[{GROUP}]", *(f"{format} = {value}" for format, value in points.items())]
        (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.syspath_prepend(str(tmp_path))
        importlib.invalidate_caches()

    return install_


def test_an_exporter_of_another_package_is_found_by_name_ending_and_options(
    reel: Path, install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert find_format_of_file("run.csv") is None
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    install(EXAMPLE, project["entry-points"][GROUP], project["name"])
    assert list_formats() == [*EXPORTERS, "csv"]
    out = reel.with_suffix(".csv")
    assert main(["export", str(reel), str(out), "--option", "delimiter=;"]) == 0
    [row] = csv.DictReader(out.read_text("utf-8").splitlines(), delimiter=";")
    assert (row["kind"], row["title"], row["t"]) == ("tool", "look", "5.0")
    assert "ada@example.com" not in out.read_text("utf-8") and row["error"].endswith("not found")
    assert "ada@example.com" in str(export(reel, "csv"))
    capsys.readouterr()
    assert main(["export", str(reel), str(out), "--force", "--option", "colour=red"]) == 2
    assert "has no option 'colour'; it has delimiter" in capsys.readouterr().err
    assert main(["export", str(reel), str(out), "--page", "1"]) == 2


def test_a_broken_exporter_is_one_sentence_and_only_when_it_is_asked_for(
    reel: Path, install: Callable[..., None]
) -> None:
    install(EXAMPLE, {"gone": "no_such_module:it", "odd": "json:dumps", "har": "json:dumps"}, "broken")
    assert find_format_of_file("run.har") == "har" and '"log"' in str(export(reel, "har"))
    assert find_format_of_file("run.unknown") is None
    with pytest.raises(UsageError, match="exporter gone of broken cannot be loaded"):
        export(reel, "gone")
    with pytest.raises(UsageError, match="exporter odd of broken is no"):
        export(reel, "odd")


def test_the_longer_of_two_endings_wins_and_options_are_read_by_their_type(reel: Path) -> None:
    assert find_format_of_file("run.rrweb.json") == "rrweb" and find_format_of_file("RUN.TRAINING.JSONL") == "training"
    assert find_format_of_file("run.jsonl") == "jsonl" and find_format_of_file("run.json") is None
    with pytest.raises(UsageError, match="Unknown format 'pdf'; the formats are markdown"):
        export(reel, "pdf")
    assert main(["export", str(reel), "--format", "rrweb", "-O", "page=one"]) == 2
