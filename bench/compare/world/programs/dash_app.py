"""Serves a glaze book made with Dash: each change is an HTTP request of a callback."""

import sys

from dash import Dash, Input, Output, State, ctx, dcc, html

GLAZES = [("Iron red", 23), ("Ash white", 17), ("Oribe", 31), ("Shino", 26)]

app = Dash("glazes", title="Glaze book")
app.layout = html.Div(
    [
        html.H1("Glaze book"),
        html.P("Kept since the spring"),
        dcc.Store(id="held", data=GLAZES),
        html.Table(html.Tbody(id="rows")),
        html.P(id="total"),
        dcc.Input(id="name", placeholder="Glaze"),
        dcc.Input(id="price", placeholder="Price"),
        dcc.Input(id="note", placeholder="Note"),
        html.Button("Add glaze", id="add"),
        html.Button("Cheapest first", id="sort"),
        html.Button("Show firing plan", id="plan"),
        html.Div(id="told"),
    ]
)


@app.callback(
    Output("held", "data"), Input("add", "n_clicks"), Input("sort", "n_clicks"), State("held", "data"),
    State("name", "value"), State("price", "value"), prevent_initial_call=True,
)  # fmt: skip
def change(_added, _sorted, held, name, price):
    if ctx.triggered_id == "add":
        return [*held, (name or "Nameless", int(price or 0))]
    return sorted(held, key=lambda glaze: glaze[1])


@app.callback(Output("rows", "children"), Output("total", "children"), Input("held", "data"))
def draw(held):
    rows = [html.Tr([html.Td(name), html.Td(f"{price} EUR")]) for name, price in held]
    return rows, f"{len(held)} glazes, {sum(price for _, price in held)} EUR in all"


@app.callback(Output("told", "children"), Input("plan", "n_clicks"), prevent_initial_call=True)
def plan(_):
    return [html.H2("Firing plan"), html.P("Bisque on Monday, glaze on Thursday, open the kiln on Saturday.")]


app.run(host="127.0.0.1", port=int(sys.argv[1]), debug=False)
