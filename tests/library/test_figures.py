"""Figures over many runs."""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library
from pagereel.library.catalogue import CatalogueEntry
from pagereel.library.figures import parse_expected_keys
from pagereel.library.figures.periods import format_period
from pagereel.library.run_facts import IndexedRunFacts, UsageFigures

from .runs import made
from .test_retention import DAY, START, ruled, walked

HOUR = DAY / 24


@dataclass(frozen=True)
class Told:
    """What is made up of a run."""

    started: float
    outcome: str = "passed"
    cost: float = 0.1
    duration: float = 10_000.0
    agent: str = "bot"
    model: str = "m-1"
    prompt: str = "p-1"
    version: str = "v1"
    test: str = ""
    retries: int = 0
    gaps: int = 0
    checkpoints: int = 4
    equal: int = 4


def write(library: Library, id: str, told: Told) -> None:
    """Put a run into the catalogue."""
    facts = IndexedRunFacts(
        started=told.started, duration=told.duration, agent=told.agent, outcome=told.outcome, sealed=True, kind="reel", steps=1, calls=2, model_calls=1,
        tokens=100, cost=told.cost, errors=0, gaps=told.gaps, retries=told.retries, checkpoints=told.checkpoints, equal=told.equal, policy="vendor",
    )  # fmt: skip
    facts.used = {
        (name, value): UsageFigures(1)
        for name in ("agent", "prompt", "version", "test", "outcome")
        if (value := getattr(told, name))
    }
    facts.used["model", told.model] = UsageFigures(2, 300.0, 0, 100, told.cost)
    library.catalogue.write_run(CatalogueEntry(id, "0" * 64, "x", "x", bytes=1_000), facts)


def test_the_figures_are_those_of_the_runs(tmp_path: Path) -> None:
    with Library(tmp_path / "runs") as library:
        outcomes = ["passed"] * 6 + ["failed"] * 2 + ["unknown"] * 2
        for number, outcome in enumerate(outcomes):
            write(library, f"run{number:03}", Told(
                START + number * HOUR, outcome, cost=0.1 * number, duration=1_000 * (number + 1), agent="ann" if number % 2 else "bob",
                retries=number // 8, gaps=int(number == 3), equal=4 - (number == 5),
            ))  # fmt: skip
        told = library.stats(by=("agent", "model"))
        assert told.all["runs"] == 10 and told.all["success"] == 0.75
        assert (
            told.all["cost"] == pytest.approx(4.5)
            and told.all["cost_median"] == pytest.approx(0.45)
            and told.all["cost_p95"] == pytest.approx(0.9)
        )
        assert told.all["duration_median"] == 5_500 and told.all["duration_p95"] == 10_000
        assert told.all["retries"] == 2 and told.all["retried"] == 0.2
        assert told.all["with_gaps"] == 0.1 and told.all["fidelity"] == 39 / 40 and told.all["masked"] == 1
        assert {row["name"]: row["runs"] for row in told.by["agent"]} == {"ann": 5, "bob": 5}
        (model,) = told.by["model"]
        assert model["calls"] == {"count": 20, "ms": 3_000.0, "failed": 0, "tokens": 1_000, "cost": pytest.approx(4.5)}
        assert [row["runs"] for row in told.times] == [10] and told.times[0]["time"] == "2026-11-01"
        assert [row["runs"] for row in library.stats(every="hour").times] == [1] * 10
        assert library.stats("outcome:failed agent:ann").all["runs"] == 1
        assert told.storage["recordings"] == 10_000 and told.storage["tiers"] == {"full": 10} and told.coverage is None
        for wrong in ({"by": ("colour",)}, {"every": "year"}):
            with pytest.raises(UsageError, match="Figures can be"):
                library.stats(**wrong)  # type: ignore[arg-type]


def test_times_are_those_of_utc() -> None:
    at = START + 5 * DAY + 23.5 * HOUR
    assert [format_period(at, every) for every in ("hour", "day", "week")] == [
        "2026-11-06T23:00",
        "2026-11-06",
        "2026-11-02",
    ]


def test_a_step_in_a_curve_is_told_with_what_came_before_it(tmp_path: Path) -> None:
    pytest.importorskip("ruptures")
    with Library(tmp_path / "runs") as library:
        for day in range(24):
            for nth in range(10):
                usual = Told(
                    START + day * DAY + nth * HOUR,
                    "failed" if nth == day % 10 else "passed",
                    cost=0.1 + 0.002 * (nth % 3),
                    model="m-1",
                )
                late = replace(
                    usual, outcome="failed" if nth % 2 else "passed", model="m-2", cost=0.3 + 0.002 * (nth % 3)
                )
                write(library, f"d{day:02}n{nth:02}x", late if day >= 15 else usual)
        told = library.stats()
        assert told.steps is not None
        steps = {step.metric: step for step in told.steps}
        assert set(steps) == {"success", "cost_median"}, "what did not step is not told"
        success = steps["success"]
        assert success.time == "2026-11-16" and (success.before, success.after) == (0.9, 0.5)
        assert [(change.how, change.operator, change.value) for change in success.changes] == [
            ("new", "model", "m-2"),
            ("gone", "model", "m-1"),
        ]
    with Library(tmp_path / "still") as library:
        for day in range(24):
            for nth in range(10):
                write(library, f"d{day:02}n{nth:02}x", Told(START + day * DAY + nth * HOUR, "failed" if (day * 7 + nth * 3) % 10 == 0 else "passed", cost=0.1 + 0.01 * ((day * 5 + nth) % 7)))  # fmt: skip
        assert library.stats().steps == []


def test_tests_that_pass_and_fail_are_told(tmp_path: Path) -> None:
    with Library(tmp_path / "runs") as library:
        for number in range(8):
            at = START + number * HOUR
            write(library, f"flaky{number}", Told(at, "passed" if number % 2 else "failed", test="t::flaky"))
            write(library, f"steady{number}", Told(at, "passed", test="t::steady"))
            version = "v2" if number >= 4 else "v1"
            write(
                library,
                f"fixed{number}",
                Told(at, "passed" if number >= 4 else "failed", test="t::fixed", version=version),
            )
        flaky = library.stats().flaky
        assert [(row["test"], row["changes"], row["same_version"]) for row in flaky] == [
            ("t::flaky", 7, True),
            ("t::fixed", 1, False),
        ]


def test_errors_are_counted_by_their_signatures_also_when_runs_are_thinned(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", '[retention]\nfull = "30d"\nfacts = "90d"\n') as library:
        for number in range(4):
            library.add(walked(tmp_path / "x.reel", f"run{number:03}", START + number * 20 * DAY))
        before = library.stats().errors
        assert {row["runs"] for row in before} == {4} and any("rthrown1" in row["words"] for row in before)
        (row,) = [row for row in before if "rthrown1" in row["words"]]
        assert library.search(f"error:{row['error']}").total == 4
        library.expire(START + 55 * DAY)
        after = library.stats()
        assert {row["error"]: row["runs"] for row in after.errors} == {row["error"]: 4 for row in before}
        assert after.storage["tiers"] == {"facts": 2, "full": 2}


def test_what_should_have_been_recorded_and_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "runs")
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "a.reel", "x", id="aaaaaa", metadata={"test": "tests/test_pay.py::test_Pays[EUR]"}))
        library.add(made(tmp_path / "b.reel", "x", id="bbbbbb", metadata={"trace": "0af7651916cd43dd8448eb211c80319c"}))
        (tmp_path / "nodes.txt").write_text(
            "tests/test_pay.py::test_Pays[EUR]\ntests/test_pay.py::test_refunds\n\n2 tests collected in 0.01s\n"
        )
        assert library.expect(tmp_path / "nodes.txt") == 2
        coverage = library.stats().coverage
        assert coverage is not None and (coverage.expected, coverage.recorded, coverage.missing) == (
            2,
            1,
            ["tests/test_pay.py::test_refunds"],
        )
        library.rebuild()
        assert library.stats().coverage == coverage
        (tmp_path / "nodes.txt").write_text("tests/test_pay.py::test_Pays[EUR]\n")
        assert library.expect(tmp_path / "nodes.txt") == 1, "a list of the same name takes its place"
    spans = {"resourceSpans": [{"scopeSpans": [{"spans": [
        {"traceId": "0AF7651916CD43DD8448EB211C80319C", "spanId": "1"}, {"traceId": "0AF7651916CD43DD8448EB211C80319C", "spanId": "2", "parentSpanId": "1"},
        {"traceId": "ffffffffffffffffffffffffffffffff", "spanId": "3", "parentSpanId": ""},
    ]}]}]}  # fmt: skip
    (tmp_path / "spans.json").write_text(json.dumps(spans))
    (tmp_path / "runs.csv").write_text("when,id\n2026,bbbbbb\n2026,cccccc\n")
    assert main(["library", "expect", folder, str(tmp_path / "spans.json"), str(tmp_path / "runs.csv")]) == 0
    assert "3 of 5 are recorded" in capsys.readouterr().out
    assert main(["library", "stats", folder, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["coverage"]
    assert told["share"] == 0.6 and told["missing"] == ["cccccc", "f" * 32]
    assert parse_expected_keys('{"test": "a"}\n{"trace_id": "b"}\n', "x") == ["a", "b"] and parse_expected_keys(
        '["a", "b"]', "x"
    ) == ["a", "b"]
    (tmp_path / "empty.txt").write_text("\n")
    assert main(["library", "expect", folder, str(tmp_path / "empty.txt")]) == 2


def test_what_two_lists_expect_is_expected_once_and_as_long_as_one_of_them_does(tmp_path: Path) -> None:
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "x.reel", "x", id="aaaaaa", metadata={"test": "t::x"}))
        for name, keys in (("a", ["t::x", "t::y"]), ("b", ["t::x"]), ("a", ["t::y"])):
            (tmp_path / "list.txt").write_text("\n".join(keys))
            library.expect(tmp_path / "list.txt", name)
        told = library.stats(by=()).coverage
        assert told is not None and (told.expected, told.recorded, told.missing) == (2, 1, ["t::y"])
        library.rebuild()
        assert library.stats(by=()).coverage == told


def test_charts_are_drawn_without_a_script_and_told_apart_without_colour(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "runs"
    hostile = '<script>alert(1)</script> $x^2$ "&\u202e\x1b'
    with Library(folder) as library:
        for day in range(9):
            for nth in range(6):
                write(library, f"d{day:02}n{nth:02}x", Told(START + day * DAY + nth * HOUR, ("passed", "failed", "unknown")[nth % 3], agent=hostile if nth % 2 else "bot"))  # fmt: skip
    assert (
        main(
            [
                "library",
                "stats",
                str(folder),
                "after:2026-10-01",
                "--by",
                "agent,model",
                "-o",
                str(tmp_path / "figures.html"),
            ]
        )
        == 0
    )
    page = (tmp_path / "figures.html").read_text()
    assert page.count("<svg") == 5, "four over time, one by agent; there is one model"
    assert "<script" not in page and "alert(1)" in page and 'aria-label="Share of runs that passed, by agent' in page
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    colours = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", "".join(drawings)))
    assert colours and all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours), "greys alone"
    assert "\u202e" not in page and "\x1b" not in page, "no letters are turned round"
    assert not re.search(r">\d\.\d</text>", drawings[0]), "there is no half a run"
    assert all(">0</text>" in drawn or ">0.0" in drawn for drawn in drawings[2:4]), "a cost begins at nothing"
    with contextlib.closing(browser.new_page(viewport={"width": 900, "height": 700})) as shown:
        shown.goto((tmp_path / "figures.html").as_uri())
        narrow = (
            "Math.min(...[...document.querySelectorAll('tbody th')].map(each => each.getBoundingClientRect().width))"
        )
        assert shown.evaluate(narrow) > 150, "a name is read along its line"
        shown.emulate_media(color_scheme="dark")
        picture = Image.open(io.BytesIO(shown.locator("figure > div").first.screenshot())).convert("L")
        assert sum(picture.histogram()[:64]) > picture.width * picture.height / 2, "a chart is dark where the page is"
    assert "<pattern" in drawings[0] and "stroke-dasharray" in drawings[2], "hatches and dashes"
    assert main(["library", "stats", str(folder)]) == 0
    assert "54" in capsys.readouterr().out


def test_the_facts_of_days_as_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    target = tmp_path / "facts"
    with ruled(tmp_path / "runs", f'parquet = "{target}"\n[retention]\nfull = "30d"\nfacts = "300d"\n') as library:
        for number in range(6):
            library.add(
                walked(
                    tmp_path / "x.reel",
                    f"run{number:03}",
                    START + number // 2 * DAY,
                    agent="ann" if number % 2 else "bob",
                )
            )
        assert library.parquet() == (["2026-11-01", "2026-11-02", "2026-11-03"], [])
        assert library.parquet() == ([], []), "what did not change is not written again"

        def asked(sql: str, table: str = "runs") -> list[tuple[object, ...]]:
            return duckdb.sql(
                sql.replace("FACTS", f"read_parquet('{target}/{table}/*/*.parquet', hive_partitioning = true)")
            ).fetchall()

        rows = asked("SELECT agent, count(*), sum(cost), min(day)::VARCHAR FROM FACTS GROUP BY agent ORDER BY agent")
        assert rows == [("ann", 3, 0.75, "2026-11-01"), ("bob", 3, 0.75, "2026-11-01")]
        assert asked("SELECT DISTINCT title, success FROM FACTS ORDER BY title", "steps") == [
            ("Look around", True),
            ("Pay", True),
        ]
        assert asked("SELECT count(*) FROM FACTS WHERE operator = 'model' AND value = 'm-1'", "uses") == [(6,)]
        assert sum(row["runs"] for row in library.stats().by["agent"]) == asked("SELECT count(*) FROM FACTS")[0][0]
        library.delete("run000")
        assert asked("SELECT count(*) FROM FACTS WHERE id = 'run000'") == [(0,)], "a deletion reaches the day's files"
        library.expire(START + 301.5 * DAY)
        assert {path.name for path in (target / "runs").iterdir()} == {"day=2026-11-03"}, (
            "days whose runs are all gone have no files"
        )
        assert asked("SELECT id, tier FROM FACTS ORDER BY id") == [("run004", "facts"), ("run005", "facts")]
