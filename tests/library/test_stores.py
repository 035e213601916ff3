"""A library whose recordings lie in a store, and recordings that come from one; prepared in other processes, and on Dask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library
from pagereel.reel import open_reel

from .runs import made
from .test_retention import AGES, BETWEEN, DAY, ENDED, START, everything, tails, walked

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[str]:
    """A store that fsspec reaches, with its files on this disk, so that other processes see them and all their bytes can be looked at."""
    (tmp_path / "bucket").mkdir()
    yield f"file://{tmp_path}/bucket"


def kept(folder: Path, store: str, more: str = "") -> Library:
    folder.mkdir()
    (folder / "library.toml").write_text(f'index = "off"\nstore = "{store}/library"\n{more}')
    return Library(folder)


def test_recordings_lie_in_the_store_and_are_found(store: str, tmp_path: Path) -> None:
    with kept(tmp_path / "runs", store) as library:
        first = made(tmp_path / "x.reel", "hello there", id="aaaaaa")
        assert library.add(first).did == "added"
        assert library.add(first).did == "known"
        (run,) = library.search("seen:hello").runs
        assert (tmp_path / "bucket" / "library" / run.path).read_bytes() == first.read_bytes()
        assert not list((tmp_path / "runs" / "recordings").iterdir())
        assert library.show("aaa")["outcome"] == "passed"
        made(tmp_path / "x.reel", "hello again", id="aaaaaa")
        assert library.add(tmp_path / "x.reel").did == "replaced"
        assert len(list((tmp_path / "bucket" / "library" / "recordings").iterdir())) == 1
        answer = library.search("seen:again")
        assert answer.total == 1 and library.rebuild() == 1 and library.search("seen:again") == answer
        entry = library.resolve("aaa")
        path = library.places.get_lasting_path(entry, entry.place)
        assert path.is_relative_to(tmp_path / "runs" / "served") and path == library.places.get_lasting_path(
            entry, entry.place
        )
        library.delete("aaa")
        assert not path.exists() and not list((tmp_path / "bucket" / "library" / "recordings").iterdir())
        assert not library.find_leftovers()


def test_runs_grow_old_in_a_store(store: str, tmp_path: Path) -> None:
    with kept(tmp_path / "runs", store, AGES) as library:
        library.add(walked(tmp_path / "a.reel"))
        assert set(tails(list(BETWEEN.values()), everything(tmp_path / "bucket"))) == set(BETWEEN.values())
        library.expire(START + 31 * DAY)
        assert library.search(f"seen:{ENDED}").total == 1
        assert tails(list(BETWEEN.values()), everything(tmp_path / "bucket") + everything(tmp_path / "runs")) == []
        library.expire(START + 301 * DAY)
        assert not [path for path in (tmp_path / "bucket" / "library").rglob("*") if path.is_file()]


def test_recordings_come_from_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory = fsspec.filesystem("memory")
    memory.mkdirs("/day", exist_ok=True)
    for number in range(3):
        memory.put_file(str(made(tmp_path / "x.reel", f"line {number}", id=f"run{number:03}")), f"/day/{number}.reel")
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "library.toml").write_text('index = "off"\n')
    assert main(["library", "add", str(folder), "memory://day/*.reel"]) == 0
    assert capsys.readouterr().out.count("added ") == 3
    assert main(["library", "add", str(folder), "memory://day/*.reel", "memory://day/none.reel"]) == 1
    told = capsys.readouterr()
    assert told.out.count("known ") == 3 and "does not exist" in told.err
    memory.rm("/day", recursive=True)


@pytest.mark.parametrize(
    ("where", "executor"),
    [
        ("folder", "processes"),
        pytest.param("store", "dask", marks=pytest.mark.slow),
        pytest.param("folder", "dask", marks=pytest.mark.slow),
        pytest.param("store", "processes", marks=pytest.mark.slow),
    ],
)
def test_they_are_prepared_elsewhere(executor: str, where: str, store: str, tmp_path: Path) -> None:
    if executor == "dask":
        pytest.importorskip("distributed")
    files = [made(tmp_path / f"{n}.reel", f"line {n} of Tamsin Ostenmark", id=f"run{n:03}") for n in range(4)]
    (tmp_path / "no.reel").write_bytes(b"no recording")
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "library.toml").write_text(f'store = "{store}/library"\n' if where == "store" else "")
    with Library(folder) as library:
        told = {
            Path(name).name: (added, error)
            for name, added, error in library.add_many([*files, tmp_path / "no.reel"], jobs=2, executor=executor)
        }
        assert told["no.reel"][0] is None and "is not a recording" in str(told["no.reel"][1])
        assert library.search("seen:line").total == 4 and library.search("ostenmark").total == 0
        assert not list((folder / "incoming").iterdir())
        names = [run.path for run in library.search("").runs]
    root = tmp_path / "bucket" / "library" if where == "store" else folder
    for name in names:
        with open_reel(root / name) as reel:
            assert "Ostenmark" in str(list(reel.events())), "what was given is kept as it was"


def test_a_store_is_an_address(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text('store = "/somewhere"\n')
    with pytest.raises(UsageError, match="store is an address"):
        Library(tmp_path / "runs")
