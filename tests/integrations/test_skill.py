"""Several runs of one task make a skill: its script runs, green, against the same site, and holds nothing of who did it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagereel import record
from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.fixtures.shop import Shop
from pagereel.integrations import draft_skill

from ..chromium import open_chromium
from ..comparison.runs import purchase

RUNS = (
    ("vase", "Tern bottle vase", "Elena Marchetti", "elena.marchetti@posteo.example"),
    ("jug", "Heron jug", "Tomasz Wrona", "t.wrona@posteo.example"),
    ("bowl", "Harbour bowl", "Ines Halloran", "ines.h@posteo.example"),
)


def order(session: Any, page: Any, site: str, query: str, product: str, name: str, mail: str) -> None:
    """Order something in the demo's shop, as far as the address. Only the jug is looked at closely."""
    with session.step("Find it") as step:
        page.goto(site)
        page.get_by_role("searchbox", name="Search the shop").fill(query)
        page.get_by_role("searchbox", name="Search the shop").press("Enter")
        page.get_by_role("link", name=product).first.click()
        page.get_by_role("heading", name=product).wait_for()
        if query == "jug":
            page.get_by_text("Size and weight").click()
        step.outcome(success=True)
    with session.step("Put it in the basket") as step:
        page.get_by_role("button", name="Add to basket", exact=True).click()
        page.get_by_role("button", name="Go to checkout").click()
        page.get_by_role("heading", name="Where shall it go?").wait_for()
        step.outcome(success=True)
    with session.step("Fill in the address") as step:
        page.get_by_label("Full name").fill(name)
        page.get_by_label("E-mail").fill(mail)
        page.get_by_label("Phone").click()
        page.wait_for_timeout(200)
        step.outcome(success=True)


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("orders")
    for number, what in enumerate(RUNS):
        with open_chromium() as browser, Shop(pace=0.1) as shop:
            context = browser.new_context()
            with record(context, folder / f"{number}.reel", agent="Order a piece of pottery") as session:
                order(session, context.new_page(), shop.url, *what)
            context.close()
    return [folder / f"{number}.reel" for number in range(len(RUNS))]


@pytest.mark.slow
def test_the_script_of_three_runs_does_it_again_for_somebody_else(orders: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "order"
    with Shop(pace=0.1) as shop:
        given = [str(path) for path in orders]
        assert main(["export", *given, str(folder), "--format", "skill", "--check", shop.url]) == 0
    page, script = (folder / "SKILL.md").read_text(), (folder / "skill.py").read_text()
    head = page.split("---")[1].strip().splitlines()
    assert head[0] == "name: order-a-piece-of-pottery" and head[1].startswith(
        'description: "Order a piece of pottery: '
    )
    assert "Run once, on " in page and "Run once, on " in script and "Draft" not in page + script
    assert "*, search_the_shop: str, link: str, full_name: str, e_mail: str" in script
    assert 'page.get_by_role("heading", name=link).wait_for()' in script, "what varies alike is one input"
    assert "Size and weight" not in script and "Left out, because not every run did it: Click" in page
    for text in ("Where shall it go?", "Heron jug"):
        assert text in page
    for _, _, name, mail in RUNS:
        assert name.split()[1] not in page + script and mail not in page + script

    somebody = {"SEARCH_THE_SHOP": "mug", "LINK": "Gull mug", "FULL_NAME": "Ada Byron", "E_MAIL": "ada@posteo.example"}
    with Shop(pace=0.1) as shop:
        product = next(
            each for each in shop_names() if "mug" in each.lower() or "cup" in each.lower() or "tumbler" in each.lower()
        )
        somebody |= {"LINK": product, "SEARCH_THE_SHOP": product, "SITE": shop.url.rstrip("/")}
        done = subprocess.run(
            [sys.executable, "-P", "skill.py"], cwd=folder, env=os.environ | somebody, capture_output=True, text=True, timeout=120, check=False
        )  # fmt: skip
    assert done.returncode == 0, done.stderr


def shop_names() -> list[str]:
    from pagereel.fixtures.shop.products import BY_SLUG

    return [product.name for product in BY_SLUG.values()]


@pytest.mark.slow
def test_a_script_that_does_not_come_to_its_end_stays_a_draft(
    orders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "order"
    given = [*map(str, orders[:2]), str(folder), "--format", "skill", "--redaction", "off"]
    assert main(["export", *given]) == 0
    assert "Draft: this has not been run." in (folder / "SKILL.md").read_text()
    assert "Draft: this has not been run." in (folder / "skill.py").read_text()
    assert main(["export", *given, "--check", "http://127.0.0.1:9", "--force"]) == 1
    assert "did not come to its end" in (folder / "SKILL.md").read_text()
    assert "Draft: it was run on" in (folder / "skill.py").read_text()
    assert "ERR_" in capsys.readouterr().err


def test_what_makes_no_skill_is_refused_in_a_sentence(tmp_path: Path) -> None:
    good, bad = purchase(tmp_path / "good.reel"), purchase(tmp_path / "bad.reel", button=False)
    with pytest.raises(UsageError, match="at least two recordings"):
        draft_skill([good])
    with pytest.raises(UsageError, match=r"bad\.reel failed; a skill is made of runs that passed"):
        draft_skill([good, bad])
    assert main(["export", str(good), "--format", "skill"]) == 2
    assert main(["export", str(good), "x.har", str(bad)]) == 2
    assert main(["export", str(good), str(tmp_path / "none.reel"), "--format", "skill"]) == 2
