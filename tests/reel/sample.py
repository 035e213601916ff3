"""A small, hand-made reel: an agent shops on a page with a payment frame. Other rooms' tests use it, too.

``python tests/reel/sample.py out.reel`` writes it. The digests of its checkpoints are computed with the page model.
"""

from __future__ import annotations

import base64
import hashlib
import os
import struct
import sys
import zlib
from itertools import count

from pagereel.reel import Event, Json, PageModel, ReelWriter

SHOP = "https://shop.example/catalogue?session=s-4711"
PAY = "https://pay.example/card"
STYLE = "body{font:16px sans-serif;margin:0}header{background:#234;color:#fff;padding:8px}.card{display:inline-block;width:180px}.card:hover{background:#eee}"


def png(width: int, height: int, rgb: tuple[int, int, int]) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(rgb) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Script:
    """Writes events, and keeps a model beside them so that checkpoints are right."""

    def __init__(self, path: str | os.PathLike[str], options: Json = None) -> None:
        header: Event = {
            "started": 1_760_000_000_000,
            "recorder": {"name": "pagereel", "version": "0.1.0"},
            "browser": {"name": "chromium", "version": "156.0.0.0", "transport": "cdp"},
            "python": "3.11.9",
            "platform": "linux",
            "agent": "checkout-bot",
            "metadata": {"ticket": "T-12"},
            "options": options or {},
        }
        self.writer = ReelWriter(path, header)
        self.model = PageModel()
        self.numbers: dict[int, count[int]] = {}

    def run(self, k: str, t: float, **fields: Json) -> None:
        """An event that is not a document's message."""
        event: Event = {"k": k, "t": t, **fields}
        self.model.apply(event)
        self.writer.write(event)

    def page(self, k: str, t: float, d: int, **fields: Json) -> None:
        """A message of document `d`."""
        self.run(k, t, d=d, n=next(self.numbers.setdefault(d, count())), **fields)

    def ops(self, t: float, d: int, *ops: list[Json]) -> None:
        self.page("mutation", t, d, ops=list(ops))

    def checkpoint(self, t: float, d: int) -> None:
        digest, nodes = self.model.documents[d].compute_digest()
        self.page("checkpoint", t, d, digest=digest, nodes=nodes, equal=True)

    def resource(self, t: float, mime: str, data: bytes) -> str:
        sha256 = hashlib.sha256(data).hexdigest()
        if mime.startswith("image/"):
            self.run("resource", t, sha256=sha256, mime=mime, size=len(data), base64=base64.b64encode(data).decode())
        else:
            self.run("resource", t, sha256=sha256, mime=mime, size=len(data), text=data.decode())
        return sha256

    def fetch(self, t: float, key: str, url: str, kind: str, mime: str, data: bytes, d: int = 1) -> None:
        """A request that is answered, with its body."""
        self.run("request", t, id=key, page=1, d=d, method="GET", url=url, type=kind, headers={"accept": "*/*"})
        body = self.resource(t + 18, mime, data)
        self.run(
            "response", t + 12, id=key, url=url, status=200, status_text="OK", headers={"content-type": mime}, mime=mime,
            end=t + 18, size=len(data), body=body,
        )  # fmt: skip


def card(number: int, name: str, price: str) -> Json:
    return [
        "article", {"class": "card", "data-sku": f"SKU-{number}"},
        ["img", {"src": f"/img/{number}.png", "alt": name, "width": "160", "height": "120"}],
        ["h2", {}, name],
        ["p", {"class": "price"}, price],
        ["button", {"type": "button", "aria-label": f"Add {name} to the cart"}, "Add"],
    ]  # fmt: skip


def write_sample(path: str | os.PathLike[str], *, seal: bool = True) -> None:
    """Writes the sample. With ``seal=False`` it ends as after ``kill -9``."""
    s = Script(path)
    view: Json = {"w": 1280, "h": 720, "dpr": 1}
    s.run("page", 0, page=1, event="open", url="about:blank")
    s.run(
        "step",
        20,
        id=1,
        parent=None,
        title="Find a kettle",
        reasoning="The customer asked for a red kettle under 40 euros",
        attributes={},
    )
    s.run(
        "llm", 22, id=2, step=1, model="planner-large", provider="example", input_tokens=1200, output_tokens=80, cost_usd=0.004,
        duration=640, prompt="You help Priya Raghunathan (priya.r@mail.example). Plan the purchase.",
        response="1. Open the catalogue. 2. Filter by kettle.", attributes={},
    )  # fmt: skip
    s.run(
        "call",
        30,
        id=3,
        step=1,
        page=1,
        title="Navigate to catalogue",
        method="goto",
        params={"url": SHOP},
        duration=210,
    )
    s.fetch(
        35,
        "r1",
        SHOP,
        "document",
        "text/html",
        b"<!doctype html><title>Shop</title><link rel=stylesheet href=/shop.css><div id=app></div>",
    )
    s.run(
        "document",
        80,
        d=1,
        page=1,
        frame="F1",
        url=SHOP,
        top=True,
        viewport=view,
        mode="CSS1Compat",
        title="Shop",
        referrer="",
    )
    tree: Json = [
        "#document", {},
        ["#doctype", "html", "", ""],
        ["html", {"lang": "en"},
            ["head", {}, ["title", {}, "Shop"], ["link", {"rel": "stylesheet", "href": "/shop.css"}], ["style", {}, ".price{color:#060}"], ["script", {}]],
            ["body", {"class": "loading"},
                ["header", {}, ["h1", {}, "Kettle & Co"],
                    ["x-cart", {"count": "0"}, ["#shadow", {"mode": "open"}, ["span", {"part": "badge"}, "0"], ["slot", {}]], "Cart"]],
                ["main", {"id": "app"}, ["p", {"class": "spinner"}, "Loading…"]],
                ["template", {"id": "row"}, ["#content", {}, ["li", {}, "row"]]],
                ["svg|svg", {"viewBox": "0 0 10 10", "width": "20"}, ["svg|path", {"d": "M0 0h10v10z"}]],
                ["#comment", " built 2026-11-02 "],
            ],
        ],
    ]  # fmt: skip
    s.page("snapshot", 84, 1, ops=[["doc", 1, tree]], why="start")
    s.fetch(90, "r2", "https://shop.example/shop.css", "stylesheet", "text/css", STYLE.encode())
    model = s.model.documents[1]

    def find(name: str, **attrs: str) -> int:
        for node in model.walk():
            if node.name == name and all(
                node.attrs.get(key.replace("_", "-")) == value for key, value in attrs.items()
            ):
                return node.id
        raise LookupError(name)

    body, app = find("body"), find("main", id="app")
    s.fetch(120, "r3", "https://shop.example/api/items", "fetch", "application/json",
            b'{"items":[{"sku":"SKU-1","name":"Red kettle"}],"customer":{"email":"priya.r@mail.example"}}')  # fmt: skip
    spinner = find("p", **{"class": "spinner"})
    s.ops(
        190, 1, ["del", spinner], ["attr", body, {"class": None}],
        ["add", app, 100, ["label", {"for": "q"}, "Search"], ["input", {"id": "q", "type": "search", "placeholder": "Search"}],
         ["div", {"id": "list"}, card(1, "Red kettle", "€ 34.00"), card(2, "Blue kettle", "€ 29.50"), card(3, "Steel kettle", "€ 61.00")]],
    )  # fmt: skip
    for number, colour in ((1, (200, 40, 40)), (2, (40, 80, 200)), (3, (150, 150, 160))):
        url = f"https://shop.example/img/{number}.png"
        s.fetch(195 + number, f"i{number}", url, "image", "image/png", png(160, 120, colour))
    s.checkpoint(400, 1)
    s.run("mark", 410, name="catalogue loaded")
    s.run(
        "console",
        415,
        page=1,
        d=1,
        level="warning",
        text="prices are cached",
        url="https://shop.example/app.js",
        line=12,
        column=3,
    )
    query = find("input", id="q")
    s.run(
        "call",
        500,
        id=4,
        step=1,
        page=1,
        title="Fill search",
        method="fill",
        params={"value": "red"},
        locator="get_by_label('Search')",
        duration=35,
    )
    s.page("pointer", 480, 1, points=[[0, 600, 400], [50, 400, 200], [100, 210, 90]], type="mouse")
    s.ops(505, 1, ["focus", query], ["value", query, "r"])
    s.ops(512, 1, ["value", query, "re"])
    s.ops(520, 1, ["value", query, "red"])
    first, second, third = (find("article", data_sku=f"SKU-{number}") for number in (1, 2, 3))
    listing = find("div", id="list")
    s.ops(560, 1, ["del", second], ["move", -first, third], ["attr", third, {"class": "card dim", "hidden": ""}])
    s.checkpoint(900, 1)
    s.run("step_end", 910, id=1, success=True, message="Found the red kettle")
    s.run("step", 920, id=5, parent=None, title="Put it in the cart", attributes={"gen_ai.agent.name": "checkout-bot"})
    s.run(
        "tool_call", 922, id=6, step=5, name="click", arguments={"target": "Add Red kettle to the cart"}, attributes={}
    )
    button = find("button", aria_label="Add Red kettle to the cart")
    s.page("mouse", 950, 1, type="down", node=button, x=90, y=330, button=0)
    s.page("mouse", 956, 1, type="up", node=button, x=90, y=330, button=0)
    s.page("mouse", 957, 1, type="click", node=button, x=90, y=330, button=0)
    badge = next(node for node in model.walk() if node.kind == 3 and node.data == "0").id
    s.ops(970, 1, ["text", badge, "1"], ["attr", find("x-cart"), {"count": "1"}], ["sheet", 1, find("style"), ".price { color: rgb(160, 0, 0); }"],
          ["sheet", 2, 0, "span { font-weight: bold; }"], ["adopt", find("span", part="badge") - 1, [2]])  # fmt: skip
    s.run("tool_result", 980, id=7, call=6, result={"clicked": True}, duration=58)
    s.run("memory", 985, id=8, step=5, op="write", key="cart", value=["SKU-1"])
    s.run(
        "error", 990, page=1, message="TypeError: x is undefined", stack="TypeError: x is undefined\n    at app.js:88:7"
    )
    s.checkpoint(1_300, 1)
    s.run("step_end", 1_310, id=5, success=True)
    s.run("step", 1_400, id=9, parent=None, title="Pay", reasoning="The card form is in a frame", attributes={})
    s.ops(1_420, 1, ["add", app, 300, ["dialog", {"id": "pay", "open": ""}, ["iframe", {"src": PAY, "width": "400", "height": "240"}],
          ["select", {"name": "country"}, ["option", {"value": "nl"}, "Netherlands"], ["option", {"value": "de"}, "Germany"]],
          ["label", {}, ["input", {"type": "checkbox", "name": "terms"}], "I agree"], ["textarea", {"name": "note"}, "Ring twice"]]],
          ["open", 300, "modal"], ["focus", 302])  # fmt: skip
    s.run(
        "document",
        1_460,
        d=2,
        page=1,
        frame="F2",
        url=PAY,
        top=False,
        viewport={"w": 400, "h": 240, "dpr": 1},
        mode="CSS1Compat",
        title="Pay",
        referrer=SHOP,
    )
    s.run("embed", 1_461, d=2, parent=1, node=301)
    form: Json = [
        "form", {"id": "card"},
        ["input", {"name": "holder", "autocomplete": "cc-name"}],
        ["input", {"name": "number", "autocomplete": "cc-number"}],
        ["button", {"type": "submit"}, "Pay € 34.00"],
    ]  # fmt: skip
    s.page(
        "snapshot",
        1_462,
        2,
        why="start",
        ops=[
            ["doc", 1, ["#document", {}, ["#doctype", "html", "", ""], ["html", {}, ["head", {}], ["body", {}, form]]]],
            ["masked", 8, "card"],
        ],
    )
    s.page("key", 1_500, 2, type="down", node=7, key=None, mods="s")
    s.ops(1_520, 2, ["focus", 7], ["value", 7, "Priya Raghunathan"])
    s.ops(1_560, 2, ["focus", 8], ["value", 8, "•••••"])
    s.ops(1_580, 1, ["checked", 308, 1], ["selected", 302, [1]], ["value", 310, "Ring twice, then call 020 555 0101"])
    s.checkpoint(1_900, 1)
    s.checkpoint(1_901, 2)
    s.run("mark", 1_905, name="before payment")
    shot = s.resource(1_910, "image/png", png(64, 36, (230, 230, 230)))
    s.run(
        "screenshot",
        1_910,
        id=10,
        step=9,
        page=1,
        label="what the model saw",
        body=shot,
        boxes=[[120, 80, 400, 240, "card form"]],
    )
    s.run("note", 1_915, id=11, step=9, text="Card data is typed by the vault", attributes={})
    s.page("mouse", 1_950, 2, type="click", node=9, x=60, y=200, button=0)
    s.run(
        "request",
        1_955,
        id="r9",
        page=1,
        d=2,
        method="POST",
        url="https://pay.example/charge",
        type="fetch",
        headers={"authorization": "Bearer sk_test_9f8e7d"},
    )
    s.run("response", 1_990, id="r9", status=402, headers={}, end=1_996, size=31, why="policy")
    s.run("dialog", 2_005, page=1, type="alert", message="Payment was declined")
    s.page("unload", 2_010, 2)
    s.ops(
        2_020,
        1,
        ["open", 300, ""],
        ["del", 300],
        ["add", app, 400, ["p", {"role": "alert"}, "Your card was declined, Priya."]],
        ["scroll", 1, 0, 120],
    )
    s.page("location", 2_030, 1, url=SHOP + "#declined")
    s.run("step_end", 2_050, id=9, success=False, error="The card was declined")
    s.checkpoint(2_400, 1)
    s.run("gap", 2_410, reason="cap", page=1, detail="a video of 60 MB was not kept")
    assert s.model.error_count == 0, [document.problems for document in s.model.documents.values()]
    assert listing and body
    if seal:
        s.writer.close("closed")
    else:
        s.writer.flush()


if __name__ == "__main__":
    write_sample(sys.argv[1])
    print(f"{sys.argv[1]}: {os.path.getsize(sys.argv[1]):,} bytes")
