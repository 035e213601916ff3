"""Prints the faults that replays once had, with the tests that prove that each is cured.

    python -m bench.fidelity.found [--report docs/fidelity.md]

A test is `file::name`, in tests/; `shown: x` stands for the entries of tests/player/faults.py whose names begin with x: they are recorded in
Chromium, and shown in Chromium, Firefox and WebKit.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FoundFault:
    """A kind of fault that was found: `tests` prove that it is cured, `left` names the part that no test covers."""

    number: str
    what: str
    tests: tuple[str, ...]
    left: str = ""


STATE = "player/test_state.py::"
POINTED = "player/test_pointed.py::"
ENGINES = "player/test_engines.py::"
FAULTS = "player/test_faults.py::"
CASCADE = "player/test_cascade.py::"
NATIVE = "player/test_native.py::"
SHEETS = "player/test_sheets.py::"
SMALL = "player/test_small_truths.py::"
UNSEEN = "player/test_unseen.py::"
ODD = "player/test_odd_documents.py::"
ODD_RECORDED = "recorder/test_odd_documents.py::"
CANVASES = "recorder/test_canvases.py::"
FILMS = "recorder/test_films.py::"
SAME = "recorder/test_same_address.py::"
PREFERENCES = "player/test_preferences.py::"
SCROLLED = "player/test_scrolled_in_time.py::"
DRIVEN = "player/test_driven.py::"

FOUND = (
    FoundFault("1", "the claim was about the tree alone", ("player/test_layers.py::test_each_checkpoint_sees_what_shows_and_the_replay_shows_it", "player/test_layers.py::test_where_capture_is_switched_off_the_claim_falls", "player/test_old_frames.py::test_a_frame_that_is_older_than_the_mark_is_no_full_claim", "player/test_films_stand.py::test_where_a_film_stood_is_looked_at", "player/test_verify_replay.py::test_what_only_a_fresh_page_shows_otherwise_is_told_with_the_way", "player/test_verify_replay.py::test_a_build_that_falls_short_names_it_and_exits_1"), "engines other than Chromium: `verify` opens no others"),
    FoundFault("2.1", "scroll before what gives the page its height", (STATE + "test_scroll_waits_for_pictures_without_sizes", STATE + "test_scroll_waits_for_what_a_rule_makes_taller", STATE + "test_scroll_waits_for_a_font_and_for_content_of_rules", STATE + "test_scroll_of_a_dialog_that_only_its_layer_shows", ENGINES + "test_scroll_hover_target_and_the_focus_ring_in_every_engine", "shown: 2.1 ")),
    FoundFault("2.2", "films lost without a word", (FILMS + "test_a_film_shows_where_it_stood_still", FILMS + "test_parts_are_put_together_in_any_order", FILMS + "test_a_film_that_a_script_puts_together_shows_where_the_policy_keeps_pictures", FILMS + "test_a_film_that_no_script_may_read_shows", FILMS + "test_a_film_of_which_there_is_no_picture_says_so_in_its_place", "shown: 2.2 "), "WebKit's button over a film: compared beside it"),
    FoundFault("2.3", "canvases that draw and then stand still", (CANVASES + "test_a_canvas_that_stands_still_shows", CANVASES + "test_canvases_in_frames_of_other_processes_show", CANVASES + "test_a_canvas_that_was_out_of_sight_is_seen_at_the_mark", CANVASES + "test_a_large_canvas_is_at_a_mark_what_it_was", CANVASES + "test_a_mark_has_a_canvas_without_loss_that_stands_still", CANVASES + "test_a_canvas_that_cannot_be_seen_is_said_to_be_missing", "shown: 2.3 ")),
    FoundFault("2.4", "animations by a scroller", (DRIVEN + "test_animations_by_a_scroller_stand_where_it_stands", DRIVEN + "test_an_animation_by_a_scroller_is_not_told_as_one_by_time", DRIVEN + "test_what_fails_for_one_node_is_told_and_the_rest_shows", "shown: 2.4 "), "Firefox 153 does not know them: Info says so"),
    FoundFault("2.5", "CSSOM in imported sheets, registered properties, highlights", (SHEETS + "test_cssom_in_imported_sheets", ODD_RECORDED + "test_what_is_registered_for_style_sheets_is_told_and_asking_leaves_no_trace", UNSEEN + "test_registered_properties_highlights_and_changed_fonts_show", "shown: 2.5 ")),
    FoundFault("2.6", "`:target` after the address changed", (POINTED + "test_the_target_is_what_the_browser_says", POINTED + "test_a_target_is_none_any_more_when_the_address_has_none", POINTED + "test_a_target_that_was_there_before_the_recording", "shown: 2.6 ")),
    FoundFault("2.7", "the player's rules above the page's", (CASCADE + "test_the_focus_ring_gives_way_to_every_rule_of_the_page", CASCADE + "test_the_focus_ring_of_a_host_gives_way_to_its_own_rules", CASCADE + "test_the_focus_ring_of_what_a_slot_shows_gives_way_to_the_slot", CASCADE + "test_a_selection_gives_way_to_a_layer", CASCADE + "test_what_must_hold_beats_what_is_important_in_a_layer", "shown: 2.7 ")),
    FoundFault("2.8", "what the browser itself draws", (NATIVE + "test_what_is_fullscreen_is_in_the_top_layer_over_its_backdrop", NATIVE + "test_a_frame_that_is_fullscreen_for_what_is_in_it", NATIVE + "test_the_open_list_of_a_select_that_is_part_of_the_page", NATIVE + "test_pictures_that_were_broken_are_broken", NATIVE + "test_what_shows_while_a_control_has_the_focus", "player/test_interface.py::test_a_masked_field_is_hatched_where_it_is_seen_and_while_it_holds_something", "shown: 2.8 "), "`base-select` and icons of broken pictures: Chromium alone has them; the face of a hovered control: no rule reaches it (above)"),
    FoundFault("2.9", "pages deeper than any recursion", (ODD + "test_a_page_deeper_than_any_recursion_is_recorded_and_shown", "player_build/test_sanitize.py::test_a_very_deep_tree_is_no_problem", "shown: 2.9 ")),
    FoundFault("2.10", "what a policy leaves out says so in its place", ("recorder/test_notices.py::test_what_a_policy_blocks_names_it_in_its_place", "recorder/test_notices.py::test_a_policy_of_any_name_makes_a_drawing", FILMS + "test_a_film_that_a_script_puts_together_shows_where_the_policy_keeps_pictures", FAULTS + "test_what_a_policy_left_out_is_named_in_its_place")),
    FoundFault("2.11", "the same address with other contents", (SAME + "test_each_visit_shows_what_it_got", SAME + "test_what_a_page_fetches_again_shows", SAME + "test_a_frame_that_is_loaded_again_shows_what_it_got", "shown: 2.11 ")),
    FoundFault("2.12", "the pointer's last place", (POINTED + "test_two_quick_moves_end_where_the_second_went", POINTED + "test_a_submenu_that_hovering_opened_is_open", POINTED + "test_the_pointer_is_in_one_document_at_a_time", POINTED + "test_what_was_dragged_is_not_pressed_any_more", POINTED + "test_keys_and_labels_press_too", POINTED + "test_moves_within_a_shadow_tree", "shown: 2.12 ")),
    FoundFault("2.13", "documents that are no page, and what we throw", (ODD_RECORDED + "test_nothing_is_thrown_into_a_document_of_any_kind", ODD_RECORDED + "test_names_that_hide_the_dom_hide_nothing_from_us", ODD_RECORDED + "test_a_bug_of_ours_stays_ours_and_is_told", ODD_RECORDED + "test_no_tree_makes_the_script_fail", ODD + "test_the_sheets_of_processing_instructions_apply", ODD + "test_documents_that_the_browser_makes_look_as_it_shows_them", "shown: 2.13 ")),
    FoundFault("2.14", "preferences", (PREFERENCES + "test_a_page_whose_meta_element_names_its_schemes_has_the_recorded_one_for_every_reader", PREFERENCES + "test_a_scheme_in_a_style_attribute_is_the_recorded_one", PREFERENCES + "test_print_and_contrast_are_shown_while_they_were_emulated", PREFERENCES + "test_what_a_page_was_told_of_pointer_and_density_holds_for_every_reader", "player/test_forced.py::test_forced_colours_are_shown_while_they_were_emulated", "recorder/test_unseen.py::test_the_queries_that_hold_for_few_pages_are_recorded_as_they_come_to_hold", "shown: 2.14 "), "forced colours: those that Chromium emulates, still said as `unsupported`"),
    FoundFault("2.15", "changes without a mutation record", (UNSEEN + "test_what_the_svg_dom_writes_is_recorded_without_a_fresh_snapshot", UNSEEN + "test_what_moves_by_the_svg_dom_is_followed", UNSEEN + "test_the_clock_of_svg_animations_is_a_function_of_time", UNSEEN + "test_validity_slots_and_places_that_scripts_set_show", UNSEEN + "test_registered_properties_highlights_and_changed_fonts_show", "recorder/test_unseen.py::test_a_healed_model_has_at_once_what_only_looks_find", "shown: 2.15 ")),
    FoundFault("2.16", "`content-visibility: auto`", (STATE + "test_the_sections_that_showed_show_where_others_are_skipped", "shown: 2.16 ")),
    FoundFault("2.17", "sheets, charsets, scopes, pictures as documents, areas, controls of films", (SHEETS + "test_sheets_in_data_addresses", SHEETS + "test_the_charset_of_a_sheet_that_says_none", SHEETS + "test_a_scope_without_a_root_is_its_parent", "player/test_area.py::test_an_area_that_has_the_focus_has_its_ring", FILMS + "test_the_browsers_own_controls_show_the_length_and_the_place_and_turn_no_wheel", "shown: 2.17 "), "rings and controls: each engine draws its own"),
    FoundFault("2.18", "small truths", (FAULTS + "test_a_moment_that_there_is_not_is_said", SMALL + "test_an_address_that_changes_to_a_moment_that_there_is_not_leaves_the_replay_where_it_is", "cli/test_reading.py::test_a_kind_of_event_that_there_is_not_is_said", "recorder/test_sync.py::test_a_recording_that_is_replaced_is_said_once_and_may_be_refused", "recorder/test_sync.py::test_the_first_moments_of_a_popup_are_told_by_its_snapshot_and_are_no_gap", SMALL + "test_what_a_browser_asks_for_by_itself_and_what_a_page_gives_up_are_no_failures", SMALL + "test_a_step_that_came_to_its_end_without_a_word_is_done", "cli/test_reading.py::test_a_replay_and_an_archive_go_by_their_own_names", SMALL + "test_people_count_steps_from_one_and_programs_have_their_ids")),
    FoundFault("2.19", "what a failing test needs", ("recorder/test_console.py::test_the_browsers_own_messages_are_recorded_once_beside_the_scripts", "recorder/test_console.py::test_frames_of_other_processes_write_to_the_same_console", FAULTS + "test_a_replay_that_opens_at_its_failure_shows_it_in_the_story", SCROLLED + "test_who_saw_a_page_scrolled_finds_it_so_in_the_replay", SCROLLED + "test_a_scroll_comes_after_what_made_it", SMALL + "test_calls_that_poll_are_one_line")),
)  # fmt: skip
"""By the paragraph of the list in which it was found."""


def make_table() -> list[str]:
    """Return the faults that were found as a Markdown table."""
    rows = ["| | what was found | tests | in three engines | left |", "|---|---|---|---|---|"]
    for each in FOUND:
        tests = [f"`{test.partition('::')[2]}`" for test in each.tests if "::" in test]
        shown = "yes" if any(_runs_in_three_engines(test) for test in each.tests) else ""
        rows.append(f"| {each.number} | {each.what} | {'; '.join(tests)} | {shown} | {each.left} |")
    return rows


def _runs_in_three_engines(test: str) -> bool:
    """Return whether a test shows its replay in Chromium, Firefox and WebKit."""
    return test.startswith(("shown: ", ENGINES, FAULTS))


def main(arguments: list[str]) -> int:
    """Print the table, or write it into a report."""
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity.found", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--report", type=Path, help="the page whose section is replaced, docs/fidelity.md say")
    options = parser.parse_args(arguments)
    if options.report:
        from . import report  # what it needs is not needed to read the table

        report.replace_section(options.report, make_table(), report.FOUND)
    else:
        print("\n".join(make_table()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
