"""An agent that tells of itself in OpenTelemetry's `gen_ai.*` spans, as instrumented frameworks do; the model is scripted.

pip install "pagereel[otel]"
python examples/otel_agent.py run.reel && pagereel build run.reel run.html
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from opentelemetry.sdk.trace import TracerProvider
from playwright.sync_api import Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.integrations import ReplayProcessor
from pagereel.recorder import record

PAGE = """<!doctype html><title>Kettles</title><h1>Kettles</h1>
<ul><li>Red kettle <button onclick="out.textContent = 'Sold: red'">Buy red</button>
<li>Blue kettle <button onclick="out.textContent = 'Sold: blue'">Buy blue</button></ul><p id=out></p>"""
ANSWERS = ["click Buy blue", "done"]
"""What the model says, turn by turn."""

provider = TracerProvider()
provider.add_span_processor(ReplayProcessor())  # the one line
tracer = provider.get_tracer("example")


def ask(page: Page, turn: int) -> str:
    """Look at the page and answer, as the scripted model does."""
    with tracer.start_as_current_span("chat scripted", attributes={"gen_ai.operation.name": "chat"}) as span:
        seen = page.locator("body").inner_text()
        answer = ANSWERS[turn]
        span.set_attributes(
            {
                "gen_ai.provider.name": "example",
                "gen_ai.request.model": "scripted",
                "gen_ai.usage.input_tokens": len(seen.split()),
                "gen_ai.usage.output_tokens": len(answer.split()),
                "gen_ai.input.messages": json.dumps([{"role": "user", "content": seen}]),
                "gen_ai.output.messages": json.dumps([{"role": "assistant", "content": answer}]),
            }
        )
    return answer


def click(page: Page, name: str) -> None:
    """Press a button: the agent's one tool."""
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "click",
        "gen_ai.tool.call.arguments": json.dumps({"name": name}),
    }
    with tracer.start_as_current_span("execute_tool click", attributes=attributes) as span:
        page.get_by_role("button", name=name).click()
        span.set_attribute("gen_ai.tool.call.result", page.locator("#out").inner_text())


def main(reel: Path) -> None:
    """Buys the blue kettle, on record."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, reel, agent="otel-example"):
            page = context.new_page()
            page.set_content(PAGE)
            agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shopper"}
            with tracer.start_as_current_span("invoke_agent shopper", attributes=agent):
                for turn in range(len(ANSWERS)):
                    answer = ask(page, turn)
                    if answer == "done":
                        break
                    click(page, answer.removeprefix("click "))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
