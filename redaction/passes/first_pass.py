"""Run the first pass over a recording: collect its texts and resources, and find the values in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from pagereel.reel import Event, Reel

from ..content.bodies import FAILED
from ..content.form import SHEETS, learn_sheets
from ..content.resources import MaskedResources
from ..contracts.policy import Policy
from .collector import Collector
from .knowledge import Knowledge
from .walk import Walk

Progress = Callable[[str, int, int], None]
"""Called with the name of the pass, how much of it is done, and how much there is."""


@dataclass(slots=True)
class Gathered:
    """The result of the first pass, as the second pass needs it."""

    knowledge: Knowledge
    resources: MaskedResources
    placed: list[Event]
    """The ``places`` events: they come after the screenshots that they belong to, and are needed before."""


def gather(reel: Reel, header: Event, policy: Policy, progress: Progress | None) -> Gathered:
    """Run the first pass over a recording. `header` is its ``reel`` event.

    :raises SetupError: no spaCy pipeline for English is installed.
    """
    collector = Collector(policy)
    learn_form(collector, reel)
    resources, placed = read_into(collector, reel, header, policy)
    knowledge = collector.freeze((lambda done, total: progress("detect", done, total)) if progress else None)
    return Gathered(knowledge, resources, placed)


def learn_form(collector: Collector, reel: Reel) -> None:
    """Read all style sheets of a recording. Must run before :func:`read_into`: attributes and values that a selector
    names stay in the masked page.
    """
    for event in reel.events(SHEETS):
        learn_sheets(collector.form, event)


def read_into(collector: Collector, reel: Reel, header: Event, policy: Policy) -> tuple[MaskedResources, list[Event]]:
    """Give a recording's texts and resources to the collector, and return its resources and its ``places`` events."""
    walk = Walk(collector, policy)
    resources = MaskedResources(policy)
    asked: dict[str, str] = {}
    placed: list[Event] = []
    walk.event(header)
    for event in reel.timeline():
        if event.get("k") == "resource":
            resources.add(event)
            collector.collected.hashes.add(str(event.get("sha256")))
        elif event.get("k") == "places":
            placed.append(event)
        elif event.get("k") not in ("reel", "frame"):
            walk.event(event)
            _note_types(event, resources.types)
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
    resources.collect(collector)
    return resources, placed


def _note_types(event: Event, types: dict[str, str]) -> None:
    """Record the type and charset of a body, as given by the headers of its request or response."""
    body = event.get("post") or (event.get("body") if event.get("k") == "response" else None)
    headers = event.get("headers")
    if isinstance(body, str) and isinstance(headers, dict):
        types[body] = next((str(v) for k, v in headers.items() if k.lower() == "content-type"), "")
