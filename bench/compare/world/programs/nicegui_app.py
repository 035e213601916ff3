"""A visitors' book made with NiceGUI: each change goes over a WebSocket."""

import sys

from nicegui import ui

VISITS = [("Alma Reyes", 14), ("Bo Lindqvist", 9), ("Carmen Ott", 21)]


@ui.page("/")
def index():
    held = list(VISITS)
    ui.label("Visitors of the kiln").classes("text-h4")
    ui.label("Each visit is half an hour")
    rows = ui.element("ul")
    total = ui.label()

    def draw_visits():
        rows.clear()
        with rows:
            for name, fee in held:
                with ui.element("li"):
                    ui.label(f"{name} pays {fee} EUR")
        total.text = f"{len(held)} visits, {sum(fee for _, fee in held)} EUR in all"

    def add_visit():
        held.append((f"{name.value} ({kind.value or 'alone'})", 11))
        draw_visits()

    def remove_first_visit():
        held.pop(0)
        draw_visits()

    name = ui.input(placeholder="Visitor")
    kind = ui.input(placeholder="With whom")
    ui.input(placeholder="Remark")
    ui.button("Write it down", on_click=add_visit)
    ui.button("The first has left", on_click=remove_first_visit)
    ui.button("When is it open?", on_click=lambda: hours.set_text("Open on Wednesdays from two to six."))
    hours = ui.label("Ask for the hours.")
    draw_visits()


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False, title="Visitors")
