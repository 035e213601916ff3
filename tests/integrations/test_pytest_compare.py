"""The pytest plugin compares: attempts with each other, tests with their baselines. Run as users run it, in real Chromium."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pagereel.cli import main
from pagereel.player_build import unpack_replay

from .test_pytest_plugin import EARLIER, run, suite

__all__ = ["suite"]
pytest_plugins = ["pytester"]

PAYS = """
import os
import pytest
from pagereel.fixtures.loopback_server import RoutingTable, FixtureResponse, LoopbackServer

PAGE = '''<!doctype html><h1>Cart</h1><button>LABEL</button><p id=said></p><script>
document.querySelector('button').onclick = async () => {
  const answer = await fetch('/pay', {method: 'POST'});
  document.querySelector('#said').textContent = answer.ok ? 'Thank you' : 'Try again';
};</script>'''
tries = []


@pytest.fixture(scope="module")
def shop():
    app = RoutingTable()
    app.route("GET", "/")(lambda _: FixtureResponse.html(PAGE.replace("LABEL", os.environ.get("LABEL", "Pay"))))

    @app.route("POST", "/pay")
    def pay(_):
        tries.append(1)
        return FixtureResponse.json({}, 409 if len(tries) == 1 and "FLAKY" in os.environ else 201)

    with LoopbackServer(app) as server:
        yield server.url + "/"


def test_pays(page, shop):
    page.goto(shop)
    page.get_by_role("button").click()
    page.locator("#said", has_text=" ").wait_for()
    assert page.locator("#said").inner_text() == "Thank you"
"""


def properties(path: Path) -> dict[str, str]:
    return {p.get("name") or "": p.get("value") or "" for p in ElementTree.parse(path).iter("property")}


def test_a_test_that_failed_and_then_passed_says_what_differed(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.makepyfile(test_shop=PAYS)
    monkeypatch.setenv("FLAKY", "1")
    options = ("--replay-compare", "retries", "--replay-redaction", "off", "--junitxml=junit.xml")
    result = run(suite, "--reruns", "2", *options, "--html=report.html")
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["rerun"]) == (1, 1)
    (page,) = (suite.path / "test-results").rglob("compare.html")
    assert (page.parent / "replay.html").is_file(), "it stands beside the replay of the attempt that failed"
    assert [half["title"] for half in unpack_replay(page.read_bytes()).index["halves"]] == [
        "passed.reel",
        "failed.reel",
    ]  # type: ignore[union-attr,index,call-overload]
    told = page.with_suffix(".md").read_text()
    assert "POST /pay answered 409 instead of 201." in told
    assert "Outcome: passed (passed.reel), failed (failed.reel)." in told
    shown = str(page.relative_to(suite.path))
    result.stdout.fnmatch_lines(["*- comparisons -*", shown, "  POST /pay answered 409 instead of 201."])
    junit = properties(suite.path / "junit.xml")
    assert junit["pagereel_comparison"] == shown and "409" in junit["pagereel_comparison_summary"]
    assert shown in (suite.path / "report.html").read_text()


@pytest.mark.slow
def test_a_test_that_fails_each_time_is_compared_with_nothing(
    suite: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = tmp_path_factory.mktemp("t")  # Chromium's socket has a path of at most 107 characters.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    suite.makepyfile(
        "def test_fails(page):\n    page.goto('data:text/html,<h1>Hello</h1>')\n    assert False\n\ndef test_passes(page):\n    page.goto('data:text/html,<h1>Hello</h1>')"
    )
    result = run(suite, "--reruns", "1", "--replay-compare", "retries", "--replay-redaction", "off")
    assert result.parseoutcomes()["failed"] == 1
    assert not list((suite.path / "test-results").rglob("compare*"))
    assert len(list((suite.path / "test-results").rglob("replay.html"))) == (1 if EARLIER else 2)
    assert not list(tmp_path.glob("pagereel-*"))


@pytest.mark.slow
def test_a_test_that_parts_from_its_baseline_fails_until_somebody_accepts_it(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suite.path)
    suite.makepyfile(test_shop=PAYS)
    options = ("--replay-baseline", "baselines", "--replay-redaction", "off")

    def accept(result: pytest.RunResult) -> None:
        told = {line.partition("pagereel ")[2] for line in result.outlines if "pagereel baseline" in line}
        (line,) = told  # pytest says it again in its summary, uncut where CI is set
        command = shlex.split(line.replace("TEXT", "'as it should be'"))
        assert main([*command, "--redaction", "off"]) == 0

    first = run(suite, *options)
    first.assert_outcomes(passed=1)
    first.stdout.fnmatch_lines(["*- comparisons -*", "1 recording has no baseline yet*"])
    (kept,) = (suite.path / "test-results").rglob("run.reel")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    accept(first)
    same = run(suite, *options)
    same.assert_outcomes(passed=1)
    assert not list((suite.path / "test-results").rglob("*.*"))

    monkeypatch.setenv("LABEL", "Buy")
    drifted = run(suite, *options, "--junitxml=junit.xml")
    drifted.assert_outcomes(passed=1, errors=1)
    drifted.stdout.fnmatch_lines(["The test parts from its baseline*", "*says*button: Buy*instead of*button: Pay*"])
    folder = next((suite.path / "test-results").rglob("baseline.md")).parent
    assert {path.name for path in folder.iterdir()} == {"baseline.html", "baseline.md", "replay.html", "run.reel"}
    page = unpack_replay((folder / "baseline.html").read_bytes())
    assert [half["title"] for half in page.index["halves"]] == ["baseline.reel", "run.reel"]  # type: ignore[union-attr,index,call-overload]
    assert properties(suite.path / "junit.xml")["pagereel_comparison"].endswith("baseline.html")
    accept(drifted)
    run(suite, *options).assert_outcomes(passed=1)


def test_what_fails_a_test_that_drifts_is_a_choice(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    suite.makepyfile(test_shop=PAYS)
    result = run(suite, "--replay-baseline", "baselines", "--replay-fail-on", "pages")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*Unknown kind 'pages'*"])
