"""The same library with its catalogue on a Postgres server gives the same answers."""

from __future__ import annotations

import random
import secrets
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.library import Library

from .runs import lines_in, made
from .test_retention import AGES, BETWEEN, DAY, ENDED, START, walked

WORDS = [
    "card",
    "cart",
    "order",
    "paid",
    "declined",
    "total",
    "refund",
    "später",
    "café",
    "結帳",
    "付款",
    "it's",
    "a\\b",
    "100",
    "e-mail",
]


def shared(folder: Path, postgres: str, more: str = "") -> Library:
    """A library with a schema of its own on the server."""
    folder.mkdir()
    (folder / "library.toml").write_text(
        f'index = "off"\ncatalogue = "{postgres}"\nschema = "t{secrets.token_hex(6)}"\n{more}'
    )
    return Library(folder)


def queries(dice: random.Random, count: int) -> list[str]:
    """Queries of all operators."""
    found = []
    for _ in range(count):
        terms = [
            f'seen:"{" ".join(dice.choices(WORDS, k=dice.choice([1, 1, 2])))}"',
            f"said:{dice.choice(['pay', 'ship', 'nothing'])}",
            dice.choice(WORDS[:8]),
            f"agent:{dice.choice(['ann', 'b*', 'nob%dy', '*n_n*'])}",
            f"outcome:{dice.choice(['passed', 'failed', 'unknown'])}",
            f"cost:{dice.choice('<>')}{dice.random():.2f}",
            f"after:1970-01-01T00:00:0{dice.randrange(9)}",
            dice.choice(
                [
                    "path:/cart",
                    "path:/c*t",
                    "host:shop.example",
                    "tool:search*",
                    "gap:any",
                    "model:some-model-1",
                    "tier:full",
                    "steps:1",
                ]
            ),
        ]
        picked = dice.sample(terms, k=dice.choice([1, 1, 2, 3]))
        found.append(" ".join(("-" if dice.random() < 0.2 else "") + term for term in picked))
    return found


@pytest.mark.slow
def test_both_databases_give_the_same_answers(postgres: str, tmp_path: Path) -> None:
    dice = random.Random(29)
    (tmp_path / "lite").mkdir()
    (tmp_path / "lite" / "library.toml").write_text('index = "off"\n')
    with Library(tmp_path / "lite") as lite, shared(tmp_path / "great", postgres) as great:
        for number in range(40):
            lines = [" ".join(dice.choices(WORDS, k=dice.randrange(1, 6))) for _ in range(dice.randrange(1, 5))]
            source = made(
                tmp_path / "x.reel", *lines, id=f"run{number:03}", started=1_000.0 * (number // 4), agent=dice.choice(["ann", "bob", None]),
                success=dice.choice([True, False, None]), cost=round(dice.random(), 2), said=dice.choice(["pay now", "ship"]), closed=number % 5 > 0,
            )  # fmt: skip
            assert lite.add(source) == great.add(source)
        asked = queries(dice, 200)
        answers = [lite.search(query, limit=7) for query in asked]
        assert sum(answer.total > 0 for answer in answers) > 90
        for query, answer in zip(asked, answers, strict=True):
            assert great.search(query, limit=7) == answer, query
        page = great.search("", limit=7)
        assert page == lite.search("", limit=7)
        assert great.search("", limit=7, cursor=page.next) == lite.search("", limit=7, cursor=page.next)
        assert great.rebuild() == 40
        assert [great.search(query, limit=7) for query in asked] == answers
        for told in (lite.stats(), great.stats()):
            told.storage["index"] = 0
        one, other = (asdict(library.stats(by=("agent", "tool", "model"))) for library in (lite, great))
        one["storage"]["index"] = other["storage"]["index"] = 0
        assert one == other


def test_runs_grow_old_on_a_server_too(postgres: str, tmp_path: Path) -> None:
    with shared(tmp_path / "runs", postgres, AGES) as library:
        library.add(walked(tmp_path / "a.reel"))
        library.keep("aaaaaa", "a ticket", until=START + 40 * DAY)
        library.flag("aaaaaa", "review")
        assert library.expire(START + 31 * DAY).held == ["aaaaaa"]
        assert library.expire(START + 41 * DAY).thinned == ["aaaaaa"]
        for canary in BETWEEN.values():
            assert library.search(canary).total == 0, canary
        assert library.search(f"seen:{ENDED} flag:review tier:steps").total == 1
        counts = {
            table: library.catalogue.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("run", "hold", "flag")
        }
        assert counts == {"run": 1, "hold": 1, "flag": 1}
        library.rebuild()
        assert library.search(f"seen:{ENDED} flag:review tier:steps").total == 1
        assert library.expire(START + 301 * DAY).deleted == ["aaaaaa"]
        for table in ("run", "name", "spent", "step", "line", "shown", "words", "hold"):
            assert library.catalogue.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


ADD = "import sys\nfrom pagereel.library import Library\nwith Library(sys.argv[1]) as library:\n    [library.add(path) for path in sys.argv[2:]]"


def test_several_write_at_once(postgres: str, tmp_path: Path) -> None:
    with shared(tmp_path / "runs", postgres) as library:
        library.catalogue  # noqa: B018 - made
        files = [str(made(tmp_path / f"{n}.reel", "the same line", f"line {n}", id=f"run{n:03}")) for n in range(18)]
        writers = [
            subprocess.Popen([sys.executable, "-c", ADD, str(tmp_path / "runs"), *files[part::3]]) for part in range(3)
        ]
        assert [writer.wait(120) for writer in writers] == [0, 0, 0]
        assert library.search("seen:same").total == 18
        assert lines_in(library).count("the same line") == 1
        assert library.log()[1]


def test_a_long_run_is_found_by_its_last_words(postgres: str, tmp_path: Path) -> None:
    lines = [" ".join(f"word{number}x{n}" for n in range(60)) + " again and again" for number in range(400)]
    with shared(tmp_path / "runs", postgres) as library:
        library.add(made(tmp_path / "x.reel", "first", *lines, id="aaaaaa"))
        assert library.search('seen:"word399x59 again and again"').total == 1
        assert library.search('seen:"word398x59 word399x0"').total == 0


def test_an_address_that_leads_nowhere_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "library.toml").write_text(f'catalogue = "postgresql:///x?host={tmp_path}"\n')
    with Library(tmp_path / "runs") as library, pytest.raises(UsageError, match="cannot be opened"):
        library.search("")
