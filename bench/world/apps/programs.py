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
from ...fidelity.third_party_packages import MaterialUnavailable, install_npm_packages, unpack_debian_packages
from ..application import (
    Act,
    Application,
    click,
    click_button,
    click_text,
    do_in_order,
    drag,
    fill,
    hover,
    pause,
    press_keys,
    type_words,
    wait_for_selector,
)

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"


@dataclass
class AppEndpoint:
    """The address of a program that serves its own pages."""

    url: str


@contextlib.contextmanager
def _serve_program(
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
                own["DEBIAN"] = str(unpack_debian_packages(*packages))
            if modules:
                own["MODULES"] = str(install_npm_packages(*modules) / "node_modules")
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


def _make_program_application(
    name: str, kind: str, framework: str, requirements: Sequence[str], command: Sequence[str], acts: Mapping[str, Act], loaded: Act,
    *, path: str = "/", ready: str = "/", settle: int = 800, environment: Mapping[str, str] | None = None,
    packages: Sequence[str] = (), needs: Sequence[str] = (), modules: Sequence[str] = (),
) -> Application:  # fmt: skip
    """Return an application whose pages a program serves."""
    site = functools.partial(
        _serve_program, name, requirements, command, ready, environment or {}, packages, needs, modules
    )
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


def _go_to_path(path: str) -> Act:
    """Return an act that opens a path of the same site."""
    return lambda page: page.goto("/".join(page.url.split("/")[:3]) + path)


def _act_in_iframe(selector: str, act: Act) -> Act:
    """Return an act that does another act in the iframe that `selector` finds."""
    return lambda page: act(page.frame_locator(selector))


def iter_applications() -> Iterator[Application]:
    yield _make_program_application("streamlit", "dashboard", "React over a WebSocket", ["streamlit==1.67.0"],
        ["streamlit", "run", "streamlit_app.py", "--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false"], {
        "opened": do_in_order(click("[data-testid=stSelectbox] input"), pause(300)), "chosen": do_in_order(click_text("tenmoku"), pause(600)), "slid": do_in_order(lambda page: page.locator("[data-testid=stSlider]").click(position={"x": 120, "y": 48}), pause(900)), "checked": do_in_order(click_text("Night firing"), pause(600)),
        "table": do_in_order(click("[role=tab]", 1), pause(900)), "cell": do_in_order(lambda page: page.locator("[data-testid=stDataFrame]").click(position={"x": 120, "y": 120}), pause(400)), "more": do_in_order(click("[role=tab]", 2), pause(300)),
        "expanded": do_in_order(click("summary"), pause(500)), "noted": do_in_order(fill("textarea", "A crack in the glaze"), press_keys("Control+Enter"), pause(600)), "fired": do_in_order(click_button("Fire"), pause(900)),
    }, wait_for_selector("[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg"), ready="/_stcore/health")  # fmt: skip
    yield _make_program_application("dash", "dashboard", "React, Plotly", ["dash==4.4.1"], ["python", "dash_app.py", "{port}"], {
        "opened": do_in_order(click("#glaze"), pause(300)), "chosen": do_in_order(click_text("cobalt", number=-1), pause(600)), "slid": do_in_order(click("[role=slider]"), press_keys("ArrowRight", "ArrowRight"), pause(600)), "line": do_in_order(click_text("line"), pause(600)), "hovered": do_in_order(hover(".nsewdrag"), pause(400)),
        "zoomed": drag(300, 330, 520, 430),
            "words": do_in_order(click(".tab", 1), pause(500)), "checked": do_in_order(click_text("cracked"), pause(300)), "noted": fill("#notes", "A crack in the glaze"), "back": do_in_order(click(".tab", 0), pause(800)),
    }, wait_for_selector(".main-svg"))  # fmt: skip
    yield _make_program_application("nicegui", "dashboard", "Vue, Quasar over a WebSocket", ["nicegui==3.18.0"], ["python", "nicegui_app.py", "{port}"], {
        "added": do_in_order(click_button("Add"), click_button("Add"), pause(300)), "hot": click(".q-toggle"), "opened": do_in_order(click(".q-select"), pause(500)), "chosen": do_in_order(click(".q-menu .q-item", 1), pause(500)), "sorted": click("th.sortable", 1), "checked": click("tbody .q-checkbox", 2),
        "tree": do_in_order(click(".q-tab", 1), pause(600)), "words": do_in_order(click(".q-tab", 2), pause(600)), "dialog": do_in_order(click_button("Fire"), pause(600)), "told": do_in_order(click_button("Yes"), pause(500), click_button("Tell"), pause(600)),
    }, wait_for_selector(".q-table"), environment={"NICEGUI_STORAGE_PATH": "{work}"})  # fmt: skip
    yield _make_program_application("gradio", "machine learning demo", "Svelte over event streams", ["gradio==6.31.0"], ["python", "gradio_app.py", "{port}"], {
        "opened": do_in_order(lambda page: page.get_by_label("Glaze").click(), pause(500)), "chosen": do_in_order(lambda page: page.get_by_role("option", name="tenmoku").click(), pause(900)),
        "hotter": do_in_order(lambda page: page.get_by_label("Degrees").fill("1260"), press_keys("Tab"), pause(400)), "fired": do_in_order(click_button("Fire it"), pause(2500)), "shelves": do_in_order(click_text("Shelves"), pause(600)),
        "upper": do_in_order(lambda page: page.get_by_label("upper").check(), pause(900)), "lower": do_in_order(lambda page: page.get_by_label("lower").check(), pause(900)), "table": do_in_order(lambda page: page.get_by_role("tab", name="Table").click(), pause(900)),
        "mean": do_in_order(click_button("Mean"), pause(1200)), "asked": do_in_order(lambda page: page.get_by_role("tab", name="Ask").click(), pause(800), lambda page: page.locator("textarea:visible").last.fill("crazing"), press_keys("Enter"), pause(2500)),
    }, wait_for_selector("button:has-text('Fire it')"), environment={"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"})  # fmt: skip
    yield _make_program_application("htmx", "log and answers", "htmx over server-sent events", ["starlette==1.10.0", "uvicorn==0.54.0", "python-multipart"], ["python", "htmx_app.py", "{port}"], {
        "noted": do_in_order(fill("input", "A crack"), click_button("Note"), pause(300)), "fired": do_in_order(click_button("Fire"), pause(400)), "hot": pause(900), "again": do_in_order(fill("input", "Another"), press_keys("Enter"), pause(300)),
        "cooled": do_in_order(click_button("Cool"), pause(300)), "asked": do_in_order(click_button("Ask"), wait_for_selector("#answer:has-text('slowly')")), "stopped": do_in_order(click_button("Stop"), pause(300)), "whole": do_in_order(click_button("Ask"), wait_for_selector("#answer:has-text('(all)')")),
        "warm": do_in_order(click_button("Fire"), pause(250)), "left": do_in_order(click_button("Ask"), wait_for_selector("#answer:has-text('it')"), click_button("Stop"), pause(900)),
    }, wait_for_selector("#log li"), modules=["htmx.org@2.0.11", "htmx-ext-sse@2.2.4"])  # fmt: skip
    yield _make_program_application("datastar", "book of glazes", "Datastar over event streams that fetch reads", ["starlette==1.10.0", "uvicorn==0.54.0"], ["python", "datastar_app.py", "{port}"], {
        "one": do_in_order(fill("input", "celadon"), click_button("Add"), pause(300)), "two": do_in_order(fill("input", "tenmoku"), click_button("Add"), pause(300)), "mixing": do_in_order(click_button("Mix"), pause(350)), "ready": wait_for_selector("#mix b"), "three": do_in_order(fill("input", "cobalt"), click_button("Add"), pause(300)),
        "cleared": do_in_order(click_button("Clear"), pause(300)), "anew": do_in_order(fill("input", "ash"), click_button("Add"), pause(300)), "mixed": do_in_order(click_button("Mix"), wait_for_selector("#mix:has-text('%')"), wait_for_selector("#mix b")), "more": do_in_order(fill("input", "shino"), click_button("Add"), click_button("Mix"), pause(500)), "end": pause(900),
    }, wait_for_selector("#live:has-text('book')"), modules=["@starfederation/datastar@1.0.0-beta.11"])  # fmt: skip
    yield _make_program_application("mesop", "journal", "Angular over streams", ["mesop==1.3.7"], ["mesop", "mesop_app.py", "--port={port}", "--prod"], {
        "fired": do_in_order(click_button("Fire"), pause(300)), "hot": pause(1500), "noted": do_in_order(fill("input", "A crack"), press_keys("Tab"), pause(500)), "written": do_in_order(click_button("Write"), pause(500)), "asked": do_in_order(click_button("Ask"), pause(300)), "answered": pause(1200),
        "noted again": do_in_order(fill("input", "Another"), press_keys("Tab"), pause(500)), "written again": do_in_order(click_button("Write"), pause(500)), "fired again": do_in_order(click_button("Fire"), pause(1500)), "end": do_in_order(click_button("Write"), pause(500)),
    }, wait_for_selector("button:has-text('Fire')"), environment={"MESOP_STATE_SESSION_BACKEND": "none"})  # fmt: skip
    yield _make_program_application("marimo", "notebook", "React, web components over a WebSocket", ["marimo==0.25.2"],
        ["marimo", "run", "marimo_app.py", "--headless", "--no-token", "--port={port}", "--host=127.0.0.1"], {
        "slid": do_in_order(click("marimo-slider [role=slider]"), press_keys("ArrowRight", "ArrowRight"), pause(1200)),
        "chosen": do_in_order(lambda page: page.locator("marimo-dropdown select").first.select_option("tenmoku"), pause(1200)),
        "named": do_in_order(fill("marimo-text input", "Ada"), press_keys("Enter"), pause(1200)),
        "selected": do_in_order(click("marimo-table [role=checkbox]", 1), pause(1200)),
        "more": do_in_order(click("marimo-table [role=checkbox]", 3), pause(1200)),
        "opened": do_in_order(click("marimo-accordion button"), pause(600)),
        "other": do_in_order(click("marimo-accordion button", 1), pause(600)),
        "end": do_in_order(lambda page: page.mouse.wheel(0, 900), pause(600)),
        "menu": do_in_order(hover("marimo-table th", 1), pause(400)),
        "back": do_in_order(press_keys("Escape"), lambda page: page.mouse.wheel(0, -2000), pause(600)),
    }, do_in_order(wait_for_selector("marimo-table [role=checkbox]"), pause(1500)), ready="/health", environment={"XDG_CONFIG_HOME": "{work}"})  # fmt: skip
    yield _make_program_application("django", "admin, Hebrew", "server-rendered, right to left", ["django==5.2.19"], ["python", "django_app.py", "{port}"], {
        "signed in": do_in_order(_sign_in, wait_for_selector("#content-main")), "users": do_in_order(click("a[href='/admin/auth/user/']"), wait_for_selector("#result_list")), "searched": do_in_order(fill("#searchbar", "1"), press_keys("Enter"), pause(800)), "sorted": do_in_order(click("th.sortable a", 1), pause(800)),
        "checked": do_in_order(click("#action-toggle"), pause(200)), "action": lambda page: page.locator("select[name=action]").select_option(index=1), "user": do_in_order(click("th.field-username a"), wait_for_selector("#user_form")),
        "moved": do_in_order(lambda page: page.locator("#id_user_permissions_from").select_option(index=[0, 2, 3]), click("#id_user_permissions_add, .selector-add", -1)), "calendar": do_in_order(click("#calendarlink0"), pause(300)), "dark": do_in_order(press_keys("Escape"), click(".theme-toggle")),
    }, wait_for_selector("#id_username"), path="/admin/", ready="/admin/login/")  # fmt: skip
    yield _make_program_application("oscar", "shop", "django-oscar, Bootstrap", ["django-oscar==4.2.1", "whoosh==2.7.4", "sorl-thumbnail==13.4.0"], ["python", "oscar_app.py", "{port}"], {
        "menu": do_in_order(click(".navbar .dropdown-toggle"), pause(300)), "department": do_in_order(click("#browse-categories-placeholder, .side_categories a:has-text('Bowls')"), wait_for_selector("h1:has-text('Bowls')")), "product": do_in_order(click("article a:has-text('Salt bowl')"), wait_for_selector("#product_description")),
        "added": do_in_order(click_button("Add to basket"), wait_for_selector(".alert-success")), "found": do_in_order(fill("#id_q", "teapot"), press_keys("Enter"), wait_for_selector("h1:has-text('teapot')")), "basket": do_in_order(click_text("View basket"), wait_for_selector("#basket_formset")),
        "checkout": do_in_order(click("a[href='/checkout/']", -1), wait_for_selector("#id_username")), "guest": do_in_order(fill("#id_username", "ines.h@quay.example"), click_text("Continue"), wait_for_selector("#id_first_name")),
        "address": do_in_order(fill("#id_first_name", "Ines"), fill("#id_last_name", "Halloran"), fill("#id_line1", "14 Quay Lane"), fill("#id_line4", "Galway"), fill("#id_postcode", "H91 X2Y7"), fill("#id_phone_number", "+353 91 555 142")),
        "preview": do_in_order(click_text("Continue"), pause(900)),
    }, wait_for_selector("article.product_pod"), path="/catalogue/")  # fmt: skip
    yield _make_program_application("spirit", "forum", "Spirit, server-rendered", ["django-spirit==0.14.3", "setuptools<81"], ["python", "spirit_app.py", "{port}"], {
        "login": do_in_order(click_text("Log in"), wait_for_selector("#id_password")), "signed in": do_in_order(fill("#id_username", "ines"), fill("#id_password", PASSWORD), press_keys("Enter"), wait_for_selector("text=Create Topic")), "topic": do_in_order(click_text("Trimming feet"), wait_for_selector(".comment__text")),
        "shared": click("a.js-tab[data-related^='.js-share']", 1), "liked": do_in_order(click("a.js-like"), pause(500)), "reply": do_in_order(click("a.js-reply-button", 1), pause(300)), "written": do_in_order(type_words("Thank you, **that** helped. Yours, Ines"), pause(300)),
        "previewed": do_in_order(click(".js-box-preview"), pause(900)), "published": do_in_order(click_button("Publish"), wait_for_selector(".comments_list__comment >> text=that helped")), "user": do_in_order(click("a.comment__info__username__link >> text=joost"), wait_for_selector("text=Private Message")),
    }, wait_for_selector("text=Where do you sell?"))  # fmt: skip
    yield _make_program_application("otterwiki", "wiki", "An Otter Wiki, CodeMirror 6", ["otterwiki==2.26.1"], ["python", "otterwiki_app.py", "{port}"], {
        "people": do_in_order(click("a[href='/People']"), wait_for_selector("h1:has-text('People')")), "log": do_in_order(click("a[href='/Firing%20log'], a[href*='Firing']"), wait_for_selector("h1:has-text('Firing log')")), "below": do_in_order(click("a[href='#firing-12']"), pause(500)), "found": do_in_order(fill("[name=query]", "celadon"), press_keys("Enter"), wait_for_selector("text=Search")),
        "edit": do_in_order(_go_to_path("/Glazes/edit"), wait_for_selector(".cm-content")), "typed": do_in_order(click(".cm-content"), press_keys("Control+End"), type_words("## Ash"), pause(300)), "preview": do_in_order(click("#preview_btn"), pause(700)), "saving": do_in_order(click("#save-page-btn"), pause(500)),
        "saved": do_in_order(fill("#commit-message, [name=commit]:visible", "Ash begun"), press_keys("Enter"), wait_for_selector("h2:has-text('Ash')")), "history": do_in_order(_go_to_path("/Glazes/history"), wait_for_selector("text=Compare Revisions")),
    }, wait_for_selector("h1"))  # fmt: skip
    yield _make_program_application("roundcube", "e-mail client", "Roundcube, jQuery, frames", ["pymap==0.36.7"], ["python", "roundcube_app.py", "{port}", "{another}"], {
        "signed in": do_in_order(fill("#rcmloginuser", "ines.halloran@kiln.example"), fill("#rcmloginpwd", PASSWORD), click("#rcmloginsubmit"), wait_for_selector("#messagelist tbody tr")),
        "letter": do_in_order(click("#messagelist tbody tr", 3), _act_in_iframe("#messagecontframe", lambda frame: frame.locator("#messagebody").wait_for())),
        "attachment": do_in_order(click("#messagelist tbody tr", 4), _act_in_iframe("#messagecontframe", lambda frame: frame.get_by_text("celadon,10").wait_for())),
        "html": do_in_order(click("#messagelist tbody tr", 2), _act_in_iframe("#messagecontframe", lambda frame: frame.locator("#messagebody table").wait_for())),
        "found": do_in_order(fill("#mailsearchform", "crazing"), press_keys("Enter"), pause(1200)), "menu": do_in_order(click("#layout-list .toolbar-list-button"), pause(700)), "compose": do_in_order(_go_to_path("/?_task=mail&_action=compose"), wait_for_selector("#composebody")),
        "addressed": do_in_order(fill(".recipient-input input", "maren@kiln.example"), press_keys("Tab"), fill("#compose-subject", "Handles")), "written": fill("#composebody", "Dear Maren,\n\nthe handles have come.\n\nInes"),
        "draft": do_in_order(click("a.save.draft"), pause(1500)),
    }, wait_for_selector("#rcmloginuser"), packages=("roundcube-core", "roundcube-sqlite3", *PHP_LIBRARIES), needs=("php",))  # fmt: skip
