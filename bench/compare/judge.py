"""bench/compare/judge: differences planted in applications by another hand that the comparison was not tuned on. Only totals are printed.

    python -m bench.compare.judge [--keep FOLDER] [--app NAME …] [--repeats 8]

Django's admin, Roundup's tracker and Optuna's dashboard, where a study goes on meanwhile. A proxy edits what their servers answer; what varies is
what varies in them by itself. Each pair and each unchanged run is held against one run and three more. Who opens one of the runs for a miss has made
it training data, and replaces it: so no miss is named.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from playwright.sync_api import Browser, Locator, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import KINDS, Comparison, compare
from pagereel.fixtures import thirdparty
from pagereel.recorder import record

from .driver import Driver, work
from .world.proxy import FaultProxy, Plan, ProxiedRequest, ServedAnswer

PROGRAM = Path(__file__).parent / "world" / "programs" / "judge_app.py"
RIGHT, ALARMS, BASELINE = 0.95, 0.02, 3
Edit = Callable[[str], str]
MAY: Final = {
    "status": set(KINDS) - {"cost", "model"}, "background": {"network", "console", "page"}, "data": {"page", "network"}, "figure": {"page", "network"},
    "row": {"page", "network"}, "moved": {"page", "network"}, "label": {"page"}, "missing": {"page"}, "disabled": {"page", "network"}, "link": {"page"},
    "console": {"console"}, "slow": {"time", "page"}, "redirect": {"network", "time"}, "word": {"action", "network", "page", "console"},
    "outcome": {"outcome"}, "cost": {"cost"},
}  # fmt: skip
"""What is planted, and the kinds of differences that it may bring."""


@dataclass(frozen=True)
class JudgePlant:
    """One planted difference. `at`: method and address of the request at which the proxy plants it, a pattern."""

    kinds: tuple[str, ...]
    """Kinds that the divergence may be of; `words`: one of them stands in its summary."""
    words: tuple[str, ...]
    at: str = ""
    edit: Edit | None = None
    since: int = 1
    """Number of the answer from which on it is edited."""
    status: int = 0
    step: str = ""
    """Title of the step in which it was done; "" where that is not asked."""


@dataclass(frozen=True)
class JudgeSite:
    """One application, what is done in it, and what is planted there."""

    name: str
    requirements: tuple[str, ...]
    path: str
    script: Callable[[JudgeAgent], None]
    plants: dict[str, JudgePlant]


class JudgeAgent(Driver):
    """`plan` is the planted difference where the agent brings it: `word`, `outcome` or `cost`."""

    fills = 0

    def fill(self, locator: Locator, text: str) -> None:
        self.fills += 1
        locator.fill(text[::-1] if self.plan == "word" and self.fills == 3 else text)

    def click(self, locator: Locator) -> None:
        self.tools += 1
        self.think(f"What comes next, after {self.tools - 1} actions?")
        if self.plan == "cost" and self.tools == 4:
            self.session.llm_call(model="clay-2-mini", provider="example", input_tokens=40_000, output_tokens=900, cost_usd=0.09, duration=900, prompt="Go over it all again.", response="Yes.")  # fmt: skip
        locator.click()


def swapped(first: str, second: str) -> Edit:
    """Return an edit that swaps two parts, each given as a pattern."""

    def edit(text: str) -> str:
        one, other = re.search(first, text, re.S), re.search(second, text, re.S)
        if one is None or other is None or one.end() > other.start():
            return text
        return text[: one.start()] + other[0] + text[one.end() : other.start()] + one[0] + text[other.end() :]

    return edit


def put(old: str, new: str) -> Edit:
    """Return an edit that puts another text for a pattern."""
    return lambda text: re.sub(old, new.replace("\\", r"\\"), text, flags=re.S)


def by_all(last: str, site: dict[str, JudgePlant], costly: str) -> dict[str, JudgePlant]:
    """Return the plants of a site with those that its agent brings. `last`: the word that is filled backwards."""
    return site | {
        "word": JudgePlant(("action",), (last[::-1],)),
        "outcome": JudgePlant(("outcome",), ("not reached", "failed")),
        "cost": JudgePlant(("cost",), ("cost", "USD"), step=costly),
    }


def console(at: str) -> JudgePlant:
    return JudgePlant(("console",), ("rota is undefined",), at, put("</head>", "<script>console.error('TypeError: rota is undefined')</script></head>"))  # fmt: skip


def admin(d: JudgeAgent) -> None:
    page = d.page
    with d.step("Log in"):
        page.goto(d.url)
        d.fill(page.get_by_label("Username"), "keeper")
        d.fill(page.get_by_label("Password"), "clay and ash")
        d.click(page.get_by_role("button", name="Log in"))
        d.see("Site administration")
    with d.step("Open the users"):
        d.click(page.get_by_role("link", name="Users").first)
        d.see("6 users")
        d.pause(300)
    with d.step("Correct a name"):
        d.click(page.get_by_role("link", name="mirela", exact=True))
        d.fill(page.get_by_label("First name"), "Mirabel")
        d.click(page.get_by_role("button", name="Save", exact=True))
        d.see("was changed successfully")
        d.pause(300)
    with d.step("Look at the groups"):
        d.click(page.get_by_role("link", name="Groups").first)
        d.see("3 groups")
        d.click(page.get_by_role("link", name="Glazers"))
        page.get_by_label("Name").wait_for()
        d.pause(400)
    with d.step("Look again"):
        d.click(page.get_by_role("link", name="Users").first)
        page.get_by_text("Mirabel").first.wait_for()
        d.pause(600)


USERS, USER = r"GET /admin/auth/user/", r"GET /admin/auth/user/\d+/change/"
ADMIN = JudgeSite("admin", ("django==5.2.19",), "/admin/", admin, by_all("Mirabel", {
    "status": JudgePlant(("network",), ("500",), r"POST /admin/auth/user/\d+/change/", status=500),
    "background": JudgePlant(("network",), ("404", "filters.js"), r"GET /static/admin/js/filters\.js", status=404),
    "data": JudgePlant(("page",), ("joost@",), USERS, put("joost@kiln", "joost@klin")),
    "figure": JudgePlant(("page",), ("9 users",), USERS, put("6 users", "9 users"), since=3),
    "row": JudgePlant(("page",), ("tom", "Ashby"), USERS, put(r"<tr>(?:(?!</tr>).)*tom@kiln.example.*?</tr>", "")),
    "moved": JudgePlant(("page",), ("below",), USERS, swapped(r"<tr>(?:(?!</tr>).)*aiko@kiln.*?</tr>", r"<tr>(?:(?!</tr>).)*ines@kiln.*?</tr>")),
    "label": JudgePlant(("page",), ("stay here", "continue editing"), USER, put("Save and continue editing", "Save and stay here")),
    "missing": JudgePlant(("page",), ("Delete",), USER, put(r'<a [^>]*class="deletelink">Delete</a>', "")),
    "disabled": JudgePlant(("page",), ("disabled",), USER, put('name="last_name"', 'name="last_name" disabled')),
    "link": JudgePlant(("page",), ("href",), r"GET /admin/auth/group/", put('href="/admin/auth/group/add/"', 'href="/admin/auth/group/new/"')),
    "console": console(USER),
    "slow": JudgePlant(("time",), (" took ",), USER),
    "redirect": JudgePlant(("network",), ("/hop", "307"), r"GET /admin/auth/group/"),
}, "Correct a name"))  # fmt: skip


def tickets(d: JudgeAgent) -> None:
    page = d.page
    with d.step("Log in"):
        page.goto(d.url)
        d.fill(page.locator("[name=__login_name]"), "admin")
        d.fill(page.locator("[name=__login_password]"), "clay and ash")
        d.click(page.get_by_role("button", name="Login"))
        d.see("Hello, admin")
    with d.step("Report it"):
        d.click(page.get_by_role("link", name="Create New").first)
        d.fill(page.locator("[name=title]"), "The sink is blocked")
        page.locator("[name=priority]").select_option(label="bug")
        d.fill(page.locator("[name='@note']"), "Since Tuesday.")
        d.click(page.get_by_role("button", name="Submit New Entry"))
        d.see("issue 6 created")
        d.pause(300)
    with d.step("Find the kiln"):
        d.click(page.get_by_role("link", name="Show All"))
        d.see("out of 6")
        d.click(page.get_by_role("link", name="Kiln door does not close"))
        page.get_by_role("button", name="Submit Changes").wait_for()
        page.locator("[name=status]").select_option(label="chatting")
        d.click(page.get_by_role("button", name="Submit Changes"))
        d.see("edited ok")
        d.pause(300)
    with d.step("Look at them all"):
        d.click(page.get_by_role("link", name="Show All"))
        d.see("chatting")
        d.pause(600)


LIST, ISSUE = r"GET /issue\?.*", r"GET /issue2(\?.*)?"
TICKETS = JudgeSite("tickets", ("roundup==2.6.0",), "/", tickets, by_all("The sink is blocked", {
    "status": JudgePlant(("network",), ("409",), r"POST /issue2", status=409),
    "background": JudgePlant(("network",), ("404", "datecopy"), r"GET /@@file/datecopy\.min\.js", status=404),
    "data": JudgePlant(("page",), ("Repaint the",), LIST, put("Repaint the sign", "Repaint the door")),
    "figure": JudgePlant(("page",), ("out of 9",), LIST, put("out of 6", "out of 9"), since=3),
    "row": JudgePlant(("page",), ("Repaint", "feature"), LIST, put(r"<tr\b(?:(?!</tr>).)*Repaint the sign.*?</tr>", "")),
    "moved": JudgePlant(("page",), ("below",), LIST, swapped(r"<a [^>]*>Class List</a>", r"<a [^>]*>User List</a>")),
    "label": JudgePlant(("page",), ("Your Details", "Your Profile"), LIST, put("Your Details", "Your Profile")),
    "missing": JudgePlant(("page",), ("Download as CSV",), LIST, put(r"<a [^>]*>Download as CSV</a>", "")),
    "disabled": JudgePlant(("page",), ("disabled",), ISSUE, put('name="superseder"', 'name="superseder" disabled')),
    "link": JudgePlant(("page",), ("href",), ISSUE, put(r'href="[^"]*">Roundup docs', 'href="http://docs.example/other.html">Roundup docs')),
    "console": console(ISSUE),
    "slow": JudgePlant(("time",), (" took ",), ISSUE),
    "redirect": JudgePlant(("network",), ("/hop", "307"), ISSUE),
}, "Find the kiln"))  # fmt: skip


def board(d: JudgeAgent) -> None:
    page = d.page
    with d.step("Open the board"):
        page.goto(d.url)
        d.see("celadon")
        d.fill(page.locator("#search-study"), "a")
        d.fill(page.locator("#search-study"), "")
    with d.step("Make a study"):
        d.click(page.get_by_role("button", name="Create"))
        d.fill(page.locator("[role=dialog] input[type=text]").first, "glaze-nine")
        d.click(page.locator("[role=dialog]").get_by_role("button", name="Create"))
        page.locator("[role=dialog]").wait_for(state="detached")
        d.pause(300)
    with d.step("Look at celadon"):
        d.click(page.get_by_text("celadon").first)
        d.see("Best Trial")
        d.pause(1500)
        d.click(page.locator("a[href$=trials]").first)
        d.see("Started At")
        d.pause(500)
    with d.step("Look at the others"):
        d.click(page.locator("a[href='/dashboard/']").first)
        d.see("Direction:")
        d.pause(800)


STUDIES, BUNDLE = r"GET /api/studies", r"GET /static/bundle\.js"
BOARD = JudgeSite("board", ("optuna-dashboard==0.21.0", "optuna==5.0.0"), "/dashboard/", board, by_all("glaze-nine", {
    "status": JudgePlant(("network",), ("400",), r"POST /api/studies", status=400),
    "background": JudgePlant(("network",), ("500",), r"GET /api/studies/0/param_importances.*", status=500),
    "data": JudgePlant(("network", "page"), ("tenmuko",), STUDIES, put('"study_name": ?"tenmoku"', '"study_name": "tenmuko"')),
    "figure": JudgePlant(("network", "page"), ("maximize", "MAXIMIZE"), r"GET /api/studies/0\?after.*", put('"minimize"', '"maximize"')),
    "row": JudgePlant(("network", "page"), ("ash-white",), STUDIES, put(r',? ?\{(?:(?!\}).)*"ash-white"(?:(?!\{).)*\}', "")),
    "label": JudgePlant(("page",), ("Smart Choice",), BUNDLE, put("Smart Selection", "Smart Choice")),
    "missing": JudgePlant(("page",), ("Send Feedback",), BUNDLE, put("Send Feedback", "")),
    "link": JudgePlant(("page",), ("href",), BUNDLE, put("optuna-dashboard/discussions/new/choose", "optuna-dashboard/issues")),
    "console": console(r"GET /dashboard/"),
    "slow": JudgePlant(("time",), (" took ",), r"POST /api/studies"),
    "redirect": JudgePlant(("network",), ("/hop", "307"), r"GET /api/studies/0\?after=0"),
}, "Look at celadon"))  # fmt: skip
SITES = (ADMIN, TICKETS, BOARD)


def plan(fault: str, plant: JudgePlant | None) -> Plan:
    """Return what the proxy does in a run with this difference; `came` has an item once it was planted."""
    came: list[str] = []
    met: list[str] = []

    def fits(asked: ProxiedRequest) -> bool:
        return plant is not None and bool(plant.at) and re.fullmatch(plant.at, f"{asked.method} {asked.target}") is not None  # fmt: skip

    def own(asked: ProxiedRequest) -> ServedAnswer | None:
        if fault == "redirect" and asked.path == "/hop":
            came.append(asked.target)
            return ServedAnswer(status=307, headers=[("Location", unquote(asked.target.partition("?to=")[2]))])
        if plant is None or not fits(asked):
            return None
        if plant.status:
            came.append(asked.target)
            return ServedAnswer(b'{"reason": "not now"}', "application/json", plant.status)
        if fault == "redirect" and not met:
            met.append(asked.target)
            return ServedAnswer(status=307, headers=[("Location", f"/hop?to={quote(asked.target)}")])
        return None

    def late(asked: ProxiedRequest) -> float:
        if fault == "slow" and fits(asked) and not came:
            came.append(asked.target)
            return 3.0
        return 0.0

    def edits(asked: ProxiedRequest) -> Callable[[bytes], bytes] | None:
        if plant is None or plant.edit is None or not fits(asked):
            return None
        met.append(asked.target)
        return edited if len(met) >= plant.since else None

    def edited(body: bytes) -> bytes:
        assert plant is not None and plant.edit is not None
        text = body.decode()
        new = plant.edit(text)
        if new != text:
            came.append("edited")
        return new.encode()

    return Plan(own, late, edits, came)


@contextlib.contextmanager
def running(site: JudgeSite) -> Iterator[int]:
    """Run a site's program in a new folder; give its port."""
    binaries, port = thirdparty.python_packages(f"judge-{site.name}", *site.requirements), thirdparty.free_port()
    with tempfile.TemporaryDirectory() as aside:
        shutil.copy(PROGRAM, aside)
        environment = {"HOME": aside, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
        command = [str(binaries / "python"), PROGRAM.name, site.name, str(port)]
        with thirdparty.program(command, f"http://127.0.0.1:{port}{site.path}", environment, Path(aside)):
            yield port


def run(browser: Browser, site: JudgeSite, path: Path, fault: str = "") -> Path | None:
    """Record one run, unless it is there already; None where what was to be planted never came."""
    if path.is_file():
        return path
    plant, part = site.plants.get(fault), path.with_suffix(".part")
    planned = plan(fault, plant)
    with running(site) as port, FaultProxy(port, planned) as proxy:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        with record(context, part, agent="bench", overwrite=True) as session:
            work(site.script, JudgeAgent(session, context.new_page(), proxy.url + site.path, fault if plant is not None and not plant.at else ""))  # fmt: skip
        context.close()
    if plant is not None and plant.at and not planned.came:
        part.unlink()
        return None
    return part.rename(path)


def is_right(plant: JudgePlant, result: Comparison) -> bool:
    """Return whether the divergence is what was planted."""
    found = result.divergence
    if found is None or found.kind not in plant.kinds or not any(word in found.summary for word in plant.words):
        return False
    return not plant.step or found.b.title == plant.step


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare.judge", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", choices=[site.name for site in SITES])
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--keep", type=Path, help="the runs stay here, and those that are here are not made again")
    options = parser.parse_args(arguments)
    told, taken = dict.fromkeys(("pairs", "right", "with", "without", "repeats", "alarms", "gated", "not planted"), 0), []  # fmt: skip
    with tempfile.TemporaryDirectory() as aside, sync_playwright() as playwright:
        folder = options.keep or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        given: dict[str, Any] = launch_options()
        browser = playwright.chromium.launch(**{**given, "args": [*given["args"], "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]})  # fmt: skip
        for site in (site for site in SITES if not options.app or site.name in options.app):
            good, *others = (run(browser, site, folder / f"{site.name}-base-{n}.reel") for n in range(1 + BASELINE))
            assert good is not None
            if compare(good, good, redaction=None).outcome["a"] != "passed":
                raise SystemExit(f"{site.name}: the run to hold against did not pass; look at {good} (--keep)")
            for fault, plant in site.plants.items():
                bad = run(browser, site, folder / f"{site.name}-{fault}.reel", fault)
                told["not planted"] += bad is None
                if bad is None:
                    continue
                began = time.perf_counter()
                result = compare(good, bad, baseline=others, redaction=None)
                taken.append(time.perf_counter() - began)
                told["pairs"] += 1
                told["right"] += is_right(plant, result)
                told["with"] += bool(result.failed(plant.kinds))
                told["without"] += not result.failed([kind for kind in KINDS if kind not in MAY[fault]] or "none")
            for number in range(options.repeats):
                result = compare(good, run(browser, site, folder / f"{site.name}-again-{number}.reel"), baseline=others, redaction=None)  # type: ignore[arg-type]  # fmt: skip
                if result.outcome["b"] != "passed":  # It gave up, on a machine that had no time for it.
                    continue
                told["repeats"] += 1
                told["alarms"] += not result.equal
                told["gated"] += bool(result.failed(KINDS))
        browser.close()
    return report(told, taken)


def report(told: dict[str, int], taken: list[float]) -> int:
    """Print the totals; 0 when the floors are reached."""
    pairs, repeats = max(told["pairs"], 1), max(told["repeats"], 1)
    for what, name in (("right", "first divergence right"), ("with", "--fail-on the planted kind exits with 1"), ("without", "--fail-on all kinds that it cannot bring exits with 0")):  # fmt: skip
        print(f"{name}: {told[what]} of {pairs} ({told[what] / pairs:.0%}; floor {RIGHT:.0%})")
    print(f"unchanged runs taken for different: {told['alarms']} of {repeats} (at most {ALARMS:.0%}); with --fail-on all kinds {told['gated']}")  # fmt: skip
    print(f"could not be planted: {told['not planted']}; a comparison took {sorted(taken)[len(taken) // 2] * 1000 if taken else 0:.0f} ms, median; load {os.getloadavg()[0]:.0f}")  # fmt: skip
    floors = [told[what] / pairs >= RIGHT for what in ("right", "with", "without")]
    return 0 if all(floors) and told["alarms"] / repeats <= ALARMS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
