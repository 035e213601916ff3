"""`import pagereel` costs nothing, and gives the front's names with their types."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import inspect
import subprocess
import sys
import typing
import warnings
from pathlib import Path
from typing import Any

import pytest

import pagereel
import pagereel.redaction
from pagereel.errors import UsageError
from pagereel.player_build import BuildOptions, BuildSettings
from pagereel.recorder import AsyncSession, Options, RecordOptions, Session, SyncSession
from pagereel.redaction import known_values, redact
from pagereel.reel import ReelWriter

PROBE = """
import sys, typing
before = set(sys.modules)
import pagereel
pagereel.__version__
print(sorted(set(sys.modules) - before))
assert not hasattr(pagereel, "recrod")
assert {"record", "build"} <= set(dir(pagereel))
"""


def test_importing_the_package_imports_none_of_its_rooms() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", PROBE], capture_output=True, text=True, check=True, timeout=60)
    assert ast.literal_eval(done.stdout) == ["pagereel"]


@pytest.mark.parametrize("room", ["redaction", "library", "library.serving.server"])
def test_a_door_before_the_redaction_compiles_no_recognizer_before_it_is_asked_to_mask(room: str) -> None:
    probe = f"import sys, pagereel.{room}; print([name for name in sys.modules if name.startswith('pagereel.redaction.detect')])"
    done = subprocess.run([sys.executable, "-P", "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    assert ast.literal_eval(done.stdout) == []


def test_every_name_of_the_redactions_door_is_there() -> None:
    for name in pagereel.redaction.__all__:
        assert getattr(pagereel.redaction, name) is not None
    assert not hasattr(pagereel.redaction, "recrod")


def test_every_name_of_the_front_is_there_and_the_same_as_its_rooms() -> None:
    from pagereel.player_build import build
    from pagereel.recorder import record

    assert pagereel.build is build
    assert pagereel.record is record
    assert pagereel.redact is redact
    for name in pagereel.__all__:
        assert getattr(pagereel, name) is not None


@pytest.mark.parametrize(("keywords", "options"), [(RecordOptions, Options), (BuildOptions, BuildSettings)])
def test_the_keywords_of_a_function_are_its_options(keywords: type, options: Any) -> None:
    assert list(keywords.__annotations__) == [field.name for field in dataclasses.fields(options)]


def test_an_option_that_build_does_not_have_is_named(reel: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no option 'tilte'. It has: title, theme, "):
        pagereel.build(reel, tmp_path / "run.html", tilte="Order")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["build", "redact", "compare"])
def test_the_async_form_takes_and_gives_what_the_other_one_does(name: str) -> None:
    plain, awaited = (inspect.signature(getattr(pagereel, each)) for each in (name, f"{name}_async"))
    old = {"policy"}  # redact's word for the redaction before
    assert [p for n, p in plain.parameters.items() if n not in old] == list(awaited.parameters.values())
    assert plain.return_annotation == awaited.return_annotation
    assert inspect.iscoroutinefunction(getattr(pagereel, f"{name}_async"))


def test_the_event_loop_goes_on_while_a_replay_is_built(reel: Path, tmp_path: Path) -> None:
    async def turns() -> int:
        task = asyncio.create_task(pagereel.build_async(reel, tmp_path / "run.html", None))
        count = 0
        while not task.done():
            await asyncio.sleep(0)
            count += 1
        assert (await task).destination == tmp_path / "run.html"
        return count

    assert asyncio.run(turns()) > 2


@pytest.mark.parametrize(
    "kind",
    [Session, SyncSession, AsyncSession, pagereel.record, pagereel.build, pagereel.compare, redact, known_values],
)
def test_no_public_result_is_of_any_type(kind: object) -> None:
    """Beyond this, tests/typing/ says what each result is."""
    methods = inspect.getmembers(kind, inspect.isfunction) if isinstance(kind, type) else [("", kind)]
    for name, function in methods:
        if not name.startswith("_"):
            assert "Any" not in str(inspect.signature(typing.cast(typing.Any, function)).return_annotation), name
            assert (
                inspect.signature(typing.cast(typing.Any, function)).return_annotation is not inspect.Parameter.empty
            ), name


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    path = tmp_path / "run.reel"
    with ReelWriter(path, {"started": 0}) as writer:
        writer.write({"k": "note", "id": 1, "t": 1.0, "text": "Mail to ada@example.com"})
    return path


def test_off_is_no_redaction_everywhere(reel: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = pagereel.build(reel, tmp_path / "run.html", redaction="off")
    assert report.redaction is None
    for nothing in ("off", None):
        with pytest.raises(UsageError, match="would change nothing"):
            redact(reel, tmp_path / "masked.reel", nothing)  # type: ignore[arg-type]
