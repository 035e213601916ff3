"""An agent that works in an application by a fixed script: before each action it records a model call and a tool call."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Error, Locator, Page

PATIENCE = 12_000
LOADED = 30_000
"""Ms that a call of Playwright's waits, and a page that loads: machines are busy, and a repeat that gave up is no repeat."""


class ScriptedAgent:
    """An agent that follows a script and records steps, model calls and tool calls.

    `plan` plants a difference in what the agent does: `argument` and `tool` change one tool call, `outcome` lets one step fail.
    """

    def __init__(self, session: Any, page: Page, url: str, plan: str = "") -> None:
        self.session, self.page, self.url, self.plan = session, page, url, plan
        page.set_default_timeout(PATIENCE)
        page.set_default_navigation_timeout(LOADED)
        self.tools = 0
        self.steps = 0

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Record what the block does as one step; with the plan `outcome` the third step is recorded as failed."""
        self.steps += 1
        with self.session.step(title) as step:
            yield
            bad = self.plan == "outcome" and self.steps == 3
            step.outcome(success=not bad, message="the goal was not reached" if bad else None)

    def record_model_call(self, question: str) -> None:
        """Record a model call with this question after a short pause; no model is asked."""
        self.pause(150)
        self.session.llm_call(
            model="clay-2-mini", provider="example", input_tokens=random.randint(900, 1000), output_tokens=random.randint(40, 60), cost_usd=0.001,
            duration=random.randint(300, 1500), prompt=question, response=random.choice(("Go on.", "Yes, do it.", "That is the way.")),
        )  # fmt: skip

    def use_tool(self, tool: str, arguments: dict[str, Any], action: Callable[[], Any]) -> None:
        """Record a call of a tool, run `action` in the page, and record the tool's result."""
        self.tools += 1
        if self.tools == 2:
            if self.plan == "argument":
                arguments = {**arguments, "amount": 10}
            tool = "guess" if self.plan == "tool" else tool
        self.record_model_call(f"What comes next, after {self.tools - 1} actions?")
        call = self.session.tool_call(tool, arguments={**arguments, "call_id": f"{random.getrandbits(64):x}"})
        action()
        self.session.tool_result(call, result={"ok": True})

    def click(self, locator: Locator) -> None:
        """Record the tool call `click` and click the locator."""
        self.use_tool("click", {"target": str(locator).partition("selector=")[2][:60], "amount": 1}, locator.click)

    def fill(self, locator: Locator, text: str) -> None:
        """Record the tool call `fill` and fill the text into the locator."""
        self.use_tool("fill", {"text": text, "amount": 1}, lambda: locator.fill(text))

    def wait_for_text(self, text: str) -> None:
        """Wait until the page shows the text."""
        self.page.get_by_text(text).first.wait_for()

    def pause(self, ms: float) -> None:
        """Wait for about `ms` milliseconds, 30 % more or less, as a model takes time to answer."""
        self.page.wait_for_timeout(ms * random.uniform(0.7, 1.3))


class PlannedAgent(ScriptedAgent):
    """An agent with two more plans: `order` swaps two independent actions, `retry` lets a tool fail once and calls it again."""

    def use_tool(self, tool: str, arguments: dict[str, Any], action: Callable[[], Any]) -> None:
        if self.plan == "retry" and self.tools == 2:
            self.record_model_call("What comes next, after 2 actions?")
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "0"})
            self.session.tool_result(call, error="the element moved away")
            self.tools += 1
            call = self.session.tool_call(tool, arguments={**arguments, "call_id": "1"})
            action()
            self.session.tool_result(call, result={"ok": True})
            return
        super().use_tool(tool, arguments, action)

    def do_in_planned_order(self, first: Callable[[], Any], second: Callable[[], Any]) -> None:
        """Do two actions that do not depend on each other; with the plan `order` the second one first."""
        for do in (second, first) if self.plan == "order" else (first, second):
            do()


def run_script(script: Callable[[ScriptedAgent], None], agent: ScriptedAgent) -> None:
    """Run a script; where one of its Playwright calls fails, the run ends there and its step is recorded as failed."""
    try:
        script(agent)
    except Error:
        return


def run_shop_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Find a vase"):
        page.goto(agent.url)
        page.locator(".card-link").first.wait_for()
        agent.fill(page.get_by_role("searchbox", name="Search the shop"), "vase")
        page.get_by_role("searchbox", name="Search the shop").press("Enter")
        agent.wait_for_text("4 pieces")
        page.get_by_label("Price up to").fill("6000")
        agent.use_tool("check", {"label": "Celadon"}, page.get_by_label("Celadon").check)
        agent.wait_for_text("1 piece")
        page.get_by_role("alertdialog").wait_for()
        agent.click(page.get_by_role("button", name="Only what is needed"))
    with agent.step("Open it"):
        agent.click(page.get_by_role("link", name="Tern bottle vase"))
        page.get_by_role("heading", name="Tern bottle vase").wait_for()
        agent.wait_for_text("In stock")
        agent.pause(300)
    with agent.step("Put it in the basket"):
        agent.click(page.get_by_role("button", name="Add to basket", exact=True))
        agent.pause(300)
        agent.click(page.get_by_role("button", name="Go to checkout"))
        page.get_by_role("heading", name="Where shall it go?").wait_for()


def run_task_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Look at the tasks"):
        page.goto(agent.url)
        agent.wait_for_text("Water the ferns")
        agent.pause(200)
    with agent.step("Add one"):
        agent.fill(page.get_by_label("New task"), "Buy stamps")
        agent.click(page.get_by_role("button", name="Add task"))
        agent.wait_for_text("Buy stamps")
    with agent.step("Tick one off"):
        agent.use_tool("check", {"task": "Water the ferns"}, page.get_by_label("Water the ferns").check)
        agent.wait_for_text("2 open")
        agent.pause(200)


def run_booking_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Choose a room"):
        page.goto(agent.url)
        agent.click(page.get_by_role("link", name="Choose Tide"))
    with agent.step("Book it"):
        agent.wait_for_text("people look at it")
        agent.fill(page.get_by_label("Nights"), "3")
        agent.fill(page.get_by_label("Name"), "Ines")
        agent.click(page.get_by_role("button", name="Book the room"))
        agent.wait_for_text("Booked")
    with agent.step("Print it"):
        agent.pause(200)
        agent.click(page.get_by_role("button", name="Print it"))


def run_dashboard_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Look at the alarms"):
        page.goto(agent.url)
        agent.wait_for_text("P4")
        agent.use_tool("select", {"value": "alarms"}, lambda: page.get_by_label("Show").select_option("bad"))
        agent.pause(500)
    with agent.step("Open the pump"):
        agent.click(page.get_by_role("button", name="Open P3"))
        agent.pause(300)
    with agent.step("Acknowledge"):
        agent.click(page.get_by_role("button", name="Acknowledge"))
        agent.wait_for_text("Acknowledged by")
        agent.pause(200)


def run_mail_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Open the letter"):
        page.goto(agent.url)
        agent.click(page.get_by_role("button", name="Harbour office"))
        agent.wait_for_text("minutes ago")
    with agent.step("Answer it"):
        agent.fill(page.get_by_label("Answer"), "We take it.")
        agent.click(page.get_by_role("button", name="Send answer"))
        agent.wait_for_text("Answered")
    with agent.step("Go on"):
        agent.pause(400)
        agent.click(page.get_by_role("button", name="Sail loft"))
        agent.wait_for_text("mainsail")
        agent.pause(200)


def run_chat_script(agent: ScriptedAgent) -> None:
    page = agent.page
    with agent.step("Say hello"):
        page.goto(agent.url)
        agent.fill(page.get_by_label("Message"), "Hello")
        agent.click(page.get_by_role("button", name="Send message"))
        agent.wait_for_text("what can I do for you?")
    with agent.step("Ask for a table"):
        agent.fill(page.get_by_label("Message"), "A table for two")
        agent.click(page.get_by_role("button", name="Send message"))
        agent.wait_for_text("Table 7")
        agent.pause(300)
    with agent.step("Keep it"):
        agent.click(page.get_by_role("button", name="Keep it"))
        agent.wait_for_text("Kept")
