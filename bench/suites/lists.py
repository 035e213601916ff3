"""Lists the tests that are run of each project."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Suite:
    """The end-to-end tests of another project. `folder` is where pytest is started, `tests` are node ids there."""

    repository: str
    commit: str
    """The one that the lists below were made for; others may do."""
    packages: tuple[str, ...]
    folder: str
    options: tuple[str, ...]
    tests: tuple[str, ...]
    broken: tuple[str, ...]
    """Of `tests`, those that are made to fail."""


def _make_node_ids(module: str, *names: str) -> tuple[str, ...]:
    """Return the pytest node ids of tests in one module."""
    return tuple(f"{module}::{name}" for name in names)


_STREAMLIT = (
    *_make_node_ids(
        "app_hotkeys_test.py", "test_shows_clear_cache_dialog_when_c_is_pressed", "test_reruns_when_r_is_pressed"
    ),
    *_make_node_ids(
        "st_button_test.py",
        "test_value_correct_on_click",
        "test_reset_on_other_widget_change",
        "test_click_calls_callback",
        "test_click_increment_count",
    ),
    *_make_node_ids("st_chat_input_test.py", "test_enter_submits_clears_input", "test_calls_callback_on_submit"),
    *_make_node_ids(
        "st_dataframe_interactions_test.py", "test_dataframe_toolbar_on_toolbar_hover", "test_csv_download_button"
    ),
    *_make_node_ids("st_date_input_test.py", "test_handles_date_selection", "test_handle_value_changes"),
    *_make_node_ids(
        "st_dialog_test.py", "test_dialog_closes_properly", "test_dialog_is_scrollable", "test_dialog_with_chart"
    ),
    *_make_node_ids("st_expander_test.py", "test_expander_collapses_and_expands"),
    *_make_node_ids(
        "st_file_uploader_test.py", "test_uploads_multiple_files_one_by_one_quickly", "test_works_inside_form"
    ),
    *_make_node_ids(
        "st_multiselect_test.py",
        "test_multiselect_clear_all",
        "test_multiselect_deselect_option",
        "test_multiselect_max_selections_form",
    ),
    *_make_node_ids("st_number_input_test.py", "test_number_input_has_correct_value_on_arrow_up"),
    *_make_node_ids("st_popover_test.py", "test_applying_changes_from_popover_container", "test_show_tooltip_on_hover"),
    *_make_node_ids("st_rerun_test.py", "test_fragment_scoped_st_rerun", "test_clears_stale_elements_correctly"),
    *_make_node_ids("st_selectbox_test.py", "test_handles_option_selection_via_typing"),
    *_make_node_ids("st_text_input_test.py", "test_calls_callback_on_change"),
    *_make_node_ids(
        "websocket_reconnects_test.py",
        "test_retain_session_state_when_websocket_connection_drops_and_reconnects",
        "test_retain_captured_pictures_when_websocket_connection_drops_and_reconnects",
    ),
)

_SHINY = (
    "bookmark/modal/test_bookmark_modal.py",
    "bookmark/modules/test_bookmark_modules.py",
    "bugs/0676-row-selection/test_0676_row_selection.py",
    "bugs/2013-selectize-set-does-not-clear/test_app_selectize.py",
    "components/MarkdownStream/basic/test_stream_basic.py",
    "components/accordion/test_accordion.py",
    "components/busy_indicators/test_busy_indicators.py",
    "components/card-input/test_card-input.py",
    "components/chat/basic/test_chat_basic.py",
    "components/chat/stream/test_chat_stream.py",
    "components/data_frame/html_columns/test_edit_cell_content.py",
    "components/data_frame/row_selection/test_row_selection.py",
    "components/data_frame/update_cell_value/test_cell_value.py",
    "components/download_button/test_download_button_kitchensink.py",
    "components/dynamic_navs/test_navs_dynamic.py",
    "components/layout_columns/test_layout_columns.py",
    "components/navset_hidden/test_nav_hidden.py",
    "components/popover/update_popover/test_popover.py",
    "components/tooltip/update_tooltip/test_tooltip.py",
    "components/value_box/smoke/test_valuebox.py",
    "experimental/card/kitchensink/test_card_ks.py",
    "inputs/accordion_kitchensink/test_accordion_kitchensink.py",
    "inputs/input_datepicker/test_datepicker.py",
    "inputs/input_file/test_input_file.py",
    "inputs/input_slider_timezone/test_input_slider_timezone.py",
    "inputs/input_task_button/test_input_task_button.py",
    "inputs/sidebar_kitchensink/test_sidebar_kitchensink.py",
    "inputs/test_input_password.py",
    "inputs/test_inputs_update.py",
    "session/flush/test_on_flush.py",
)

SUITES = {
    "streamlit": Suite(
        repository="github.com/streamlit/streamlit",
        commit="2db81f7f72017dd25a16eb7bd96ca0b327ef283d",
        packages=("streamlit==1.40.0", "pixelmatch", "matplotlib", "plotly", "bokeh==2.4.3"),
        folder="e2e_playwright",
        options=(),
        tests=_STREAMLIT,
        broken=_make_node_ids("st_date_input_test.py", "test_handles_date_selection")
        + _make_node_ids("st_dialog_test.py", "test_dialog_with_chart")
        + _make_node_ids("st_multiselect_test.py", "test_multiselect_max_selections_form"),
    ),
    "py-shiny": Suite(
        repository="github.com/posit-dev/py-shiny",
        commit="862411ec6f54c3221c1cb4b9688d746582355fd3",
        packages=(
            "shiny",
            "pandas",
            "polars",
            "pyarrow",
            "great_tables",
            "matplotlib",
            "shinywidgets",
            "palmerpenguins",
            "faicons",
        ),
        folder=".",
        options=("--numprocesses", "0"),
        tests=tuple(f"tests/playwright/shiny/{path}" for path in _SHINY),
        broken=(
            "tests/playwright/shiny/components/data_frame/row_selection/test_row_selection.py",
            "tests/playwright/shiny/components/chat/stream/test_chat_stream.py",
            "tests/playwright/shiny/inputs/test_inputs_update.py",
        ),
    ),
}
