"""Finds the action, the responses and the step right before a time."""

from __future__ import annotations

from bisect import bisect_right

from pagereel.reel import build_action_title

from .passive_calls import is_passive_call
from .record_fields import Record, drop_empty_fields
from .recorded_run import RecordedRun

_LATEST = 3
"""Largest number of responses and messages that are listed."""
_RECENT = 2_000.0
"""Ms before a time in which a response may have caused it."""


class PrecedingEvents:
    """An index of a recording's events, to find those right before a time: the last action, the responses after it, and
    the open step.
    """

    def __init__(self, reading: RecordedRun) -> None:
        self._calls = [call for call in reading.calls() if _is_action(call)]
        self._calls_at = [float(call["t"]) for call in self._calls]
        self._answers = sorted(
            (
                *({"kind": "answer", "t": float(r["t"]) + float(r["duration"]), "what": f"{r['method']} {r['url']}: {r.get('failed') or r.get('status')}", "id": r["id"]}
                  for r in reading.requests() if r.get("duration") is not None and r.get("type") in ("document", "xhr", "fetch", "script", "other")),
                *({"kind": "message", "t": float(m["t"]), "what": f"{'sent to' if m['sent'] else 'received from'} {m.get('url')}: {str(m.get('text') or '')[:100]}", "id": m["id"]}
                  for m in reading.messages()),
                *({"kind": "console", "t": float(c["t"]), "what": str(c["text"])[:100]} for c in reading.console() if c["level"] == "error"),
            ),
            key=lambda each: each["t"],
        )  # fmt: skip
        self._answers_at = [each["t"] for each in self._answers]
        self._steps = reading.steps()
        self._hands = [] if self._calls else _find_manual_actions(reading)
        self._hands_at = [float(hand["t"]) for hand in self._hands]

    def describe_what_preceded(self, t: float) -> list[Record]:
        """Return the events right before `t` (ms), the nearest first. ``ago``: the time between an event and `t`, in
        ms.
        """
        found = []
        at = bisect_right(self._calls_at, t) - 1
        call = self._calls[at] if at >= 0 else None
        since = max(float(call["t"]) if call is not None else 0.0, t - _RECENT)
        upto = bisect_right(self._answers_at, t)
        latest = self._answers[max(0, upto - _LATEST) : upto][::-1]
        found += [{**each, "ago": round(t - each["t"], 1)} for each in latest if each["t"] >= since]
        if call is not None:
            found.append(
                drop_empty_fields(
                    {
                        "kind": "call",
                        "t": call["t"],
                        "what": describe_call(call),
                        "id": call.get("id"),
                        "source": call.get("source"),
                        "ago": round(t - float(call["t"]), 1),
                    }
                )
            )
        elif (at := bisect_right(self._hands_at, t) - 1) >= 0:
            hand = self._hands[at]
            found.append({**hand, "ago": round(t - float(hand["t"]), 1)})
        step = self.find_innermost_step(t)
        if step is not None:
            found.append(
                {
                    "kind": "step",
                    "t": step["t"],
                    "what": step["title"],
                    "number": step["number"],
                    "ago": round(t - float(step["t"]), 1),
                }
            )
        return found

    def find_innermost_step(self, t: float) -> Record | None:
        """Return the innermost step that was open at `t` (ms); None if there was none."""
        inside = [
            step for step in self._steps
            if float(step["t"]) <= t and ("duration" not in step or t <= float(step["t"]) + float(step["duration"]))
        ]  # fmt: skip
        return inside[-1] if inside else None


def describe_call(call: Record) -> str:
    """Return the action of a call in words for people: ``Click Place order``, ``Go to shop.example``; for a tool call
    the tool's name.
    """
    return build_action_title(call) if call.get("method") else str(call.get("title") or call.get("name") or "a call")


def _is_action(call: Record) -> bool:
    return call["kind"] == "tool" or (call["kind"] == "playwright" and not is_passive_call(str(call.get("method"))))


def _find_manual_actions(reading: RecordedRun) -> list[Record]:
    """Return the clicks and key presses of a recording that has no Playwright calls."""
    found = []
    with reading.open_reel() as reel:
        for event in reel.timeline():
            if event["k"] == "mouse" and event.get("type") == "click":
                found.append({"kind": "click", "t": event["t"], "what": f"at {event.get('x')}, {event.get('y')}"})
            elif event["k"] == "key" and event.get("type") == "down":
                found.append({"kind": "key", "t": event["t"], "what": str(event.get("key") or "a key")})
    return found
