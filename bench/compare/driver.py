"""The agent that works an application: each thing that it does it thinks of first, by a model call and a tool."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Error, Locator, Page

PATIENCE = 12_000
LOADED = 30_000
"""Ms that a call of Playwright's waits, and a page that loads: machines are busy, and a repeat that gave up is no repeat."""


class Driver:
    """Steps, and what is done in them. `plan` changes what the model chooses: `argument`, `tool`, `outcome`."""

    def __init__(self, session: Any, page: Page, url: str, plan: str = "") -> None:
        self.session, self.page, self.url, self.plan = session, page, url, plan
        page.set_default_timeout(PATIENCE)
        page.set_default_navigation_timeout(LOADED)
        self.tools = 0
        self.steps = 0

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        self.steps += 1
        with self.session.step(title) as step:
            yield
            bad = self.plan == "outcome" and self.steps == 3
            step.outcome(success=not bad, message="the goal was not reached" if bad else None)

    def think(self, question: str) -> None:
        self.pause(150)
        self.session.llm_call(
            model="clay-2-mini", provider="example", input_tokens=random.randint(900, 1000), output_tokens=random.randint(40, 60), cost_usd=0.001,
            duration=random.randint(300, 1500), prompt=question, response=random.choice(("Go on.", "Yes, do it.", "That is the way.")),
        )  # fmt: skip

    def act(self, tool: str, arguments: dict[str, Any], do: Callable[[], Any]) -> None:
        """Call a tool that does something in the page."""
        self.tools += 1
        if self.tools == 2:
            if self.plan == "argument":
                arguments = {**arguments, "amount": 10}
            tool = "guess" if self.plan == "tool" else tool
        self.think(f"What comes next, after {self.tools - 1} actions?")
        call = self.session.tool_call(tool, arguments={**arguments, "call_id": f"{random.getrandbits(64):x}"})
        do()
        self.session.tool_result(call, result={"ok": True})

    def click(self, locator: Locator) -> None:
        self.act("click", {"target": str(locator).partition("selector=")[2][:60], "amount": 1}, locator.click)

    def fill(self, locator: Locator, text: str) -> None:
        self.act("fill", {"text": text, "amount": 1}, lambda: locator.fill(text))

    def see(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    def pause(self, ms: float) -> None:
        """Look at the page for a while, as a model does that takes its time."""
        self.page.wait_for_timeout(ms * random.uniform(0.7, 1.3))


class PlannedAgent(Driver):
    """`plan` may also be `order` (two things that do not depend on each other come the other way round) and `retry` (a tool fails, and is called again)."""

    def act(self, tool: str, arguments: dict[str, Any], do: Callable[[], Any]) -> None:
        if self.plan == "retry" and self.tools == 2:
            self.think("What comes next, after 2 actions?")
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "0"})
            self.session.tool_result(call, error="the element moved away")
            self.tools += 1
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "1"})
            do()
            self.session.tool_result(call, result={"ok": True})
            return
        super().act(tool, arguments, do)

    def either(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        """Do two things, in whichever order."""
        for do in (second, first) if self.plan == "order" else (first, second):
            do()


def work(script: Callable[[Driver], None], driver: Driver) -> None:
    """Run a script; where a call of it fails, the run ends there, and its step says so."""
    try:
        script(driver)
    except Error:
        return


def shop(d: Driver) -> None:
    page = d.page
    with d.step("Find a vase"):
        page.goto(d.url)
        page.locator(".card-link").first.wait_for()
        d.fill(page.get_by_role("searchbox", name="Search the shop"), "vase")
        page.get_by_role("searchbox", name="Search the shop").press("Enter")
        d.see("4 pieces")
        page.get_by_label("Price up to").fill("6000")
        d.act("check", {"label": "Celadon"}, page.get_by_label("Celadon").check)
        d.see("1 piece")
        page.get_by_role("alertdialog").wait_for()
        d.click(page.get_by_role("button", name="Only what is needed"))
    with d.step("Open it"):
        d.click(page.get_by_role("link", name="Tern bottle vase"))
        page.get_by_role("heading", name="Tern bottle vase").wait_for()
        d.see("In stock")
        d.pause(300)
    with d.step("Put it in the basket"):
        d.click(page.get_by_role("button", name="Add to basket", exact=True))
        d.pause(300)
        d.click(page.get_by_role("button", name="Go to checkout"))
        page.get_by_role("heading", name="Where shall it go?").wait_for()


def tasks(d: Driver) -> None:
    page = d.page
    with d.step("Look at the tasks"):
        page.goto(d.url)
        d.see("Water the ferns")
        d.pause(200)
    with d.step("Add one"):
        d.fill(page.get_by_label("New task"), "Buy stamps")
        d.click(page.get_by_role("button", name="Add task"))
        d.see("Buy stamps")
    with d.step("Tick one off"):
        d.act("check", {"task": "Water the ferns"}, page.get_by_label("Water the ferns").check)
        d.see("2 open")
        d.pause(200)


def booking(d: Driver) -> None:
    page = d.page
    with d.step("Choose a room"):
        page.goto(d.url)
        d.click(page.get_by_role("link", name="Choose Tide"))
    with d.step("Book it"):
        d.see("people look at it")
        d.fill(page.get_by_label("Nights"), "3")
        d.fill(page.get_by_label("Name"), "Ines")
        d.click(page.get_by_role("button", name="Book the room"))
        d.see("Booked")
    with d.step("Print it"):
        d.pause(200)
        d.click(page.get_by_role("button", name="Print it"))


def board(d: Driver) -> None:
    page = d.page
    with d.step("Look at the alarms"):
        page.goto(d.url)
        d.see("P4")
        d.act("select", {"value": "alarms"}, lambda: page.get_by_label("Show").select_option("bad"))
        d.pause(500)
    with d.step("Open the pump"):
        d.click(page.get_by_role("button", name="Open P3"))
        d.pause(300)
    with d.step("Acknowledge"):
        d.click(page.get_by_role("button", name="Acknowledge"))
        d.see("Acknowledged by")
        d.pause(200)


def mail(d: Driver) -> None:
    page = d.page
    with d.step("Open the letter"):
        page.goto(d.url)
        d.click(page.get_by_role("button", name="Harbour office"))
        d.see("minutes ago")
    with d.step("Answer it"):
        d.fill(page.get_by_label("Answer"), "We take it.")
        d.click(page.get_by_role("button", name="Send answer"))
        d.see("Answered")
    with d.step("Go on"):
        d.pause(400)
        d.click(page.get_by_role("button", name="Sail loft"))
        d.see("mainsail")
        d.pause(200)


def talk(d: Driver) -> None:
    page = d.page
    with d.step("Say hello"):
        page.goto(d.url)
        d.fill(page.get_by_label("Message"), "Hello")
        d.click(page.get_by_role("button", name="Send message"))
        d.see("what can I do for you?")
    with d.step("Ask for a table"):
        d.fill(page.get_by_label("Message"), "A table for two")
        d.click(page.get_by_role("button", name="Send message"))
        d.see("Table 7")
        d.pause(300)
    with d.step("Keep it"):
        d.click(page.get_by_role("button", name="Keep it"))
        d.see("Kept")
