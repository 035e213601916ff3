"""Applications of the fourth and fifth set, chosen before the comparison was run on them.

The fifth set was chosen after the faults that the fourth had shown were cured.
"""

from __future__ import annotations

from ..scripted_agent import PlannedAgent
from .sites import CompareSite


def run_dash_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Read the book"):
        page.goto(agent.url)
        agent.wait_for_text("4 glazes")
        agent.click(page.get_by_role("button", name="Show firing plan"))
        agent.wait_for_text("open the kiln on Saturday")
        agent.pause(300)
    with agent.step("Add a glaze"):
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_placeholder("Glaze"), "Celadon"),
            lambda: agent.fill(page.get_by_placeholder("Price"), "19"),
        )
        page.keyboard.press("Tab")
        agent.click(page.get_by_role("button", name="Add glaze"))
        agent.wait_for_text("5 glazes")
        agent.pause(3000)
    with agent.step("Sort it"):
        agent.click(page.get_by_role("button", name="Cheapest first"))
        page.locator("tr:first-child", has_text="Ash white").wait_for()
        agent.pause(3000)


def run_nicegui_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Read the book"):
        page.goto(agent.url)
        agent.wait_for_text("3 visits")
        agent.click(page.get_by_role("button", name="When is it open?"))
        agent.wait_for_text("Open on Wednesdays")
        agent.pause(300)
    with agent.step("Add a visit"):
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_placeholder("Visitor"), "Dora Blum"),
            lambda: agent.fill(page.get_by_placeholder("With whom"), "three children"),
        )
        agent.pause(300)
        agent.click(page.get_by_role("button", name="Write it down"))
        agent.wait_for_text("4 visits")
        agent.pause(3000)
    with agent.step("Strike the first"):
        agent.click(page.get_by_role("button", name="The first has left"))
        agent.wait_for_text("3 visits")
        agent.pause(3000)


def run_gradio_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Read the book"):
        page.goto(agent.url)
        agent.wait_for_text("3 tiles")
        agent.click(page.get_by_role("button", name="How are they laid?"))
        agent.wait_for_text("left for a week")
        agent.pause(300)
    with agent.step("Add a tile"):
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_label("Tile", exact=True), "Ember"),
            lambda: agent.fill(page.get_by_label("Price"), "19"),
        )
        agent.click(page.get_by_role("button", name="Add tile"))
        agent.wait_for_text("4 tiles")
        agent.pause(3000)
    with agent.step("Sort them"):
        agent.click(page.get_by_role("button", name="Cheapest first"))
        page.locator("li:first-child", has_text="Salt white").wait_for()
        agent.pause(3000)


def run_pywebio_script(agent: PlannedAgent) -> None:
    page = agent.page
    with agent.step("Look round"):
        page.goto(agent.url)
        agent.wait_for_text("Baked at five")
        agent.click(page.get_by_role("button", name="When is it open?"))
        agent.wait_for_text("never on Mondays")
        agent.pause(300)
    with agent.step("Order"):
        agent.do_in_planned_order(
            lambda: agent.fill(page.get_by_label("How many"), "3"),
            lambda: agent.fill(page.get_by_label("For whom"), "Wim"),
        )
        agent.click(page.get_by_role("button", name="Submit"))
        agent.wait_for_text("1 orders, 3 loaves")
        agent.pause(3000)
    with agent.step("Strike it"):
        agent.click(page.get_by_role("button", name="Strike the first"))
        agent.wait_for_text("0 orders")
        agent.pause(3000)


FOURTH = (
    CompareSite(
        "dash", ("dash==4.4.1",), "/", run_dash_script, ("advert", "advice", "rating", "hashed"),
        ("POST", r"/_dash-update-component.*"), ("button", "Cheapest first", "By price"), ("31 EUR", "13 EUR"), ("Kept since the spring", "Seit dem Frühling geführt"),
        ("tr", "Shino", "26"), "input[placeholder=Note]",
    ),
    CompareSite(
        "nicegui", ("nicegui==3.18.0",), "/", run_nicegui_script, ("carousel", "toast", "variant", "chat"),
        ("GET", r"/"), ("button", "The first has left", "Strike the first"), ("21 EUR", "12 EUR"), ("Each visit is half an hour", "Jeder Besuch dauert eine halbe Stunde"),
        ("li", "Carmen Ott"), "input[placeholder=Remark]",
    ),
)  # fmt: skip
FIFTH = (
    CompareSite(
        "gradio", ("gradio==6.31.0",), "/", run_gradio_script, ("rating", "clock", "carousel", "toast"),
        ("POST", r"/gradio_api/queue/join.*"), ("button", "Cheapest first", "By price"), ("34 EUR", "43 EUR"), ("Fired twice, laid once", "Zweimal gebrannt, einmal verlegt"),
        ("li", "Moss"), "[placeholder=Remark]",
    ),
    CompareSite(
        "pywebio", ("pywebio==1.8.4", "setuptools<81"), "/", run_pywebio_script, ("advice", "variant", "live", "chat"),
        ("GET", r"/"), ("button", "Strike the first", "Take the first off"), ("9 EUR", "6 EUR"), ("Baked at five in the morning", "Um fünf Uhr früh gebacken"),
        ("tr", "Spelt", "8"), "[placeholder=Remark]",
    ),
)  # fmt: skip
