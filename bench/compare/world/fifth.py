"""The fifth set: chosen, and written down here, before the comparison met them, and after what the fourth had shown was cured."""

from __future__ import annotations

from .agent import PlannedAgent
from .sites import CompareSite


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
