"""Two agents that hand over: one plans what to buy, the other buys it in a browser and asks back. Each has a lane of its own in the replay. The models are scripted.

pip install "pagereel[models]" openai
python examples/two_agents.py run.reel && pagereel build run.reel run.html
"""

from __future__ import annotations

import sys
from pathlib import Path

from openai import OpenAI
from playwright.sync_api import Page, sync_playwright

from pagereel import record
from pagereel.browser import launch_options
from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations import models
from pagereel.recorder import SyncSession

PAGE = """<!doctype html><title>Kettles</title><style>body { font: 18px sans-serif; margin: 2rem } li { margin: 1rem }</style><h1>Kettles</h1>
<ul><li>Red kettle, 30 euros <button onclick="out.textContent = 'Sold: red'">Buy red</button>
<li>Blue kettle, 25 euros <button onclick="out.textContent = 'Sold: blue'">Buy blue</button></ul><p id=out></p>"""
PLANNER = "You plan what is to be bought. You open no page; say to the buyer what to do."
BUYER = "You buy in a browser what the planner says. Ask when something is not clear."


def scripted(turn: int, body: Body) -> ScriptedTurn:
    """Answer as the models would."""
    system, *_, last = body["messages"]
    if system["content"] == PLANNER and "30 euros" in last["content"]:
        return ScriptedTurn("The blue one: it is within 28 euros.", "25 is less than 28.", (), 160, output_tokens=14)
    if system["content"] == PLANNER:
        return ScriptedTurn(
            "Buy one kettle for at most 28 euros.", "One is wanted, and 28 is all there is.", (), 120, output_tokens=12
        )
    if "The blue one" in last["content"]:
        return ScriptedTurn("Buy blue", "", (), 210, output_tokens=4)
    return ScriptedTurn("There are two: red for 30 euros, blue for 25 euros. Which?", "", (), 190, output_tokens=18)


class Assistant:
    """Asks a model, under its own name."""

    def __init__(self, session: SyncSession, client: OpenAI, name: str, instructions: str) -> None:
        self.name = name
        self._session = session
        self._client = client
        self._messages: list[dict[str, str]] = [{"role": "system", "content": instructions}]

    def think(self, said: str) -> str:
        """Return what the model says to this."""
        self._messages.append({"role": "user", "content": said})
        answer = self._client.chat.completions.create(model="scripted-1", messages=self._messages)  # type: ignore[arg-type]
        text = answer.choices[0].message.content or ""
        self._messages.append({"role": "assistant", "content": text})
        return text

    def say(self, to: Assistant, text: str) -> None:
        """Say something to another agent, on record."""
        self._session.message(self.name, to.name, text)


def shop(session: SyncSession, client: OpenAI, page: Page) -> None:
    """Plan, hand over, ask back, buy."""
    planner = Assistant(session, client, "planner", PLANNER)
    buyer = Assistant(session, client, "buyer", BUYER)
    with session.step("Decide what to buy", agent="planner"):
        order = planner.think("We need a kettle and have 28 euros.")
        planner.say(buyer, order)
    with session.step("Look at the offers", agent="buyer"):
        page.set_content(PAGE)
        question = buyer.think(f"{order}\n\n{page.locator('body').inner_text()}")
        buyer.say(planner, question)
        with session.step("Choose", agent="planner") as step:
            choice = planner.think(question)
            planner.say(buyer, choice)
            step.outcome(success=True)
    with session.step("Buy it", agent="buyer") as step:
        page.get_by_role("button", name=buyer.think(choice)).click()
        said = page.locator("#out").inner_text()
        buyer.say(planner, said)
        step.outcome(success="blue" in said, message=said)


def main(reel: Path) -> None:
    """Buy the kettle, on record."""
    with ScriptedProviders(scripted) as providers, sync_playwright() as playwright:
        client = OpenAI(base_url=providers.provider_url("openai"), api_key="none")
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, reel, agent="kettle-team") as session:
            models(session, client)
            page = context.new_page()
            page.set_viewport_size({"width": 800, "height": 500})
            shop(session, client, page)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
