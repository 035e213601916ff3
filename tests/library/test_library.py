"""Recordings go in, are found, and the catalogue can be made again."""

from __future__ import annotations

import itertools
import json
import random
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library
from pagereel.player_build import build

from .runs import lines_in, made


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Library]:
    """A library that masks nothing: what is tested is the search."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text('index = "off"\n')
    with Library(tmp_path / "runs") as library:
        yield library


def ids(library: Library, query: str) -> list[str]:
    return [run.id for run in library.search(query).runs]


def test_operators_find_what_they_name(raw: Library, tmp_path: Path) -> None:
    raw.add(made(tmp_path / "a.reel", "Your card was declined", id="aaaaaa", started=1_000, agent="Checkout-Bot", success=False, said="Pay by card", cost=0.75,
                 metadata={"tenant": "acme", "test": "tests/test_pay.py::test_pays"}))  # fmt: skip
    raw.add(
        made(tmp_path / "b.reel", "Thank you", "Order placed", id="bbbbbb", started=2_000, agent="other", success=True)
    )
    raw.add(made(tmp_path / "c.reel", "結帳失敗了", id="cccccc", started=3_000, closed=False))
    for query, found in {
        "": "cccccc bbbbbb aaaaaa",
        "agent:checkout-BOT": "aaaaaa",
        "agent:check*": "aaaaaa",
        "agent:check": "",
        "outcome:failed": "aaaaaa",
        "-outcome:failed": "cccccc bbbbbb",
        "tool:search_web model:some-model-*": "cccccc bbbbbb aaaaaa",
        "host:shop.example path:/cart": "cccccc bbbbbb aaaaaa",
        "path:/cart/*s": "cccccc bbbbbb aaaaaa",
        "path:/car[t": "",
        "tenant:acme test:*test_pays": "aaaaaa",
        "cost:>0.5": "aaaaaa",
        "steps:1 tokens:>=120 duration:<1s": "cccccc aaaaaa",
        "after:1970-01-01T00:00:02": "cccccc bbbbbb",
        "before:1970-01-01T00:00:02": "aaaaaa",
        'seen:"card was"': "aaaaaa",
        'seen:"was card"': "",
        'seen:"pay by card"': "",
        'said:"PAY by card"': "aaaaaa",
        "card -declined": "",
        "seen:結帳失敗": "cccccc",
        "seen:失敗": "cccccc",
        "gap:any": "cccccc",
        "gap:unsealed": "cccccc",
    }.items():
        assert ids(raw, query) == found.split(), query
    (run,) = raw.search("seen:declined").runs
    assert [(hit.kind, hit.text) for hit in run.hits] == [("page", "Your card was declined")]
    assert run.path == "recordings/aaaaaa.reel"
    assert (run.outcome, run.steps, run.cost) == ("failed", 1, 0.75)
    (run,) = raw.search("order").runs
    assert 500 <= run.hits[0].t <= 600, "a line is found where it came, not where the recording began"


def test_pages_follow_each_other(raw: Library, tmp_path: Path) -> None:
    for number in range(7):
        raw.add(made(tmp_path / "x.reel", f"run {number}", id=f"run{number:03}", started=1_000.0 + number // 2))
    seen: list[str] = []
    cursor = None
    while True:
        answer = raw.search("seen:run", limit=3, cursor=cursor)
        assert answer.total == 7
        seen += [run.id for run in answer.runs]
        cursor = answer.next
        if cursor is None:
            break
    assert seen == [f"run{number:03}" for number in reversed(range(7))]
    with pytest.raises(UsageError, match="is not a cursor"):
        raw.search("seen:run", cursor="yesterday")


def test_adding_again_changes_nothing_and_what_grew_is_replaced(raw: Library, tmp_path: Path) -> None:
    first = made(tmp_path / "x.reel", "one", id="aaaaaa")
    assert raw.add(first).did == "added"
    assert raw.add(first).did == "known"
    made(tmp_path / "x.reel", "one", "two", id="aaaaaa")
    assert raw.add(tmp_path / "x.reel").did == "replaced"
    assert (ids(raw, "seen:one"), ids(raw, "seen:two")) == (["aaaaaa"], ["aaaaaa"])
    made(tmp_path / "x.reel", "three", id="aaaaaa")
    raw.add(tmp_path / "x.reel")
    assert (ids(raw, "seen:one"), ids(raw, "seen:three")) == ([], ["aaaaaa"])
    assert "one" not in lines_in(raw)


def test_neither_a_masked_copy_nor_what_comes_later_takes_the_place_of_what_is_whole_and_kept(tmp_path: Path) -> None:
    reel = made(tmp_path / "a.reel", "Write to ana.lima@lima-books.pt", id="4f1d0c9a77e24b0f8c1d2e3f4a5b6c7d")
    build(reel, tmp_path / "a.html")
    with Library(tmp_path / "library") as library:
        assert library.add(reel).did == "added"
        assert library.add(tmp_path / "a.html").did == "known"
        assert (
            library.folder / "recordings" / "4f1d0c9a77e24b0f8c1d2e3f4a5b6c7d.reel"
        ).read_bytes() == reel.read_bytes()
        library.keep("4f1d0c9a77e24b0f8c1d2e3f4a5b6c7d", "ticket 4711")
        with pytest.raises(UsageError, match="ticket 4711"):
            library.add(made(tmp_path / "b.reel", "Another", id="4f1d0c9a77e24b0f8c1d2e3f4a5b6c7d"))
        library.release("4f1d0c9a77e24b0f8c1d2e3f4a5b6c7d")
        assert library.add(tmp_path / "b.reel").did == "replaced"
    with Library(tmp_path / "other") as other:
        assert other.add(tmp_path / "a.html").did == "added"
        assert other.add(reel).did == "replaced", "the recording itself takes the place of a copy"


def test_what_the_index_looks_through_is_masked(tmp_path: Path) -> None:
    secret = made(tmp_path / "x.reel", "Write to tamsin.ostenmark@example.net today", id="aaaaaa", agent="bot")
    with Library(tmp_path / "runs") as library:
        library.add(secret)
        assert ids(library, "seen:today") == ["aaaaaa"]
        assert ids(library, "ostenmark") == []
        assert library.show("aaa")["outcome"] == "passed"
    held = {path.name: path for path in (tmp_path / "runs").rglob("*") if path.is_file()}
    for name in ("catalogue.sqlite", "library.log"):
        assert b"tamsin" not in held[name].read_bytes().lower().replace(b"search", b"")
    assert {stat.S_IMODE(path.stat().st_mode) for path in held.values()} == {0o600}
    assert (tmp_path / "runs" / "recordings" / "aaaaaa.reel").read_bytes() == secret.read_bytes()
    with Library(tmp_path / "alone") as library:
        library.add(secret, masked=True)
        assert not list((tmp_path / "alone" / "recordings").iterdir())
        assert ids(library, "seen:today") == ["aaaaaa"]
        assert library.rebuild() == 1
        assert ids(library, "seen:today") == ["aaaaaa"]


def test_what_was_taken_in_raw_is_masked_when_the_library_comes_to_mask(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text('index = "off"\n')
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "x.reel", "Write to tamsin.ostenmark@example.net today", id="aaaaaa"))
        assert library.catalogue.has_unmasked_runs() and ids(library, "ostenmark") == ["aaaaaa"]
    (tmp_path / "runs" / "library.toml").write_text("")
    with Library(tmp_path / "runs") as library:
        assert library.catalogue.has_unmasked_runs(), "until it is rebuilt, readers are refused"
        library.rebuild()
        assert not library.catalogue.has_unmasked_runs()
        assert ids(library, "ostenmark") == [] and ids(library, "seen:today") == ["aaaaaa"]
        assert library.rebuild() == 1 and [line["did"] for line in library.log()[0]].count("mask") == 1


def test_a_recording_can_stay_where_it_is(raw: Library, tmp_path: Path) -> None:
    stays = made(tmp_path / "x.reel", "hello", id="aaaaaa")
    raw.add(stays, link=True)
    (run,) = raw.search("seen:hello").runs
    assert run.path == str(stays.resolve())
    assert not list((tmp_path / "runs" / "recordings").iterdir())


WORDS = [
    "card",
    "cart",
    "order",
    "paid",
    "declined",
    "total",
    "refund",
    "ship",
    "open",
    "again",
    "später",
    "café",
    "結帳",
    "付款",
]


def test_two_hundred_queries_as_brute_force_and_after_a_rebuild(raw: Library, tmp_path: Path) -> None:
    dice = random.Random(17)
    runs: dict[str, list[str]] = {}
    facts: dict[str, tuple[str, str, float]] = {}
    for number in range(30):
        id = f"run{number:03}"
        runs[id] = [" ".join(dice.choices(WORDS, k=dice.randrange(1, 6))) for _ in range(dice.randrange(1, 5))]
        agent, success, cost = dice.choice(["ann", "bob"]), dice.choice([True, False, None]), round(dice.random(), 2)
        facts[id] = agent, {True: "passed", False: "failed", None: "passed"}[success], cost
        raw.add(made(tmp_path / "x.reel", *runs[id], id=id, started=1_000.0 + number, agent=agent, success=success, cost=cost))  # fmt: skip

    def phrase_in(phrase: str, line: str) -> bool:
        if re.search("[一-鿿]", phrase):
            return phrase in line
        return f" {phrase} " in f" {line} ".replace("é", "e")

    queries: list[tuple[str, list[str]]] = []
    for _ in range(200):
        phrase = " ".join(dice.choices(WORDS, k=dice.choice([1, 1, 2]))).replace("é", "e")
        agent, outcome, least = dice.choice(["ann", "bob"]), dice.choice(["passed", "failed"]), round(dice.random(), 2)
        shown, negated = dice.random() < 0.8, dice.random() < 0.3
        query = (
            f'seen:"{phrase}" ' if shown else ""
        ) + f"{'-' if negated else ''}agent:{agent} -outcome:{outcome} cost:<{least}"
        found = [
            id
            for id in sorted(runs, reverse=True)
            if (not shown or any(phrase_in(phrase, line) for line in runs[id]))
            and (facts[id][0] == agent) is not negated
            and facts[id][1] != outcome
            and facts[id][2] < least
        ]
        queries.append((query, found))
    assert sum(bool(found) for _, found in queries) > 60
    for query, found in queries:
        assert ids(raw, query) == found, query
    before = [raw.search(query) for query, _ in queries]
    assert raw.rebuild() == 30
    assert [raw.search(query) for query, _ in queries] == before


ADD = """
import sys
from pagereel.library import Library
from pagereel.player_build import build
print("begins", flush=True)
with Library(sys.argv[1]) as library:
    for path in sys.argv[2:]:
        library.add(path)
"""


@pytest.mark.slow
def test_killed_in_the_middle_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "library.toml").write_text('index = "off"\n')
    files = [
        made(tmp_path / f"{n}.reel", f"line {n}", *("more " * n for n in range(20)), id=f"run{n:03}") for n in range(20)
    ]
    for nth in itertools.count(1):
        child = subprocess.Popen([sys.executable, "-c", ADD, str(folder), *map(str, files)], stdout=subprocess.PIPE)
        assert child.stdout is not None and child.stdout.readline() == b"begins\n"
        time.sleep(0.02 * (nth % 12))
        if nth <= 10:
            child.send_signal(signal.SIGKILL)
        child.communicate()
        with Library(folder) as library:
            _, whole = library.log()
            assert whole
            there = ids(library, "")
            assert len(there) == len(set(there))
            for id in there:
                assert ids(library, f'seen:"line {int(id[3:])}"') == [id]
        if nth > 10:
            break
    assert sorted(there) == [f"run{n:03}" for n in range(20)]
    with Library(folder) as library:
        assert library.rebuild() == 20
        assert not list(folder.rglob(".*"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "runs")
    run = made(tmp_path / "x.reel", "Your card was declined", id="abcdef1", agent="bot", success=False)
    assert main(["library", "search", folder, "x"]) == 2
    assert "is not a library" in capsys.readouterr().err
    (tmp_path / "no.reel").write_bytes(b"no reel")
    assert main(["library", "add", folder, str(run), str(tmp_path / "no.reel"), str(tmp_path / "none.reel")]) == 1
    told = capsys.readouterr()
    assert told.out == f"added abcdef1 {run}\n"
    assert told.err.count("not added: ") == 2
    assert main(["library", "search", folder, "outcome:failed", "seen:declined", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == 1 and found["next"] is None
    assert found["runs"][0]["hits"] == [
        {"kind": "page", "t": pytest.approx(30, abs=30), "text": "Your card was declined"}
    ]
    assert set(found["runs"][0]) == {
        "id",
        "path",
        "started",
        "duration",
        "agent",
        "outcome",
        "recovered",
        "steps",
        "cost",
        "hits",
    }
    assert main(["library", "search", folder, "cost:much"]) == 2
    assert "at character 6" in capsys.readouterr().err
    assert main(["library", "show", folder, "abc"]) == 0
    assert "failed" in capsys.readouterr().out
    assert main(["library", "show", folder, "zzz"]) == 2
    assert main(["library", "list", folder]) == 0
    assert "1 run\n" in capsys.readouterr().out
    assert main(["library", "audit", folder]) == 0
    log = tmp_path / "runs" / "library.log"
    log.write_bytes(log.read_bytes().replace(b"abcdef1", b"abcdef2", 1))
    assert main(["library", "audit", folder]) == 1
    assert main(["library", "dance", folder]) == 2


def test_a_folder_with_other_things_becomes_no_library(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds other files"):
        Library(tmp_path / "home")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text("index = 3\n")
    with pytest.raises(UsageError, match="index is a policy"):
        Library(tmp_path / "runs")


def test_what_hinders_the_catalogue_is_said_with_what_helps(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    with Library(folder) as library:
        library.add(made(tmp_path / "a.reel", "Thank you"))
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)); from pagereel.cli import main; sys.exit(main(sys.argv[1:]))"
    full = subprocess.run(
        [sys.executable, "-c", limited, "library", "list", str(folder)], capture_output=True, text=True, check=False
    )
    assert full.returncode == 2 and "see that its disk has room" in full.stderr and "rebuild" not in full.stderr, full
    (folder / "catalogue.sqlite").write_bytes(b"no database at all" * 1000)
    with Library(folder) as library, pytest.raises(UsageError, match=r"library rebuild .*makes it again"):
        library.search("")
