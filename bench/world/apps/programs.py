"""Applications from PyPI that serve their own pages, most of them over a WebSocket."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagereel.fixtures import thirdparty

from ...fidelity.case import Site
from ...fidelity.material import Unavailable
from ..application import Act, Application, button, click, drag, fill, hover, keys, pause, text, then, wait

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"


@dataclass
class Address:
    """Where something is served."""

    url: str


@contextlib.contextmanager
def _served(
    name: str, requirements: Sequence[str], command: Sequence[str], ready: str, environment: Mapping[str, str]
) -> Iterator[Site]:
    """The program in a folder of its own. `{port}` in its command is the port; the first word is found in its environment."""
    try:
        binaries = thirdparty.python_packages(name, *requirements)
        with tempfile.TemporaryDirectory() as work:
            for file in PROGRAMS.glob(f"{name}_app.py"):
                shutil.copy(file, work)
            address = f"http://127.0.0.1:{(port := thirdparty.free_port())}"
            words = [word.format(port=port, work=work) for word in command]
            own = {key: value.format(work=work) for key, value in environment.items()}
            words[0] = str(binaries / words[0])
            with thirdparty.program(
                words,
                address + ready,
                {"HOME": work, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", **own},
                Path(work),
            ):
                yield Address(address)
    except thirdparty.Unavailable as error:
        raise Unavailable(str(error)) from None


def _program(
    name: str, kind: str, framework: str, requirements: Sequence[str], command: Sequence[str], acts: Mapping[str, Act], loaded: Act,
    *, path: str = "/", ready: str = "/", settle: int = 800, environment: Mapping[str, str] | None = None,
) -> Application:  # fmt: skip
    site = functools.partial(_served, name, requirements, command, ready, environment or {})
    return Application(name, kind, framework, f"PyPI {requirements[0]}", site, path, acts, loaded, settle)


def _sign_in(page: Any) -> None:
    page.locator("#id_username").fill("admin")
    page.locator("#id_password").fill("clay")
    page.locator("input[type=submit]").click()


def applications() -> Iterator[Application]:
    yield _program("streamlit", "dashboard", "React over a WebSocket", ["streamlit==1.67.0"],
        ["streamlit", "run", "streamlit_app.py", "--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"], {
        "opened": then(click("[data-testid=stSelectbox] input"), pause(300)), "chosen": then(text("tenmoku"), pause(600)), "slid": then(lambda page: page.locator("[data-testid=stSlider]").click(position={"x": 120, "y": 48}), pause(900)), "checked": then(text("Night firing"), pause(600)),
        "table": then(click("[role=tab]", 1), pause(900)), "cell": then(lambda page: page.locator("[data-testid=stDataFrame]").click(position={"x": 120, "y": 120}), pause(400)), "more": then(click("[role=tab]", 2), pause(300)),
        "expanded": then(click("summary"), pause(500)), "noted": then(fill("textarea", "A crack in the glaze"), keys("Control+Enter"), pause(600)), "fired": then(button("Fire"), pause(900)),
    }, wait("[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg"), ready="/_stcore/health")  # fmt: skip
    yield _program("dash", "dashboard", "React, Plotly", ["dash==4.4.1"], ["python", "dash_app.py", "{port}"], {
        "opened": then(click("#glaze"), pause(300)), "chosen": then(text("cobalt", number=-1), pause(600)), "slid": then(click("[role=slider]"), keys("ArrowRight", "ArrowRight"), pause(600)), "line": then(text("line"), pause(600)), "hovered": then(hover(".nsewdrag"), pause(400)),
        "zoomed": drag(300, 330, 520, 430),
            "words": then(click(".tab", 1), pause(500)), "checked": then(text("cracked"), pause(300)), "noted": fill("#notes", "A crack in the glaze"), "back": then(click(".tab", 0), pause(800)),
    }, wait(".main-svg"))  # fmt: skip
    yield _program("nicegui", "dashboard", "Vue, Quasar over a WebSocket", ["nicegui==3.18.0"], ["python", "nicegui_app.py", "{port}"], {
        "added": then(button("Add"), button("Add"), pause(300)), "hot": click(".q-toggle"), "opened": then(click(".q-select"), pause(500)), "chosen": then(click(".q-menu .q-item", 1), pause(500)), "sorted": click("th.sortable", 1), "checked": click("tbody .q-checkbox", 2),
        "tree": then(click(".q-tab", 1), pause(600)), "words": then(click(".q-tab", 2), pause(600)), "dialog": then(button("Fire"), pause(600)), "told": then(button("Yes"), pause(500), button("Tell"), pause(600)),
    }, wait(".q-table"), environment={"NICEGUI_STORAGE_PATH": "{work}"})  # fmt: skip
    yield _program("marimo", "notebook", "React, web components over a WebSocket", ["marimo==0.25.2"],
        ["marimo", "run", "marimo_app.py", "--headless", "--no-token", "--port={port}", "--host=127.0.0.1"], {
        "slid": then(click("marimo-slider [role=slider]"), keys("ArrowRight", "ArrowRight"), pause(1200)),
        "chosen": then(lambda page: page.locator("marimo-dropdown select").first.select_option("tenmoku"), pause(1200)),
        "named": then(fill("marimo-text input", "Ada"), keys("Enter"), pause(1200)),
        "selected": then(click("marimo-table [role=checkbox]", 1), pause(1200)),
        "more": then(click("marimo-table [role=checkbox]", 3), pause(1200)),
        "opened": then(click("marimo-accordion button"), pause(600)),
        "other": then(click("marimo-accordion button", 1), pause(600)),
        "end": then(lambda page: page.mouse.wheel(0, 900), pause(600)),
        "menu": then(hover("marimo-table th", 1), pause(400)),
        "back": then(keys("Escape"), lambda page: page.mouse.wheel(0, -2000), pause(600)),
    }, then(wait("marimo-table [role=checkbox]"), pause(1500)), ready="/health", environment={"XDG_CONFIG_HOME": "{work}"})  # fmt: skip
    yield _program("django", "admin, Hebrew", "server-rendered, right to left", ["django==5.2.19"], ["python", "django_app.py", "{port}"], {
        "signed in": then(_sign_in, wait("#content-main")), "users": then(click("a[href='/admin/auth/user/']"), wait("#result_list")), "searched": then(fill("#searchbar", "1"), keys("Enter"), pause(800)), "sorted": then(click("th.sortable a", 1), pause(800)),
        "checked": then(click("#action-toggle"), pause(200)), "action": lambda page: page.locator("select[name=action]").select_option(index=1), "user": then(click("th.field-username a"), wait("#user_form")),
        "moved": then(lambda page: page.locator("#id_user_permissions_from").select_option(index=[0, 2, 3]), click("#id_user_permissions_add, .selector-add", -1)), "calendar": then(click("#calendarlink0"), pause(300)), "dark": then(keys("Escape"), click(".theme-toggle")),
    }, wait("#id_username"), path="/admin/", ready="/admin/login/")  # fmt: skip
