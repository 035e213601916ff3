"""What is left when somebody is killed, when a file is damaged, when two do something at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library, library_folder
from pagereel.library.catalogue import SqliteCatalogue
from pagereel.library.recording_store import RecordingStore
from pagereel.library.retention import delete_unused_resources
from pagereel.reel import SharedResourceFolder

from .runs import made
from .test_retention import AGES, DAY, START, ruled, walked


class Killed(BaseException):
    """Stands for SIGKILL: nobody catches it. (With the real one: test_library.py.)"""


def state(library: Library) -> tuple[object, list[str]]:
    """What a library answers, and its files but for locks and its database."""
    names = sorted(str(path.relative_to(library.folder)) for path in library.folder.rglob("*") if path.is_file())
    return library.search("seen:later", limit=200), [name for name in names if not name.startswith(("catalogue", "library.l"))]  # fmt: skip


@pytest.mark.parametrize("where", ["put 1", "put 2", "note", "note after", "catalogue"])
@pytest.mark.parametrize("again", [False, True], ids=["new", "grown"])
def test_killed_at_any_point_of_an_addition(
    where: str, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = made(tmp_path / "x.reel", "one", id="aaaaaa")
    with ruled(tmp_path / "runs", "", index="vendor") as library:
        library.add(made(tmp_path / "y.reel", "beside", id="bbbbbb"))
        if again:
            library.add(source)
        made(source, "one", "and later", id="aaaaaa")
        calls = 0

        def killing(real, at: int, after: bool = False):  # type: ignore[no-untyped-def]
            def called(*given, **named):  # type: ignore[no-untyped-def]
                nonlocal calls
                calls += 1
                if calls == at and not after:
                    raise Killed
                told = real(*given, **named)
                if calls == at:
                    raise Killed
                return told

            return called

        with monkeypatch.context() as patched, pytest.raises(Killed):
            if where.startswith("put"):
                patched.setattr(
                    RecordingStore, "move_into_place", killing(RecordingStore.move_into_place, int(where[-1]))
                )
            elif where.startswith("note"):
                patched.setattr(Library, "note", killing(Library.note, 1, after=where.endswith("after")))
            else:
                patched.setattr(SqliteCatalogue, "write_run", killing(SqliteCatalogue.write_run, 1))
            library.add(source)
    with Library(tmp_path / "runs") as library:
        library.flag("bbbbbb", "anything")  # any next writer clears away
        kept = where in ("note after", "catalogue")
        assert library.search("seen:later").total == kept
        assert library.search("seen:one").total == (again or kept)
        left = [path.name for folder in ("recordings", "masked") for path in (tmp_path / "runs" / folder).iterdir()]
        assert len(left) == (4 if again or kept else 2), "no file that nobody knows of"
        assert not (tmp_path / "runs" / "taking.json").exists()
        before = state(library)
        library.rebuild()
        assert state(library) == before
        assert library.add(source).did == ("known" if kept else "replaced" if again else "added")
        assert library.search("seen:later").total == 1 and library.log()[1] and not library.find_leftovers()


def test_a_rebuild_that_was_killed_leaves_no_copy_of_the_index(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "x.reel", "canary", id="aaaaaa"))
        left = tmp_path / "runs" / ".catalogue.sqlite.0123456789ab-wal"
        left.write_bytes(b"canary")
        library.delete("aaaaaa")
        assert not left.exists()


def test_who_has_the_library_open_sees_a_catalogue_that_was_made_again(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", "") as library, Library(tmp_path / "runs") as other:
        library.add(made(tmp_path / "x.reel", "one", id="aaaaaa"))
        assert other.search("seen:one").total == 1
        library.rebuild()
        library.add(made(tmp_path / "x.reel", "one", id="bbbbbb"))
        assert other.search("seen:one").total == 2
        other.add(made(tmp_path / "x.reel", "one", id="cccccc"))
        assert library.search("seen:one").total == 3


def test_one_damaged_recording_stops_neither_expiry_nor_a_rebuild(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs"
    with ruled(folder, AGES) as library:
        for id in ("aaaaaa", "bbbbbb", "cccccc"):
            library.add(walked(tmp_path / "x.reel", id))
        (folder / "recordings" / "bbbbbb.reel").write_bytes(b"nothing that opens")
        told = library.expire(START + 31 * DAY)
        assert told.thinned == ["aaaaaa", "cccccc"] and list(told.failed) == ["bbbbbb"]
        assert library.rebuild() == 2 and list(library.unread) == ["bbbbbb"]
    assert main(["library", "rebuild", str(folder)]) == 1
    assert "bbbbbb" in capsys.readouterr().err


def test_a_library_that_cannot_read_a_run_lets_it_go_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(walked(tmp_path / "x.reel", "bbbbbb"))
        (tmp_path / "runs" / "recordings" / "bbbbbb.reel").write_bytes(b"nothing that opens")
    expire = ["library", "expire", str(tmp_path / "runs"), "--json", "--now"]
    assert main([*expire, "2026-12-03"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["thinned"], list(told["failed"])) == ([], ["bbbbbb"])
    assert main([*expire, "2027-12-03"]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"] == ["bbbbbb"]


def test_what_is_kept_is_not_deleted_before_it_is_released_and_flags_go_with_a_run(tmp_path: Path) -> None:
    source = made(tmp_path / "x.reel", "one", id="aaaaaa")
    with ruled(tmp_path / "runs", "") as library:
        library.add(source)
        library.flag("aaaaaa", "evidence")
        library.keep("aaaaaa", "ticket 4711")
        with pytest.raises(UsageError, match="ticket 4711"):
            library.delete("aaaaaa")
        library.release("aaaaaa")
        library.delete("aaaaaa")
        library.add(source)
        assert library.search("flag:evidence").total == 0
        library.rebuild()
        assert library.search("flag:evidence").total == 0 and library.search("").total == 1


def test_a_line_of_the_log_that_was_torn_hides_no_other(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "x.reel", "one", id="aaaaaa"))
        with (tmp_path / "runs" / "library.log").open("ab") as log:
            log.write(b'{"when": "2026-')
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "x.reel", "two", id="bbbbbb"))
        assert library.rebuild() == 2
        lines, whole = library.log()
        assert [line["did"] for line in lines] == ["add", "add"] and not whole


def test_a_clock_that_was_years_ahead_makes_no_run_immortal(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", AGES) as library:
        library.add(walked(tmp_path / "x.reel", started=START + 30_000 * DAY))
        assert library.expire(START + 400 * DAY).deleted == ["aaaaaa"]


def test_what_a_recording_that_is_just_being_added_shares_is_not_cleared_away(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "x.reel", "one", id="aaaaaa"))
        shared = SharedResourceFolder(tmp_path / "runs" / "recordings")
        sha256 = "ab" * 32
        shared.store_content(sha256, b"a font")
        with Library(tmp_path / "runs") as other, other.temporary_folder() as scratch:
            (scratch / "made.shared").write_text(sha256)
            assert delete_unused_resources(library) == 0
        assert delete_unused_resources(library) == 1


def test_options_that_cannot_be_are_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(made(tmp_path / "x.reel", "one", id="aaaaaa"))
    assert main(["library", "add", str(tmp_path / "runs"), source, "--link", "--masked"]) == 2
    assert main(["library", "add", str(tmp_path / "runs"), str(tmp_path / "none.reel"), source]) == 1
    assert "not added: " in capsys.readouterr().err
    assert main(["library", "keep", str(tmp_path / "runs"), "aaa", "--why", "x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"kept": ["aaaaaa"]}
    assert main(["library", "delete", str(tmp_path / "runs"), "aaa"]) == 2
    assert main(["library", "keep", str(tmp_path / "runs"), "aaa", "--release", "--json"]) == 0
    assert main(["library", "delete", str(tmp_path / "runs"), "aaa", "--why", "asked for by its owner"]) == 0
    assert main(["library", "list", str(tmp_path / "runs")]) == 0
    assert "0 runs" in capsys.readouterr().out


def test_a_folder_that_another_writer_cleared_away_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three that wrote at once one failed, once in some hundred runs."""
    library = ruled(tmp_path / "runs", "", index="vendor")
    lock = library_folder._lock_file
    cleared: list[Path] = []

    def late(fd: int, *, wait: bool = True) -> None:
        if not cleared:
            cleared.extend((tmp_path / "runs" / library_folder.INCOMING).iterdir())
            monkeypatch.setattr(library_folder, "_lock_file", lock)
            library_folder._remove_abandoned_folder(cleared[0])
        lock(fd, wait=wait)

    monkeypatch.setattr(library_folder, "_lock_file", late)
    with library.temporary_folder() as made:
        assert made.is_dir()
        assert made not in cleared
    library.close()
