"""Serves a bakery's order form made with PyWebIO: the server asks one question after the other over a WebSocket."""

import sys

from pywebio import start_server
from pywebio.input import input as ask
from pywebio.input import input_group, select
from pywebio.output import clear, put_buttons, put_markdown, put_scope, put_table, put_text, use_scope

BREADS = [("Rye", 6), ("Spelt", 8), ("Walnut", 9)]


def main():
    """Bakery"""
    ordered = []
    put_markdown("# Bakery\nBaked at five in the morning")
    put_table([[name, f"{price} EUR"] for name, price in BREADS], header=["Bread", "Price"])
    put_scope("opening")
    put_buttons(["When is it open?"], onclick=[show_opening_hours])
    put_scope("basket")
    while True:
        wanted = input_group(
            "What shall it be?",
            [
                select("Bread", [name for name, _ in BREADS], name="bread"),
                ask("How many", name="count"),
                ask("For whom", name="who"),
                ask("Remark", name="remark", placeholder="Remark"),
            ],
        )
        ordered.append((wanted["bread"], int(wanted["count"] or 1), wanted["who"] or "nobody"))
        draw_basket(ordered)


def show_opening_hours():
    with use_scope("opening", clear=True):
        put_text("Open from six to noon, and never on Mondays.")


def draw_basket(ordered):
    with use_scope("basket", clear=True):
        put_text(f"{len(ordered)} orders, {sum(count for _, count, _ in ordered)} loaves")
        for bread, count, who in ordered:
            put_text(f"{count} {bread} for {who}")
        put_buttons(
            ["Strike the first"],
            onclick=[lambda: (ordered.pop(0), draw_basket(ordered)) if ordered else clear("basket")],
        )


start_server(main, port=int(sys.argv[1]), host="127.0.0.1", cdn=False, auto_open_webbrowser=False)
