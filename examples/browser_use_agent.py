"""A browser-use agent on record, with a scripted model in the place of a real one: no key, no network.

pip install pagereel browser-use
python examples/browser_use_agent.py run.reel && pagereel build run.reel run.html

The browser is started with a debugging port; browser-use drives it and pagereel records it through the same address.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")
os.environ.setdefault("BROWSER_USE_CLOUD_SYNC", "false")
os.environ.setdefault("BROWSER_USE_VERSION_CHECK", "false")
os.environ.setdefault("BROWSER_USE_LOGGING_LEVEL", "result")

from browser_use import Agent, Browser
from browser_use.llm.views import ChatInvokeCompletion, ChatInvokeUsage

from pagereel.browser import launch_options
from pagereel.integrations import BrowserUseWatch, record_cdp

PAGE = """<!doctype html><title>Kettles</title><h1>Kettles</h1>
<form onsubmit="event.preventDefault(); out.textContent = 'Sold: ' + q.value">
<label>Search <input id=q name=q></label><button>Buy</button></form><p id=out></p>"""


class ShopTools(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_: object) -> None:
        pass


class ScriptedModel:
    """Stands for a chat model: looks for the control that its next line is about, and answers with an action on it."""

    model = "scripted"
    provider = "none"
    name = "scripted"
    model_name = "scripted"
    _verified_api_keys = True

    def __init__(self, page: str) -> None:
        self.lines = [
            ("Open the shop", "The task names its address.", "", {"navigate": {"url": page}}),
            ("Type what is wanted", "There is a search field.", r"\[(\d+)\]<input", {"input": {"text": "blue kettle"}}),
            ("Buy it", "The field holds the kettle.", r"\[(\d+)\]<button", {"click": {}}),
            ("Say so", "The page says that it is sold.", "", {"done": {"text": "Sold: blue kettle", "success": True}}),
        ]

    async def ainvoke(self, messages: list[Any], output_format: Any = None, **_: Any) -> Any:
        goal, thinking, pattern, action = self.lines.pop(0)
        ((name, arguments),) = action.items()
        if pattern:
            found = re.search(pattern, messages[-1].text)
            arguments = {**arguments, "index": int(found[1]) if found else 1}
        said = {"thinking": thinking, "evaluation_previous_goal": "", "memory": goal, "next_goal": goal}
        usage = ChatInvokeUsage(
            prompt_tokens=sum(len(message.text) for message in messages) // 4, completion_tokens=40, total_tokens=0,
            prompt_cached_tokens=None, prompt_cache_creation_tokens=None, prompt_image_tokens=None,
        )  # fmt: skip
        answer = output_format.model_validate({**said, "action": [{name: arguments}]})
        return ChatInvokeCompletion(completion=answer, usage=usage)


def start_chromium(profile: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a Chromium with a debugging port; give it and its address."""
    found = launch_options()
    arguments = [
        *found["args"],
        "--headless=new",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "about:blank",
    ]
    process = subprocess.Popen([found["executable_path"], *arguments], stderr=subprocess.DEVNULL)
    port = profile / "DevToolsActivePort"
    deadline = time.monotonic() + 60
    while not (port.exists() and "\n" in port.read_text()):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("Chromium did not start")
        time.sleep(0.05)
    return process, f"http://127.0.0.1:{port.read_text().splitlines()[0]}"


async def buy(address: str, page: str, reel: Path) -> None:
    """Buys a kettle, on record."""
    with record_cdp(address, reel, agent="browser-use") as session:
        watch = BrowserUseWatch(session)
        agent = Agent(
            "Buy a blue kettle",
            llm=watch.model(ScriptedModel(page)),
            browser=Browser(cdp_url=address),
            register_new_step_callback=watch.thought,
            use_vision=True,
            use_judge=False,
        )
        history = await agent.run(max_steps=6, on_step_end=watch.acted)
        session.note(f"browser-use says: {history.final_result()}")


def main(reel: Path) -> None:
    shop = ThreadingHTTPServer(("127.0.0.1", 0), ShopTools)
    threading.Thread(target=shop.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="pr", ignore_cleanup_errors=True) as profile:
        process, address = start_chromium(Path(profile))
        try:
            asyncio.run(buy(address, f"http://127.0.0.1:{shop.server_port}/", reel))
        finally:
            process.terminate()
            process.wait(30)
            shop.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
