"""Small hand-made runs: somebody buys something, in so many calls. Each test changes one thing."""

from __future__ import annotations

import json
from pathlib import Path

from pagereel.reel import Json

from ..reel.sample import Script

SHOP = "http://127.0.0.1:{port}"


class Made:
    """Writes a run. `lines` are what the page shows; each call takes 50 ms and the page rests 400 ms before the next."""

    def __init__(self, path: Path, port: int = 8000, options: Json = None) -> None:
        self.path = path
        self.script = Script(path, options)
        self.t = 0.0
        self.number = 0
        self.port = port
        self.step_id: int | None = None
        self.d = 0
        self.script.run("page", 0, page=1, event="open", url="about:blank")

    def open(self, path: str, *lines: Json) -> None:
        self.call("goto", params={"url": SHOP.format(port=self.port) + path})
        self.document(path, *lines)

    def document(self, path: str, *lines: Json) -> None:
        """A page is loaded, whatever brought it."""
        self.d += 1
        self.nodes = 0
        self.script.run(
            "document", self.t, d=self.d, page=1, frame="f", url=SHOP.format(port=self.port) + path, top=True,
            viewport={"w": 1280, "h": 720, "dpr": 1}, mode="CSS1Compat",
        )  # fmt: skip
        body: Json = ["body", {}, *[_line(line) for line in lines]]
        self.script.page(
            "snapshot", self.t + 5, self.d, why="start", ops=[["doc", 1, ["#document", {}, ["html", {}, body]]]]
        )
        self.rest()

    def show(self, *lines: Json) -> None:
        """The page shows something else from now on."""
        document = self.script.model.documents[self.d]
        body = next(node for node in document.walk() if node.name == "body")
        self.t += 10
        gone: list[Json] = ["del", *[child.id for child in body.children]]
        self.script.ops(
            self.t,
            self.d,
            *([gone] if len(gone) > 1 else []),
            ["add", body.id, document.last_id + 1, *map(_line, lines)],
        )
        self.rest()

    def rest(self) -> None:
        self.t += 400

    def call(
        self,
        method: str,
        locator: str | None = None,
        *,
        params: Json = None,
        error: str | None = None,
        took: float = 50,
    ) -> None:
        self.number += 1
        fields: dict[str, Json] = {
            "title": method.replace("_", " ").capitalize(),
            "method": method,
            "page": 1,
            "duration": took,
        }
        fields |= {
            name: value
            for name, value in (("locator", locator), ("params", params), ("error", error))
            if value is not None
        }
        self.script.run("call", self.t, id=self.number, step=self.step_id, **fields)
        self.t += took

    def step(self, title: str) -> int:
        self.number += 1
        self.step_id = self.number
        self.script.run("step", self.t, id=self.number, title=title)
        return self.number

    def end_step(self, success: bool | None = True, error: str | None = None) -> None:
        told: dict[str, Json] = {"error": error} if error else {}
        self.script.run("step_end", self.t, id=self.step_id, success=success, **told)
        self.step_id = None
        self.t += 10

    def fetch(
        self, method: str, path: str, status: int = 200, answer: Json = None, took: float = 30, sent: Json = None
    ) -> None:
        self.number += 1
        key = f"r{self.number}"
        url = SHOP.format(port=self.port) + path
        told: dict[str, Json] = {}
        if sent is not None:
            told["post"] = self.script.resource(self.t, "application/json", json.dumps(sent).encode())
        self.script.run("request", self.t, id=key, page=1, method=method, url=url, type="fetch", headers={}, **told)
        body = json.dumps(answer).encode()
        held: dict[str, Json] = (
            {"body": self.script.resource(self.t, "application/json", body)} if answer is not None else {}
        )
        self.t += took
        self.script.run(
            "response",
            self.t,
            id=key,
            status=status,
            headers={},
            end=self.t,
            size=len(body),
            mime="application/json",
            **held,
        )

    def tool(self, name: str, arguments: Json, result: Json = None) -> None:
        self.number += 2
        self.script.run("tool_call", self.t, id=self.number - 1, step=self.step_id, name=name, arguments=arguments)
        self.t += 20
        self.script.run("tool_result", self.t, id=self.number, call=self.number - 1, result=result)
        self.rest()

    def model(self, prompt: str, model: str = "m-1", cost: float = 0.01) -> None:
        self.number += 1
        self.script.run(
            "llm",
            self.t,
            id=self.number,
            step=self.step_id,
            model=model,
            prompt=prompt,
            response="ok",
            cost_usd=cost,
            duration=100,
        )
        self.t += 10

    def console(self, level: str, text: str) -> None:
        self.script.run("console", self.t, page=1, level=level, text=text)

    def end(self) -> Path:
        self.script.writer.close("closed")
        return self.path


def _line(line: Json) -> Json:
    """A button is `[Pay]`, `[Pay!]` a disabled one, `(Docs /d)` a link, `~Sent` a status; other texts are paragraphs, all else elements as they are."""
    if not isinstance(line, str):
        return line
    if line.startswith("["):
        return ["button", {"disabled": ""} if "!" in line else {}, line.strip("[!]")]
    if line.startswith("("):
        text, address = line.strip("()").split(" ")
        return ["a", {"href": address}, text]
    if line.startswith("~"):
        return ["div", {"role": "status"}, line.removeprefix("~")]
    return ["p", {"class": "line"}, line]


def purchase(
    path: Path, *, port: int = 8000, status: int = 201, total: str = "48", label: str = "Pay", button: bool = True, order: int = 4711,
    console: str | None = None, took: float = 30, model: str = "m-1", tool: Json = None, fails: bool | None = None, rating: float = 4.8,
    advert: str = "Summer sale", extra_click: bool = False, link: str = "/docs", retry: bool = False, cost: float = 0.01,
) -> Path:  # fmt: skip
    """A run of three steps that ends well, unless something is changed."""
    run = Made(path, port)
    run.step("Find it")
    run.open("/", "Shop", advert, f"(Docs {link})", "Tern vase")
    run.model("The page offers a vase. What now?", model, cost)
    run.tool("choose", tool if tool is not None else {"name": "Tern vase", "amount": 1}, {"ok": True})
    if extra_click:
        run.call("click", 'get_by_role("button", name="Close")')
    run.call("click", 'get_by_text("Tern vase")')
    run.fetch("GET", "/api/vase/17", answer={"name": "Tern vase", "rating": rating, "requestId": f"a{port}"})
    run.show("Tern vase", "In stock", "[Add to cart]")
    run.end_step()
    run.step("Put it in the cart")
    if retry:
        run.call("click", 'get_by_role("button", name="Add to cart")', error="TimeoutError: Timeout 1156ms exceeded.")
    run.call("click", 'get_by_role("button", name="Add to cart")')
    run.fetch(
        "POST", "/cart", status=status, answer={"total": 48} if status < 400 else {"error": "conflict"}, took=took
    )
    if console:
        run.console("error", console)
    run.show("Your cart", f"Total {total}", *([f"[{label}]"] if button else []))
    run.end_step()
    run.step("Pay")
    missing = not button if fails is None else fails
    run.call(
        "click",
        f'get_by_role("button", name="{label.strip("!")}")',
        **({"error": "TimeoutError: Timeout 3000ms exceeded."} if missing else {}),
    )  # type: ignore[arg-type]
    if missing:
        run.end_step(False, "the button cannot be clicked")
    else:
        run.show("Thank you", f"Order SM-{order} of 22 November 2026")
        run.end_step()
    return run.end()


USUAL_NOTICES = ("One order waits.", "Nobody is here.")


def shop_with_notices(path: Path, *notices: str, price: str = "8", asks: str = "") -> Path:
    """A page with a price and a list of notices; it may ask for something by itself."""
    run = Made(path)
    run.step("Look")
    items: list[Json] = [["li", {}, notice] for notice in notices]
    run.open("/shop", "Shop", ["b", {"id": "price"}, f"for {price} a piece"], ["ul", {"id": "notices"}, *items])
    run.call("click", "page.get_by_text('Shop')")
    if asks:
        run.fetch("POST", asks)
    run.rest()
    run.end_step()
    return run.end()
