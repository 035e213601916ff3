"""A run that must be masked first: a person is told so, a program waits, and what ends badly is told once and tried again."""

from __future__ import annotations

import runpy
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from pagereel.library import Library
from pagereel.library.serving.library_service import LibraryService
from pagereel.library.serving.server import ServeOptions
from pagereel.library.serving.server import open_site as site_of
from pagereel.library.serving.worker import FileNotReadyError, RequestRefusedError

from .runs import made
from .server import tokens

WAITS = """
import os, pathlib, time
while not pathlib.Path({go!r}).exists():
    time.sleep(0.01)
{then}
for name in set(globals()) - {{"status", "error"}}:  # what is left is handed over
    del globals()[name]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "a.reel", "Thank you", id="run-0000", agent="ann"))
    return tmp_path / "runs"


@pytest.fixture
def service(folder: Path) -> Iterator[LibraryService]:
    service = LibraryService(folder)
    yield service
    service.close()


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], tuple[str, Path]]:
    """Gives a task for the other process: a script that does something when a file is there, and that file."""

    def write(then: str) -> tuple[str, Path]:
        go, path = tmp_path / "go", tmp_path / "task.py"
        path.write_text(WAITS.format(go=str(go), then=then))
        return str(path), go

    return write


@pytest.mark.slow
def test_a_person_is_told_that_a_run_is_being_masked(
    folder: Path, tmp_path: Path, script: Callable[[str], tuple[str, Path]]
) -> None:
    task, go = script("")
    with site_of(folder, ServeOptions(port=0, tokens=tokens(tmp_path / "tokens.toml"))) as (site, address, _):
        # It has one process for this: what is asked for after this task has to wait for it.
        busy = threading.Thread(
            target=site.service.make_file_once, args=(tmp_path / "none", None, runpy.run_path, task)
        )
        busy.start()
        client = TestClient(site.build_pages_app(), base_url=address)
        as_admin = {"Authorization": "Bearer admin"}
        as_person = {**as_admin, "Accept": "text/html,*/*"}
        told = client.get("/runs/run-0000", headers=as_person)
        assert told.status_code == 202
        assert "The recording is being masked" in told.text and '<meta http-equiv="refresh" content="0">' in told.text
        go.touch()
        busy.join()
        assert client.get("/runs/run-0000", headers=as_admin).status_code == 200
        told = client.get("/runs/run-0000", headers=as_person)
        assert told.status_code == 200 and 'name="replay"' in told.text and "refresh" not in told.text
    with Library(folder, create=False) as library:
        assert [line["did"] for line in library.log()[0]].count("read") == 2


def test_what_is_being_made_is_made_once(
    service: LibraryService, tmp_path: Path, script: Callable[[str], tuple[str, Path]]
) -> None:
    path = tmp_path / "made"
    task, go = script(f"open({str(path)!r}, 'a').write('once')")
    for _ in range(2):
        with pytest.raises(FileNotReadyError):
            service.make_file_once(path, 0.05, runpy.run_path, task)
    go.touch()
    service.make_file_once(path, None, runpy.run_path, task)
    service.make_file_once(path, 0.05, runpy.run_path, task)
    assert path.read_text() == "once"


def test_what_ended_badly_meanwhile_is_told_once_and_then_tried_again(
    service: LibraryService, tmp_path: Path, script: Callable[[str], tuple[str, Path]]
) -> None:
    path, tries = tmp_path / "made", tmp_path / "tries"
    task, go = script(f"open({str(tries)!r}, 'a').write('x')\nstatus, error = 422, 'No recording.'")
    with pytest.raises(FileNotReadyError):
        service.make_file_once(path, 0.05, runpy.run_path, task)
    go.touch()
    service._showing.queue_task(dict).result()  # comes after it
    with pytest.raises(RequestRefusedError, match="No recording"):
        service.make_file_once(path, 0.05, runpy.run_path, task)
    assert tries.read_text() == "x"
    with pytest.raises(RequestRefusedError, match="No recording"):
        service.make_file_once(path, None, runpy.run_path, task)
    assert tries.read_text() == "xx"


def test_a_process_that_ended_is_followed_by_another(
    service: LibraryService, script: Callable[[str], tuple[str, Path]]
) -> None:
    task, go = script("os._exit(1)")
    go.touch()
    with pytest.raises(RequestRefusedError, match="whoever reads it ends"):
        service.run_upload(runpy.run_path, task, upload=Path(task))
    assert service.run_upload(dict, upload=Path(task)) == {}


def test_the_process_begins_for_whom_sees_other_than_the_index(folder: Path) -> None:
    service = LibraryService(folder)
    service.warm_up_builder(service.index)
    assert not service.is_builder_running
    service.warm_up_builder("internal")
    assert service.is_builder_running
    service.close()
    assert not service.is_builder_running
