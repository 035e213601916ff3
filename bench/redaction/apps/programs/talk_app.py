"""Serves a chat made of NiceGUI's own parts, with a list of the people in it: `talk_app.py PORT`."""

import json
import sys
from pathlib import Path

from nicegui import ui

TOLD = json.loads(Path("people.json").read_text("utf-8"))
SAID = ("The kiln reached cone 6 at noon.", "Who has the key to the clay cellar?", "{name} has it, call {phone}.", "Thanks! I will pick it up at 4.", "Order 8812 is glazed, {name} can fetch it.", "Can you send me the invoice? {email}", "Done.", "See you on Thursday, {first}.")  # fmt: skip


@ui.page("/")
def home() -> None:
    me = TOLD[0]
    with ui.header().classes("items-center"):
        ui.label("Studio chat").classes("text-h6")
        ui.space()
        ui.select(["Everybody", "Glazing", "Firing"], value="Everybody", label="Channel").props("dark dense").classes("w-40")  # fmt: skip
        ui.badge("3 unread")
    with ui.left_drawer():
        ui.label("Online").classes("text-subtitle2")
        with ui.list().props("dense separator"):
            for one in TOLD[:8]:
                with ui.item():
                    with ui.item_section().props("avatar"):
                        ui.avatar(one["first"][0] + one["last"][0], size="sm")
                    with ui.item_section():
                        ui.item_label(one["name"])
                        ui.item_label(one["job"]).props("caption")
    with ui.column().classes("w-full") as talk:
        for number, words in enumerate(SAID):
            one, other = TOLD[number % 4], TOLD[number % 5 + 1]
            ui.chat_message(words.format(**other), name=one["name"], stamp=f"1{number // 3}:{10 + 7 * number % 50}", sent=one is me)  # fmt: skip
    with ui.footer().classes("bg-white"):
        text = ui.input(placeholder="Message").classes("flex-grow")

        def send_message() -> None:
            with talk:
                ui.chat_message(text.value, name=me["name"], stamp="14:07", sent=True)
            text.value = ""

        text.on("keydown.enter", send_message)
        ui.button("Send", on_click=send_message)


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False, title="Studio chat")
