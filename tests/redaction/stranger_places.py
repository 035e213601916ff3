"""Places that an adversary thought of who had read the others: values in pieces, drawn otherwise, folded by formats, or packed twice."""

from __future__ import annotations

import base64
import json
import pickle
import plistlib
import struct
import unicodedata
import zlib
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.redaction.strange_acts import PAUSE, _missed, done, says
from tests.redaction.strange_places import PLACES, Answer, Place, in_head, in_markup
from tests.redaction.strange_traffic import JSON, _png, answered, packed, posted, sent, socket
from tests.redaction.strange_values import SPELLINGS, Value

_CYRILLIC = str.maketrans("aeopcix", "аеорсіх")
_SMALL_CAPITALS = str.maketrans("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _split(value: Value, joint: str) -> str:
    """The value with something amid its last word."""
    at = len(value.first) + 5
    return value.text[:at] + joint + value.text[at:]


def _with_marks(text: str) -> str:
    return "".join(f"{c}\u0301\u0323" for c in text)


def _accented(value: Value) -> str:
    return unicodedata.normalize("NFD", f"{value.last[:4]}ö{value.last[4:]}")


SPELLINGS.update(
    {
        "cyrillic": lambda v: v.text.translate(_CYRILLIC),
        "cyrillic_last": lambda v: v.last.translate(_CYRILLIC),
        "small_capitals": lambda v: v.text.lower().translate(_SMALL_CAPITALS),
        "small_capitals_last": lambda v: v.last.lower().translate(_SMALL_CAPITALS),
        "struck": lambda v: "".join(f"{c}\u0336" for c in v.text),
        "marked": lambda v: _with_marks(v.text),
        "marked_last": lambda v: _with_marks(v.last),
        "accented": lambda v: f"{v.first} {_accented(v)}",
        "accented_last": _accented,
        "squared": lambda v: "".join(chr(0x1F130 + ord(c) - 65) if "A" <= c <= "Z" else c for c in v.text.upper()),
        "turned": lambda v: f"\u202e{v.text[::-1]}\u202c",
        "raised": lambda v: v.text.translate(_RAISED),
        "points": lambda v: " ".join(f"U+{ord(c):04X}" for c in v.text),
        "old_percent": lambda v: "".join(f"%u{ord(c):04X}" for c in v.text),
        "folded": lambda v: _split(v, "\r\n "),
        "soft_break": lambda v: _split(v, "=\r\n"),
        "path_letters": lambda v: "/".join(v.last.lower()),
        "delta": lambda v: json.dumps({"ops": [{"insert": c} for c in v.last]}),
        "patch": lambda v: json.dumps([{"op": "add", "path": f"/t/{at}", "value": c} for at, c in enumerate(v.last)]),
        "by_number": lambda v: json.dumps({str(at): c for at, c in enumerate(v.last)}),
        "pairs": lambda v: json.dumps([v.last[at : at + 2] for at in range(0, len(v.last), 2)]),
        "php": lambda v: f's:{len(v.text)}:"{v.text}";',
        "picture": lambda v: base64.b64encode(_png(v)).decode(),
        "packed_json": lambda v: base64.b64encode(json.dumps({"to": [v.text]}).encode()).decode(),
        "twice": lambda v: base64.b64encode(base64.b64encode(v.text.encode())).decode(),
        "wide_base64": lambda v: base64.b64encode(v.text.encode("utf-16-le")).decode(),
    }
)

# Drawn otherwise, or in pieces.
for name, kind, spelling, trace in (
    ("cyrillic-letters", "name", "cyrillic", "«cyrillic_last»"),
    ("small-capitals", "name", "small_capitals", "«small_capitals_last»"),
    ("struck-through", "name", "struck", "«last»"),
    ("marks-on-letters", "name", "marked", "«marked_last»"),
    ("decomposed", "name", "accented", "«accented_last»"),
    ("squared", "name", "squared", "«last»"),
    ("turned-round", "name", "turned", "«reversed»"),
    ("raised-digits", "card", "raised", "«trace»"),
    ("points-of-unicode", "name", "points", "«points»"),
    ("base64-twice", "mail", "twice", "«twice»"),
    ("base64-of-wide", "mail", "wide_base64", "«wide_base64»"),
):
    in_markup(name, kind, f"<p>Prepared by «{spelling}» today</p>", trace)
in_markup("slot-halves", "name", "<x-n><template shadowrootmode=open><p>Owner: «first» «head»<slot></slot></p></template>«tail»</x-n>", "«last»")  # fmt: skip
in_markup("half-in-comment", "name", "<p>signed by «first» «head»<!-- -->«tail» today</p>")
in_markup("half-behind-script", "name", "<p>signed by «first» «head»<script>1</script>«tail» today</p>")
in_markup("half-on-next-line", "name", "<p>signed by «first» «head»-<br>«tail» today</p>", "«head»br«tail»", "«last»")
in_markup("line-break", "name", "<p>Dear «first»<br>«last»,</p>")
in_markup("blocks", "name", "<div><div>«first»</div><div>«last»</div></div>")
in_markup("columns-of-halves", "name", "<table><tr><th>First</th><th>Last</th></tr><tr><td>«first»</td><td>«last»</td></tr></table>")  # fmt: skip
in_markup("labels-of-halves", "name", "<p>Given name<br>«first»</p><p>Family name<br>«last»</p>")
in_markup("attributes-of-halves", "name", "<div data-first='«first»' data-last='«last»'>x</div>")
in_markup("path-of-letters", "name", "<a href='/who/«path_letters»/end'>x</a>")
in_markup("template-in-template", "name", "<template><template><p title='«v»'>«v»</p></template></template>")
in_markup("picture-in-poster", "name", "<video poster='data:image/png;base64,«picture»'></video>")
in_markup("picture-in-background", "mail", "<p style=\"background:url('data:image/png;base64,«picture»')\"></p>")
in_markup("drawing-in-srcset", "name", "<img alt='' srcset='data:image/svg+xml;base64,«svg_b» 1x'>")
in_markup("object-of-text", "name", "<object data='data:text/plain;base64,«b»'></object>")
in_markup("formaction", "name", "<form><button formaction='/close/«slug»' formtarget='«snake»'>x</button></form>")
in_markup("value-of-range", "card", "<input type=range min=0 max=9999999999999999 value=«digits»>")
in_markup("number-of-item", "phone", "<ol><li value=«digits»>x</li></ol>")
in_markup("packed-attribute", "mail", "<div data-p='«packed_json»'>x</div>", "«packed_json»", "«trace»")
in_markup("base-of-drawing", "name", "<svg width=9 height=9 xml:base='/people/«slug»/'></svg>")
in_markup("accesskey", "name", "<button accesskey='«v»'>x</button>")
in_head("refresh", "name", "<meta http-equiv=refresh content='900; url=/people/«slug»'>")

# What scripts do.
done("log-large-number", "card", "console.log(«digits»n)")
done("log-bytes", "name", "console.log(new TextEncoder().encode('«v»'))")
done("log-address", "name", "console.log(new URL('https://x.example/u/«u»?q=1'))")
done("log-headers", "mail", "console.log([...new Headers({'x-user':'«v»'})])")
done("log-pattern", "name", "console.log(/«first»\\\\s+«last»/i)")
done("log-getter", "name", "console.dir({get who(){return '«v»'},own:'«v»'})")
done("log-field-of-error", "mail", "console.error(Object.assign(new Error('no'),{who:'«v»'}))")
done("log-many-errors", "name", "console.error(new AggregateError([new Error('«v»')],'many'))")
done("log-coloured", "name", "console.log('\\x1b[31m'+[...'«v»'].join('\\x1b[0m\\x1b[31m'))")
done("log-terminal-link", "name", "console.log('\\x1b]8;;https://x.example/u/«first»-«last»\\x07open\\x1b]8;;\\x07')")
done("log-parts", "name", "console.log('%s%s','«first» «head»','«tail»')", "«head»«tail»")
done("worker-missing", "name", f"navigator.serviceWorker.register('/sw-«slug».js').catch(e=>console.error(e.message));{PAUSE};{PAUSE}")  # fmt: skip
done("title-grows", "name", "const t=document.title;let s='';for(const c of '«v»'){s+=c;document.title='To '+s;await new Promise(r=>setTimeout(r,15))}document.title=t")  # fmt: skip
done("text-prepended", "name", "const p=document.createElement('p');document.body.append(p);for(const c of [...'«v»'].reverse()){p.textContent=c+p.textContent;await new Promise(r=>setTimeout(r,8))}")  # fmt: skip
done("data-replaced", "name", "const t=document.createTextNode('xxxx');const p=document.createElement('p');p.append(t);document.body.append(p);t.replaceData(0,4,'«first» «head»');await new Promise(r=>setTimeout(r,20));t.appendData('«tail»')")  # fmt: skip
done(
    "typed-ahead",
    "name",
    "let s='';for(const c of '«v»'.toLowerCase()){s+=c;await fetch(at+'?q='+encodeURIComponent(s))}",
)
done("text-inserted", "name", "const i=document.createElement('input');document.body.append(i);i.focus();document.execCommand('insertText',false,'«v»')")  # fmt: skip

# Bodies of formats that fold, split or pack.
posted("delta", "name", JSON, "«delta»", "«delta»")
posted("patch", "name", JSON, "«patch»", "«patch»")
posted("letters-by-number", "name", JSON, "«by_number»", "«by_number»")
posted("letters-by-two", "name", JSON, '{"parts":«pairs»}')
posted("php", "name", "text/plain", 'a:1:{s:3:"who";«php»}')
posted("old-percent", "name", "text/plain", "who=«old_percent»", "«old_percent»", "«trace»")
posted("json-path", "name", JSON, '{"filter":"$.people[?(@.name==\'«v»\')]"}')
posted("rtf", "name", "application/rtf", "{\\\\rtf1 Dear «v»,\\\\par}")
posted("diff", "name", "text/x-diff", "--- a/t\\n+++ b/t\\n@@ -1 +1 @@\\n-nobody\\n+«v»\\n")
posted("batch", "name", "multipart/mixed; boundary=b", "--b\\r\\nContent-Type: application/http\\r\\n\\r\\nGET /people/«slug» HTTP/1.1\\r\\n\\r\\n--b--")  # fmt: skip
sent("names-in-a-list", "name", "await fetch(at+'?n[]=«first»&n[]=«last»')")
sent("letters-in-path", "name", "await fetch(at+'/«path_letters»')")
answered(
    "calendar-folded", "name", "text/calendar", "BEGIN:VCALENDAR\r\nSUMMARY:Tea with «folded»\r\nEND:VCALENDAR\r\n"
)
answered("card-folded", "name", "text/vcard", "BEGIN:VCARD\r\nFN:«folded»\r\nEND:VCARD\r\n")
answered("soft-line-break", "name", "message/rfc822", "Content-Transfer-Encoding: quoted-printable\r\n\r\nDear «soft_break»,\r\n")  # fmt: skip
answered("event-of-two-lines", "name", "text/event-stream", "event: note\ndata: by «first» «head»\ndata: «tail» today\n\n", "«head»data«tail»", "«last»", script="const s=new EventSource(at);await new Promise(r=>s.addEventListener('note',r));s.close()")  # fmt: skip
answered("entity-of-xml", "name", "application/xml", "<!DOCTYPE a [<!ENTITY who '«v»'>]><a>&who;</a>")
answered("element-of-xml", "name", "application/xml", "<people><«camel» n='1'/></people>")
answered("hexdump", "name", "text/plain", "00000000  «x»  |«v»|\n")
answered("edifact", "name", "application/edifact", "NAD+BY+++«last»:«first»+Main'")
answered("warning", "name", "text/plain", "x", Warning='299 - "held by «v»"')
answered("packed-state", "name", "text/plain", "x", X_State="«packed_json»")
socket("socket-wide", "name", "Uint8Array.from([...'«v»'].flatMap(c=>[c.charCodeAt(0),0]))")
PLACES.append(Place("socket-halves", "name", script="for(const c of ['by «first» «head»','«tail» ok']){const s=new WebSocket(at.replace('http','ws'));await new Promise(r=>s.onopen=r);s.send(JSON.stringify({delta:c}));await new Promise(r=>s.onmessage=r);s.close()}", answer=Answer("socket", ""), traces=("«first»«head»",)))  # fmt: skip


def _jpeg(value: Value) -> bytes:
    said = value.text.encode()
    maker = b"Exif\0\0II*\0" + struct.pack("<IHHHIIi", 8, 1, 0x13B, 2, len(said) + 1, 26, 0) + said + b"\0"
    parts = ((0xE1, maker), (0xE1, b"http://ns.adobe.com/xap/1.0/\0<dc:creator>" + said), (0xFE, said))
    return b"\xff\xd8" + b"".join(struct.pack(">BBH", 0xFF, mark, len(data) + 2) + data for mark, data in parts) + b"\xff\xd9"  # fmt: skip


packed("jpeg-words", "name", "image/jpeg", _jpeg)
packed("behind-a-picture", "name", "image/png", lambda v: _png(Value("name", "x", "x", "x", "x")) + v.text.encode())
packed("pickle", "name", "application/octet-stream", lambda v: pickle.dumps({"who": v.text}))
packed("property-list", "name", "application/x-plist", lambda v: plistlib.dumps({"who": v.text}, fmt=plistlib.FMT_BINARY))  # fmt: skip
packed("deflated", "mail", "application/octet-stream", lambda v: zlib.compress(v.text.encode() * 3))
packed("latin-1-unsaid", "name", "text/plain", lambda v: f"é {v.text} à".encode("latin-1"))
packed("bad-utf-8", "name", "text/plain", lambda v: b"\xff\xff by " + v.text.encode() + b" \xc3")

# What the agent tells and does.
says("note-emphasis", "name", lambda s, v: s.note(f"by **{v.first}** _{v.last[:4]}_**{v.last[4:]}**"))
says("note-table", "name", lambda s, v: s.note(f"|case|by|\n|--|--|\n|4|{v.text}|"))
says("note-quoted", "name", lambda s, v: s.note(f"> On Monday, {v.first}\n> {v.last} wrote:\n> > hi"))
says("tool-json-thrice", "name", lambda s, v: s.tool_call("x", {"a": json.dumps({"b": json.dumps({"who": v.text})})}))
says("tool-shell-escaped", "name", lambda s, v: s.tool_call("bash", {"cmd": f"cat {v.first}\\ {v.last}.txt"}))
says("tool-markup", "name", lambda s, v: s.tool_call("x", {"xml": f'<parameter name="who">{v.text}</parameter>'}))
says("tool-resource", "name", lambda s, v: s.tool_result(s.tool_call("x"), {"content": [{"type": "resource", "resource": {"uri": f"file:///people/{v.first}-{v.last}.md"}}]}))  # fmt: skip
says("tool-drawing", "name", lambda s, v: s.tool_result(s.tool_call("x"), {"image": f"data:image/svg+xml;base64,{v.write('«svg_b»')}"}))  # fmt: skip
says("tool-picture", "name", lambda s, v: s.tool_result(s.tool_call("x"), {"image": v.write("«picture»")}))
says("tool-tree", "name", lambda s, v: s.tool_result(s.tool_call("x"), f"people\n├── {v.first}-{v.last}\n│   └── a.txt".lower()))  # fmt: skip
says("llm-markup", "name", lambda s, v: s.llm_call(model="m", prompt=f"<fn>{v.first}</fn><ln>{v.last}</ln>"))
says("llm-in-pieces", "name", lambda s, v: s.llm_call(model="m", response=["by ", v.first, " ", v.last[:4], v.last[4:]]))  # fmt: skip
says("window-of-a-file", "name", lambda s, v: s.screen(None, window=f"cv_{v.first}_{v.last}.docx - Word"))
says("window-of-a-shell", "name", lambda s, v: s.screen(None, window=f"{v.first}.{v.last}@web-4: ~".lower()))

_CALLS: dict[str, Callable[[Any, Value], Any]] = {
    "locator-filter": lambda page, v: page.locator("tr").filter(has_text=v.text).click(timeout=60),
    "locator-test-id": lambda page, v: page.get_by_test_id(f"row-{v.first}-{v.last}").click(timeout=60),
    "locator-frame": lambda page, v: page.frame_locator(f"iframe[name='{v.text}']").locator("a").click(timeout=60),
    "locator-contains": lambda page, v: page.locator(f"//td[contains(.,'{v.first}') and contains(.,'{v.last}')]").click(timeout=60),
    "locator-or": lambda page, v: page.get_by_text(v.first).or_(page.get_by_text(v.last)).click(timeout=60),
    "expect-attribute": lambda page, v: expect(page.locator("h1")).to_have_attribute("title", v.text, timeout=60),
    "expect-texts": lambda page, v: expect(page.locator("h1")).to_have_text([v.first, v.last], timeout=60),
    "expect-snapshot": lambda page, v: expect(page.locator("body")).to_match_aria_snapshot(f'- heading "{v.text}"', timeout=60),
    "style-tag": lambda page, v: page.add_style_tag(content=f".zz::after{{content:'{v.text}'}}"),
    "wait-function": lambda page, v: page.wait_for_function(f"document.title=='{v.text}'", timeout=60),
    "exposed": lambda page, v: page.expose_function(f"ask{v.first}{v.last}", lambda: 1),
}  # fmt: skip
for name, act in _CALLS.items():
    PLACES.append(Place(name, "name", act=lambda session, page, value, act=act: _missed(lambda: act(page, value))))  # type: ignore[misc]
