"""What is another one in each run, or ends as it happens to: a session's id in an address, a stream that its page left."""

from __future__ import annotations

from pathlib import Path

from pagereel import compare

from .runs import Made


def listened(path: Path, session: str, left: bool) -> Path:
    """A run whose page tells its session in a path and in a parameter, and listens to a stream."""
    made = Made(path)
    made.open("/", "Kiln")
    made.call("click", 'get_by_text("Fire")')
    made.fetch("GET", f"/heartbeat/{session}")
    made.fetch("POST", f"/join?session_hash={session}", answer={"joined": True})
    body = made.script.resource(made.t, "text/event-stream", b"data: hot\n\n")
    made.script.run(
        "request", made.t, id="s", page=1, method="GET", url="http://127.0.0.1:8000/stream", type="fetch", headers={}
    )
    ended = {"error": "cancelled"} if left else {}
    made.script.run(
        "response", made.t + 40, id="s", status=200, headers={}, end=made.t + 40, size=11, body=body, **ended
    )
    made.rest()
    return made.end()


def test_a_session_in_a_path_and_a_stream_that_is_left_are_no_differences(tmp_path: Path) -> None:
    one = listened(tmp_path / "a.reel", "cnlknqtqd27", left=True)
    other = listened(tmp_path / "b.reel", "w326r0t6xyk", left=False)
    assert compare(one, other, redaction=None).differences == []
