"""Applications of the fourth and fifth set, chosen before the comparison was run on them.

The fifth set was chosen after the faults that the fourth had shown were cured.
"""

from __future__ import annotations

from ..driver import PlannedAgent
from .sites import CompareSite


def dash(d: PlannedAgent) -> None:
    page = d.page
    with d.step("Read the book"):
        page.goto(d.url)
        d.see("4 glazes")
        d.click(page.get_by_role("button", name="Show firing plan"))
        d.see("open the kiln on Saturday")
        d.pause(300)
    with d.step("Add a glaze"):
        d.either(
            lambda: d.fill(page.get_by_placeholder("Glaze"), "Celadon"),
            lambda: d.fill(page.get_by_placeholder("Price"), "19"),
        )
        page.keyboard.press("Tab")
        d.click(page.get_by_role("button", name="Add glaze"))
        d.see("5 glazes")
        d.pause(3000)
    with d.step("Sort it"):
        d.click(page.get_by_role("button", name="Cheapest first"))
        page.locator("tr:first-child", has_text="Ash white").wait_for()
        d.pause(3000)


def nicegui(d: PlannedAgent) -> None:
    page = d.page
    with d.step("Read the book"):
        page.goto(d.url)
        d.see("3 visits")
        d.click(page.get_by_role("button", name="When is it open?"))
        d.see("Open on Wednesdays")
        d.pause(300)
    with d.step("Add a visit"):
        d.either(
            lambda: d.fill(page.get_by_placeholder("Visitor"), "Dora Blum"),
            lambda: d.fill(page.get_by_placeholder("With whom"), "three children"),
        )
        d.pause(300)
        d.click(page.get_by_role("button", name="Write it down"))
        d.see("4 visits")
        d.pause(3000)
    with d.step("Strike the first"):
        d.click(page.get_by_role("button", name="The first has left"))
        d.see("3 visits")
        d.pause(3000)


def gradio(d: PlannedAgent) -> None:
    page = d.page
    with d.step("Read the book"):
        page.goto(d.url)
        d.see("3 tiles")
        d.click(page.get_by_role("button", name="How are they laid?"))
        d.see("left for a week")
        d.pause(300)
    with d.step("Add a tile"):
        d.either(
            lambda: d.fill(page.get_by_label("Tile", exact=True), "Ember"),
            lambda: d.fill(page.get_by_label("Price"), "19"),
        )
        d.click(page.get_by_role("button", name="Add tile"))
        d.see("4 tiles")
        d.pause(3000)
    with d.step("Sort them"):
        d.click(page.get_by_role("button", name="Cheapest first"))
        page.locator("li:first-child", has_text="Salt white").wait_for()
        d.pause(3000)


def pywebio(d: PlannedAgent) -> None:
    page = d.page
    with d.step("Look round"):
        page.goto(d.url)
        d.see("Baked at five")
        d.click(page.get_by_role("button", name="When is it open?"))
        d.see("never on Mondays")
        d.pause(300)
    with d.step("Order"):
        d.either(
            lambda: d.fill(page.get_by_label("How many"), "3"),
            lambda: d.fill(page.get_by_label("For whom"), "Wim"),
        )
        d.click(page.get_by_role("button", name="Submit"))
        d.see("1 orders, 3 loaves")
        d.pause(3000)
    with d.step("Strike it"):
        d.click(page.get_by_role("button", name="Strike the first"))
        d.see("0 orders")
        d.pause(3000)


FOURTH = (
    CompareSite(
        "dash", ("dash==4.4.1",), "/", dash, ("advert", "advice", "rating", "hashed"),
        ("POST", r"/_dash-update-component.*"), ("button", "Cheapest first", "By price"), ("31 EUR", "13 EUR"), ("Kept since the spring", "Seit dem Frühling geführt"),
        ("tr", "Shino", "26"), "input[placeholder=Note]",
    ),
    CompareSite(
        "nicegui", ("nicegui==3.18.0",), "/", nicegui, ("carousel", "toast", "variant", "chat"),
        ("GET", r"/"), ("button", "The first has left", "Strike the first"), ("21 EUR", "12 EUR"), ("Each visit is half an hour", "Jeder Besuch dauert eine halbe Stunde"),
        ("li", "Carmen Ott"), "input[placeholder=Remark]",
    ),
)  # fmt: skip
FIFTH = (
    CompareSite(
        "gradio", ("gradio==6.31.0",), "/", gradio, ("rating", "clock", "carousel", "toast"),
        ("POST", r"/gradio_api/queue/join.*"), ("button", "Cheapest first", "By price"), ("34 EUR", "43 EUR"), ("Fired twice, laid once", "Zweimal gebrannt, einmal verlegt"),
        ("li", "Moss"), "[placeholder=Remark]",
    ),
    CompareSite(
        "pywebio", ("pywebio==1.8.4", "setuptools<81"), "/", pywebio, ("advice", "variant", "live", "chat"),
        ("GET", r"/"), ("button", "Strike the first", "Take the first off"), ("9 EUR", "6 EUR"), ("Baked at five in the morning", "Um fünf Uhr früh gebacken"),
        ("tr", "Spelt", "8"), "[placeholder=Remark]",
    ),
)  # fmt: skip
