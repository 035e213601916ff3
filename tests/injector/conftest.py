"""The injector in a real Chromium, its messages applied to the page model of ``reel``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from pagereel import dist
from pagereel.recorder.ingest.element_start_tags import ElementStartTags
from pagereel.reel.model import PageModel

from ..chromium import open_chromium

WORLD = "observed"

#: Slices that end after some nodes, so that even small pages are taken in many.
HASTY = {"slice:12": "slice:-1", "steps:128": "steps:8"}


def source(**config: Any) -> str:
    """The injected script with its configuration, as the recorder builds it."""
    full = {"transport": "cdp", "binding": "out", "handle": "handle", "mask": [], **config}
    return f"(function(){{const PAGEREEL_CONFIG = {json.dumps(full)};\n{dist.read_built_file('injector.js')}\n}})()"


@dataclass
class Recording:
    """One page's stream, decoded into a model as it comes."""

    page: Page
    cdp: CDPSession
    model: PageModel = field(default_factory=PageModel)
    events: list[dict[str, Any]] = field(default_factory=list)
    documents: dict[str, int] = field(default_factory=dict)
    heads: dict[int, ElementStartTags] = field(default_factory=dict)
    checked: list[tuple[str, str, int, int]] = field(default_factory=list)
    contexts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cdp.on("Runtime.bindingCalled", self._called)
        self.cdp.on("Runtime.executionContextCreated", self._created)
        self.cdp.send("Page.enable")
        self.cdp.send("Runtime.enable")
        self.cdp.send("Runtime.addBinding", {"name": "out", "executionContextName": WORLD})

    def inject(self, *, limits: dict[str, str] | None = None, **config: Any) -> Recording:
        """Starts to record, with some of the script's limits (`name:value` as built) replaced by others."""
        script = source(**config)
        for limit, other in (limits or {}).items():
            assert script.count(limit) == 1, limit
            script = script.replace(limit, other)
        params = {"source": script, "worldName": WORLD, "runImmediately": True}
        self.cdp.send("Page.addScriptToEvaluateOnNewDocument", params)
        return self

    def _created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if context["name"] == WORLD:
            self.contexts.append(context["id"])

    def _called(self, event: dict[str, Any]) -> None:
        batch = json.loads(event["payload"])
        number = self.documents.setdefault(batch["doc"], len(self.documents) + 1)
        heads = self.heads.setdefault(number, ElementStartTags())
        heads.add_start_tags(batch.get("f", 0), batch.get("h", []))
        for raw in batch["e"]:
            message = {**raw, "d": number}
            heads.restore_start_tags(message)
            if message["k"] == "document":
                message |= {"page": 1, "frame": "f"}
            self.events.append(message)
            self.model.apply(message)
            if message["k"] == "checkpoint":
                digest, nodes = self.model.documents[number].compute_digest()
                self.checked.append((message["digest"], digest, message["nodes"], nodes))

    def call(self, expression: str, context: int | None = None) -> Any:
        """Evaluates in the injector's world, of the newest document if no other is named."""
        result = self.cdp.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": context or self.contexts[-1], "returnByValue": True},
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def flush(self) -> None:
        self.call("handle.flush()")
        self.page.evaluate("1")

    @property
    def current(self) -> Any:
        return self.model.documents[max(self.model.documents)]

    def assert_equal(self) -> None:
        """The model equals the live page, node by node."""
        live = self.call("handle.lines()").split("\n")
        self.page.evaluate("1")
        modelled = "".join(self.current.iter_canonical_lines()).split("\n")
        for number, (left, right) in enumerate(zip(live, modelled, strict=False)):
            assert left == right, f"line {number}: live {left!r}, model {right!r}"
        assert len(live) == len(modelled)
        assert self.model.error_count == 0

    def ops(self, name: str) -> list[list[Any]]:
        return [op for event in self.events for op in event.get("ops", ()) if op[0] == name]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def recording(browser: Browser) -> Iterator[Recording]:
    context = browser.new_context()
    page = context.new_page()
    yield Recording(page, context.new_cdp_session(page))
    context.close()
