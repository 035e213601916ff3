"""Places in what scripts of the page do, in what the agent tells, and in calls of Playwright."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.redaction.strange_places import PLACES, Answer, Place
from tests.redaction.strange_values import Value

PAUSE = "await new Promise(r=>setTimeout(r,80))"


def done(name: str, kind: str, script: str, *traces: str) -> None:
    """A script of the page does it."""
    PLACES.append(Place(name, kind, script=script, traces=traces))


def told(name: str, kind: str) -> Callable[[Callable[[Any, Any, Value], Any]], None]:
    """The agent, or a Playwright call, does it: a function of session, page and value."""

    def kept(act: Callable[[Any, Any, Value], Any]) -> None:
        PLACES.append(Place(name, kind, act=act))

    return kept


def says(name: str, kind: str, act: Callable[[Any, Value], Any]) -> None:
    PLACES.append(Place(name, kind, act=lambda session, page, value: act(session, value)))


# Addresses and histories.
done("push-path", "name", "history.pushState({},'','/desk/«u»/open');" + PAUSE)
done("push-slug", "name", "history.pushState({},'','/desk/«slug»-4711');" + PAUSE)
done("push-state", "name", "history.pushState({who:'«v»'},'','/desk/state');" + PAUSE)
done("hash-route", "mail", "location.hash='/customer/«u»/edit';" + PAUSE)
done("hash-double", "name", "location.hash='#p=«uu»';" + PAUSE)
done("query-bare", "name", "history.replaceState({},'','?«u»');" + PAUSE)
done("title-change", "name", "const t=document.title;document.title='(1) «v» - Inbox';await new Promise(r=>setTimeout(r,60));document.title=t")  # fmt: skip
done("window-name", "name", "window.name='«v»';" + PAUSE)
done("local-storage", "mail", "localStorage.setItem('who','«v»');" + PAUSE)
done("cookie", "name", "document.cookie='who=«u»;path=/';" + PAUSE)
done("post-message", "name", "postMessage('«v»','*');" + PAUSE)
done("broadcast", "name", "new BroadcastChannel('«v»').postMessage(1)")
done("worker-name", "name", "new Worker(URL.createObjectURL(new Blob(['1'])),{name:'«v»'})")
done("blob-type", "name", "const a=document.createElement('img');a.src=URL.createObjectURL(new Blob(['x'],{type:'image/«slug»'}));document.body.append(a)")  # fmt: skip

# Console and errors.
done("console-format", "name", "console.log('%cwelcome %s','color:red','«v»')")
done("console-style", "name", "console.log('%chello','background:url(/u/«u».png)')")
done("console-object", "mail", "console.log({a:{b:'«v»'}})")
done("console-map", "name", "console.log(new Map([['«v»',1]]))")
done("console-array", "phone", "console.log(['call','«v»'])")
done("console-table", "name", "console.table([{who:'«v»'}])")
done("console-group", "name", "console.group('«v»');console.groupEnd()")
done("console-count", "name", "console.count('«v»')")
done("console-time", "name", "console.time('«v»');console.timeEnd('«v»')")
done("console-assert", "street", "console.assert(false,'lives at «v»')")
done("console-json", "ssn", "console.warn(JSON.stringify({s:'«v»'}))")
done("console-element", "name", "const p=document.createElement('p');p.title='«v»';console.log(p)")
done("console-function", "name", "console.log(function «camel»(){})")
done("console-class", "name", "console.log(new (class «camel»{}))")
done("console-symbol", "name", "console.log(Symbol('«v»'))")
done("console-trace", "name", "const o={'«v»'(){console.trace('x')}};o['«v»']()")
done("error-logged", "name", "console.error(new Error('No such owner: «v»'))")
done("error-cause", "mail", "console.error(new Error('no',{cause:new Error('«v»')}))")
done("error-name", "name", "const e=new Error('x');e.name='«v»';console.error(e)")
done(
    "error-uncaught",
    "name",
    "setTimeout(()=>{throw new Error('owner «v» is gone')});await new Promise(r=>setTimeout(r,40))",
)
done("error-thrown-text", "phone", "setTimeout(()=>{throw 'ring «v»'});await new Promise(r=>setTimeout(r,40))")
done("error-rejected", "name", "Promise.reject({who:'«v»'});await new Promise(r=>setTimeout(r,40))")
done("error-source-url", "name", "setTimeout(new Function('throw new Error(1)\\n//# sourceURL=/app/«slug».js'));await new Promise(r=>setTimeout(r,40))")  # fmt: skip
done("error-in-function", "name", "setTimeout(()=>{const o={'«v»'(){throw new Error('f')}};o['«v»']()});await new Promise(r=>setTimeout(r,40))")  # fmt: skip
done("error-json", "name", "setTimeout(()=>JSON.parse('«v»'));await new Promise(r=>setTimeout(r,40))")
done("error-selector", "mail", "setTimeout(()=>document.querySelector('#«v»!'));await new Promise(r=>setTimeout(r,40))")
done("error-import", "name", "await import('/mod/«u».js').catch(e=>console.error(e.message))")
done("error-reference", "name", "setTimeout(()=>(0,eval)('«camel»()'));await new Promise(r=>setTimeout(r,40))")
done("missing-picture", "name", "const i=new Image();i.src='/img/«slug».png';await new Promise(r=>i.onerror=r)")
done("policy-broken", "name", "const m=document.createElement('meta');m.httpEquiv='Content-Security-Policy';m.content='media-src none';document.head.append(m);new Audio('/a/«u».mp3').load();await new Promise(r=>setTimeout(r,40))")  # fmt: skip
done("performance-mark", "name", "performance.mark('«v»')")
done("clipboard", "name", "document.body.append(Object.assign(document.createElement('p'),{textContent:'copy «v»'}));getSelection().selectAllChildren(document.body.lastChild);document.execCommand('copy')")  # fmt: skip
done("element-state", "name", "if(!customElements.get('x-s'))customElements.define('x-s',class extends HTMLElement{});console.info(new DOMException('«v»','«camel»Error'))")  # fmt: skip
done("shown-briefly", "name", "const p=document.createElement('p');document.body.append(p);p.textContent='Call from «v»';await new Promise(r=>setTimeout(r,120));p.remove()")  # fmt: skip
done("typed-by-page", "name", "const p=document.createElement('p');document.body.append(p);for(const c of 'By «v»'){p.textContent+=c;await new Promise(r=>setTimeout(r,8))}")  # fmt: skip
done("text-nodes", "name", "const p=document.createElement('p');for(const c of 'By «v»')p.append(document.createTextNode(c));document.body.append(p)")  # fmt: skip
done(
    "attribute-later",
    "phone",
    "const p=document.createElement('p');document.body.append(p);p.setAttribute('data-tip','«v»')",
)
done("attribute-gone", "mail", "const p=document.createElement('p');document.body.append(p);p.title='«v»';await new Promise(r=>setTimeout(r,60));p.title=''")  # fmt: skip
done(
    "rule-inserted",
    "name",
    "const s=document.createElement('style');document.head.append(s);s.sheet.insertRule(\".q1::after{content:'«v»'}\")",
)
done("style-property", "name", "document.body.style.setProperty('--by','\"«v»\"')")
done("animation-id", "name", "document.body.animate({opacity:[1,.9]},{duration:40,id:'«v»'})")
done("font-face", "name", "document.fonts.add(new FontFace('«v» Sans','url(data:font/woff2;base64,AA)'))")
done("prompt-default", "name", "prompt('Who?','«v»')")
done("alert", "phone", "alert('«v» is calling')")
done("confirm", "street", "confirm('Ship to «v»?')")
done("download-blob", "name", "const a=document.createElement('a');a.href=URL.createObjectURL(new Blob(['x']));a.download='Report «v».csv';document.body.append(a);a.click();await new Promise(r=>setTimeout(r,100));a.remove()")  # fmt: skip
done(
    "open-window", "name", "const w=open('/none?to=«u»','«snake»');await new Promise(r=>setTimeout(r,250));w&&w.close()"
)
PLACES.append(
    Place("redirect", "name", script="await fetch(at).catch(()=>0)",
          answer=Answer("text/plain", "", {"Location": "/none/«u»?from=«plus»"}, status=302))
)  # fmt: skip
PLACES.append(Place("status-text", "name", script="await fetch(at)", answer=Answer("text/plain", "", status=409, reason="Held by «v»")))  # fmt: skip

# What the agent tells.
says("step-title", "name", lambda s, v: s.step(f"Call {v.text} back").__enter__().outcome(True))
says("note", "street", lambda s, v: s.note(f"The parcel goes to {v.text}"))
says("note-attribute", "name", lambda s, v: s.note("n", queue={"assigned": [{"to": v.text}]}))
says("note-attribute-name", "mail", lambda s, v: s.note("n", **{v.text: 3}))
says("mark", "name", lambda s, v: s.mark(f"{v.first} {v.last} answers"))
says("mark-slug", "name", lambda s, v: s.mark(f"{v.first}-{v.last}".lower()))
says("llm-messages", "ssn", lambda s, v: s.llm_call(model="m", prompt=[{"role": "user", "content": [{"type": "text", "text": f"mine is {v.text}"}]}]))  # fmt: skip
says("llm-response-json", "name", lambda s, v: s.llm_call(model="m", response='{"tool":"find","args":"{\\"who\\":\\"' + v.text + '\\"}"}'))  # fmt: skip
says("llm-attribute", "mail", lambda s, v: s.llm_call(model="m", end_user=v.text))
says("llm-model", "name", lambda s, v: s.llm_call(model=f"ft:small:firm:{v.first}-{v.last}:8ab".lower()))
says(
    "tool-nested", "name", lambda s, v: s.tool_call("crm.find", {"filter": {"and": [{"field": "owner", "eq": v.text}]}})
)
says("tool-argument-name", "name", lambda s, v: s.tool_call("vote", {"votes": {v.text: 1}}))
says("tool-shell", "mail", lambda s, v: s.tool_call("bash", {"cmd": f"grep -n '{v.text}' mail.log | head"}))
says("tool-path", "name", lambda s, v: s.tool_call("read", {"path": f"/home/{v.first}.{v.last}/notes.md".lower()}))
says("tool-name", "name", lambda s, v: s.tool_call(f"ask_{v.first}_{v.last}".lower()))
says("tool-csv", "name", lambda s, v: s.tool_result(s.tool_call("sql"), f"id,total\n4,3\nby {v.text}"))
says("tool-bytes", "phone", lambda s, v: s.tool_result(s.tool_call("x"), {"raw": v.text.encode().hex()}))
says("tool-error", "name", lambda s, v: s.tool_result(s.tool_call("x"), error=f"KeyError: '{v.text}'"))
says("memory-key", "name", lambda s, v: s.memory_op("write", f"customer/{v.text}/likes", "tea"))
says("memory-value", "token", lambda s, v: s.memory_op("write", "k", {"use": v.text}))
says("ask", "name", lambda s, v: s.answer(s.ask(f"May I write to {v.text}?"), "yes"))
says("answer-by", "name", lambda s, v: s.answer(s.ask("Go on?"), "yes", by=v.text))
says("message-sender", "name", lambda s, v: s.message(f"{v.text}'s helper", "desk", "hello"))
says("message-text", "iban", lambda s, v: s.message("a", "b", f"pay to {v.text}"))
says("score-comment", "name", lambda s, v: s.score("tone", 1, comment=f"{v.text} was pleased"))
says("score-name", "name", lambda s, v: s.score(f"judged by {v.text}", 1))
says("version-value", "mail", lambda s, v: s.version("prompt", f"You work for {v.text}. Be short.", name="v4"))
says("version-name", "name", lambda s, v: s.version("config", {"a": 1}, name=f"{v.first}-{v.last}-test".lower()))
says("screen-window", "name", lambda s, v: s.screen(None, window=f"{v.text} - Contacts"))
says("screen-action", "street", lambda s, v: s.screen(None, action={"action": "type", "text": v.text}))


@told("step-failed", "name")
def _(session: Any, page: Any, value: Value) -> None:
    with contextlib.suppress(LookupError), session.step("Find", reasoning="r"):
        raise LookupError(f"nobody called {value.text} here")


@told("artifact", "name")
def _(session: Any, page: Any, value: Value) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"CV {value.text}.md")
        path.write_text(f"# {value.text}\n")
        session.artifact(path)


@told("screenshot", "name")
def _(session: Any, page: Any, value: Value) -> None:
    session.screenshot(f"Seen by {value.text}", boxes=[[1, 1, 9, 9, value.text]], dom=f"<p>{value.text}</p>")


@told("upload-name", "name")
def _(session: Any, page: Any, value: Value) -> None:
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<input type=file id=up>')")
    page.set_input_files("#up", {"name": f"Passport {value.text}.txt", "mimeType": "text/plain", "buffer": b"x"})


def _missed(call: Callable[[], Any]) -> None:
    """A call that finds nothing, so that its locator and its error are told."""
    with contextlib.suppress(Exception):
        call()


for name, kind, call in (
    ("locator-text", "name", lambda page, v: page.get_by_text(f"Hello {v.text}").click(timeout=60)),
    ("locator-label", "name", lambda page, v: page.get_by_label(v.text).fill("x", timeout=60)),
    ("locator-css", "mail", lambda page, v: page.locator(f"[data-owner='{v.text}']").click(timeout=60)),
    ("locator-xpath", "name", lambda page, v: page.locator(f"//td[.='{v.text}']/..").click(timeout=60)),
    ("locator-id", "name", lambda page, v: page.locator(f"#row-{v.first}-{v.last}".lower()).hover(timeout=60)),
    ("locator-role", "street", lambda page, v: page.get_by_role("link", name=v.text).click(timeout=60)),
    ("locator-regex", "name", lambda page, v: page.locator(f"text=/{v.first}\\s+{v.last}/i").click(timeout=60)),
    ("evaluate-literal", "name", lambda page, v: page.evaluate(f"(() => {{ const me = '{v.text}'; return me.length }})()")),
    ("evaluate-argument", "phone", lambda page, v: page.evaluate("x => x.length", {"deep": [v.text]})),
    ("wait-url", "name", lambda page, v: page.wait_for_url(f"**/people/{v.first}-{v.last}", timeout=60)),
    ("typed-keys", "name", lambda page, v: page.keyboard.type(v.text)),
    ("expect-text", "name", lambda page, v: expect(page.locator("h1")).to_have_text(v.text, timeout=60)),
    ("goto-lost", "name", lambda page, v: page.request.get(f"http://127.0.0.1:9/{v.first}%20{v.last}", timeout=200)),
    ("dispatch", "mail", lambda page, v: page.locator("h1").dispatch_event("x", {"detail": v.text})),
    ("extra-headers", "name", lambda page, v: page.set_extra_http_headers({"x-for": f"{v.first} {v.last}"})),
):  # fmt: skip
    PLACES.append(
        Place(name, kind, act=lambda session, page, value, call=call: _missed(lambda: call(page, value)))  # type: ignore[misc]
    )
