"""An agent on OpenAI's own library that shops in a browser: what it asks of the model stands on the page's timeline, with one line. The model is scripted.

pip install "pagereel[models]" openai
python examples/openai_agent.py run.reel && pagereel build run.reel run.html

The same agent without that line, and with no pagereel in it: `pagereel proxy --reel run.reel -- python agent.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from openai import OpenAI
from playwright.sync_api import Page, sync_playwright

from pagereel import record
from pagereel.browser import launch_options
from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations import models

PAGE = """<!doctype html><title>Kettles</title><h1>Kettles</h1>
<ul><li>Red kettle, 30 euros <button onclick="out.textContent = 'Sold: red'">Buy red</button>
<li>Blue kettle, 25 euros <button onclick="out.textContent = 'Sold: blue'">Buy blue</button></ul><p id=out></p>"""
SYSTEM = "You shop. Press one button at a time, and say so when the task is done."
CLICK: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "click",
        "description": "Press a button",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    },
}


def scripted(turn: int, body: Body) -> ScriptedTurn:
    """Answer as the model would: from what the page says."""
    if "Sold: blue" in json.dumps(body["messages"][-1]):
        return ScriptedTurn("The blue kettle is yours, for 25 euros.", input_tokens=260, output_tokens=12)
    thought = "The blue one is cheaper."
    return ScriptedTurn("", thought, (("click", {"name": "Buy blue"}),), 180, output_tokens=24, reasoning_tokens=6)


def shop(client: OpenAI, page: Page, task: str) -> str:
    """Ask the model what to do until it wants nothing more."""
    messages: list[Any] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": f"{task}\n\n{page.locator('body').inner_text()}"},
    ]
    while True:
        answer = client.chat.completions.create(model="scripted-1", messages=messages, tools=[CLICK])  # type: ignore[list-item]
        message = answer.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            page.get_by_role("button", name=json.loads(call.function.arguments)["name"]).click()  # type: ignore[union-attr]
            said = page.locator("body").inner_text()
            messages.append({"role": "tool", "tool_call_id": call.id, "content": said})


def main(reel: Path) -> None:
    """Buy the cheaper kettle, on record."""
    with ScriptedProviders(scripted) as providers, sync_playwright() as playwright:
        client = OpenAI(base_url=providers.provider_url("openai"), api_key="none")
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, reel, agent="openai-example") as session:
            models(session, client)  # the one line
            page = context.new_page()
            page.set_content(PAGE)
            with session.step("Buy the cheaper kettle") as step:
                step.outcome(success=True, message=shop(client, page, "Buy the cheaper kettle."))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
