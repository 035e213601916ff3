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

from ...fidelity.case import ServedSite
from ...fidelity.material import MaterialUnavailable, debian, npm
from ..application import Act, Application, button, click, drag, fill, hover, keys, pause, text, then, wait, write

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"


@dataclass
class AppEndpoint:
    """The address of a program that serves its own pages."""

    url: str


@contextlib.contextmanager
def _served(
    name: str, requirements: Sequence[str], command: Sequence[str], ready: str, environment: Mapping[str, str],
    packages: Sequence[str], needs: Sequence[str], modules: Sequence[str],
) -> Iterator[ServedSite]:  # fmt: skip
    """Run a program in a new folder until the block ends; give its address.

    In the command `{port}` is the port and `{another}` a second one; its first word is a program of the environment. `packages` are of Debian, unpacked
    into the folder in `$DEBIAN`; `needs` are programs that the machine must have; `modules` are of npm, in `$MODULES`. Raises MaterialUnavailable where one of
    them is missing.
    """
    try:
        for each in needs:
            if not shutil.which(each):
                raise MaterialUnavailable(f"{name} needs {each} on this machine")
        binaries = thirdparty.install_python_packages(name, *requirements)
        with tempfile.TemporaryDirectory() as work:
            for file in PROGRAMS.glob(f"{name}_app.py"):
                shutil.copy(file, work)
            address = f"http://127.0.0.1:{(port := thirdparty.find_free_port())}"
            words = [word.format(port=port, work=work, another=thirdparty.find_free_port()) for word in command]
            own = {key: value.format(work=work) for key, value in environment.items()}
            if packages:
                own["DEBIAN"] = str(debian(*packages))
            if modules:
                own["MODULES"] = str(npm(*modules) / "node_modules")
            words[0] = str(binaries / words[0])
            with thirdparty.run_program(
                words,
                address + ready,
                {"HOME": work, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", **own},
                Path(work),
            ):
                yield AppEndpoint(address)
    except thirdparty.UnavailableError as error:
        raise MaterialUnavailable(str(error)) from None


def _program(
    name: str, kind: str, framework: str, requirements: Sequence[str], command: Sequence[str], acts: Mapping[str, Act], loaded: Act,
    *, path: str = "/", ready: str = "/", settle: int = 800, environment: Mapping[str, str] | None = None,
    packages: Sequence[str] = (), needs: Sequence[str] = (), modules: Sequence[str] = (),
) -> Application:  # fmt: skip
    """Return an application whose pages a program serves."""
    site = functools.partial(_served, name, requirements, command, ready, environment or {}, packages, needs, modules)
    version = f"Debian {packages[0]}" if packages else f"PyPI {requirements[0]}"
    return Application(name, kind, framework, version, site, path, acts, loaded, settle)


PHP_LIBRARIES = (
    "php-auth-sasl", "php-mail-mime", "php-net-smtp", "php-net-socket", "php-net-sieve", "php-masterminds-html5", "php-pear", "php-guzzlehttp-guzzle", "php-guzzlehttp-promises", "php-guzzlehttp-psr7",
    "php-psr-http-client", "php-psr-http-message", "php-psr-http-factory", "php-getallheaders", "php-symfony-deprecation-contracts",
    "libjs-jquery", "libjs-bootstrap4", "libjs-jstimezonedetect", "libjs-jquery-ui", "libjs-jquery-minicolors",
)  # fmt: skip
"""What roundcube-core depends on, but for PHP itself (php-cli, php-sqlite3, php-intl, php-mbstring and php-xml), which the machine must have."""

PASSWORD = "clay-and-ash-19"


def _sign_in(page: Any) -> None:
    page.locator("#id_username").fill("admin")
    page.locator("#id_password").fill("clay")
    page.locator("input[type=submit]").click()


def _at(path: str) -> Act:
    """Return an act that opens a path of the same site."""
    return lambda page: page.goto("/".join(page.url.split("/")[:3]) + path)


def _frame(selector: str, act: Act) -> Act:
    """Return an act that does another act in the iframe that `selector` finds."""
    return lambda page: act(page.frame_locator(selector))


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
    yield _program("gradio", "machine learning demo", "Svelte over event streams", ["gradio==6.31.0"], ["python", "gradio_app.py", "{port}"], {
        "opened": then(lambda page: page.get_by_label("Glaze").click(), pause(500)), "chosen": then(lambda page: page.get_by_role("option", name="tenmoku").click(), pause(900)),
        "hotter": then(lambda page: page.get_by_label("Degrees").fill("1260"), keys("Tab"), pause(400)), "fired": then(button("Fire it"), pause(2500)), "shelves": then(text("Shelves"), pause(600)),
        "upper": then(lambda page: page.get_by_label("upper").check(), pause(900)), "lower": then(lambda page: page.get_by_label("lower").check(), pause(900)), "table": then(lambda page: page.get_by_role("tab", name="Table").click(), pause(900)),
        "mean": then(button("Mean"), pause(1200)), "asked": then(lambda page: page.get_by_role("tab", name="Ask").click(), pause(800), lambda page: page.locator("textarea:visible").last.fill("crazing"), keys("Enter"), pause(2500)),
    }, wait("button:has-text('Fire it')"), environment={"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"})  # fmt: skip
    yield _program("htmx", "log and answers", "htmx over server-sent events", ["starlette==1.10.0", "uvicorn==0.54.0", "python-multipart"], ["python", "htmx_app.py", "{port}"], {
        "noted": then(fill("input", "A crack"), button("Note"), pause(300)), "fired": then(button("Fire"), pause(400)), "hot": pause(900), "again": then(fill("input", "Another"), keys("Enter"), pause(300)),
        "cooled": then(button("Cool"), pause(300)), "asked": then(button("Ask"), wait("#answer:has-text('slowly')")), "stopped": then(button("Stop"), pause(300)), "whole": then(button("Ask"), wait("#answer:has-text('(all)')")),
        "warm": then(button("Fire"), pause(250)), "left": then(button("Ask"), wait("#answer:has-text('it')"), button("Stop"), pause(900)),
    }, wait("#log li"), modules=["htmx.org@2.0.11", "htmx-ext-sse@2.2.4"])  # fmt: skip
    yield _program("datastar", "book of glazes", "Datastar over event streams that fetch reads", ["starlette==1.10.0", "uvicorn==0.54.0"], ["python", "datastar_app.py", "{port}"], {
        "one": then(fill("input", "celadon"), button("Add"), pause(300)), "two": then(fill("input", "tenmoku"), button("Add"), pause(300)), "mixing": then(button("Mix"), pause(350)), "ready": wait("#mix b"), "three": then(fill("input", "cobalt"), button("Add"), pause(300)),
        "cleared": then(button("Clear"), pause(300)), "anew": then(fill("input", "ash"), button("Add"), pause(300)), "mixed": then(button("Mix"), wait("#mix:has-text('%')"), wait("#mix b")), "more": then(fill("input", "shino"), button("Add"), button("Mix"), pause(500)), "end": pause(900),
    }, wait("#live:has-text('book')"), modules=["@starfederation/datastar@1.0.0-beta.11"])  # fmt: skip
    yield _program("mesop", "journal", "Angular over streams", ["mesop==1.3.7"], ["mesop", "mesop_app.py", "--port={port}", "--prod"], {
        "fired": then(button("Fire"), pause(300)), "hot": pause(1500), "noted": then(fill("input", "A crack"), keys("Tab"), pause(500)), "written": then(button("Write"), pause(500)), "asked": then(button("Ask"), pause(300)), "answered": pause(1200),
        "noted again": then(fill("input", "Another"), keys("Tab"), pause(500)), "written again": then(button("Write"), pause(500)), "fired again": then(button("Fire"), pause(1500)), "end": then(button("Write"), pause(500)),
    }, wait("button:has-text('Fire')"), environment={"MESOP_STATE_SESSION_BACKEND": "none"})  # fmt: skip
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
    yield _program("oscar", "shop", "django-oscar, Bootstrap", ["django-oscar==4.2.1", "whoosh==2.7.4", "sorl-thumbnail==13.4.0"], ["python", "oscar_app.py", "{port}"], {
        "menu": then(click(".navbar .dropdown-toggle"), pause(300)), "department": then(click("#browse-categories-placeholder, .side_categories a:has-text('Bowls')"), wait("h1:has-text('Bowls')")), "product": then(click("article a:has-text('Salt bowl')"), wait("#product_description")),
        "added": then(button("Add to basket"), wait(".alert-success")), "found": then(fill("#id_q", "teapot"), keys("Enter"), wait("h1:has-text('teapot')")), "basket": then(text("View basket"), wait("#basket_formset")),
        "checkout": then(click("a[href='/checkout/']", -1), wait("#id_username")), "guest": then(fill("#id_username", "ines.h@quay.example"), text("Continue"), wait("#id_first_name")),
        "address": then(fill("#id_first_name", "Ines"), fill("#id_last_name", "Halloran"), fill("#id_line1", "14 Quay Lane"), fill("#id_line4", "Galway"), fill("#id_postcode", "H91 X2Y7"), fill("#id_phone_number", "+353 91 555 142")),
        "preview": then(text("Continue"), pause(900)),
    }, wait("article.product_pod"), path="/catalogue/")  # fmt: skip
    yield _program("spirit", "forum", "Spirit, server-rendered", ["django-spirit==0.14.3", "setuptools<81"], ["python", "spirit_app.py", "{port}"], {
        "login": then(text("Log in"), wait("#id_password")), "signed in": then(fill("#id_username", "ines"), fill("#id_password", PASSWORD), keys("Enter"), wait("text=Create Topic")), "topic": then(text("Trimming feet"), wait(".comment__text")),
        "shared": click("a.js-tab[data-related^='.js-share']", 1), "liked": then(click("a.js-like"), pause(500)), "reply": then(click("a.js-reply-button", 1), pause(300)), "written": then(write("Thank you, **that** helped. Yours, Ines"), pause(300)),
        "previewed": then(click(".js-box-preview"), pause(900)), "published": then(button("Publish"), wait(".comments_list__comment >> text=that helped")), "user": then(click("a.comment__info__username__link >> text=joost"), wait("text=Private Message")),
    }, wait("text=Where do you sell?"))  # fmt: skip
    yield _program("otterwiki", "wiki", "An Otter Wiki, CodeMirror 6", ["otterwiki==2.26.1"], ["python", "otterwiki_app.py", "{port}"], {
        "people": then(click("a[href='/People']"), wait("h1:has-text('People')")), "log": then(click("a[href='/Firing%20log'], a[href*='Firing']"), wait("h1:has-text('Firing log')")), "below": then(click("a[href='#firing-12']"), pause(500)), "found": then(fill("[name=query]", "celadon"), keys("Enter"), wait("text=Search")),
        "edit": then(_at("/Glazes/edit"), wait(".cm-content")), "typed": then(click(".cm-content"), keys("Control+End"), write("## Ash"), pause(300)), "preview": then(click("#preview_btn"), pause(700)), "saving": then(click("#save-page-btn"), pause(500)),
        "saved": then(fill("#commit-message, [name=commit]:visible", "Ash begun"), keys("Enter"), wait("h2:has-text('Ash')")), "history": then(_at("/Glazes/history"), wait("text=Compare Revisions")),
    }, wait("h1"))  # fmt: skip
    yield _program("roundcube", "e-mail client", "Roundcube, jQuery, frames", ["pymap==0.36.7"], ["python", "roundcube_app.py", "{port}", "{another}"], {
        "signed in": then(fill("#rcmloginuser", "ines.halloran@kiln.example"), fill("#rcmloginpwd", PASSWORD), click("#rcmloginsubmit"), wait("#messagelist tbody tr")),
        "letter": then(click("#messagelist tbody tr", 3), _frame("#messagecontframe", lambda frame: frame.locator("#messagebody").wait_for())),
        "attachment": then(click("#messagelist tbody tr", 4), _frame("#messagecontframe", lambda frame: frame.get_by_text("celadon,10").wait_for())),
        "html": then(click("#messagelist tbody tr", 2), _frame("#messagecontframe", lambda frame: frame.locator("#messagebody table").wait_for())),
        "found": then(fill("#mailsearchform", "crazing"), keys("Enter"), pause(1200)), "menu": then(click("#layout-list .toolbar-list-button"), pause(700)), "compose": then(_at("/?_task=mail&_action=compose"), wait("#composebody")),
        "addressed": then(fill(".recipient-input input", "maren@kiln.example"), keys("Tab"), fill("#compose-subject", "Handles")), "written": fill("#composebody", "Dear Maren,\n\nthe handles have come.\n\nInes"),
        "draft": then(click("a.save.draft"), pause(1500)),
    }, wait("#rcmloginuser"), packages=("roundcube-core", "roundcube-sqlite3", *PHP_LIBRARIES), needs=("php",))  # fmt: skip
