"""Model traffic in a library: what is thinned keeps what was said, and not the wire's own bytes."""

from __future__ import annotations

from pathlib import Path

from pagereel import record
from pagereel.library.retention.thinning import thin_recording
from pagereel.recorder import ModelAnswer, ModelCall, ModelHttpExchange, ModelRequest
from pagereel.reel import open_reel


def test_a_thinned_run_has_no_bytes_of_the_wire(tmp_path: Path) -> None:
    path, thinned = tmp_path / "run.reel", tmp_path / "thin.reel"
    with record(None, path) as session:
        wire = ModelHttpExchange(
            "POST", "https://x.example/v1/chat/completions", b'{"messages": ["hi"]}', "application/json", 200, got=b"{}"
        )
        session.record_model_call(
            ModelCall(1, 2, "openai", "chat", ModelRequest("m", [], ["hi"]), ModelAnswer(texts=["yes"]), wire=wire)
        )
    thin_recording(path, thinned, thinned_at="2026-11-24T00:00:00Z", expires=None)
    with open_reel(thinned) as opened:
        kinds = {event["k"] for event in opened.timeline()}
    assert {"said", "llm", "step"} <= kinds and not kinds & {"wire", "resource"}
