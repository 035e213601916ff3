"""A run that loads its pages again and again is built whole, however well it compresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.player_build import build, list_missing_addresses, page_events
from pagereel.reel import ReelWriter, open_reel

LOADS = 400


@pytest.mark.parametrize(
    "rule", ["a:hover{color:red}", "a:hover{background:url(/dot.png)}"], ids=["plain", "with an address"]
)
def test_no_sheet_is_left_out_of_a_run_with_many_loads(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_events, "SHEETS_LIMIT", 1 << 19)  # the real one, eight times smaller: the test is quicker
    monkeypatch.setattr(page_events, "SHEETS_PER_BYTE", 8)
    sheet = "".join(f".c{n} {rule}" for n in range(400))
    with ReelWriter(tmp_path / "run.reel", {"started": 0}) as writer:
        for d in range(1, LOADS + 1):
            t = d * 100.0
            writer.write({"k": "document", "d": d, "t": t, "page": 1, "frame": "F", "url": "https://shop.example/", "top": True, "viewport": {"w": 8, "h": 6, "dpr": 1}, "mode": "CSS1Compat", "title": ""})  # fmt: skip
            tree = ["#document", {}, ["html", {}, ["head", {}, ["style", {}, sheet]], ["body", {}, f"load {d}"]]]
            writer.write({"k": "snapshot", "d": d, "n": 0, "t": t + 1, "why": "start", "ops": [["doc", 1, tree]]})
        writer.close("closed")
    with open_reel(tmp_path / "run.reel") as reel:
        assert "https://shop.example/" not in list_missing_addresses(reel)
    report = build(tmp_path / "run.reel", tmp_path / "run.html", None)
    assert [url for url in report.missing if not url.endswith("dot.png")] == []
