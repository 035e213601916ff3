"""What the breakages switch off: a text in the injector's sources, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass

OFF = "collect(ops: Op[]): void {"
NEVER = "if (ops) return;"


@dataclass(frozen=True)
class Breakage:
    """In `file` (below injector_js/src) `text` becomes `instead`, and `case` must fail."""

    name: str
    case: str
    file: str
    text: str
    instead: str


BREAKAGES = (
    Breakage("CSSOM and adopted sheets", "cssom", "state/sheets.ts", "collect(ops: Op[], full: boolean, must = true): void {",
             "collect(ops: Op[], full: boolean, must = true): void { if (ops || full || must) return;"),
    Breakage("form state", "forms", "state/controls.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("scroll offsets", "scrollers", "state/scroll.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("top layer", "layers", "state/toplayer.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("focus and selection", "editing", "state/focus.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("shadow roots", "shadow", "encoding/encode.ts", "const root = shadowRoot(element);",
             "const root = null as ShadowRoot | null;"),
    Breakage("canvases", "canvas", "session.ts", "...picture }, picture.base64.length)",
             "...picture, k: 'none' }, picture.base64.length)"),
    Breakage("animations", "motion", "state/animations.ts", OFF, f"{OFF} {NEVER}"),
    Breakage("attributes that change", "text", "changes.ts", 'if (type === "attributes") {',
             'if (type === "attributes" && target === null) {'),
)  # fmt: skip
