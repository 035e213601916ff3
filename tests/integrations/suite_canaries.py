"""Recordings of a suite with a value in each place that a recording has, to look for in what is made of them."""

from __future__ import annotations

import base64
import html
import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote
from xml.sax.saxutils import quoteattr

from pagereel.reel import ReelWriter, find_pieces, open_reel, pick_header_fields
from tests.comparison.runs import SHOP, Made

GIVEN = [
    "Marguerite",
    "Zebulon",
    "Ottoline",
    "Leopold",
    "Henrietta",
    "Casimir",
    "Philippa",
    "Thaddeus",
    "Rosalind",
    "Evander",
    "Clementine",
    "Ambrose",
]
SURNAMES = [
    "Oldenkamp",
    "Quarrymore",
    "Fenwright",
    "Halvorsen",
    "Brackenbury",
    "Lindqvist",
    "Ravenscroft",
    "Szymanski",
    "Thistlewood",
    "Marchetti",
    "Abernethy",
    "Vandersloot",
]


class Canaries:
    """Values that nobody else has, each with the place in which it was put."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.places: dict[str, str] = {}
        self.person = self.put("known from another run", "person")
        """A person whom one run's page names, and who stands without any hint in the next run."""

    def _value(self, kind: str) -> str:
        draw = self.random
        given, surname = draw.choice(GIVEN), draw.choice(SURNAMES)
        number = draw.randrange(1000, 9999)
        digits = "".join(draw.choices("0123456789", k=7))
        return {
            "person": f"{given} {draw.choice('ABCDEFGHKLMPRST')}. {surname}{draw.choice(('', 'e', 's', 'en', 'ow'))}",
            "mail": f"{given}.{surname}{number}@{draw.choice(('posthaven', 'brightmail', 'inbox-two'))}.net".lower(),
            "phone": f"+44 7{draw.randrange(100, 999)} {digits[:6]}",
            "secret": "ghp_" + "".join(draw.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789", k=36)),
        }[kind]

    def put(self, place: str, *kinds: str) -> str:
        """Return a new value of one of these kinds."""
        value = self._value(self.random.choice(kinds or ("mail", "phone", "secret")))
        while value in self.places:
            value = self._value(self.random.choice(kinds or ("mail", "phone", "secret")))
        self.places[value] = place
        return value


def write_suite(folder: Path, seed: int, count: int = 6) -> tuple[Canaries, Path]:
    """Write recordings and a report of tests into a folder. Returns the values in them, and the report."""
    canaries = Canaries(seed)
    cases = []
    for number in range(count):
        name = f"test_pays[{canaries.put('test name', 'mail', 'secret')}]"
        named = number % 3 != 2
        _recording(
            folder / f"run {number} of {canaries.put('file name', 'person', 'mail')}.reel",
            canaries,
            name if named else "",
            bad=number % 2 == 0,
        )
        said = f"AssertionError: expected {canaries.put('report: message', 'mail', 'secret', 'phone')} in the list"
        cases.append(
            f"<testcase classname='tests.test_{number}' name={quoteattr(name)} time='1.5'><failure message={quoteattr(said)}>{html.escape(said)}</failure></testcase>"
        )
        alone = f"test_alone_{number}[{canaries.person}-{canaries.put('report: name', 'mail', 'secret')}]"
        cases.append(f"<testcase classname='tests.test_other' name={quoteattr(alone)} time='0.5'/>")
    report = folder / "junit.xml"
    report.write_text(f"<testsuites><testsuite name='pytest'>{''.join(cases)}</testsuite></testsuites>", "utf-8")
    last = Made(folder / "last.reel")
    last.open("/", f"Ordered by: {canaries.person}", "Thank you")
    last.end()
    return canaries, report


def _recording(path: Path, canaries: Canaries, test: str, *, bad: bool) -> None:
    put = canaries.put
    made = Made(path.with_suffix(".raw"))
    made.step(f"Write to {put('step', 'mail', 'phone')}")
    picture = f"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='20'><text>{put('resource', 'mail', 'phone')}</text></svg>"
    sheet = f'.line::after {{ content: "{put("sheet", "mail", "phone")}" }}'
    url = f"{SHOP.format(port=8000)}/p.svg?for={quote(put('resource address', 'mail'))}"
    made.script.fetch(made.t, "p1", url, "image", "image/svg+xml", picture.encode())
    made.open(
        f"/orders/{quote(put('page address', 'mail'))}?token={put('page address: token', 'secret')}",
        f"Call {put('page: phone', 'phone')} or write to {put('page: mail', 'mail')}",
        ["p", {"title": f"Sold to {put('page: attribute', 'mail', 'phone')}"}, "Sold"],
        ["style", {}, sheet],
        ["input", {"type": "email", "value": put("page: field", "mail")}],
        ["title", {}, f"Order of {put('page: title', 'mail', 'phone')}"],
    )
    known, canaries.person = canaries.person, put("page: text", "person")
    made.document(
        "/again",
        f"Ordered by: {canaries.person}",
        f"{known} again",
        ["i", {"alt": known, "data-who": known.replace(" ", "_")}],
    )
    made.console("log", f"user={known};id=1")
    made.fetch("GET", f"/api/find?who={quote(known)}&n=1", answer=[known])
    made.tool("find", {"query": known}, known)
    made.script.run("mark", made.t, name=f"paid by {put('mark', 'mail', 'phone')}")
    made.console("error" if bad else "info", f"user {put('console', 'mail', 'secret')} refused")
    made.fetch(
        "POST",
        f"/api/users?q={quote(put('request address', 'mail'))}",
        status=500 if bad else 200,
        sent={"email": put("request body", "mail"), "token": put("request body: token", "secret")},
        answer={"customer": {"name": put("answer body: name", "person"), "phone": put("answer body: phone", "phone")}},
    )
    made.model(f"The customer is {put('prompt', 'mail', 'phone')}. What now?")
    made.tool("send", {"to": put("tool arguments", "mail")}, {"sent": put("tool result", "mail", "phone")})
    made.call(
        "fill",
        f'get_by_label("Customer {put("locator", "mail")}")',
        params={"value": put("typed", "mail", "phone")},
        error=f"Timeout 3000ms exceeded waiting for {put('error', 'mail', 'secret')}" if bad else None,
    )
    made.end_step(not bad, f"nothing was sent to {put('step error', 'mail')}" if bad else None)
    made.end()
    with open_reel(made.path) as reel:
        facts = {
            **({"test": f"tests/{put('folder of a test', 'mail')}/test_pay.py::{test}"} if test else {}),
            "outcome": "failed" if bad else "passed",
            "markers": ["slow"],
            "ticket": f"asked by {put('metadata', 'mail', 'phone')}",
        }
        header = {**pick_header_fields(reel.header), "metadata": facts}
        if bad and not test:
            header["title"] = f"Pays for {put('title', 'mail', 'phone')}"
        writer = ReelWriter(path, header)
        for event in reel.events():
            if event["k"] not in ("reel", "end"):
                writer.write(event)
        writer.close("done")
    made.path.unlink()


def decoded(file: bytes) -> str:
    """Return all that a built file says, inflated, each text also without its escapes, in lower case."""
    raw = [file, *(zlib.decompress(piece.decode(), -15) for piece in find_pieces(file) if piece.name != "shell")]
    return "\n".join(form for part in raw for form in _forms(part.decode("utf-8", "replace"))).lower()


def _forms(text: str) -> Iterator[str]:
    yield text
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    plain = re.sub(r'\\(["\\/])', r"\1", plain)
    yield plain
    yield unquote(plain)
    yield html.unescape(plain)
    for packed in re.findall(r"[A-Za-z0-9+/]{24,}={0,2}", plain):
        yield base64.b64decode(packed[: len(packed) // 4 * 4]).decode("utf-8", "replace")


def leaks(canaries: Canaries, said: str) -> list[tuple[str, str]]:
    """Return each value that a file says, with the place in which it was put: as it is, without spaces, or its telling part."""
    found = []
    squeezed = re.sub(r"[\s()-]+", "", said)
    for value, place in canaries.places.items():
        low = value.lower()
        telling = [low.split("@")[0]] if "@" in low else [low.split()[-1]] if low[0].isalpha() and " " in low else [low]
        if low in said or re.sub(r"[\s()-]+", "", low) in squeezed or any(part in said for part in telling):
            found.append((place, value))
    return found
