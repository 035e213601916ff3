"""Places in which a recording tells somebody's data beyond its 46 channels, by kind, each with a value of its own that is made anew."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.redaction.reels import Maker

_ONSETS = "b d f g h k l m n p r s t v w z br dr gr kl st tr".split()  # noqa: SIM905
_GIVEN = [
    "Maria",
    "Priya",
    "Kenji",
    "Fatima",
    "Pedro",
    "Ingrid",
    "Omar",
    "Svetlana",
    "Giulia",
    "Mateo",
    "Aisha",
    "Hiroshi",
    "Natalia",
    "Rajesh",
    "Yusuf",
    "Camila",
]


class Values:
    """Values that nobody has seen, by kind and place."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.planted: dict[tuple[str, str], str] = {}

    def word(self, size: int = 4) -> str:
        """An invented surname: no word of any language that a list may hold."""
        parts = (self._random.choice(_ONSETS) + self._random.choice("aeiou") for _ in range(size))
        return ("".join(parts) + self._random.choice(("rst", "lk", "ndt", "mpf"))).capitalize()

    def surname(self, kind: str, place: str) -> str:
        return self._put(kind, place, self.word())

    def person(self, kind: str, place: str, joint: str = " ") -> str:
        given = self._random.choice(_GIVEN)
        self.planted[kind, place] = surname = self.word()
        whole = f"{given}{joint}{surname}"
        return whole if joint in (" ", "") or self._random.random() < 0.5 else whole.lower()

    def card(self, kind: str, place: str) -> str:
        body = "4" + "".join(self._random.choices("0123456789", k=14))
        total = sum(sum(divmod(int(c) * (1 + (i + 1) % 2), 10)) for i, c in enumerate(body))
        return self._put(kind, place, body + str(-total % 10))

    def ssn(self, kind: str, place: str) -> str:
        r = self._random.randrange
        return self._put(kind, place, f"{r(100, 665)}-{r(10, 99)}-{r(1000, 9999)}")

    def phone(self, kind: str, place: str) -> str:
        return self._put(kind, place, f"{self._random.randrange(201, 989)}{self._random.randrange(2010000, 9989999)}")

    def email(self, kind: str, place: str) -> str:
        return self._put(kind, place, f"{self.word().lower()}@{self.word().lower()}.nl")

    def _put(self, kind: str, place: str, value: str) -> str:
        assert (kind, place) not in self.planted, (kind, place)
        self.planted[kind, place] = value
        return value


QUERY, NAME, CSS, SAID, CHARSET, BESIDE, LETTERS, WORDS = (
    "query", "name", "style sheet", "said", "charset", "beside", "letters", "words of programs",
)  # fmt: skip

NAMED_ATTRIBUTES = [
    "id",
    "class",
    "name",
    "for",
    "headers",
    "list",
    "form",
    "slot",
    "part",
    "exportparts",
    "is",
    "usemap",
    "popovertarget",
    "commandfor",
    "aria-controls",
    "aria-describedby",
    "aria-labelledby",
    "aria-owns",
    "aria-activedescendant",
    "aria-errormessage",
    "aria-details",
    "axis",
]
SAID_ATTRIBUTES = "abbr target lang pattern rel role align media type accept rules frame wrap scope dirname autocomplete headers".split()  # noqa: SIM905
URL_ATTRIBUTES = (
    ("a", "href"), ("img", "src"), ("form", "action"), ("button", "formaction"), ("video", "poster"), ("object", "data"),
    ("blockquote", "cite"), ("table", "background"), ("img", "longdesc"), ("svg|use", "xlink:href"), ("html", "manifest"),
    ("iframe", "src"), ("link", "href"), ("source", "src"), ("area", "href"), ("base", "href"),
)  # fmt: skip


def write(path: Path, v: Values) -> Path:
    """A reel with a value in every place."""
    first = {
        place: (v.word(3), v.word())
        for place in ("text", "svg", "caption", "upper", "comma", "url", "class", "console", "body")
    }
    m = Maker(path, metadata={"start": f"https://shop.example/start?{v.surname(QUERY, 'metadata')}"})
    body: list[Any] = [
        *_addresses(v), *_names(v), *_free(v), ["style", {}, _sheet(v)], *_letters(v),
        *(["p", {}, ["label", {}, "First name ", ["input", {"name": "first_name", "value": known}]]] for known, _ in first.values()),
        *_beside(v, first),
    ]  # fmt: skip
    m.body(*body)
    m.ops(["add", 4, 8000, ["section", {}]])
    for at, letter in enumerate(v.surname(LETTERS, "letters that come one by one, in boxes")):
        m.ops(["add", 8000, 8001 + 2 * at, ["div", {}, letter]])
    m.ops(["add", 4, 8100, ["section", {}]])
    for at, letter in enumerate(v.surname(LETTERS, "letters that come one by one")):
        m.ops(["add", 8100, 8101 + 2 * at, ["span", {}, letter]])
    _events(m, v)
    _bodies(m, v)
    _programs(m, v)
    known, unknown = first["console"]
    v.planted[BESIDE, "console"] = unknown
    m.put("console", page=1, level="log", text=f"loaded {known} {unknown}")
    known, unknown = first["body"]
    v.planted[BESIDE, "body of text"] = unknown
    _answer(m, "text/plain", f"row 1 {known} {unknown}".encode(), "text/plain")
    return m.done()


def _addresses(v: Values) -> list[Any]:
    out: list[Any] = []
    for tag, name in URL_ATTRIBUTES:
        if tag == "html":
            continue
        out.append([tag, {name: f"/unsub?{v.surname(QUERY, f'{tag}[{name}]')}"}])
    q = v.surname
    out += [
        ["img", {"srcset": f"/a.png?{q(QUERY, 'srcset')} 1x, /b.png 2x"}],
        ["link", {"rel": "preload", "imagesrcset": f"/a.png?{q(QUERY, 'imagesrcset')} 1x"}],
        ["div", {"style": f"background:url(/p.png?{q(QUERY, 'style attribute')})"}],
        ["style", {}, f'@import "/x.css?{q(QUERY, "@import string")}"; @import url(/y.css?{q(QUERY, "@import url")}); .q{{cursor:url("/c.cur?{q(QUERY, "cursor")}"),auto;background:image-set("/i.png?{q(QUERY, "image-set")}" 1x)}}'],
        ["a", {"href": f"/list?a&{q(QUERY, 'among others')}&b"}],
        ["a", {"href": f"/list?page=2&{q(QUERY, 'after a parameter')}"}],
        ["a", {"href": f"/list?{q(QUERY, 'before a parameter')};sort=asc"}],
        ["a", {"href": f"/list?{q(QUERY, 'with an empty value')}="}],
        ["a", {"href": f"/list?{q(QUERY, 'with a harmless value')}=1"}],
        ["a", {"href": f"/list?user[{q(QUERY, 'in brackets')}]=on"}],
        ["a", {"href": f"/list?{q(QUERY, 'with a plus')}+{q(QUERY, 'after a plus')}"}],
        ["a", {"href": f"/list?%{ord('Q'):02x}{q(QUERY, 'behind an escape').lower()}"}],
        ["a", {"href": f"/list;{q(QUERY, 'matrix parameter')}/x"}],
        ["a", {"href": f"#/inbox?{q(QUERY, 'query of a fragment')}"}],
        ["a", {"href": f"#a&{q(QUERY, 'fragment with parameters')}&token=1"}],
        ["a", {"href": f"?{q(QUERY, 'query alone').lower()}"}],
        ["a", {"href": f"https://other.example/?{q(QUERY, 'other host').upper()}"}],
        ["p", {}, f"See https://shop.example/unsub?{q(QUERY, 'address in a text')} now."],
        [f"http://ns.example/?{q(QUERY, 'namespace')}|thing", {}],
    ]  # fmt: skip
    return out


def _names(v: Values) -> list[Any]:
    out: list[Any] = []
    makers: tuple[tuple[str, Callable[[str, str], str]], ...] = (
        ("card", v.card), ("SSN", v.ssn), ("phone", v.phone), ("e-mail", v.email),
        ("person", lambda k, p: v.person(k, p, "-")), ("person in humps", lambda k, p: v.person(k, p, "")),
        ("person_", lambda k, p: v.person(k, p, "_")),
    )  # fmt: skip
    for at, name in enumerate(NAMED_ATTRIBUTES):
        wanted = makers if name in ("id", "class", "name", "for") else (makers[at % 4], makers[4 + at % 3])
        for what, make in wanted:
            value = f"row-{make(NAME, f'{name}: {what}')}"
            out.append(["label" if name == "for" else "input" if name == "name" else "div", {name: value}])
    out += [
        [f"x-{v.person(NAME, 'custom element', '-').lower()}", {}],
        [f"x-card{v.card(NAME, 'custom element: card')}", {}],
        ["div", {f"data-{v.person(NAME, 'name of an attribute', '-').lower()}": ""}],
        ["x-a", {f"p{v.phone(NAME, 'name of an attribute: phone')}": "1"}],
        ["#doctype", "html", f"-//{v.person(NAME, 'public id')}//DTD", f"about:{v.surname(NAME, 'system id')}"],
        ["iframe", {"name": f"frame-{v.card(NAME, 'name of a frame')}"}],
        ["svg|g", {"id": f"layer-{v.person(NAME, 'id in SVG', '-')}"}],
        ["svg|animate", {"begin": f"{v.person(NAME, 'begin of an animation', '-')}.click"}],
    ]
    return out


def _free(v: Values) -> list[Any]:
    return [
        ["th" if name in ("abbr", "scope", "headers") else "input", {name: f"for {v.person(SAID, name)} only"}]
        for name in SAID_ATTRIBUTES
    ] + [
        ["input", {"pattern": v.surname(SAID, "pattern alone")}],
        ["a", {"target": v.surname(SAID, "target alone")}],
        ["p", {"lang": f"en-x-{v.surname(SAID, 'lang alone')}"}],
        ["svg|text", {"systemLanguage": v.surname(SAID, "systemLanguage alone")}],
        ["p", {"id": v.person(SAID, "id with a space")}],
        ["p", {"class": v.person(SAID, "class of two words")}],
        ["td", {"headers": v.person(SAID, "headers of two words")}],
    ]


def _sheet(v: Values) -> str:
    p = lambda place: v.person(CSS, place, "-")  # noqa: E731
    return f"""
    @keyframes {p("@keyframes")} {{ to {{ opacity: 0 }} }}
    @layer {p("@layer")}, base;
    @property --{p("@property")} {{ syntax: "*"; inherits: false }}
    @container {p("@container")} (width > 1px) {{ a {{ color: red }} }}
    @counter-style {p("@counter-style")} {{ system: cyclic; symbols: "x" }}
    @font-face {{ font-family: F; src: local("{v.person(CSS, "local()")} Hand"), local({v.person(CSS, "local() bare")}) }}
    @font-palette-values --{p("@font-palette-values")} {{ font-family: F }}
    @scope (.{p("@scope")}) {{ a {{ color: red }} }}
    @view-transition {{ types: {p("types of a transition")} }}
    @position-try --{p("@position-try")} {{ top: 0 }}
    .a {{ container-name: {p("container-name")}; grid-area: {p("grid-area")}; view-transition-name: {p("view-transition-name")};
         anchor-name: --{p("anchor-name")}; counter-reset: {p("counter-reset")}; animation-name: {p("animation-name")};
         grid-template-areas: "{p("grid-template-areas")} b"; grid-template-columns: [{p("line name")}] 1fr }}
    .row-{p("class")} {{ color: red }} #row-{p("id")} {{ color: red }} x-{p("type selector").lower()} {{ color: red }}
    [title="{v.person(CSS, "attribute selector")}"] {{ color: red }} [data-a=u-{p("attribute selector, bare")}] {{ color: red }}
    [href="/u?{v.surname(CSS, "address in an attribute selector")}"] {{ color: red }}
    [data-{p("name in an attribute selector").lower()}] {{ color: red }}
    ::part({p("::part")}) {{ color: red }} :state({p(":state")}) {{ color: red }} ::highlight({p("::highlight")}) {{ color: red }}
    .c-{v.card(CSS, "class: card")} {{ color: red }} #s-{v.ssn(CSS, "id: SSN")} {{ color: red }} .t-{v.phone(CSS, "class: phone")} {{ color: red }}
    #\\3{v.card(CSS, "id that begins with a digit")[0]} {v.planted[CSS, "id that begins with a digit"][1:]} {{ color: red }}
    .m-{v.email(CSS, "class: e-mail").replace("@", chr(92) + "@").replace(".", chr(92) + ".")} {{ color: red }}
    .a {{ --{p("custom property")}: 1px; color: var(--{p("var()")}) }}
    """


def _letters(v: Values) -> list[Any]:
    known = v.person(LETTERS, "spelled elsewhere")
    spaced = v.person(LETTERS, "letters with spaces")
    wide = v.person(LETTERS, "letters with no-break spaces")
    blocks = v.surname(LETTERS, "one letter per block")
    cells = v.surname(LETTERS, "one letter per cell")
    card = v.card(LETTERS, "one digit per block")
    nested = v.surname(LETTERS, "one letter per nested block")
    items = v.surname(LETTERS, "one letter per item, blanks between")
    dashes = v.surname(LETTERS, "letters with hyphens")
    return [
        ["p", {}, f"Signed by {known}, the owner."], ["p", {}, " ".join(known.split()[1])],
        ["p", {}, "Name: " + "  ".join(" ".join(w) for w in spaced.split())],
        ["p", {}, "\u00a0".join(wide.split()[1])],
        ["div", {}, *(["div", {}, c] for c in blocks)],
        ["table", {}, ["tbody", {}, ["tr", {}, *(["td", {}, c] for c in cells)]]],
        ["section", {}, *(["div", {}, c] for c in card)],
        ["section", {}, *(["div", {}, ["p", {}, ["b", {}, c]]] for c in nested)],
        ["ul", {}, *(x for c in items for x in ("\n  ", ["li", {}, f" {c} "]))],
        ["p", {}, "-".join(dashes)],
    ]  # fmt: skip


def _beside(v: Values, first: dict[str, tuple[str, str]]) -> list[Any]:
    for place in first:
        if place not in ("console", "body"):
            v.planted[BESIDE, place] = first[place][1]
    join = {place: " ".join(words) for place, words in first.items()}
    v.planted[BESIDE, "alone in an SVG"] = first["svg"][1]
    known, unknown = first["comma"]
    return [
        ["p", {}, join["text"]],
        ["svg|svg", {}, ["svg|text", {}, join["svg"]]], ["svg|svg", {}, ["svg|text", {}, first["svg"][1]]],
        ["table", {}, ["caption", {}, f"Orders: {join['caption']}"]],
        ["h2", {}, join["upper"].upper()], ["p", {}, f"{unknown}, {known}"],
        ["a", {"href": f"/people/{join['url'].replace(' ', '-').lower()}"}, "profile"],
        ["div", {"class": f"row-{join['class'].replace(' ', '-').lower()}"}],
    ]  # fmt: skip


def _events(m: Maker, v: Values) -> None:
    q = lambda place: f"https://shop.example/unsub?{v.surname(QUERY, place)}"  # noqa: E731
    m.put(
        "document",
        d=2,
        page=2,
        frame="G",
        url=q("document"),
        referrer=q("referrer"),
        top=True,
        viewport={"w": 8, "h": 6, "dpr": 1},
        mode="CSS1Compat",
        title="",
    )
    m.page("location", url=q("location"))
    m.put("page", page=3, event="open", url=q("page"))
    m.put("console", page=1, level="log", text="x", url=q("console"), args=[{"to": q("console argument")}])
    m.put("error", page=1, message="x", stack=f"Error: x\n    at go ({q('stack')}:1:2)")
    m.put("download", page=1, url=q("download"), filename="a.pdf")
    m.put(
        "request",
        id="q",
        page=1,
        method="GET",
        type="fetch",
        url=q("request"),
        headers={"referer": q("header referer"), "origin": q("header origin")},
    )
    m.put(
        "response",
        id="q",
        status=302,
        end=m.t,
        size=1,
        url=q("response"),
        mime="",
        headers={"location": q("header location"), "content-location": q("header content-location")},
    )
    m.put("call", id=90, step=None, page=1, title="goto", method="goto", params={"url": q("call")})
    m.put("step", id=91, parent=None, title=f"open {q('title of a step')}", attributes={})
    m.put("tool_call", id=92, step=91, name="open", arguments={"url": q("tool argument")}, attributes={})
    m.put("llm", id=93, step=91, prompt=f"open {q('prompt')}", attributes={})
    post = m.resource("application/x-www-form-urlencoded", f"{v.surname(QUERY, 'form body')}&b=1")
    m.put(
        "request",
        id="p",
        page=1,
        method="POST",
        type="fetch",
        post=post,
        url="https://shop.example/p",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    _answer(m, "css", f".a{{background:url(/p.png?{v.surname(QUERY, 'url() of a sheet file')})}}".encode(), "text/css")
    _answer(
        m,
        "svg",
        f'<svg xmlns="http://www.w3.org/2000/svg"><a href="/u?{v.surname(QUERY, "link in a drawing")}"/></svg>'.encode(),
        "image/svg+xml",
    )
    _answer(m, "html", f'<a href="/u?{v.surname(QUERY, "link in a document body")}">x</a>'.encode(), "text/html")
    _answer(m, "json", f'{{"next":"/u?{v.surname(QUERY, "address in JSON")}"}}'.encode(), "application/json")
    m.ops(["src", 4, q("chosen source")])


_TEXTS = {
    "utf-16-le": "{}", "utf-16-be": "{}", "utf-32-le": "{}", "cp037": "{}", "utf-7": "{}",
    "iso2022_jp": "日本 {}", "shift_jis": "日本 {}", "euc_kr": "한국 {}", "gb18030": "中国 {}", "big5": "中國 {}", "koi8-r": "Москва {}",
    "windows-1252": "à {}", "windows-1251": "Москва {}", "utf-16": "{}",
}  # fmt: skip


def _answer(m: Maker, number: str, data: bytes, mime: str, kind: str | None = None) -> None:
    try:
        body = m.resource(mime, data.decode())
    except UnicodeDecodeError:
        body = m.resource(mime, data)
    m.put(
        "response",
        id=f"r-{number}",
        status=200,
        end=m.t,
        size=1,
        body=body,
        mime=mime.partition(";")[0],
        headers={"content-type": kind or mime},
    )


def _bodies(m: Maker, v: Values) -> None:
    said = "The customer is {}, please greet the customer."
    for charset, frame in _TEXTS.items():
        text = frame.format(said.format(v.person(CHARSET, f"text in {charset}")))
        _answer(
            m,
            charset,
            text.encode(charset),
            "text/plain",
            f"text/plain; charset={charset.replace('-le', 'le').replace('-be', 'be')}",
        )
    for mime in (
        "text/csv",
        "text/markdown",
        "application/json",
        "text/event-stream",
        "text/html",
        "application/xml",
        "text/css",
        "image/svg+xml",
    ):
        value = v.person(CHARSET, f"{mime} in UTF-16 without a mark")
        text = {
            "application/json": f'{{"name": "{value}"}}', "text/css": f'.a::after{{content:"by {value}"}}', "text/event-stream": f"event: {value}\ndata: {value}\n\n",
            "image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg"><text>by {value}</text></svg>',
        }.get(mime, f"<p>by {value}</p>")  # fmt: skip
        _answer(m, f"16 {mime}", text.encode("utf-16-le"), mime)
    value = v.person(CHARSET, "document that names its charset")
    _answer(m, "meta", f'<meta charset="utf-16le"><p>by {value}</p>'.encode("utf-16-be"), "text/html")
    for what, charset in (("form", "utf-16-le"), ("form in UTF-7", "utf-7")):
        text = f"name={v.person(CHARSET, what, '+')}&b=1"
        post = m.resource("text/plain", text.encode(charset) + (b"+AG" if charset == "utf-7" else b""))
        m.put(
            "request",
            id=what,
            page=1,
            method="POST",
            type="fetch",
            post=post,
            url="https://shop.example/p",
            headers={"content-type": f"application/x-www-form-urlencoded; charset={charset}"},
        )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg"><text>by {v.person(CHARSET, "drawing in an address")}</text></svg>'
    )
    m.ops(
        [
            "add",
            4,
            9000,
            [
                "img",
                {
                    "src": "data:image/svg+xml;charset=utf-16le;base64,"
                    + base64.b64encode(drawn.encode("utf-16-le")).decode()
                },
            ],
        ]
    )
    styled = f'.a::after{{content:"by {v.person(CHARSET, "sheet in an address")}"}}'
    m.ops(
        [
            "add",
            4,
            9001,
            [
                "link",
                {"rel": "stylesheet", "href": "data:text/css;charset=utf-16le," + quote(styled.encode("utf-16-le"))},
            ],
        ]
    )


def _programs(m: Maker, v: Values) -> None:
    person, surname = v.person, v.surname
    _w = WORDS
    m.put("request", id="s", page=1, method="GET", type="fetch", url="https://shop.example/s", headers={})
    m.put(
        "response",
        id="s",
        status=403,
        status_text=f"No entry for {surname(_w, 'status_text')}",
        end=m.t,
        size=1,
        mime=f"text/{surname(_w, 'mime').lower()}",
        headers={},
    )
    m.put(
        "llm",
        id=200,
        step=None,
        model=f"ft:gpt-4o:{surname(_w, 'model').lower()}:{surname(_w, 'model, last').lower()}-v2",
        provider=surname(_w, "provider"),
        prompt="",
        attributes={},
    )
    m.put("tool_call", id=201, step=None, name=f"mail_{person(_w, 'tool', '_').lower()}", arguments={}, attributes={})
    m.put("tool_call", id=202, step=None, name=f"notify{surname(_w, 'tool in humps')}", arguments={}, attributes={})
    m.put(
        "error",
        page=1,
        message="x",
        stack=f"Error: x\n    at greet{person(_w, 'function', '')} (https://shop.example/a.js:1:2)\n    at Object.{surname(_w, 'method')}.{surname(_w, 'method of it')} (a.js:3:4)",
    )
    m.put(
        "console",
        page=1,
        level="error",
        text=f"TypeError: x\n    at {person(_w, 'function in the console', '_')} (https://shop.example/a.js:1:2)",
    )
    for at, file in enumerate(
        (
            "/home/{}/shop/test_login.py",
            "/Users/{}/test_login.py",
            "C:\\Users\\{}\\shop\\test_login.py",
            "/srv/{}/test_login.py",
            "/mnt/c/data/{}/test_login.py",
            "\\\\server\\{}\\test_login.py",
            "~{}/test_login.py",
        )
    ):
        place = surname(_w, f"file of a call: {file}")
        m.put(
            "call",
            id=210 + at,
            step=None,
            page=1,
            title="click",
            method="click",
            params={},
            source={"file": file.format(place.lower()), "line": 3, "function": "test"},
        )
    m.put(
        "call",
        id=230,
        step=None,
        page=1,
        title="click",
        method="click",
        params={},
        source={
            "file": "tests/test_a.py",
            "line": 3,
            "function": f"test_{person(_w, 'function of a call', '_').lower()}",
        },
    )
    m.put(
        "call",
        id=231,
        step=None,
        page=1,
        title="x",
        method="x",
        params={},
        error=f'Error\n  File "/srv/{surname(_w, "path in an error").lower()}/app/run.py", line 3',
    )
    m.put(
        "error",
        page=1,
        message="x",
        stack=f"Error: x\n    at go (file:///opt/{surname(_w, 'path in a stack').lower()}/a.js:1:2)",
    )
    film = m.resource(f"video/{surname(_w, 'type of a film').lower()}", b"\0\0\0\x18ftypmp42\0\0")
    said = {
        "vary": surname(_w, "header vary"),
        "allow": surname(_w, "header allow"),
        "content-type": f"a/b; boundary={surname(_w, 'boundary')}",
    }
    said |= {"access-control-allow-headers": f"x-{surname(_w, 'name of a header in a header')}"}
    m.put("response", id="film", status=200, end=m.t, size=1, body=film, mime="video/mp4", headers=said)
    m.put("reel_extra", x=1)
    m.ops(["states", 4, [f"state({person(_w, 'custom state', '-').lower()})"]])
    m.ops(["masked", 4, surname(_w, "reason of a mask")])
