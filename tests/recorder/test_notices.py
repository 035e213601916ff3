"""Where a policy leaves something out, the replay says so in its place: which policy, and how to build with it."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext

from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.redaction import redact
from pagereel.redaction.pictures import blocked_picture_notice, image_containers

from .pictures import opened
from .support import Recorded, Site

PIXELS = """<body style="margin: 0; background: #fff"><canvas id=c width=400 height=200 style="display: block"></canvas>
<img id=i style="display: block"><canvas id=small width=20 height=20></canvas><script>
for (const each of [c, small]) each.getContext("2d").fillRect(0, 0, 400, 200);
i.src = "/navy.png";
</script>"""


def test_what_a_policy_blocks_names_it_in_its_place(context: BrowserContext, site: Site, reel: Path) -> None:
    raw = BytesIO()
    Image.new("RGB", (400, 200), "navy").save(raw, "PNG")
    site.put("/navy.png", "image/png", raw.getvalue())
    url = site.html("/notices", PIXELS)
    with record(context, reel) as session:
        page = context.new_page()
        page.set_viewport_size({"width": 500, "height": 450})
        page.goto(url)
        page.wait_for_timeout(800)
        session.mark("here")
    for policy, named in (("vendor", {"Canvas"}), ("strict", {"Canvas", "Picture"}), ("internal", set[str]())):
        masked = reel.with_name(f"{policy}.reel")
        redact(reel, masked, redaction=policy)
        texts = [text_of(event) for event in Recorded(masked).of("resource")]
        said = f" left out by the policy {policy}<"
        assert {what for what in ("Canvas", "Picture") if any(f">{what}{said}" in text for text in texts)} == named
        twice = reel.with_name(f"{policy}-again.reel")
        redact(masked, twice, redaction=policy)
        assert sorted(map(text_of, Recorded(twice).of("resource"))) == sorted(texts)
        html = masked.with_suffix(".html")
        build(reel, html, redaction=policy)
        picture = opened(context, html, "#bare&mark=here", {"width": 500, "height": 450})
        with Image.open(BytesIO(picture)) as image:
            for what, top in (("Canvas", 0), ("Picture", 200)):
                part = image.convert("L").crop((0, top, 400, top + 200))
                dark = sum(part.histogram()[:120]) / (400 * 200)
                grey = part.histogram()[0xD8] / (400 * 200)
                assert (grey > 0.8 and 0.002 < dark < 0.1) == (what in named), (policy, what, grey, dark)


def text_of(event: dict[str, object]) -> str:
    text = event.get("text")
    return text if isinstance(text, str) else b64decode(str(event.get("base64"))).decode("latin-1")


@pytest.mark.parametrize("name", ["a<b>&", "x" * 200])
def test_a_policy_of_any_name_makes_a_drawing(name: str) -> None:
    drawing, mime = blocked_picture_notice.draw_notice(
        image_containers.build_grey_png(900, 300), "Canvas", "canvases", name
    )
    assert mime == "image/svg+xml" and name[:3] in "".join(ElementTree.fromstring(drawing).itertext())
    assert (
        blocked_picture_notice.draw_notice(image_containers.build_grey_png(30, 30), "Canvas", "canvases", name)[1]
        == "image/png"
    )
