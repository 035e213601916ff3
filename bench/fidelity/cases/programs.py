"""Cases of whole programs from PyPI and npm that serve their own pages, and of documentation from Debian."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagereel.fixtures import thirdparty
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable

from ..case import Case, ServedSite
from ..third_party_packages import MaterialUnavailable, get_cache_folder, unpack_debian_packages

DOCUMENTATION = "python3.11-doc"
DATASETTE = "datasette==0.65.2"
BOKEH = "bokeh==3.8.1"


@dataclass
class FixtureServer:
    """The address of a program that serves its own pages."""

    url: str


def iter_cases() -> Iterator[Case]:
    yield Case(
        "python-docs", "programs", _serve_documentation, "/library/stdtypes.html", ("read", "found", "end"), _scroll_to_mark,
        version=f"Debian {DOCUMENTATION}",
    )  # fmt: skip
    yield Case(
        "python-index", "programs", _serve_documentation, "/genindex-all.html", ("begun", "end"), _scroll_to_mark, settle=1500,
        version=f"Debian {DOCUMENTATION}",
    )  # fmt: skip
    yield Case(
        "datasette", "programs", _serve_datasette, "/pots/pots", ("table", "facet", "row", "query"), _perform_datasette_mark,
        version=f"PyPI {DATASETTE}",
    )  # fmt: skip
    yield Case("bokeh", "programs", _serve_bokeh, "/", ("drawn", "ranged", "selected", "tabbed"), _perform_bokeh_mark,
               version=f"PyPI {BOKEH}")  # fmt: skip
    for name, steps in (("swagger-ui", (0, 1, 3, 6, 8)), ("jupyterlab", (0, 1, 3, 7, 8))):
        given = thirdparty.CASES[name]
        yield Case(
            name, "programs", functools.partial(_serve_third_party, given), "", tuple(f"act {step}" for step in steps),
            functools.partial(_interact_up_to_mark, given), settle=800, version=given.versions,
            context={"viewport": {"width": 1280, "height": 800}},
        )  # fmt: skip


# -- Python's documentation --


@contextlib.contextmanager
def _serve_documentation() -> Iterator[ServedSite]:
    folder = unpack_debian_packages(DOCUMENTATION) / "usr" / "share" / "doc" / "python3.11" / "html"
    app = RoutingTable()

    @app.route("GET", r"/(?P<path>[A-Za-z0-9._/-]+)")
    def serve_file(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(folder, request.args["path"])

    with LoopbackServer(app) as server:
        yield server


def _scroll_to_mark(page: Any, mark: str) -> None:
    """Scroll the documentation to the part that the mark names."""
    where = {"read": 0, "begun": 0, "found": 0.3, "half": 0.5, "end": 1}[mark]
    page.evaluate(
        "(share) => scrollTo({top: share * document.documentElement.scrollHeight, behavior: 'instant'})", where
    )
    if mark == "found":
        page.locator("a.headerlink").nth(12).focus()
        page.evaluate("getSelection().selectAllChildren(document.querySelectorAll('dl.py')[5])")


# -- Datasette --


@contextlib.contextmanager
def _serve_datasette() -> Iterator[ServedSite]:
    binaries = thirdparty.install_python_packages("datasette", DATASETTE)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "pots.db"
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("create table pots (id integer primary key, name text, glaze text, degrees integer)")
            glazes = ("celadon", "tenmoku", "chalk", "cobalt")
            rows = [(f"pot {i}", glazes[i % 4], 1200 + i * 7 % 90) for i in range(260)]
            database.executemany("insert into pots (name, glaze, degrees) values (?, ?, ?)", rows)
            database.commit()
        port = thirdparty.find_free_port()
        address = f"http://127.0.0.1:{port}"
        command = [
            str(binaries / "datasette"),
            "serve",
            str(path),
            f"--port={port}",
            "--setting",
            "num_sql_threads",
            "1",
        ]
        with thirdparty.run_program(command, f"{address}/-/versions.json", {}, Path(work)):
            yield FixtureServer(address)


def _perform_datasette_mark(page: Any, mark: str) -> None:
    match mark:
        case "table":
            page.locator("th .dropdown-menu-icon").nth(2).click()
        case "facet":
            page.goto(page.url + "?_facet=glaze&_sort_desc=degrees")
        case "row":
            page.locator("td.type-pk a").first.click()
            page.wait_for_load_state()
        case "query":
            page.goto(page.url.partition("/pots")[0] + "/pots?sql=select+glaze,+count(*)+from+pots+group+by+glaze")
            page.locator(".CodeMirror, .cm-editor").first.wait_for()


# -- Bokeh --

PLOT = """
from bokeh.layouts import column
from bokeh.models import ColumnDataSource, DataTable, Slider, TableColumn, TabPanel, Tabs
from bokeh.plotting import figure
from bokeh.embed import file_html
from bokeh.resources import INLINE

source = ColumnDataSource({"x": list(range(40)), "y": [(i * 7919) % 40 for i in range(40)]})
plot = figure(width=600, height=320, tools="pan,box_select,hover,reset", toolbar_location="right", name="plot")
plot.scatter("x", "y", size=9, source=source, color="teal")
table = DataTable(source=source, columns=[TableColumn(field=name, title=name) for name in "xy"], width=600, height=240)
tabs = Tabs(tabs=[TabPanel(child=column(plot, Slider(start=0, end=9, value=3, title="Slide")), title="Plot"),
                  TabPanel(child=table, title="Table")])
print(file_html(tabs, INLINE, "Bokeh"))
"""


@contextlib.contextmanager
def _serve_bokeh() -> Iterator[ServedSite]:
    binaries = thirdparty.install_python_packages("bokeh", BOKEH)
    made = get_cache_folder() / "bokeh.html"
    if not made.exists():
        done = subprocess.run([str(binaries / "python"), "-c", PLOT], capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise MaterialUnavailable(f"bokeh: {done.stderr.strip()[-200:]}")
        made.write_text(done.stdout, encoding="utf-8")
    app = RoutingTable()

    @app.route("GET", r"/")
    def serve_home(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(made.read_text(encoding="utf-8"))

    with LoopbackServer(app) as server:
        yield server


BOKEH_ACTS = {
    "drawn": "0",
    "ranged": "plot.x_range.setv({start: 5, end: 20})",
    "selected": "plot.renderers[0].data_source.selected.indices = [3, 4, 5, 9]",
    "tabbed": "tabs.active = 1",
}


def _perform_bokeh_mark(page: Any, mark: str) -> None:
    page.locator(".bk-Tabs").wait_for()
    page.evaluate(
        "() => { const tabs = Bokeh.documents[0].roots()[0]; const plot = Bokeh.documents[0].get_model_by_name('plot');"
        f" {BOKEH_ACTS[mark]}; }}"
    )
    page.wait_for_timeout(500)


# -- those that the fixtures know --


@contextlib.contextmanager
def _serve_third_party(case: thirdparty.ThirdPartyPage) -> Iterator[ServedSite]:
    """Serve a third-party page of the fixtures. Raises MaterialUnavailable where its package cannot be fetched."""
    try:
        with case.serve() as url:
            yield FixtureServer(url)
    except thirdparty.UnavailableError as error:
        raise MaterialUnavailable(str(error)) from None


def _interact_up_to_mark(case: thirdparty.ThirdPartyPage, page: Any, mark: str) -> None:
    """Do all interactions of a third-party page up to the one whose number stands in the mark."""
    last = int(mark.split()[1])
    done: int = getattr(page, "_bench_done", -1)
    for n in range(done + 1, last + 1):
        case.interact(page, n)
    page._bench_done = last
