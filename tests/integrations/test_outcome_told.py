"""How the run ended stands in what `info` prints and in an OTLP export, as everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.integrations import export

from ..comparison.runs import Made


def run_of(path: Path, success: bool) -> Path:
    run = Made(path)
    run.step("Pay")
    run.open("/", "Shop", "[Pay]")
    run.end_step(False, "ValueError: no")
    if success:
        run.script.run("outcome", run.t, id=50, success=True, text="paid by hand")
    return run.end()


@pytest.mark.parametrize(
    ("success", "told", "code"), [(False, "failed", 2), (True, "passed, 1 step recovered: paid by hand", 1)]
)
def test_info_and_otlp_tell_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], success: bool, told: str, code: int
) -> None:
    reel = run_of(tmp_path / "run.reel", success)
    assert main(["info", str(reel)]) == 0
    assert f"    outcome: {told}\n" in capsys.readouterr().out
    assert main(["info", str(reel), "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["outcome"], info["recovered"], info["reason"]) == (
        ("passed", 1, "paid by hand") if success else ("failed", 0, None)
    )
    spans = json.loads(export(reel, "otlp"))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    (run,) = (span for span in spans if "parentSpanId" not in span or not span["parentSpanId"])
    told_of = {each["key"]: next(iter(each["value"].values())) for each in run["attributes"]}
    assert told_of["pagereel.outcome"] == info["outcome"] and int(told_of["pagereel.outcome.recovered"]) == info["recovered"]  # fmt: skip
    assert run["status"]["code"] == code
