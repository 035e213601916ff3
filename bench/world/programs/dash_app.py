"""Serves a glaze chart made with Dash, whose callbacks draw it anew for each choice."""

import sys

from dash import Dash, Input, Output, dcc, html

app = Dash("kiln")
app.layout = html.Div(
    [
        html.H1("Kiln"),
        dcc.Dropdown(["celadon", "tenmoku", "cobalt"], "celadon", id="glaze"),
        dcc.Slider(0, 10, 1, value=3, id="cones"),
        dcc.RadioItems(["bar", "line"], "bar", id="kind", inline=True),
        dcc.Tabs(
            [
                dcc.Tab(
                    dcc.Graph(id="graph", style={"height": "330px"}, config={"displayModeBar": False}), label="Plot"
                ),
                dcc.Tab(
                    [
                        dcc.Checklist(["whole", "cracked", "crazed"], ["whole"], id="state"),
                        dcc.Textarea(id="notes", style={"width": "100%", "height": "120px"}),
                        dcc.Markdown("# Glazes\n\n| name | cone |\n|---|---|\n| celadon | 10 |\n| tenmoku | 9 |"),
                    ],
                    label="Words",
                ),
            ]
        ),
        html.P(id="said"),
    ],
    style={"fontFamily": "sans-serif", "margin": "16px"},
)


@app.callback(
    Output("graph", "figure"),
    Output("said", "children"),
    Input("glaze", "value"),
    Input("cones", "value"),
    Input("kind", "value"),
)
def draw(glaze, cones, kind):
    points = {"x": list(range(12)), "y": [cones * i % 11 + len(glaze or "") for i in range(12)], "type": kind}
    return {
        "data": [points],
        "layout": {"title": {"text": f"{glaze}, cone {cones}"}, "margin": {"t": 40}},
    }, f"{glaze} at cone {cones}"


app.run(host="127.0.0.1", port=int(sys.argv[1]), debug=False)
