"""Places of the platform's newer features, of headers that few know, of files' own words and of what agents tell: each with a value of its own."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.redaction.more_places import Strange
from tests.redaction.reels import Maker

PLATFORM, SHEET, DATA, HEADER, LINK, FORMAT, PICTURE, TOLD = (
    "newer attribute", "newer style", "data in markup", "newer header", "newer address", "format", "picture", "told by the agent",
)  # fmt: skip


NOT_CARRIED = {
    **dict.fromkeys(("JSON-LD", "import map", "speculation rules"), "what stands within a script is in no replay"),
    **dict.fromkeys(("to of set", "values of animate"), "an animation of an address, or of a class, is taken out when a replay is built"),
    **dict.fromkeys(("javascript",), "an address that runs is taken out when a replay is built"),
    **dict.fromkeys(("From of a mail", "mail", "TOML", "YAML", "author of a PDF", "packed body"), "a replay shows bodies of text's own types"),
    **dict.fromkeys(("content of an artifact",), "files that an agent made stay in the reel"),
}  # fmt: skip
"""Places that no raw replay tells, and why."""


class Newer(Strange):
    """Values of one kind or another, by chance."""

    def one(self, kind: str, place: str) -> str:
        """Return an e-mail address or the number of a card."""
        return self.email(kind, place) if self._random.random() < 0.5 else self.card(kind, place)


def write(path: Path, v: Newer) -> Path:
    """Write a reel that has them all."""
    m = Maker(path, agent=f"buyer of {v.person(TOLD, 'agent')}", metadata={"ticket": {"raised-by": v.email(TOLD, "metadata"), "blob": _b64(f"from {v.email(TOLD, 'base64 in metadata')}")}})  # fmt: skip
    m.body(*_platform(v), *_data(v), *_links(v), ["style", {}, _sheet(v)])
    _headers(m, v)
    _formats(m, v)
    _pictures(m, v)
    _told(m, v)
    return m.done()


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _name(v: Newer, kind: str, place: str) -> str:
    return v.person(kind, place, "-")


def _platform(v: Newer) -> list[Any]:
    mail = lambda place: v.one(PLATFORM, place)  # noqa: E731
    name = lambda place: _name(v, PLATFORM, place)  # noqa: E731
    word = lambda place: v.surname(PLATFORM, place)  # noqa: E731
    values = {
        "popover": ("div", word("popover")), "popovertarget": ("button", name("popovertarget")), "popovertargetaction": ("button", word("popovertargetaction")),
        "interestfor": ("button", name("interestfor")), "interesttarget": ("a", name("interesttarget")), "command": ("button", f"--call-{name('command')}"),
        "commandfor": ("button", name("commandfor")), "anchor": ("div", name("anchor")), "exportparts": ("div", f"{name('exportparts')}:a"),
        "elementtiming": ("p", name("elementtiming")), "containertiming": ("p", mail("containertiming")), "writingsuggestions": ("input", word("writingsuggestions")),
        "virtualkeyboardpolicy": ("p", word("virtualkeyboardpolicy")), "enterkeyhint": ("input", word("enterkeyhint")), "inputmode": ("input", word("inputmode")),
        "autocapitalize": ("p", word("autocapitalize")), "dirname": ("input", f"{name('dirname')}.dir"), "shadowrootmode": ("template", word("shadowrootmode")),
        "shadowrootreferencetarget": ("template", name("shadowrootreferencetarget")), "credentialless": ("iframe", mail("credentialless")),
        "allow": ("iframe", f"camera https://x.example/{v.email(PLATFORM, 'allow')}"), "csp": ("iframe", f"report-uri /r?{v.email(PLATFORM, 'csp')}"),
        "headingoffset": ("section", v.ssn(PLATFORM, "headingoffset")), "blocking": ("link", mail("blocking")), "fetchpriority": ("img", word("fetchpriority")),
        "attributionsrc": ("a", f"/a?who={v.email(PLATFORM, 'attributionsrc')}"), "ping": ("a", f"/p?who={v.email(PLATFORM, 'ping')} /q"),
        "imagesrcset": ("link", f"/i.png?{v.email(PLATFORM, 'imagesrcset')} 2x"), "aria-description": ("p", v.person(PLATFORM, "aria-description")),
        "aria-roledescription": ("p", f"card of {v.person(PLATFORM, 'aria-roledescription')}"), "aria-keyshortcuts": ("p", mail("aria-keyshortcuts")),
        "aria-valuetext": ("p", v.person(PLATFORM, "aria-valuetext")), "aria-braillelabel": ("p", f"call {v.person(PLATFORM, 'aria-braillelabel')}"),
        "sandbox": ("iframe", word("sandbox")), "closedby": ("dialog", word("closedby")), "colorspace": ("input", mail("colorspace")), "switch": ("input", mail("switch")),
        "hx-vals": ("p", json.dumps({"who": v.email(PLATFORM, "hx-vals")})), "wire:snapshot": ("p", json.dumps({"data": {"n": v.email(PLATFORM, "wire:snapshot")}})),
        "x-data": ("p", f"{{ name: '{v.person(PLATFORM, 'x-data')}' }}"), "@click": ("p", f"greet('{v.person(PLATFORM, 'handler of a framework')}')"),
        "v-bind:title": ("p", f"'{v.person(PLATFORM, 'v-bind')}'"), "ng-init": ("p", f"who='{v.email(PLATFORM, 'ng-init')}'"),
        "inkscape:label": ("svg|g", v.person(PLATFORM, "label of a drawing program")), "sodipodi:docname": ("svg|g", f"{mail('name of a drawing')}.svg"),
        "requiredExtensions": ("svg|g", f"https://x.example/{v.email(PLATFORM, 'requiredExtensions')}"), "encoding": ("math|annotation", mail("encoding of an annotation")),
    }  # fmt: skip
    picked = ["select", {"aria-label": "Send to"}, ["button", {}, ["selectedcontent", {}, v.person(PLATFORM, "selectedcontent")]]]  # fmt: skip
    picked.append(["option", {"value": "1"}, ["span", {}, v.person(PLATFORM, "rich option")], ["small", {}, v.email(PLATFORM, "small print of an option")]])  # fmt: skip
    return [*([tag, {key: value}, "x"] for key, (tag, value) in values.items()), picked]


def _data(v: Newer) -> list[Any]:
    mail = lambda place: v.one(DATA, place)  # noqa: E731
    return [
        ["script", {"type": "speculationrules"}, json.dumps({"prefetch": [{"urls": [f"/u?{mail('speculation rules')}"]}]})],
        ["script", {"type": "importmap"}, json.dumps({"imports": {mail("import map"): "/a.js"}})],
        ["script", {"type": "application/ld+json"}, json.dumps({"@type": "Person", "email": mail("JSON-LD")})],
        ["meta", {"itemprop": "author", "content": v.person(DATA, "microdata")}],
        ["div", {"itemscope": "", "itemid": f"mailto:{mail('itemid')}", "itemtype": f"https://schema.org/Person?{mail('itemtype')}"}, "x"],
        ["div", {"property": "foaf:mbox", "resource": f"mailto:{mail('RDFa resource')}", "about": f"#{_name(v, DATA, 'RDFa about')}", "vocab": f"https://x.example/{mail('RDFa vocab')}"}, "x"],
        ["div", {"typeof": mail("RDFa typeof"), "prefix": f"p: https://x.example/{mail('RDFa prefix')}"}, "x"],
        ["math|math", {}, ["math|semantics", {}, ["math|mi", {}, "x"], ["math|annotation", {"encoding": "application/x-tex"}, f"\\text{{{v.person(DATA, 'annotation of a formula')}}}"]]],
        ["svg|svg", {}, ["svg|metadata", {}, f"<dc:creator>{v.person(DATA, 'metadata of a drawing')}</dc:creator>"], ["svg|desc", {}, f"Drawn for {v.person(DATA, 'desc')}"],
         ["svg|set", {"attributeName": "href", "to": f"/u?{v.surname(DATA, 'to of set')}"}], ["svg|animate", {"attributeName": "class", "values": f"a;{mail('values of animate')}"}]],
        ["object", {"data": "/o"}, ["param", {"name": mail("name of param"), "value": v.person(DATA, "value of param")}]],
        ["data", {"value": v.person(DATA, "value of data")}, "x"], ["time", {"datetime": mail("datetime")}, "x"], ["del", {"cite": f"/u?{mail('cite')}"}, "x"],
    ]  # fmt: skip


def _sheet(v: Newer) -> str:
    mail = lambda place: v.one(SHEET, place)  # noqa: E731
    name = lambda place: _name(v, SHEET, place)  # noqa: E731
    said = lambda place: v.person(SHEET, place)  # noqa: E731
    return f"""
    a {{ view-transition-name: {name("view-transition-name")}; view-transition-class: {name("view-transition-class")}; anchor-name: --{name("anchor-name")} }}
    b {{ position-anchor: --{name("position-anchor")}; scroll-timeline-name: --{name("scroll-timeline-name")}; animation-timeline: --{name("animation-timeline")}; timeline-scope: --{name("timeline-scope")} }}
    ::view-transition-group({name("view-transition-group")}) {{ z-index: 1 }}
    @scope (.{name("scope root")}) to (#{name("scope limit")}) {{ p {{ color: red }} }}
    @starting-style {{ i::before {{ content: "{said("starting style")}" }} }}
    @container {name("container")} (width > 1px) {{ u::after {{ content: "{mail("container content")}" }} }}
    @counter-style {name("counter style")} {{ system: cyclic; symbols: "{said("symbols")}"; suffix: "{mail("suffix")}" }}
    @font-palette-values --{name("palette")} {{ font-family: "{mail("family of a palette")}" }}
    @font-feature-values Fancy {{ @styleset {{ {name("styleset")}: 1 }} }}
    @view-transition {{ navigation: auto; types: {name("types of a transition")} }}
    html:active-view-transition-type({name("active type")}) p {{ color: red }}
    x-a:state({name("state")})::part({name("part")}) {{ color: red }} ::highlight({name("highlight")}) {{ color: red }}
    p:lang("{mail("lang")}") {{ cursor: url("data:text/plain,{mail("cursor")}"), auto }}
    @property --{name("property")} {{ syntax: "*"; inherits: true; initial-value: "{said("initial value")}" }}
    @function --{name("function")}() {{ result: "{mail("result of a function")}" }} @custom-media --{name("custom media")} (width > 1px);
    s {{ width: if(style(--a: "{mail("style query")}"): 1px; else: 2px); --b: attr(data-x type(<string>), "{said("fallback of attr")}") }}
    /* {said("comment")} */ /*# sourceMappingURL=/m/{mail("source map")}.map */
    @namespace {name("namespace")} url("https://x.example/{mail("namespace address")}");
    @import url("/i.css?{mail("import")}") layer({name("layer of an import")}) supports(font-format(woff2));
    """


def _links(v: Newer) -> list[Any]:
    mail = lambda place: v.one(LINK, place)  # noqa: E731
    links = {
        "text fragment": "/a#:~:text=Dear%20{}", "session in a path": "/a;who={}/b", "encoded twice": "/a?x=%2540%253Fq%253D{}", "intent": "intent://scan/#Intent;S.who={};end",
        "magnet": "magnet:?dn={}", "geo": "geo:0,0?q={}", "web+": "web+note:{}", "blob": "blob:https://x.example/{}", "filesystem": "filesystem:https://x.example/temporary/{}",
        "view-source": "view-source:https://x.example/?{}", "mail with copy": "mailto:?cc={}&subject=x", "sms body": "sms:?body={}", "socket": "ws://x.example/?who={}",
        "bitcoin": "bitcoin:x?label={}", "data with a name": "data:text/html;charset=utf-8,<b>{}</b>", "javascript": "javascript:mail('{}')", "ftp": "ftp://{}:pw@x.example/",
        "urn": "urn:x-who:{}", "xmpp": "xmpp:{}?message", "sip": "sip:{}", "calendar": "webcal://x.example/{}.ics", "slack": "slack://user?team=T&id={}",
    }  # fmt: skip
    called = ("web+", "xmpp", "sip")
    return [["a", {"href": link.format(v.surname(LINK, place) if place in called else mail(place))}, "x"] for place, link in links.items()]  # fmt: skip


def _headers(m: Maker, v: Newer) -> None:
    mail = lambda place: v.one(HEADER, place)  # noqa: E731
    headers = {
        "server-timing": 'db;desc="{}";dur=5', "reporting-endpoints": 'main="https://r.example/{}"', "report-to": '{{"group":"{}","endpoints":[]}}', "nel": '{{"report_to":"{}"}}',
        "link": "</u?{}>; rel=preload", "sec-websocket-protocol": "chat.{}", "alt-svc": 'h3=":443"; x="{}"', "content-disposition": "attachment; filename*=UTF-8''{}.pdf",
        "baggage": "user={}", "tracestate": "v=1,who={}", "permissions-policy": 'geolocation=("https://{}")', "content-security-policy": "report-uri /r?{}", "etag": 'W/"{}"',
        "refresh": "5; url=/u?{}", "www-authenticate": 'Basic realm="{}"', "sourcemap": "/m/{}.map", "service-worker-allowed": "/{}", "via": "1.1 {}", "x-forwarded-user": "{}",
        "content-language": "{}", "sec-ch-ua": '"{}";v="1"', "origin-trial": "{}", "set-login": "logged-in; who={}", "content-range": "bytes 0-1/{}", "accept-language": "{}",
        "vary": "{}", "cache-control": 'private="{}"', "access-control-expose-headers": "{}", "cross-origin-opener-policy": 'same-origin; report-to="{}"', "content-encoding": "{}",
        "content-length": "{}", "x-content-type-options": "{}", "x-frame-options": "ALLOW-FROM https://x.example/{}", "strict-transport-security": "max-age=1; {}",
    }  # fmt: skip
    made = {name: text.format(mail(name)) for name, text in headers.items()}
    made["cookie"] = f"{quote(mail('name of a cookie'))}=1; theme={mail('value of a cookie')}"
    made["set-cookie"] = (
        f"{mail('name of a set cookie')}=1; Path=/{mail('path of a cookie')}; Domain={mail('domain of a cookie')}"
    )
    made["content-type"] = f"multipart/mixed; boundary={mail('boundary')}; charset=utf-8"
    for kind, more in (("request", {"page": 1, "method": "GET", "url": "https://shop.example/h", "type": "fetch"}), ("response", {"status": 103, "status_text": f"Early {v.person(HEADER, 'status text')}", "end": m.t, "size": 1})):  # fmt: skip
        m.put(kind, id="h", headers=made, **more)
    m.put("message", id="h", sent=True, size=9, name=_name(v, HEADER, "name of an event"), body=m.resource("text/plain", json.dumps(["join", {"who": mail("frame of a socket")}])))  # fmt: skip


def _formats(m: Maker, v: Newer) -> None:
    mail = lambda place: v.one(FORMAT, place)  # noqa: E731
    bodies = {
        "application/x-ndjson": f'{{"a":"{mail("NDJSON")}"}}\n{{"{mail("key of NDJSON")}":1}}\n', "text/vcard": f"BEGIN:VCARD\nFN:{v.person(FORMAT, 'vCard')}\nEMAIL:{mail('mail of a vCard')}\nEND:VCARD\n",
        "text/calendar": f"BEGIN:VCALENDAR\nATTENDEE;CN={v.person(FORMAT, 'calendar')}:mailto:{mail('attendee')}\nEND:VCALENDAR\n",
        "application/problem+json": json.dumps({"detail": f"No account for {mail('problem')}", "instance": f"/u/{mail('instance of a problem')}"}),
        "application/json": json.dumps({"inner": json.dumps({"inner": _b64(json.dumps({"mail": mail("base64 in JSON in JSON")}))}), mail("key"): True}),
        "application/graphql-response+json": json.dumps({"extensions": {"cost": [mail("extension of GraphQL")]}}), "application/source-map+json": json.dumps({"sources": [f"/home/{mail('source of a map')}/a.ts"], "names": [mail("name of a map")]}),
        "text/vtt": f"WEBVTT\n\nNOTE {v.person(FORMAT, 'note of subtitles')}\n\n00:00.000 --> 00:01.000\n<v {v.person(FORMAT, 'voice')}>Hello {mail('subtitle')}\n",
        "application/yaml": f"owner: {mail('YAML')}\n", "application/toml": f'owner = "{mail("TOML")}"\n', "message/rfc822": f"From: {v.person(FORMAT, 'From of a mail')} <{mail('mail')}>\nSubject: x\n\nx\n",
        "application/gpx+xml": f"<gpx><author><name>{v.person(FORMAT, 'author of a track')}</name><email id='{mail('id in XML')}'/></author></gpx>",
        "application/reports+json": json.dumps([{"type": "csp-violation", "url": f"https://x.example/?{mail('report')}", "user_agent": mail("agent of a report")}]),
        "text/uri-list": f"# {mail('comment of a list')}\nhttps://x.example/{mail('list of addresses')}\n", "application/manifest+json": json.dumps({"name": f"Shop of {v.person(FORMAT, 'manifest')}", "start_url": f"/?u={mail('start of a manifest')}"}),
        "application/json-patch+json": json.dumps([{"op": "add", "path": f"/users/{mail('path of a patch')}", "value": mail("value of a patch")}]), "text/x-quoted": quote(mail("percent in a text"), safe=""),
    }  # fmt: skip
    for number, (mime, text) in enumerate(bodies.items()):
        m.put(
            "response", id=f"f{number}", status=200, end=m.t, size=1, body=m.resource(mime, text), mime=mime, headers={}
        )
    packed = gzip.compress(json.dumps({"mail": mail("packed body")}).encode())
    m.put("response", id="packed", status=200, end=m.t, size=1, body=m.resource("application/json", packed), mime="application/json", headers={})  # fmt: skip
    pdf = f"%PDF-1.4\n1 0 obj<</Author({mail('author of a PDF')})>>endobj\n2 0 obj<</Length 60>>stream\n".encode() + zlib.compress(b"(x) Tj") + b"\nendstream endobj\n%%EOF"  # fmt: skip
    m.put("response", id="pdf", status=200, end=m.t, size=1, body=m.resource("application/pdf", pdf), mime="application/pdf", headers={})  # fmt: skip


def _pictures(m: Maker, v: Newer) -> None:
    mail = lambda place: v.email(PICTURE, place).encode()  # noqa: E731

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 2, 0, 0, 0))
    png += chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<dc:creator>" + mail("XMP of a PNG") + b"</dc:creator>") + chunk(b"eXIf", b"MM\0*" + mail("EXIF of a PNG")) + chunk(b"iCCP", b"sRGB\0\0" + zlib.compress(bytes(9)))  # fmt: skip
    png += chunk(b"IDAT", zlib.compress(b"\0abcdef")) + chunk(b"cuST", mail("chunk of nobody")) + chunk(b"IEND", b"") + mail("behind a PNG")  # fmt: skip
    gif = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"
    for label, place in ((b"\xfe", "comment of a GIF"), (b"\xff\x0bXMP DataXMP", "XMP of a GIF")):
        said = mail(place)
        gif += b"!" + label + bytes([len(said)]) + said + b"\0"
    gif += b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;" + mail("behind a GIF")
    parts = ((b"\xe1", b"Exif\0\0" + mail("EXIF of a JPEG")), (b"\xe1", b"http://ns.adobe.com/xap/1.0/\0" + mail("XMP of a JPEG")), (b"\xed", b"Photoshop 3.0\0" + mail("IPTC of a JPEG")), (b"\xe2", b"ICC_PROFILE\0\1\1" + mail("profile of a JPEG")), (b"\xfe", mail("comment of a JPEG")))  # fmt: skip
    jpeg = b"\xff\xd8" + b"".join(b"\xff" + marker + struct.pack(">H", len(body) + 2) + body for marker, body in parts) + b"\xff\xda\0\x02ab\xff\xd9"  # fmt: skip
    blocks = b"".join(name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2) for name, body in ((b"EXIF", mail("EXIF of a WebP")), (b"XMP ", mail("XMP of a WebP"))))  # fmt: skip
    webp = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x0c" + bytes(9) + b"VP8L" + struct.pack("<I", 6) + b"/\0\0\0\0\0" + blocks  # fmt: skip
    svg = f"<?xml version='1.0'?><!-- {v.person(PICTURE, 'comment of an SVG')} --><svg xmlns='http://www.w3.org/2000/svg'><metadata>{v.email(PICTURE, 'metadata of an SVG')}</metadata><title>{v.person(PICTURE, 'title of an SVG')}</title></svg>"  # fmt: skip
    for name, mime, data in (("a.png", "image/png", png), ("a.gif", "image/gif", gif), ("a.jpg", "image/jpeg", jpeg), ("a.webp", "image/webp", b"RIFF" + struct.pack("<I", len(webp)) + webp), ("a.svg", "image/svg+xml", svg.encode())):  # fmt: skip
        m.put("request", id=name, page=1, method="GET", url=f"https://shop.example/{name}", type="image", headers={})
        m.put("response", id=name, status=200, end=m.t, size=1, body=m.resource(mime, data), mime=mime, headers={}, url=f"https://shop.example/{name}")  # fmt: skip


def _told(m: Maker, v: Newer) -> None:
    mail = lambda place: v.one(TOLD, place)  # noqa: E731
    said = lambda place: v.person(TOLD, place)  # noqa: E731
    m.put("step", id=1, title=f"Write to {said('title of a step')}", reasoning=f"As {said('reasoning')} asked", attributes={mail("name of an attribute"): {"to": [mail("attribute of a step")]}})  # fmt: skip
    m.put(
        "ask",
        id=2,
        step=1,
        text=f"May I refund {said('question')}?",
        attributes={"options": [f"Refund {said('choice of a question')}", "No"]},
    )
    m.put("answer", id=3, ask=2, step=1, text=f"Yes, says {said('answer')}")
    m.put("artifact", id=4, step=1, name=f"invoice for {mail('name of an artifact')}.pdf", size=9, mime="text/plain", body=m.resource("text/plain", f"Paid by {mail('content of an artifact')}"))  # fmt: skip
    m.put(
        "score",
        id=5,
        step=1,
        name=f"tone of {said('name of a score')}",
        value=0.5,
        text=f"{said('comment of a score')} was content",
    )
    m.put("tool_call", id=6, step=1, name="send_mail", arguments=json.dumps({"raw": _b64(json.dumps({"to": mail("base64 in an argument")})), "x": {"y": [mail("nested argument")]}}))  # fmt: skip
    m.put("tool_result", id=6, step=1, result=[{"type": "text", "text": f"Sent to {mail('result')}"}], error=f"SMTPError: {mail('error')}\nnote: while writing to {said('note of an exception')}")  # fmt: skip
    m.put("llm", id=7, step=1, model=f"ft:gpt-4:acme:{mail('model')}:1", prompt=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": f"https://x.example/{mail('picture in a prompt')}.png"}}]}], response=f"Dear {said('answer of a model')},", attributes={"gen_ai.user": mail("user of a model")}, parameters={"user": mail("parameter"), "metadata": {mail("key of a parameter"): 1}}, reasoning=f"It is {said('thought')} again", error=f"no quota for {mail('error of a model')}")  # fmt: skip
    m.put("said", id=8, role="user", content=[{"type": "text", "text": f"My mail is {mail('message')}"}, {"type": "input_audio", "input_audio": {"data": _b64("x" * 9 + mail("sound of a message"))}}])  # fmt: skip
    m.put("memory", id=9, step=1, op="write", key=mail("key of a memory"), value={"who": said("value of a memory")})
    m.put("note", id=10, step=1, text=f"Called {said('note')}", attributes={})
    m.put("mark", name=f"after {said('mark')} paid")
    m.put("step_end", id=1, success=False, message=f"{said('message of an end')} did not answer", error=f"ValueError: {mail('error of a step')}", attributes={})  # fmt: skip
    m.put("dialog", page=1, type="prompt", message=f"Delete {said('dialog')}?", default=mail("default of a dialog"))
    m.put(
        "download",
        page=1,
        url=f"https://shop.example/{mail('address of a download')}",
        filename=f"{mail('name of a download')}.csv",
    )
    m.put(
        "console",
        page=1,
        level="log",
        text=f"%c{mail('console')}",
        args=[{"deep": {"deeper": [mail("argument of the console")]}}],
    )
    m.put("error", page=1, message=f"no user {mail('message of an error')}", stack=f"Error: x\n    at {_name(v, TOLD, 'function of a stack')} (https://shop.example/{mail('file of a stack')}.js:1:2)")  # fmt: skip
