"""Plants single differences in applications from PyPI: in answers, in the page, and in what the agent does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from playwright.sync_api import BrowserContext

from . import noise
from .fault_proxy import ProxiedRequest, ProxyPlan, ServedAnswer
from .sites import CompareSite

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
    "outcome": ("outcome",),
    "order": ("action", "model"),
    "retry": ("action", "model"),
    "redirect": ("network",),
    "disabled": ("page",),
    "language": ("page",),
    "list": ("page",),
    "select": ("page",),
    "picture": ("network",),
    "background": ("network",),
}
"""What is planted, and the kinds that a divergence may be of."""

BY_SERVER = frozenset({"status", "json", "slow", "redirect", "picture", "background"})
"""What the proxy plants, and knows whether it did: a request that never comes takes no fault."""
BY_AGENT = frozenset({"argument", "tool", "outcome", "order", "retry"})


def list_expected_words(site: CompareSite, fault: str) -> tuple[str, ...]:
    """Return words of which the summary of the divergence must hold one."""
    return {
        "spinner": ("Loading suggestions",),
        "status": ("409",),
        "json": (site.json[1].rpartition(".")[2],),
        "label": site.button[1:],
        "missing": (site.button[1],),
        "argument": ("amount",),
        "tool": ("guess",),
        "console": ("price list is null",),
        "slow": (" took ",),
        "overlay": ("We value your privacy",),
        "price": site.price,
        "outcome": ("fails", "failed"),
        "order": ("another point",),
        "retry": (" tries",),
        "redirect": ("/hop", "307"),
        "disabled": ("disabled",),
        "language": site.words,
        "list": site.row[1:],
        "select": ("SEK",),
        "picture": ("seal.png",),
        "background": ("/around/seen",),
    }[fault]


_EACH = """(() => { if (window.top !== window) return; const q = %s;
const deep = function* (root) { for (const e of root.querySelectorAll('*')) { yield e; if (e.shadowRoot) yield* deep(e.shadowRoot); } };
const go = () => { if (!document.body) return; for (const e of deep(document)) { %s } };
new MutationObserver(go).observe(document, {subtree: true, childList: true, characterData: true}); setInterval(go, 20); })();"""
_WORDS = "for (const t of e.childNodes) if (t.nodeType === 3 && !/SCRIPT|STYLE/.test(e.tagName) && !e.closest('#around') && (q.old.length > 3 ? t.data.includes(q.old) : t.data.trim() === q.old)) t.data = t.data.replace(q.old, q.new);"
_SAYS = "e.matches(q.selector) && (e.value === q.old || e.textContent.trim() === q.old)"
_AFTER = """(() => { if (window.top !== window) return; const go = () => { %s };
addEventListener('click', (e) => { if (!e.isTrusted) return; const n = 1 + Number(sessionStorage.clicks || 0); sessionStorage.clicks = n; if (n === 2) setTimeout(go, 0); }, true);
addEventListener('DOMContentLoaded', () => { if (Number(sessionStorage.clicks || 0) >= 2) go(); }); })();"""
_OVERLAY = """const p = document.createElement('div'); p.innerHTML = '<h2>We value your privacy</h2><p>Cookies make this page better.</p>';
p.style.cssText = 'position:fixed;bottom:0;left:0;background:#fff;padding:2em;z-index:99999;pointer-events:none'; document.body.append(p);"""


def plant_in_page(context: BrowserContext, site: CompareSite, fault: str) -> str:
    """Add noise and the planted difference to the pages that the context opens from now on; return the plan for the agent, "" for none."""
    context.add_init_script(noise.make_noise_script(site.parts))
    selector, old, new = site.button
    scripts: dict[str, str] = {
        "label": _make_element_script({"selector": selector, "old": old, "new": new}, f"if ({_SAYS}) {{ if (e.value === q.old) e.value = q.new; else for (const t of deepText(e)) if (t.data.trim() === q.old) t.data = q.new; }}"),
        "missing": _make_element_script({"selector": selector, "old": old}, f"if ({_SAYS}) e.remove();"),
        "price": _make_element_script({"old": site.price[0], "new": site.price[1]}, _WORDS),
        "language": _make_element_script({"old": site.words[0], "new": site.words[1]}, _WORDS),
        "list": _make_element_script({"selector": site.row[0], "word": site.row[1]}, "if (e.matches(q.selector) && e.textContent.includes(q.word) && ![...e.querySelectorAll(q.selector)].some((x) => x.textContent.includes(q.word))) e.remove();"),
        "disabled": _make_element_script({"selector": site.field}, "if (e.matches(q.selector) && !e.closest('#around') && !e.disabled) e.disabled = true;"),
        "select": _make_element_script({}, "if (e.id === 'currency' && e.value !== 'SEK') e.value = 'SEK';"),
        "console": _AFTER % "console.error('TypeError: price list is null');",
        "overlay": _AFTER % _OVERLAY,
        "spinner": _AFTER % "sessionStorage.late = 1;",
    }  # fmt: skip
    if fault in scripts:
        context.add_init_script(scripts[fault])
    return fault if fault in BY_AGENT else ""


def _make_element_script(values: dict[str, Any], statement: str) -> str:
    """Return a script that runs a JavaScript statement for each element of the page, again after each change; `values` is `q` in it."""
    text = "const deepText = (e) => { const w = document.createTreeWalker(e, NodeFilter.SHOW_TEXT); const f = []; while (w.nextNode()) f.push(w.currentNode); return f; };\n"
    return (_EACH % (json.dumps(values), statement)).replace("const go =", text + "const go =", 1)


def make_proxy_plan(site: CompareSite, fault: str) -> ProxyPlan:
    """Return what the proxy answers, delays and edits in a run with this difference."""
    method, pattern = site.api[0], re.compile(site.api[1])
    once: list[str] = []
    came: list[str] = []

    def is_api_request(request: ProxiedRequest) -> bool:
        return request.method == method and pattern.fullmatch(request.target) is not None

    def answer_itself(request: ProxiedRequest) -> ServedAnswer | None:
        answer = answer_with_fault(request)
        if answer is not None:
            came.append(request.target)
            return answer
        answer = noise.answer_noise_request(request)
        if answer is not None and fault == "json" and re.fullmatch(site.json[0], request.path):
            came.append(request.target)
            answer.body = set_json_value(answer.body, *site.json[1:])
        return answer

    def answer_with_fault(request: ProxiedRequest) -> ServedAnswer | None:
        """Return the answer that replaces the application's own, or None where the request is left alone."""
        if fault == "status" and is_api_request(request):
            return ServedAnswer(b'{"error": "conflict"}', "application/json", 409)
        if fault == "redirect" and request.path == "/hop":
            once.append(request.target)
            return ServedAnswer(status=307, headers=[("Location", unquote(request.target.partition("?to=")[2]))])
        if fault == "redirect" and is_api_request(request) and not once:
            return ServedAnswer(status=307, headers=[("Location", f"/hop?to={quote(request.target)}")])
        if fault == "picture" and request.path == "/around/seal.png":
            return ServedAnswer(b"gone", status=404)
        if fault == "background" and request.path == "/around/seen":
            return ServedAnswer(b"", status=500)
        return None

    def compute_delay(request: ProxiedRequest) -> float:
        if fault == "slow" and is_api_request(request) and not once:
            once.append(request.target)
            came.append(request.target)
            return 3.0
        return 0.0

    def choose_edit(request: ProxiedRequest) -> Callable[[bytes], bytes] | None:
        if fault == "json" and re.fullmatch(site.json[0], request.target):
            came.append(request.target)
            return lambda body: set_json_value(body, *site.json[1:])
        return None

    return ProxyPlan(answer_itself, compute_delay, choose_edit, came)


def set_json_value(body: bytes, path: str, value: object) -> bytes:
    """Return a JSON body with another value at a dotted path; a body that is not JSON is returned as it is."""
    try:
        whole = json.loads(body)
    except ValueError:
        return body
    *parents, name = path.split(".")
    here = whole
    for part in parents:
        here = here[int(part)] if isinstance(here, list) else here[part]
    if isinstance(here, dict) and name in here:
        here[name] = value
    elif isinstance(here, list):
        here[int(name)] = value
    return json.dumps(whole).encode()
