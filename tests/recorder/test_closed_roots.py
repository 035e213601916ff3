"""What looking for closed shadow roots asks of a page's thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pagereel.recorder.cdp.closed_shadow_roots import pass_all_closed_roots_to_injector
from pagereel.recorder.cdp.frames import InjectorWorld
from pagereel.recorder.runtime.injector_script import InjectorScript


class Page:
    """A page's end of the link: the answers to what is evaluated, in turn; a host is a closed root's once."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = [*answers]
        self.asked: list[str] = []

    async def send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(method.partition(".")[2])
        if method == "Runtime.evaluate":
            return {"result": self.answers.pop(0)}
        if method == "Runtime.getProperties":
            return {"result": [{"name": "0", "value": {"objectId": "host"}}, {"name": "length", "value": {"value": 1}}]}
        if method == "DOM.resolveNode":
            return {"object": {"objectId": f"o{params['backendNodeId']}"}}
        if method == "DOM.describeNode" and params["objectId"] == "host":
            return {"node": {"backendNodeId": 5, "shadowRoots": [{"backendNodeId": 6, "shadowRootType": "closed"}]}}
        return {"node": {"backendNodeId": 1}}


def looked(page: Page) -> list[str]:
    context = SimpleNamespace(link=page, id=1, unique="u", roots=set())
    work = pass_all_closed_roots_to_injector(cast(InjectorWorld, context), InjectorScript("cdp", ()))
    with ThreadPoolExecutor(1) as apart:  # Another test's browser may keep a loop of this thread's running.
        apart.submit(asyncio.run, work).result()
    assert page.answers == []
    return page.asked


WHOLE = {"type": "object", "subtype": "node", "objectId": "document"}
HOSTS = {"type": "object", "subtype": "array", "objectId": "hosts"}
SEARCH = ["evaluate", "describeNode", "releaseObjectGroup"]
FOUND = ["evaluate", "getProperties", "describeNode", "resolveNode", "resolveNode", "callFunctionOn", "releaseObjectGroup"]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([WHOLE], SEARCH),
        ([{"type": "object", "subtype": "null", "value": None}], ["evaluate"]),
        ([HOSTS, WHOLE], FOUND + SEARCH),
    ],
    ids=["no new hosts", "no new hosts on a large page", "a host with a root, and what is in it"],
)
def test_a_page_without_new_hosts_is_asked_once(answers: list[dict[str, Any]], asked: list[str]) -> None:
    assert looked(Page(*answers)) == asked
