"""An agent that shops in a browser by what a model says: `python browser_agent.py SITE REEL record|again`. It asks the model by the environment's address."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from openai import OpenAI
from playwright.sync_api import sync_playwright

from pagereel import record, route_from_reel
from pagereel.browser import launch_options

CLICK: Any = {"type": "function", "function": {"name": "click", "parameters": {"type": "object"}}}


def main(site: str, reel: Path, how: str) -> None:
    """Follow the model, with the run's page recorded into `reel`, or served from it."""
    client = OpenAI()
    with sync_playwright() as playwright, contextlib.ExitStack() as stack:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        if how == "record":
            stack.enter_context(record(context, reel, world=True))
        else:
            route_from_reel(context, reel)
        page = context.new_page()
        page.goto(site)
        messages: list[Any] = [{"role": "user", "content": f"Buy the blue kettle. {page.locator('body').inner_text()}"}]
        while True:
            stream = client.chat.completions.create(model="m", messages=messages, tools=[CLICK], stream=True)
            text, arguments, called = "", "", ""
            for chunk in stream:
                for choice in chunk.choices:
                    text += choice.delta.content or ""
                    for call in choice.delta.tool_calls or []:
                        called = called or call.id or ""
                        arguments += (call.function and call.function.arguments) or ""
            if not called:
                break
            page.get_by_role("link", name=json.loads(arguments)["name"]).click()
            asked = {"id": called, "type": "function", "function": {"name": "click", "arguments": arguments}}
            messages.append({"role": "assistant", "content": text, "tool_calls": [asked]})
            messages.append({"role": "tool", "tool_call_id": called, "content": page.locator("body").inner_text()})
        print(text, "|", page.locator("h1").inner_text(), flush=True)
        stack.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
