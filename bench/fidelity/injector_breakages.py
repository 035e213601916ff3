"""Lists the breakages: texts in the injector's sources that are replaced so that one thing is not captured."""

from __future__ import annotations

from dataclasses import dataclass

OFF = "collect(ops: Op[]): void {"
COMPARE = "private compare(id: number, seen: Seen, ops: Op[]): void {"
NEVER = "if (ops) return;"


@dataclass(frozen=True)
class Breakage:
    """A text in `file`, below injector_js/src, that is replaced by `instead`; then `case`, and `tests` below tests/, must fail."""

    name: str
    case: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...] = ("recorder/test_everything.py",)


UNSEEN = "recorder/test_unseen.py::"
PULSE = "poll(ops: Op[]): void {"

BREAKAGES = (
    Breakage("CSSOM and adopted sheets", "cssom", "state/sheets.ts", "private visit(ops: Op[], full: boolean): void {",
             "private visit(ops: Op[], full: boolean): void { if (ops || full) return;"),
    Breakage("form state", "forms", "state/controls.ts", COMPARE, f"{COMPARE} {NEVER}"),
    Breakage("scroll offsets", "scrollers", "state/scroll.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("top layer", "layers", "state/top-layer.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("focus and selection", "editing", "state/focus.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("shadow roots", "shadow", "dom.ts", "openRoot(element) ?? closedRoots?.get(element) ?? null;",
             "openRoot(element) && closedRoots ? null : null;"),
    Breakage("canvases", "canvas", "parts.ts", 'stream.emit("canvas", {', 'stream.emit("none", {'),
    Breakage("animations", "motion", "state/animations.ts", "private look(ops: Op[]): void {", f"private look(ops: Op[]): void {{ {NEVER}"),
    Breakage("attributes that change", "text", "changes.ts", 'if (type === "attributes") {',
             'if (type === "attributes" && target === null) {'),
    Breakage("audio and video", "media", "state/media.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("what images chose", "images", "state/chosen-sources.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("states that only pseudo-classes tell", "forms", "state/pseudo-classes.ts", PULSE, f"{PULSE} {NEVER}",
             (UNSEEN + "test_states_that_only_pseudo_classes_tell_are_recorded",)),
    Breakage("fonts made by script", "fonts", "state/fonts.ts", "given(candidates: readonly LoadedFont[]): void {",
             "given(candidates: readonly LoadedFont[]): void { if (candidates) return;",
             (UNSEEN + "test_fonts_made_by_script_are_recorded_where_there_is_no_doubt_which_they_are",)),
    Breakage("what objects and embeds show", "frames", "state/embedded.ts", PULSE, f"{PULSE} {NEVER}"),
    Breakage("addresses without a load", "history", "state/window-state.ts", "if (url !== this.url) {", "if (url !== this.url && url === '') {"),
)  # fmt: skip

LAYERS = (
    ("canvases", "canvas"),
    ("audio and video", "media"),
    ("media's bytes", "media"),
    ("image's bytes", "images"),
    ("stylesheet's bytes", "css"),
    ("font's bytes", "fonts"),
    ("CSSOM and adopted sheets", "cssom"),
    ("scroll offsets", "scrollers"),
    ("fonts made by script", "fonts"),
    ("states that only pseudo-classes tell", "shadow"),
)
"""What the claim must fall with, and the case: a breakage above, or the bytes of a type of requests."""
