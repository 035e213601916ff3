"""Plants single differences in the six small applications: in answers of the server, in the page, and in what the agent does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, RoutingTable

from . import apps, scripted_agent


@dataclass(frozen=True)
class FaultyApp:
    """An application with the requests, buttons and amounts at which a difference can be planted."""

    make: Callable[[], Any]
    script: Callable[[scripted_agent.ScriptedAgent], None]
    api: str
    """A request that the run cannot do without: how its address ends, and its method."""
    method: str
    data: tuple[str, str, Any]
    """A request, a path in its answer, and another value."""
    button: tuple[str, str]
    """A button's name, and another one."""
    price: tuple[str, str]
    """An amount that the page shows, and another one."""


APPS = {
    "shop": FaultyApp(
        lambda: None, scripted_agent.run_shop_script, r"/api/products/tern-bottle-vase", "GET", (r"/api/products/tern-bottle-vase", "rating", 2.1),
        ("Add to basket", "Buy it now"), ("€48", "€84"),
    ),
    "tasks": FaultyApp(apps.make_task_app, scripted_agent.run_task_script, r"/api/tasks", "POST", (r"/api/tasks", "points", 11), ("Add task", "Add item"), ("10 points", "70 points")),
    "booking": FaultyApp(
        apps.make_booking_app, scripted_agent.run_booking_script, r"/api/left\?room=tide", "GET", (r"/api/left\?room=tide", "left", 0), ("Print it", "Print this"),
        ("112 EUR a night", "211 EUR a night"),
    ),
    "board": FaultyApp(apps.make_dashboard_app, scripted_agent.run_dashboard_script, r"/api/ack", "POST", (r"/api/pumps\?which=bad", "pumps.0.limit", 99), ("Acknowledge", "Accept"), ("43 bar", "34 bar")),
    "mail": FaultyApp(apps.make_mail_app, scripted_agent.run_mail_script, r"/api/answers", "POST", (r"/api/answers", "cost", 3), ("Send answer", "Send reply"), ("31 EUR", "13 EUR")),
    "talk": FaultyApp(apps.make_chat_app, scripted_agent.run_chat_script, r"/api/say", "POST", (r"/api/say", "deposit", 25), ("Keep it", "Hold it"), ("deposit 20 EUR", "deposit 90 EUR")),
}  # fmt: skip

FAULTS: dict[str, tuple[str, ...]] = {
    "spinner": ("page",),
    "status": ("network",),
    "json": ("network",),
    "label": ("page",),
    "missing": ("page",),
    "argument": ("model",),
    "tool": ("model",),
    "console": ("console",),
    "slow": ("time",),
    "overlay": ("page",),
    "price": ("page",),
    "outcome": ("action", "outcome"),
}
"""What is planted, and the kinds that a divergence may be of."""


def list_expected_words(faulty_app: FaultyApp, fault: str) -> tuple[str, ...]:
    """Return words of which the summary of the divergence must hold one."""
    return {
        "spinner": ("Still working",),
        "status": ("409",),
        "json": (faulty_app.data[1].rpartition(".")[2],),
        "label": faulty_app.button,
        "missing": (faulty_app.button[0],),
        "argument": ("amount",),
        "tool": ("guess",),
        "console": ("stock is undefined",),
        "slow": (" took ",),
        "overlay": ("newsletter",),
        "price": faulty_app.price,
        "outcome": ("fails", "failed"),
    }[fault]


_WATCH = """(() => { const done = new WeakSet(); const look = () => { if (document.readyState === 'loading') return; %s };
new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true}); addEventListener('DOMContentLoaded', look); })();"""
_TEXTS = """const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) if (walk.currentNode.data.includes(%s)) walk.currentNode.data = walk.currentNode.data.replace(%s, %s);"""
_BUTTONS = "for (const b of document.querySelectorAll('button')) if (b.textContent.trim() === %s) { %s }"
_AFTER = """(() => { const go = () => { %s };
addEventListener('click', () => { const n = 1 + Number(sessionStorage.clicks || 0); sessionStorage.clicks = n; if (n === 2) go(); }, true);
addEventListener('DOMContentLoaded', () => { if (Number(sessionStorage.clicks || 0) >= 2) go(); }); })();"""
_ADD = "const p = document.createElement('div'); %s document.body.append(p);"


def plant_in_pages(context: BrowserContext, faulty_app: FaultyApp, fault: str) -> str:
    """Plant a difference in the pages that the context opens from now on; return the plan for the agent, "" for none."""
    if fault in ("argument", "tool", "outcome"):
        return fault
    if fault in ("label", "price"):
        old, new = faulty_app.button if fault == "label" else faulty_app.price
        if fault == "label":
            act = f"b.textContent = {json.dumps(new)};"
            context.add_init_script(_WATCH % (_BUTTONS % (json.dumps(old), act)))
        else:
            context.add_init_script(_WATCH % (_TEXTS % (json.dumps(old), json.dumps(old), json.dumps(new))))
    elif fault == "missing":
        context.add_init_script(_WATCH % (_BUTTONS % (json.dumps(faulty_app.button[0]), "b.remove();")))
    elif fault == "console":
        context.add_init_script(_AFTER % "console.error('stock is undefined');")
    elif fault == "overlay":
        style = "p.textContent = 'Subscribe to our newsletter'; p.style.cssText = 'position:fixed;bottom:0;right:0;background:#fff;padding:2em';"
        context.add_init_script(_AFTER % (_ADD % style))
    elif fault == "spinner":
        context.add_init_script(
            _AFTER % (_ADD % "p.textContent = 'Still working…'; setTimeout(() => p.remove(), 6000);")
        )
    return ""


def plant_in_server(app: RoutingTable, faulty_app: FaultyApp, fault: str) -> None:
    """Plant a difference in what the application's server answers: a status, a delay or another JSON value."""
    if fault not in ("status", "slow", "json"):
        return
    true = app.answer_request
    pattern = re.compile(faulty_app.data[0] if fault == "json" else faulty_app.api)

    def answer_with_fault(request: FixtureRequest, target: str) -> FixtureResponse:
        """Answer the request as the application does, with the fault where the request matches."""
        met = pattern.fullmatch(target) and (fault == "json" or request.method == faulty_app.method)
        if met and fault == "status":
            return FixtureResponse.json({"error": "conflict"}, 409)
        given = true(request, target)
        if met and fault == "slow":
            given.delay += 2.2
        elif met:
            given.body = json.dumps(_set_json_value(json.loads(given.body), *faulty_app.data[1:])).encode()
        return given

    app.answer_request = answer_with_fault  # type: ignore[method-assign]


def _set_json_value(body: Any, path: str, value: Any) -> Any:
    """Return parsed JSON with another value at a dotted path; unchanged where the path does not exist."""
    *parents, name = path.split(".")
    here = body
    for part in parents:
        here = here[int(part)] if isinstance(here, list) else here[part]
    if isinstance(here, dict) and name in here:
        here[name] = value
    return body
