import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    mo.md("# Kiln\n\nA *notebook* that is a program: $T = 1240$ °C")
    return (mo,)


@app.cell
def _(mo):
    cones = mo.ui.slider(1, 12, value=6, label="cones")
    glaze = mo.ui.dropdown(["celadon", "tenmoku"], value="celadon", label="glaze")
    name = mo.ui.text(placeholder="potter", label="name")
    mo.hstack([cones, glaze, name])
    return cones, glaze, name


@app.cell
def _(cones, glaze, mo, name):
    mo.md(f"**{glaze.value}** at cone {cones.value} by {name.value or 'nobody'}")
    return


@app.cell
def _(mo):
    table = mo.ui.table([{"pot": f"pot {i}", "degrees": 1200 + i * 7 % 90} for i in range(40)], page_size=6)
    table  # noqa: B018
    return (table,)


@app.cell
def _(mo, table):
    mo.tree([len(table.value), {"chosen": table.value}])
    return


@app.cell
def _(mo):
    mo.accordion({"Notes": mo.md("Nothing cracked."), "More": mo.callout("hot", kind="warn")})
    return


if __name__ == "__main__":
    app.run()
