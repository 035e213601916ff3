"""Serves a book of tiles made with Gradio: each press of a button sends a request, and the change arrives over an event stream."""

import sys

import gradio

TILES = [("Harbour blue", 27), ("Salt white", 16), ("Moss", 34)]


def render_tiles(held):
    rows = "".join(f"<li>{name}, {price} EUR a tile</li>" for name, price in held)
    return f"<ul>{rows}</ul>", f"{len(held)} tiles, {sum(price for _, price in held)} EUR in all"


def add_tile(held, name, price):
    held = [*held, (name or "Nameless", int(price or 0))]
    return held, *render_tiles(held)


def sort_by_price(held):
    held = sorted(held, key=lambda tile: tile[1])
    return held, *render_tiles(held)


with gradio.Blocks(title="Tile book", analytics_enabled=False) as app:
    gradio.Markdown("# Tile book\nFired twice, laid once")
    held = gradio.State(TILES)
    rows, total = gradio.HTML(render_tiles(TILES)[0]), gradio.Markdown(render_tiles(TILES)[1])
    name, price = gradio.Textbox(label="Tile"), gradio.Textbox(label="Price")
    remark = gradio.Textbox(label="Remark", placeholder="Remark")
    gradio.Button("Add tile").click(add_tile, [held, name, price], [held, rows, total])
    gradio.Button("Cheapest first").click(sort_by_price, held, [held, rows, total])
    told = gradio.Markdown("Ask how they are laid.")
    gradio.Button("How are they laid?").click(lambda: "In a bed of lime, and left for a week.", None, told)

app.queue().launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), show_error=True, quiet=True)
