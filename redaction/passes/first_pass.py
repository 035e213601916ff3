"""Run the first pass over a recording: collect its texts and resources, and find the values in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from pagereel.reel import Event, Reel

from ..content.bodies import FAILED
from ..content.resources import ResourceMasker
from ..content.styled_attributes import SHEETS, read_event_sheets
from ..contracts.policy import Policy
from .collector import FirstPassCollector
from .first_pass_knowledge import FirstPassKnowledge
from .recording_walk import RecordingWalk

Progress = Callable[[str, int, int], None]
"""Called with the name of the pass, how much of it is done, and how much there is."""


@dataclass(slots=True)
class FirstPassResult:
    """The result of the first pass, as the second pass needs it."""

    knowledge: FirstPassKnowledge
    resources: ResourceMasker
    placed: list[Event]
    """The ``places`` events: they come after the screenshots that they belong to, and are needed before."""


def run_first_pass(reel: Reel, header: Event, policy: Policy, progress: Progress | None) -> FirstPassResult:
    """Run the first pass over a recording. `header` is its ``reel`` event.

    :raises SetupError: no spaCy pipeline for English is installed.
    """
    collector = FirstPassCollector(policy)
    read_all_style_sheets(collector, reel)
    resources, placed = collect_recording(collector, reel, header, policy)
    knowledge = collector.build_knowledge((lambda done, total: progress("detect", done, total)) if progress else None)
    return FirstPassResult(knowledge, resources, placed)


def read_all_style_sheets(collector: FirstPassCollector, reel: Reel) -> None:
    """Read all style sheets of a recording. Must run before :func:`collect_recording`: attributes and values that a selector
    names stay in the masked page.
    """
    for event in reel.events(SHEETS):
        read_event_sheets(collector.form, event)


def collect_recording(
    collector: FirstPassCollector, reel: Reel, header: Event, policy: Policy
) -> tuple[ResourceMasker, list[Event]]:
    """Give all texts and resources of a recording to the collector.

    Return the masker of its resources, and its ``places`` events (the boxes of the texts in a screenshot).
    """
    walk = RecordingWalk(collector, policy)
    resources = ResourceMasker(policy)
    asked: dict[str, str] = {}
    placed: list[Event] = []
    walk.walk_event(header)
    for event in reel.timeline():
        if event.get("k") == "resource":
            resources.remember_resource(event)
            collector.collected.hashes.add(str(event.get("sha256")))
        elif event.get("k") == "places":
            placed.append(event)
        elif event.get("k") not in ("reel", "frame"):
            walk.walk_event(event)
            _record_body_type(event, resources.types)
            if event.get("k") == "response" and cast(int, event.get("status") or 0) >= FAILED and event.get("body"):
                resources.failed.add(str(event["body"]))
            if event.get("k") == "document" and isinstance(event.get("url"), str):
                resources.bases.append(cast(str, event["url"]))
            if event.get("k") == "request":
                asked[str(event.get("id"))] = str(event.get("url"))
            if event.get("k") in ("response", "alias") and isinstance(event.get("body"), str):
                url = str(event.get("url") or asked.get(str(event.get("id")))).partition("#")[0]
                resources.named.setdefault(url, set()).add(cast(str, event["body"]))
    resources.usages = collector.collected.usages
    resources.collect_texts(collector)
    return resources, placed


def _record_body_type(event: Event, types: dict[str, str]) -> None:
    """Record the type and charset of a body, as given by the headers of its request or response."""
    body = event.get("post") or (event.get("body") if event.get("k") == "response" else None)
    headers = event.get("headers")
    if isinstance(body, str) and isinstance(headers, dict):
        types[body] = next((str(v) for k, v in headers.items() if k.lower() == "content-type"), "")
