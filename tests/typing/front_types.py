"""What type checkers say of the public front. mypy reads this file with the package (scripts/run_mypy.py); nothing runs it.

`assert_type` holds what is given; an ignored error holds what is refused, because mypy --strict fails on an ignore that nothing needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

from playwright import async_api, sync_api

import pagereel
from pagereel import build, compare, open_recording, record, redact
from pagereel.comparison import Comparison, Difference, Divergence
from pagereel.integrations import record_cdp
from pagereel.player_build import BuildReport
from pagereel.reading import RecordedRun
from pagereel.recorder import AsyncSession, MarkTime, Session, Stats, Step, SyncSession
from pagereel.redaction import RedactionReport


def sync_targets(browser: sync_api.Browser, context: sync_api.BrowserContext, page: sync_api.Page) -> None:
    assert_type(record(browser, "run.reel"), SyncSession)
    assert_type(record(page, Path("run.reel"), transport="cdp"), SyncSession)
    with record(context, "run.reel", agent="bot", metadata={"ticket": 7}, mask=["#secret"], overwrite=True) as session:
        assert_type(session, SyncSession)
        with session.step("Pay", reasoning="the total is right", price=3) as step:
            assert_type(step, Step)
        assert_type(session.mark("paid"), MarkTime)
        assert_type(session.llm_call(model="m", input_tokens=1), int)
        assert_type(session.screenshot("seen", page=page), int)
        assert_type(session.stats, Stats)


async def async_targets(context: async_api.BrowserContext) -> None:
    async with record(context, "run.reel", calls=False) as session:
        assert_type(session, AsyncSession)
        async with session.step("Pay") as step:
            assert_type(step, Step)
        assert_type(await session.mark("paid"), float)
        assert_type(await session.screenshot("seen"), int)
    await session.stop()


def wrong_options(context: sync_api.BrowserContext) -> None:
    record(context, "run.reel", agnet="bot")  # type: ignore[call-overload]
    record(context, "run.reel", transport="telepathy")  # type: ignore[call-overload]
    record(context, "run.reel", fetch_limit="1 MB")  # type: ignore[call-overload]
    record("https://shop.example", "run.reel")  # type: ignore[call-overload]
    record_cdp("http://127.0.0.1:9222", "run.reel", agnet="bot")  # type: ignore[call-arg]
    build("run.reel", "run.html", thema="dark")  # type: ignore[call-arg]
    build("run.reel", "run.html", theme="purple")  # type: ignore[arg-type]
    pagereel.recrod  # type: ignore[attr-defined]  # noqa: B018


def with_of_an_async_target(context: async_api.BrowserContext) -> None:
    with record(context, "run.reel"):  # type: ignore[attr-defined]
        pass


async def async_with_of_a_sync_target(context: sync_api.BrowserContext) -> None:
    async with record(context, "run.reel"):  # type: ignore[attr-defined]
        pass


def either(session: Session) -> None:
    """A helper that takes the session of either API."""
    assert_type(session.note("seen"), int)


def files() -> None:
    report = build("run.reel", Path("run.html"), redaction=None, theme="dark", on_leak="drop")
    assert_type(report, BuildReport)
    assert_type(report.redaction, RedactionReport | None)
    assert_type(redact("run.reel", "masked.reel"), RedactionReport)
    assert_type(pagereel.__version__, str)


def reading() -> None:
    recording = open_recording("run.reel")
    assert_type(recording, RecordedRun)
    recording.text(at="end")


def comparing() -> None:
    result = compare("good.reel", Path("bad.reel"), baseline=["runs/pay-*.reel"], redaction=None)
    assert_type(result, Comparison)
    assert_type(result.equal, bool)
    assert_type(result.divergence, Divergence | None)
    assert_type(result.differences, list[Difference])
    assert_type(result.failed("network,page"), list[str])
    compare("good.reel", "bad.reel", basline=["x"])  # type: ignore[call-arg]
