"""Writes fixtures_digest.json, the examples to which the model here and its ports in TypeScript are held.

``python tests/reel/make_fixtures.py`` after a change of the format; read the difference before it is committed.
Each case: `ops` for an empty document, then `lines` (the canonical lines, joined), `digest` and `nodes`, and `errors`, the number of ops
(or moved nodes, or sheets) that must be skipped.
"""

from __future__ import annotations

import json
from pathlib import Path

from pagereel.reel import DocumentModel, Json

PATH = Path(__file__).with_name("fixtures_digest.json")


def page(*body: Json) -> list[Json]:
    """Ids: 1 document, 2 html, 3 body, then `body` from 4."""
    return ["doc", 1, ["#document", {}, ["html", {}, ["body", {}, *body]]]]


CASES: dict[str, list[Json]] = {
    "an empty document": [["doc", 1, ["#document", {}]]],
    "ids begin where the tree says": [["doc", 40, ["#document", {}, ["html", {}, "a"]]]],
    "every kind of node": [
        ["doc", 1, ["#document", {}, ["#doctype", "html", "-//W3C//DTD XHTML 1.0 Strict//EN", "x.dtd"], ["#comment", " c "], ["html", {"lang": "en"},
         ["body", {}, "text", ["#cdata", "c<d"], ["#pi", "target", "data"], ["svg|svg", {"viewBox": "0 0 1 1", "xlink:href": "#a"}, ["svg|path", {}]],
          ["math|mi", {}, "x"], ["urn:x|y", {}], ["html|na|me", {}]]]]],
    ],
    "attributes are sorted by UTF-16 units": [page(["p", {"b": "2", "a": "1", "\uff5e": "3", "\U0001f600": "4", "é": "5", "A": "6"}])],
    "text keeps line ends, separators and every plane": [page("a\nb\r\n)\n", ["p", {"t": "x\x1fy=z\n"}, "\U0001f600 é \u2028"])],
    "lone surrogates count as U+FFFD": [page("a\ud800b", ["p", {"t": "\udc00"}, "\ud83d\ude00"])],
    "shadow roots and contents come before the light children": [
        page(["x-a", {}, ["#shadow", {"mode": "open"}, ["slot", {}]], "light"], ["x-b", {}, ["#shadow", {"mode": "closed", "delegatesFocus": True}]],
             ["template", {}, ["#content", {}, ["li", {}, "row"]]]),
        ["add", 4, 20, "more light"], ["add", 5, 21, ["b", {}]],
    ],
    "a shadow root that is attached later": [page(["x-a", {}, "light"]), ["add", 4, 10, ["#shadow", {"mode": "open"}, "dark"]], ["add", -5, 12, ["i", {}]]],
    "several trees at one point, appended and before a node": [
        page(["p", {}, "old"]), ["add", 3, 10, "x", ["b", {}, "y"], "z"], ["add", -4, 20, ["i", {}], "w"],
    ],
    "moves keep ids": [page(["a", {}], ["b", {}, "in b"], ["c", {}], ["d", {}]), ["move", -4, 8, 7], ["move", 4, 5], ["move", 3, 4], ["move", -7, 7]],
    "new trees take in nodes that exist": [
        page(["p", {}, "one"], ["p", {}, "two"], ["p", {}, "three"]),
        ["add", -6, 20, ["div", {"class": "wrap"}, 6, ["hr", {}], 4]], ["add", 3, 30, ["section", {}, ["div", {}, 8], 20]],
    ],
    "a node is never put below itself": [
        page(["div", {}, ["p", {}, "x"]]), ["move", 5, 4], ["move", 4, 4], ["add", 5, 20, ["b", {}, 4, "still here"]], ["move", 3, 1],
    ],
    "removing a node removes all below it and its state": [
        page(["div", {}, ["x-a", {}, ["#shadow", {"mode": "open"}, ["input", {}]]], ["p", {}]], "rest"),
        ["sheet", 1, 0, "a{}"], ["sheet", 2, 4, "b{}"], ["adopt", 6, [1]], ["focus", 7], ["del", 4], ["value", 7, "late"], ["text", 9, "rest!"],
    ],
    "unknown nodes are skipped, the rest of the message holds": [
        page(["p", {}]), ["attr", 99, {"a": "b"}], ["add", 99, 100, "x"], ["text", 100, "y"], ["del", 99], ["move", 4, 99], ["attr", 4, {"a": "b"}],
    ],
    "text and attributes change": [
        page(["p", {"class": "a", "id": "b"}, "one", ["#comment", "two"]]), ["text", 5, "ONE"], ["text", 6, "TWO"],
        ["attr", 4, {"class": None, "title": "", "id": "c"}], ["text", 4, "not a text node"],
    ],
    "defaults of controls": [
        page(
            ["input", {}], ["input", {"value": "v"}], ["input", {"type": "checkbox", "value": "on"}], ["input", {"type": "RADIO", "checked": ""}],
            ["input", {"type": "nonsense", "value": "n"}], ["input", {"type": "hidden", "value": "h"}], ["input", {"type": "submit"}],
            ["input", {"type": "file"}], ["textarea", {}, "a", ["b", {}, "c"], ["#comment", "no"]], ["textarea", {}], ["svg|input", {"value": "svg"}],
        ),
    ],
    "defaults of selects": [
        page(
            ["select", {}, ["option", {"disabled": ""}, "a"], ["option", {}, "b"]],
            ["select", {}, ["option", {"selected": ""}, "a"], ["optgroup", {}, ["option", {"selected": ""}, "b"]], ["option", {}, "c"]],
            ["select", {"multiple": ""}, ["option", {"selected": ""}], ["option", {}], ["option", {"selected": ""}]],
            ["select", {"size": "3"}, ["option", {}]], ["select", {"size": "1"}, ["optgroup", {"disabled": ""}, ["option", {}]], ["option", {}]], ["select", {}],
        ),
    ],
    "state that was said holds": [
        page(["input", {"value": "a"}], ["input", {"type": "checkbox"}], ["select", {}, ["option", {}], ["option", {}]], ["textarea", {}, "t"]),
        ["value", 4, "typed"], ["attr", 4, {"value": "other"}], ["checked", 5, 1], ["indeterminate", 5, 1], ["selected", 6, [1]], ["value", 9, ""], ["text", 10, "u"],
    ],
    "a type that changes changes what the state is": [
        page(["input", {"type": "password"}], ["input", {"type": "checkbox", "value": "x"}]),
        ["masked", 4, "password"], ["value", 4, "•••••"], ["attr", 4, {"type": "text"}], ["attr", 5, {"type": "text"}],
    ],
    "masked defaults count as the mask": [page(["input", {"value": "4111"}], ["input", {}]), ["masked", 4, "card"], ["masked", 5, "card"]],
    "no selected options": [page(["select", {}, ["option", {}]]), ["selected", 4, []]],
    "sheets and adopted sheets": [
        page(["style", {}, "a{}"], ["x-a", {}, ["#shadow", {"mode": "open"}]]),
        ["sheet", 10, 4, "a { color: red; }"], ["sheet", 2, 0, "b{}\nc{}", {"media": "print", "disabled": True}], ["sheet", 3, 0, "d{}"],
        ["adopt", 7, [3, 2]], ["adopt", 1, [2]], ["sheet", 2, 0, "b2{}"],
    ],
    "sheets that are gone": [
        page(["style", {}, "a{}"], ["style", {}, "b{}"]), ["sheet", 1, 4, "x{}"], ["sheet", 2, 6, "y{}"], ["sheet", 3, 0, "z{}"], ["adopt", 1, [3]],
        ["unsheet", 1], ["del", 6], ["adopt", 1, []], ["unsheet", 3], ["unsheet", 3],
    ],
    "an instruction brings a sheet": [
        ["doc", 1, ["#document", {}, ["#pi", "xml-stylesheet", 'href="a.css"'], ["#pi", "xml-stylesheet", 'href="b.css"'], ["html", {}, "x"]]],
        ["src", 2, "https://site.example/a.css"], ["src", 5, "not a node that loads"], ["sheet", 1, 2, "a{}"], ["sheet", 2, 3, "b{}"], ["del", 2],
    ],
    "a new document forgets the old one": [
        page(["input", {}], "x"), ["value", 4, "typed"], ["sheet", 1, 0, "a{}"], ["adopt", 1, [1]],
        ["doc", 100, ["#document", {}, ["html", {}, ["input", {}]]]], ["attr", 4, {"a": "b"}], ["add", 101, 103, "new"],
    ],
    "what a person sees but the digest does not": [
        page(["video", {}], ["dialog", {}], ["canvas", {}], ["img", {}]), ["scroll", 1, 0, 120.5], ["focus", 5], ["selection", 3, 0, 3, 1], ["open", 5, "modal"],
        ["media", 4, {"paused": True, "time": 1.5, "rate": 1, "volume": 1, "muted": False}], ["canvas", 6, "0" * 64, 300, 150], ["src", 7, "a.webp"],
    ],
}  # fmt: skip


def example(ops: list[Json]) -> dict[str, Json]:
    model = DocumentModel(1)
    model.apply(ops)
    digest, nodes = model.compute_digest()
    return {
        "ops": ops,
        "lines": "".join(model.iter_canonical_lines()),
        "digest": digest,
        "nodes": nodes,
        "errors": model.errors,
    }


if __name__ == "__main__":
    cases = [{"name": name, **example(ops)} for name, ops in CASES.items()]
    body = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    PATH.write_text(f"[\n{body}\n]\n")
    for case in cases:
        print(case["digest"], case["nodes"], case["errors"], case["name"])
