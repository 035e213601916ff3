"""Serves an application with the people of a seed, and records an errand in it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.fidelity.third_party_packages import install_npm_packages
from bench.redaction.translations import read_english_strings, read_translations
from pagereel.fixtures import thirdparty
from pagereel.recorder import record

HERE = Path(__file__).parent
WORLD = HERE.parents[1] / "world" / "programs"
WINDOW = {"width": 1280, "height": 800}
COUNT = 24
SECONDS = 150


@dataclass
class Errand:
    """What an errand works with: a page, the application's address, its people and the session. The first person is the one who works."""

    page: Any
    url: str
    people: list[dict[str, Any]]
    session: Any

    @property
    def clerk(self) -> dict[str, Any]:
        """The person who works with the application."""
        return self.people[0]

    def step(self, title: str, reasoning: str | None = None) -> Any:
        """Record what the block does as one step with its reasoning."""
        return self.session.step(title, reasoning=reasoning)

    def mark(self, name: str, wait: int = 500) -> None:
        """Set a mark `wait` ms from now."""
        self.page.wait_for_timeout(wait)
        self.session.mark(name)

    def open_path(self, path: str) -> None:
        """Open a path of the application."""
        self.page.goto(self.url + path)


@dataclass(frozen=True)
class MaskedApp:
    """One application and its errand. `{port}` in its command is the port; its program lies in programs/ or in bench/world/programs."""

    name: str
    kind: str
    locale: str
    """Whose names: a locale of Faker."""
    venv: str
    requirements: tuple[str, ...]
    command: tuple[str, ...]
    errand: Callable[[Errand], None]
    ready: str = "/"
    modules: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    language: str = "en-GB"


def draw_people(locale: str, seed: int) -> list[dict[str, Any]]:
    """Return the people that a seed gives; the first one works with the application."""
    python = thirdparty.install_python_packages("faker", "faker==40.63.0") / "python"
    done = subprocess.run(
        [python, HERE / "people.py", locale, str(seed), str(COUNT)], check=True, capture_output=True, text=True
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def read_catalogue(app: MaskedApp) -> frozenset[str]:
    """Return the strings of the program's translation files in the language of its pages, without markup, whole and line by line.

    The set is empty where the program has no such files.
    """
    folders = [thirdparty.install_python_packages(app.venv, *app.requirements).parent / "lib"]
    folders += [install_npm_packages(*app.modules)] if app.modules else []
    code = app.language.partition("-")[0]
    said = [
        text
        for each in folders
        for text in (read_english_strings(each) if code == "en" else read_translations(each, code))
    ]
    pieces = {strip_markup(piece) for text in said for piece in (text, *text.splitlines(), *_TAG.split(text))}
    return frozenset(piece for piece in pieces if _WORDED.search(piece) and not _MARKED.search(piece))


def strip_markup(text: str) -> str:
    """Return a text without tags, superfluous spaces, and the signs that begin or end a label."""
    return " ".join(_TAG.sub("", text).split()).strip(" :…")


_TAG = re.compile(r"<[^<>]*>")
_WORDED = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")
_MARKED = re.compile(r"[%{]")


@contextlib.contextmanager
def serve_app(app: MaskedApp, people_rows: list[dict[str, Any]]) -> Iterator[str]:
    """Run the program in a new folder that holds people.json until the block ends; give its address."""
    binaries = thirdparty.install_python_packages(app.venv, *app.requirements)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "people.json").write_text(json.dumps(people_rows, ensure_ascii=False), encoding="utf-8")
        for word in app.command:
            for place in (HERE / "programs", WORLD):
                if word.endswith("_app.py") and (place / word).exists():
                    shutil.copy(place / word, work)
                    break
        port = thirdparty.find_free_port()
        words = [word.format(port=port, work=work) for word in app.command]
        words[0] = str(binaries / words[0])
        own = {"HOME": folder, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", **dict(app.environment)}
        if app.modules:
            own["MODULES"] = str(install_npm_packages(*app.modules) / "node_modules")
        url = f"http://127.0.0.1:{port}"
        with thirdparty.run_program(words, url + app.ready, own, work):
            yield url


def record_errand(browser: Any, app: MaskedApp, people_rows: list[dict[str, Any]], reel: Path) -> None:
    """Record into `reel` the scripted task of an application that is filled with the people of `people_rows`."""
    with (
        serve_app(app, people_rows) as url,
        contextlib.closing(browser.new_context(viewport=WINDOW, locale=app.language, timezone_id="UTC")) as context,
    ):
        context.set_default_timeout(SECONDS * 1000)
        with record(context, reel, agent="clerk") as session:
            app.errand(Errand(context.new_page(), url, people_rows, session))
