"""Serves a kiln's page made with NiceGUI, whose widgets change over a WebSocket."""

import sys

from nicegui import ui


@ui.page("/")
def home() -> None:
    with ui.header():
        ui.label("Kiln").classes("text-h6")
        ui.button(icon="menu", on_click=lambda: drawer.toggle()).props("flat color=white")
    with ui.left_drawer(value=False) as drawer:
        ui.label("Side")
    with ui.row():
        count = ui.label("0 pots")
        ui.button("Add", on_click=lambda: count.set_text(f"{int(count.text.split()[0]) + 1} pots"))
        ui.switch("Hot").props("id=hot")
        ui.select(["celadon", "tenmoku"], value="celadon", label="Glaze").classes("w-40")
    with ui.tabs() as tabs:
        ui.tab("Table")
        ui.tab("Tree")
        ui.tab("Words")
    with ui.tab_panels(tabs, value="Table").classes("w-full"):
        with ui.tab_panel("Table"):
            rows = [{"name": f"pot {i}", "degrees": 1200 + i * 7 % 90} for i in range(30)]
            columns = [{"name": key, "label": key, "field": key, "sortable": True} for key in ("name", "degrees")]
            ui.table(rows=rows, columns=columns, row_key="name", selection="multiple", pagination=6)
        with ui.tab_panel("Tree"):
            ui.tree([{"id": "kiln", "children": [{"id": "shelf"}, {"id": "cone"}]}], label_key="id")
            ui.linear_progress(0.4)
        with ui.tab_panel("Words"):
            ui.markdown("# Clay\n\n- one\n- **two**\n\n`cone = 10`")
    with ui.dialog() as dialog, ui.card():
        ui.label("Are you sure?")
        ui.button("Yes", on_click=dialog.close)
    ui.button("Fire", on_click=dialog.open)
    ui.button("Tell", on_click=lambda: ui.notify("The kiln is hot", timeout=0, position="top"))


ui.run(host="127.0.0.1", port=int(sys.argv[1]), show=False, reload=False, title="Kiln")
