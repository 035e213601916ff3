"""Shows an order form made with Shiny that has a race: an order takes whatever price is known when it is sent."""

import asyncio
import os
import random

from shiny import App, reactive, render, ui

FETCHED = iter([float(ms) for ms in os.environ.get("FETCHED", "").split()])
"""Ms that the first fetches take; the others take what they take."""

app_ui = ui.page_fluid(
    ui.h2("Kiln orders"),
    ui.input_select("glaze", "Glaze", ["celadon", "tenmoku", "cobalt"]),
    ui.input_numeric("number", "Number", 1, min=1, max=12),
    ui.output_text("price"),
    ui.input_action_button("order", "Order", class_="btn-primary"),
    ui.output_ui("told"),
)


def server(input, output, session):
    @reactive.extended_task
    async def fetch():
        await asyncio.sleep(next(FETCHED, random.choice((60, 90, 150, 1500))) / 1000)
        return 48

    @reactive.effect
    def _():
        fetch()

    @render.text
    def price():
        return f"{fetch.result()} EUR each"

    @render.ui
    @reactive.event(input.order)
    def told():
        known = fetch.result() if fetch.status() == "success" else 0
        return ui.p(f"{input.number()} {input.glaze()} for {known * input.number()} EUR, thank you.", id="thanks")


app = App(app_ui, server)
