"""Prints what is captured of a page, with the browser test and the bench's case that fail when it is not.

    python -m bench.fidelity.lines [--report docs/fidelity.md]

A test is `file::name`, in tests/; `every: x` is the claim x of tests/recorder/test_everything.py.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CapturedFeature:
    """One thing that is captured: `tests` and `cases` prove it, `left` names what is not captured and how the recording says so."""

    what: str
    tests: tuple[str, ...]
    cases: tuple[str, ...]
    left: str = ""


UNSEEN = "recorder/test_unseen.py::"
MOTION = "player/test_motion_and_pixels.py::"
PREFERENCES = "player/test_preferences.py::"
REPLAY = "player/test_replay.py::"
SYNC = "recorder/test_sync.py::"
SHOWN = "player/test_unseen.py::"

LINES = (
    CapturedFeature("CSS from network bytes, `@import`, late sheets", ("every: sheets from the network", REPLAY + "test_styles_apply_in_the_order_of_the_cascade"), ("css", "network")),
    CapturedFeature("CSSOM writes of every kind", ("every: rules changed through CSSOM", UNSEEN + "test_rules_changed_in_place_are_recorded"), ("cssom",)),
    CapturedFeature("constructed and adopted sheets", ("every: constructed sheets, shared between roots",), ("cssom", "lit")),
    CapturedFeature("`var()` shorthands, nesting, layers, container queries", ("every: layers, nesting, container queries", "every: rules changed through CSSOM"), ("css",)),
    CapturedFeature("`@font-face` and `FontFace` objects", (UNSEEN + "test_fonts_made_by_script_are_recorded_where_there_is_no_doubt_which_they_are",), ("fonts",), "`FontFace` objects of bytes that were not loaded as a font's, or where several fonts may be the one: `unsupported`"),
    CapturedFeature("shadow roots: open, closed, declarative; slots", ("every: declarative shadow roots and slots", UNSEEN + "test_closed_shadow_roots_are_recorded_with_what_changes_in_them"), ("shadow", "material"), "closed roots with transport `binding`: `unsupported`"),
    CapturedFeature("custom element states, `ElementInternals`", (UNSEEN + "test_states_that_only_pseudo_classes_tell_are_recorded",), ("elements",)),
    CapturedFeature("SVG, MathML, other namespaces, `<template>`", ("every: custom elements, templates, MathML", REPLAY + "test_shadow_roots_templates_and_foreign_elements"), ("foreign", "katex", "mermaid")),
    CapturedFeature("doctype, quirks mode, XHTML", ("every: doctype", MOTION + "test_a_document_has_the_mode_of_its_doctype_and_of_the_one_that_was_written_later"), ("quirks", "xhtml")),
    CapturedFeature("`document.write`, `document.open`, `set_content`", ("every: set_content and document.open", "injector/test_mutations.py::test_listeners_survive_document_open"), ("writes",)),
    CapturedFeature("frames: same origin, srcdoc, sandboxed, other origins in and out of process, nested, moved, removed", ("every: frames, nested ones too", "every: a frame that was removed", SYNC + "test_frames_are_recorded_wherever_they_run", SYNC + "test_a_frame_that_moves_to_another_process_is_followed"), ("frames",)),
    CapturedFeature("CSSOM in imported sheets", ("player/test_sheets.py::test_cssom_in_imported_sheets",), (), "sheets of other origins, which no script can change"),
    CapturedFeature("`CSS.registerProperty`, `CSS.highlights`", ("recorder/test_odd_documents.py::test_what_is_registered_for_style_sheets_is_told_and_asking_leaves_no_trace", SHOWN + "test_registered_properties_highlights_and_changed_fonts_show"), (), "a property's type and initial value are concluded from values: a list's or an image's is `*`; `paint()`: `unsupported`"),
    CapturedFeature("captions over a video", (SHOWN + "test_captions_lie_over_a_video",), (), "regions; where the film has no bytes"),
    CapturedFeature("the SVG DOM, SVG's clock, slots filled by script, validity by script", (SHOWN + "test_what_the_svg_dom_writes_is_recorded_without_a_fresh_snapshot", SHOWN + "test_the_clock_of_svg_animations_is_a_function_of_time", SHOWN + "test_validity_slots_and_places_that_scripts_set_show"), (), "`setStdDeviation()`, `designMode`, a canvas with `alpha: false` that gets its context late and is never drawn on"),
    CapturedFeature("animations that go by a scroller", ("player/test_driven.py::test_animations_by_a_scroller_stand_where_it_stands",), (), "readers whose browser does not know them (Firefox 153) see their last frame"),
    CapturedFeature("`<object>`, `<embed>`", ("every: the document of an object", "every: what objects and embeds show is said", MOTION + "test_documents_in_objects_show_and_a_pdf_is_a_box_that_says_so", "player/test_objects.py::test_an_object_shows_its_picture_in_the_size_of_it"), ("frames",), "a PDF, or an embed's picture, is a box that says so: `unsupported`"),
    CapturedFeature("values, checked, indeterminate, selected, ranges, files, set by code too", ("every: values", "every: names of files", "every: indeterminate and selected", "injector/test_mutations.py::test_form_state_set_by_code_is_seen_without_any_event"), ("forms",)),
    CapturedFeature("contenteditable, selection", ("every: contenteditable", "every: selection", "every: selection within a field", MOTION + "test_a_text_selection_looks_selected_and_a_file_field_names_its_files", MOTION + "test_what_is_selected_in_a_field_is_selected_while_it_lasts"), ("editing", "quill", "tiptap"), "in a field it shows with `#bare` only: elsewhere the player needs the focus for its keys; not told of masked fields"),
    CapturedFeature("focus, `:focus-visible`, also of an image's `<area>`", ("every: focus", UNSEEN + "test_a_focus_says_whether_it_shows_and_a_script_link_stays_a_link", "player/test_area.py::test_an_area_that_has_the_focus_has_its_ring"), ("editing", "bootstrap")),
    CapturedFeature("scroll of every scroller and of the viewport", ("every: scrollers and the viewport",), ("scrollers", "aggrid", "slickgrid"), "the visual viewport when pinched"),
    CapturedFeature("details, dialog, popover, fullscreen, in top-layer order", ("every: details", "every: top layer in its order", UNSEEN + "test_dialogs_that_change_places_in_one_task_do_so_in_the_layer"), ("layers",)),
    CapturedFeature("validity, `:user-invalid`", (UNSEEN + "test_states_that_only_pseudo_classes_tell_are_recorded",), ("forms",)),
    CapturedFeature("hover, active, target", (REPLAY + "test_pseudo_classes_follow_the_recorded_person",), ("history", "jqueryui")),
    CapturedFeature("canvas: 2D, WebGL, OffscreenCanvas, bitmap renderers", ("every: canvas: 2D, offscreen, bitmap", UNSEEN + "test_a_webgl_canvas_drawn_once_is_recorded", "recorder/test_canvases.py::test_a_canvas_that_stands_still_shows"), ("canvas", "three", "chartjs", "echarts")),
    CapturedFeature("tainted canvases", (UNSEEN + "test_a_canvas_that_no_script_may_read_is_cut_out_of_a_picture_of_the_page",), ("canvas",), "one that is turned, or for the most part covered: `unsupported`"),
    CapturedFeature("video and audio: position, rate, volume", ("every: media", "recorder/test_films.py::test_a_film_of_which_there_is_no_picture_says_so_in_its_place"), ("media", "videojs"), "pictures of films above 9 million pixels, and of other origins with transport `binding`: the replay has a box that says so; WebKit draws its button to play over every film"),
    CapturedFeature("`picture`, `srcset` as chosen", ("every: what a picture chose",), ("images",)),
    CapturedFeature("`blob:` and `data:` images", (UNSEEN + "test_a_blob_that_is_revoked_at_once_is_kept_without_a_request_of_ours", UNSEEN + "test_pictures_of_revoked_addresses_are_recorded_without_a_word_in_the_console"), ("images",)),
    CapturedFeature("CSS animations, transitions, Web Animations in phase", ("every: animations of all kinds", MOTION + "test_motion_stands_where_it_stood_whichever_way_one_came"), ("motion",)),
    CapturedFeature("`prefers-*`, colour scheme, device scale", (UNSEEN + "test_the_preferences_that_a_page_was_told_are_recorded", MOTION + "test_a_page_recorded_dark_is_dark_for_every_reader", PREFERENCES + "test_print_and_contrast_are_shown_while_they_were_emulated", UNSEEN + "test_the_queries_that_hold_for_few_pages_are_recorded_as_they_come_to_hold"), ("css",), "colours that the browser forces on a page: `unsupported`"),
    CapturedFeature("popups, tabs", (SYNC + "test_a_page_brings_its_popups_and_not_its_neighbours",), ("windows",)),
    CapturedFeature("history and fragment", ("every: history and fragment",), ("history",)),
    CapturedFeature("crash, close", (SYNC + "test_a_page_may_crash_and_the_browser_be_closed_inside_the_block", SYNC + "test_what_was_on_a_page_when_it_or_its_context_was_closed_is_kept"), ("windows",)),
    CapturedFeature("downloads, console, dialogs", ("recorder/test_network.py::test_downloads_and_console_are_recorded", "recorder/test_guest.py::test_dialogs_are_dismissed_as_without_us_and_recorded"), ("console",)),
)  # fmt: skip


def make_table() -> list[str]:
    """Return what is captured as a Markdown table."""
    rows = ["| what shows | tests | cases | left out |", "|---|---|---|---|"]
    for line in LINES:
        tests = "; ".join(
            f"*{test.removeprefix('every: ')}*" if test.startswith("every: ") else f"`{test.partition('::')[2]}`"
            for test in line.tests
        )
        rows.append(f"| {line.what} | {tests} | {', '.join(line.cases)} | {line.left} |")
    return rows


def main(arguments: list[str]) -> int:
    """Print the table, or write it into a report."""
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity.lines", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--report", type=Path, help="the page whose section is replaced, docs/fidelity.md say")
    options = parser.parse_args(arguments)
    if options.report:
        from . import report  # what it needs is not needed to read the table

        report.replace_section(options.report, make_table(), report.CAPTURED)
    else:
        print("\n".join(make_table()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
