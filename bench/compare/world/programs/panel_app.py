"""Serves an order form made with Panel: the total follows the widgets over a WebSocket."""

import sys

import panel as pn

PRICES = {"celadon": 48, "tenmoku": 52, "cobalt": 61}


def make_shop_page():
    glaze = pn.widgets.Select(name="Glaze", options=list(PRICES))
    number = pn.widgets.IntSlider(name="Number", start=1, end=9, value=1)
    name = pn.widgets.TextInput(name="Name", placeholder="Who orders?")
    order, again = pn.widgets.Button(name="Order", button_type="primary"), pn.widgets.Button(name="Begin anew")
    told = pn.pane.Markdown("Nothing is ordered.")
    total = pn.bind(
        lambda glaze, number: f"**Total {PRICES[glaze] * number} EUR**, one is {PRICES[glaze]} EUR", glaze, number
    )

    def show_order(_):
        told.object = f"Ordered by {name.value or 'nobody'}: {number.value} of {glaze.value}."

    order.on_click(show_order)
    again.on_click(lambda _: setattr(told, "object", "Nothing is ordered."))
    steps = pn.pane.Markdown("## How it is made\n\n1. Thrown\n2. Dried\n3. Fired\n4. Glazed")
    return pn.Column("# Kiln orders", pn.Row(glaze, number, name), pn.Row(order, again), total, told, steps)


pn.serve(
    {"shop": make_shop_page},
    port=int(sys.argv[1]),
    address="127.0.0.1",
    show=False,
    websocket_origin="*",
    threaded=False,
)
