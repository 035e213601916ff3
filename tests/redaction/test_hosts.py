"""People in the names of hosts, hosts under a policy that does not keep them, and people in other names of things that are written in one word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.content.hosts import find_personal_data_in_host, mask_host_of_url

from .oracle import text_of
from .reels import Maker


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("maria-ostenvik.shop", ["maria-ostenvik"]),
        ("maria.ostenvik.shop.example", ["maria.ostenvik"]),
        ("jasmine.github.io", []),
        ("kwame-lausthanski.invalid", ["kwame-lausthanski"]),  # a given name that only the long list has
        ("kwame-dashboard.example", []),
        ("fonts.gstatic.com", []),
        ("127.0.0.1:8000", []),
        ("", []),
    ],
)
def test_a_host_is_looked_through_as_other_names_of_things_are(host: str, found: list[str]) -> None:
    assert [host[f.start : f.end] for f in find_personal_data_in_host(host)] == found


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://cdn.ostenvik.example:80/x//y", "https://cdn.•.example:80/x//y"),
        ("//ostenvik.com/a", "//•.com/a"),
        ("blob:https://ostenvik.io/4", "blob:https://•.io/4"),
        ("https://ostenvik", "https://•"),
        ("https://shop.example/a@b", "https://shop.example/a@b"),
        ("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/a"),
        ("/ostenvik//b", "/ostenvik//b"),
        ("data:text/plain,a//ostenvik.com", "data:text/plain,a//ostenvik.com"),
    ],
)
def test_of_a_host_the_words_stay_that_everybody_uses(url: str, shown: str) -> None:
    assert mask_host_of_url(url, lambda piece, entity: "•") == shown


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Maker(tmp_path_factory.mktemp("hosts") / "run.reel")
    address = "https://files.velkendorst.example/logo.png"
    made.body(["a", {"href": "https://maria-ostenvik.invalid/"}, "Profile"], ["img", {"src": address}])
    made.put("request", id=1, page=1, d=1, method="GET", url=address, type="image", headers={})
    return made.done()


@pytest.mark.parametrize("policy", ["internal", "vendor", "strict"])
def test_a_person_in_a_host_is_masked_under_every_policy(reel: Path, policy: str, tmp_path: Path) -> None:
    redact(reel, tmp_path / "masked.reel", policy)
    assert "ostenvik" not in text_of(tmp_path / "masked.reel").lower()


def test_hosts_stay_where_the_policy_keeps_them_and_agree_where_it_masks_them(reel: Path, tmp_path: Path) -> None:
    for policy in ("vendor", "strict"):
        redact(reel, tmp_path / policy, policy)
    assert text_of(tmp_path / "vendor").count("https://files.velkendorst.example/") >= 2
    masked = text_of(tmp_path / "strict")
    assert "velkendorst" not in masked
    assert len(set(re.findall(r"https://files\.(\w+)\.example", masked))) == 1


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ('locator("#row-maria-ostenvik")', "ostenvik"),
        ('locator("[data-testid=list-of-maria-ostenvik-open]")', "ostenvik"),
        ("Error\n    at eval (/app/maria-ostenvik.js:3:7)", "maria-ostenvik"),
        ('locator("text=/Maria\\\\s+Ostenvik/i")', "Ostenvik"),
        ("matches /Maria\\s*Ostenvik/", "Ostenvik"),
    ],
)
def test_a_person_in_a_locator_a_file_or_a_pattern_is_found(text: str, person: str) -> None:
    assert any(person in text[f.start : f.end] for f in find_pii([text])[0])


@pytest.mark.parametrize(
    "text",
    [
        "at f (node_modules/jasmine-reporters/index.js:3)",
        "node_modules/@scope/victoria-plotter/index.js",
        "import victoria-plotter-core",
        "a state-of-the-art list",
        "C:\\users\\some",
    ],
)
def test_packages_and_plain_words_are_nobody(text: str) -> None:
    assert not [f for f in find_pii([text])[0] if f.entity == "PERSON"]
