"""The table of pseudo-classes that a replay replaces by attribute selectors, because the browser cannot know them."""

from __future__ import annotations

from typing import Final

PSEUDO: Final[dict[str, str]] = {
    "hover": "[data-pagereel-hover]",
    "active": "[data-pagereel-active]",
    "focus": "[data-pagereel-focus]",
    "focus-visible": "[data-pagereel-focus-visible]",
    "focus-within": "[data-pagereel-focus-within]",
    "target": "[data-pagereel-target]",
    "visited": "[data-pagereel-visited]",
    "user-invalid": "[data-pagereel-user-invalid]",
    "user-valid": "[data-pagereel-user-valid]",
    "fullscreen": "[data-pagereel-fullscreen]",
    "-webkit-full-screen": "[data-pagereel-fullscreen]",
    "autofill": "[data-pagereel-autofill]",
    "-webkit-autofill": "[data-pagereel-autofill]",
    # Details and dialogs are open in the replay as they were; the list of a control is not.
    "open": ":is(:open, [data-pagereel-open])",
    # Scripts say so of custom elements, and with setCustomValidity() of fields, and so is what is half typed: the browser still says the rest.
    "disabled": ":is(:disabled, [data-pagereel-disabled])",
    "enabled": ":is(:enabled, [data-pagereel-enabled])",
    "invalid": ":is(:invalid, [data-pagereel-invalid])",
    "valid": ":is(:valid, [data-pagereel-valid]):where(:not([data-pagereel-invalid]))",
    # Custom elements are never defined in the replay; all count as defined but for those that the recording names.
    "defined": ":not([data-pagereel-undefined])",
    # Whoever watches has a history of their own, which must not show.
    "link": ":any-link",
}
"""Pseudo-classes whose truth depends on a person, a pointer or a script, and what stands for them."""
