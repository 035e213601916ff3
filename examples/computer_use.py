"""An agent on Anthropic's computer tool that writes a note in a desktop program: what it saw and did stands in the recording, with one line. The model is scripted.

pip install "pagereel[models,desktop]" anthropic
xvfb-run python examples/computer_use.py run.reel && pagereel build run.reel run.html --redaction internal

With a display of one's own, without xvfb-run: the agent moves the real pointer.
"""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mss
from anthropic import Anthropic
from PIL import Image
from Xlib import XK, X, display, error
from Xlib.ext import xtest

from pagereel import record
from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn
from pagereel.integrations import models

PROGRAM = """
import tkinter as tk
root = tk.Tk()
root.title("Notes")
root.geometry("640x400+0+0")
field = tk.Entry(root, font=("sans", 16))
field.place(x=20, y=20, width=440, height=40)
field.bind("<Button-1>", lambda event: field.focus_force())
notes = tk.Listbox(root, font=("sans", 14))
notes.place(x=20, y=80, width=600, height=300)
def save():
    notes.insert("end", field.get())
    field.delete(0, "end")
tk.Button(root, text="Save", command=save).place(x=480, y=20, width=140, height=40)
root.mainloop()
"""
SIZE = (640, 400)
TOOL = {"type": "computer_20250124", "name": "computer", "display_width_px": SIZE[0], "display_height_px": SIZE[1]}
ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("I look at the screen first.", {"action": "screenshot"}),
    ("There is a field for the note.", {"action": "left_click", "coordinate": [200, 40]}),
    ("It has the focus.", {"action": "type", "text": "Call the garden shop at noon"}),
    ("Now it must be kept.", {"action": "left_click", "coordinate": [550, 40]}),
]


def scripted(turn: int, body: Body) -> ScriptedTurn:
    """Answer as the model would."""
    if turn >= len(ACTIONS):
        return ScriptedTurn("The note is in the list.", input_tokens=900, output_tokens=9)
    said, action = ACTIONS[turn]
    return ScriptedTurn(said, "", (("computer", action),), 300 + 200 * turn, output_tokens=40)


def picture() -> str:
    """Return the program's part of the screen, as a PNG in base64."""
    with mss.MSS() as screen:
        shot = screen.grab({"left": 0, "top": 0, "width": SIZE[0], "height": SIZE[1]})
    out = io.BytesIO()
    Image.frombytes("RGB", shot.size, shot.rgb).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def perform(action: dict[str, Any]) -> None:
    """Do what the model wants."""
    screen = display.Display()
    fakes: list[tuple[int, int, int, int]] = []
    if "coordinate" in action:
        x, y = action["coordinate"]
        fakes = [(X.MotionNotify, 0, x, y), (X.ButtonPress, 1, 0, 0), (X.ButtonRelease, 1, 0, 0)]
    elif action["action"] == "type":
        for letter in action["text"].lower():
            key = screen.keysym_to_keycode(XK.string_to_keysym("space" if letter == " " else letter))
            fakes += [(X.KeyPress, key, 0, 0), (X.KeyRelease, key, 0, 0)]
    for kind, detail, x, y in fakes:
        xtest.fake_input(screen, kind, detail, x=x, y=y)
        screen.sync()
    screen.close()
    time.sleep(0.6)


def work(client: Anthropic, task: str) -> str:
    """Ask the model what to do until it wants nothing more."""
    messages: list[Any] = [{"role": "user", "content": task}]
    while True:
        answer = client.messages.create(model="scripted-1", max_tokens=500, messages=messages, tools=[TOOL])  # type: ignore[list-item]
        messages.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in answer.content]}
        )
        uses = [block for block in answer.content if block.type == "tool_use"]
        if not uses:
            return "".join(block.text for block in answer.content if block.type == "text")
        results = []
        for use in uses:
            perform(dict(use.input))  # type: ignore[call-overload]
            source = {"type": "base64", "media_type": "image/png", "data": picture()}
            results.append(
                {"type": "tool_result", "tool_use_id": use.id, "content": [{"type": "image", "source": source}]}
            )
        messages.append({"role": "user", "content": results})


def main(reel: Path) -> None:
    """Write the note, on record."""
    try:
        display.Display().close()
    except error.DisplayError as refused:
        sys.exit(f"No X11 display can be opened ({refused}): run this under xvfb-run, or set DISPLAY.")
    program = subprocess.Popen([sys.executable, "-c", PROGRAM])
    try:
        time.sleep(2)
        with ScriptedProviders(scripted) as providers, record(None, reel, agent="computer-use-example") as session:
            client = Anthropic(base_url=providers.provider_url("anthropic"), api_key="none")
            models(session, client)  # the one line
            print(work(client, "Write a note: call the garden shop at noon."))
    finally:
        program.terminate()
        program.wait(10)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "run.reel"))
