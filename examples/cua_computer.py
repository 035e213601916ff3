"""A cua-agent with a scripted model on a drawn screen, recorded without a network.

pip install 'pagereel[screens]' cua-agent
CUA_TELEMETRY=off LITELLM_LOCAL_MODEL_COST_MAP=True python examples/cua_computer.py cua.reel && pagereel build cua.reel cua.html --redaction off
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
from typing import Any

os.environ.setdefault("CUA_TELEMETRY", "off")  # the package would report its use
os.environ.setdefault(
    "LITELLM_LOCAL_MODEL_COST_MAP", "True"
)  # its litellm would ask for a price list when it is imported

from cua_agent import ComputerAgent
from cua_agent.decorators import register_agent
from PIL import Image, ImageDraw

from pagereel import record
from pagereel.integrations import CuaWatch

DONE: list[str] = []
TURNS: list[dict[str, Any]] = [
    {"action": {"type": "screenshot"}, "thought": "I look at the shop first."},
    {"action": {"type": "click", "x": 312, "y": 180, "button": "left"}, "thought": "The search field is at the top."},
    {"action": {"type": "type", "text": "tern vase"}, "thought": "I look for the vase."},
    {"function": ("price_of", '{"name": "tern vase"}'), "thought": "Is it below 80 euros?"},
]


def screen() -> bytes:
    """Draw the shop as it stands."""
    picture = Image.new("RGB", (640, 400), "#f4f1ea")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 640, 46), fill="#274c5e")
    pen.text((18, 16), "Kiln & Co.", fill="white")
    pen.rectangle((160, 160, 470, 200), fill="white", outline="#274c5e" if DONE else "#bbbbbb", width=2)
    pen.text((172, 174), "tern vase" if any(each.startswith("type") for each in DONE) else "", fill="black")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


async def click(x: int, y: int, button: str = "left") -> None:
    DONE.append(f"click {x} {y}")


async def typed(text: str) -> None:
    DONE.append(f"type {text}")


def price_of(name: str) -> str:
    """Look a price up."""
    return f"{name}: 64 euros"


@register_agent(models=r"scripted", priority=100)
class Scripted:
    """Stands in for a model."""

    async def predict_step(self, messages: list[Any], model: str, **given: Any) -> dict[str, Any]:
        turn = sum(item.get("type") in ("computer_call_output", "function_call_output") for item in messages)
        usage = {
            "prompt_tokens": 900 + 400 * turn,
            "completion_tokens": 40,
            "total_tokens": 940,
            "response_cost": 0.002,
        }
        if turn == len(TURNS):
            text = [{"type": "output_text", "text": "The tern vase costs 64 euros."}]
            return {"output": [{"type": "message", "role": "assistant", "content": text}], "usage": usage}
        wanted = TURNS[turn]
        thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": wanted["thought"]}]}
        call: dict[str, Any] = {"type": "computer_call", "call_id": f"call_{turn}", "status": "completed"}
        if "action" in wanted:
            call["action"] = wanted["action"]
        else:
            name, arguments = wanted["function"]
            call |= {"type": "function_call", "name": name, "arguments": arguments}
        return {"output": [thought, call], "usage": usage}

    async def predict_click(self, **given: Any) -> None:
        return None

    def get_capabilities(self) -> list[str]:
        return ["step"]


async def main(path: str) -> None:
    computer = {"screenshot": screen, "click": click, "type": typed, "dimensions": (640, 400), "environment": "linux"}
    with record(None, path, agent="cua", overwrite=True) as session:
        agent = ComputerAgent(
            model="scripted", tools=[computer, price_of], callbacks=[CuaWatch(session)], screenshot_delay=0.1,
            telemetry_enabled=False, api_key="sk-example-never-recorded",
        )  # fmt: skip
        async for _ in agent.run("What does the tern vase cost?"):
            pass


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "cua.reel"))
