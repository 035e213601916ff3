"""What only pictures need is brought to a document when its first picture is taken: the injector does not carry it."""

from __future__ import annotations

import json

from pagereel.recorder.runtime.injector_script import build_text_positions_script, read_bundle

from .conftest import Recording

PAGE = """<h1>Hello</h1><textarea>typed</textarea><div id="host"></div>
<script>host.attachShadow({ mode: "closed" }).innerHTML = "<p>Behind a closed door</p>";</script>"""


def test_the_first_picture_brings_what_looks_for_places_and_the_next_ones_use_it(recording: Recording) -> None:
    recording.inject()
    recording.page.set_content(PAGE)
    assert "a view transition" not in read_bundle() and "a view transition" in build_text_positions_script()
    assert recording.call("handle.places() === undefined")  # Nothing can look yet, and nothing is told.
    first = json.loads(recording.call(f"handle.places({build_text_positions_script()})"))
    assert [first["w"], first["h"]] == recording.page.evaluate("[innerWidth, innerHeight]") and "why" not in first
    # What was brought has no memory of its own: ids are the injector's.
    heading = recording.call("handle.idOf(document.querySelector('h1').firstChild)")
    field = recording.call("handle.idOf(document.querySelector('textarea'))")
    assert {heading, field} <= {item[0] for item in first["items"]}
    again = json.loads(recording.call("handle.places()"))
    assert again["items"] == first["items"]
    recording.page.set_content("<p>Another</p>")
    assert json.loads(recording.call("handle.places()"))["items"] != first["items"]
    recording.page.goto("data:text/html,<p>A new document</p>")
    assert recording.call("handle.places() === undefined")
    assert json.loads(recording.call(f"handle.places({build_text_positions_script()})"))["items"]
