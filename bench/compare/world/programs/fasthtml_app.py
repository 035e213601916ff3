"""A list of errands made with FastHTML: parts of the page come from the server, by htmx."""

import sys

from fasthtml.common import H1, H3, Button, Div, Form, Input, Label, Li, Option, P, Select, Titled, Ul, fast_app, serve

app, rt = fast_app(secret_key="not one")
held = []


def again_():
    held[:] = [("Glue the jug", "low", 12), ("Order clay", "high", 80), ("Sweep the kiln", "low", 0)]


again_()


def row(number, errand):
    name, rank, cost = errand
    return Li(
        f"{name}, {rank}, {cost} EUR ",
        Button("Done", hx_post=f"/done/{number}", hx_target="#list", hx_swap="outerHTML"),
        id=f"errand-{number}",
    )


def rows():
    total = sum(cost for _, _, cost in held)
    return Div(
        Ul(*[row(number, errand) for number, errand in enumerate(held)]),
        P(f"{len(held)} errands, {total} EUR in all"),
        id="list",
    )


@rt("/__again")
def get():
    again_()
    return P("again")


@rt("/")
def get():  # noqa: F811
    form = Form(
        Label("Errand", Input(name="name")), Label("Cost", Input(name="cost", type="number", value="5")),
        Label("Rank", Select(Option("low"), Option("high"), name="rank")), Label("Remark", Input(name="remark")), Button("Add errand"),
        hx_post="/add", hx_target="#list", hx_swap="outerHTML",
    )  # fmt: skip
    return Titled(
        "Errands",
        H3("What is to be done"),
        rows(),
        form,
        Button("Tell me more", hx_get="/more", hx_target="#more"),
        Div(id="more"),
        H1(""),
    )


@rt("/add")
def post(name: str, cost: int, rank: str):
    held.append((name, rank, cost))
    return rows()


@rt("/done/{number}")
def post(number: int):  # noqa: F811
    del held[number]
    return rows()


@rt("/more")
def get():  # noqa: F811
    return P("Errands are done on Fridays, between ten and twelve.")


serve(port=int(sys.argv[1]), host="127.0.0.1", reload=False)
