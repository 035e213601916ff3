"""Words that Playwright itself defines, in the arguments of its calls: states, roles, buttons, keys. They are nobody's and tell the story.

A parameter's value is one of these words only under the parameter that takes it: ``state="attached"`` is Playwright's, an address's
``state`` is none of its words.
"""

from __future__ import annotations

import re

from pagereel.reel import Json

from ..contracts.channels import METHODS, NAMED_KEYS

_LOADED = "commit domcontentloaded load networkidle"
_MODIFIERS = "Alt Control ControlOrMeta Meta Shift"
_ROLES = """
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary
    contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion
    link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note
    option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider
    spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
    treeitem
"""
_EVENTS = """
    backgroundpage close console crash dialog disconnected dom domcontentloaded download filechooser frameattached framedetached framenavigated
    framereceived framesent load page pageerror popup request requestfailed requestfinished response serviceworker socketerror webError websocket
    worker
"""
_ERRORS = """
    aborted accessdenied addressunreachable blockedbyclient blockedbyresponse connectionaborted connectionclosed connectionfailed
    connectionrefused connectionreset internetdisconnected namenotresolved timedout failed
"""
_PERMISSIONS = """
    accelerometer ambient-light-sensor background-sync camera clipboard-read clipboard-write geolocation gyroscope local-fonts
    local-network-access magnetometer microphone midi midi-sysex notifications payment-handler storage-access
"""
_EXPECTED = """
    to.be.attached to.be.checked to.be.detached to.be.disabled to.be.editable to.be.empty to.be.enabled to.be.focused to.be.hidden to.be.in.viewport
    to.be.readonly to.be.unchecked to.be.visible to.contain.class.array to.contain.text to.contain.text.array to.have.accessible.description
    to.have.accessible.error.message to.have.accessible.name to.have.attribute to.have.attribute.value to.have.class to.have.class.array to.have.count
    to.have.css to.have.id to.have.property to.have.role to.have.text to.have.text.array to.have.title to.have.url to.have.value
    to.have.values to.match.aria to.match.snapshot
"""
VALUES: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for names, words in {
        "state": f"attached detached visible hidden enabled disabled stable editable checked unchecked indeterminate {_LOADED}",
        "wait_until": _LOADED,
        "button": "left middle right",
        "modifiers": _MODIFIERS,
        "role expected_role": _ROLES,
        "event wait_for_event": _EVENTS,
        "expression": _EXPECTED,
        "error_code": _ERRORS,
        "permissions": _PERMISSIONS,
        "color_scheme": "dark light no-preference no-override null",
        "reduced_motion": "reduce no-preference no-override null",
        "forced_colors": "active none no-override null",
        "contrast": "more no-preference no-override null",
        "media": "print screen null no-override",
        "animations": "allow disabled",
        "caret": "hide initial",
        "scale": "css device",
        "type": "jpeg png webp log debug info error warning dir dirxml table trace clear startGroup startGroupCollapsed endGroup assert profile "
        "profileEnd count timeEnd alert beforeunload confirm prompt",
        "format": "A0 A1 A2 A3 A4 A5 A6 Legal Letter Tabloid Ledger",
        "behavior": "default ignoreErrors wait auto instant smooth",
        "service_workers": "allow block",
        "accept_downloads": "accept deny internal-browser-default",
        "record_har_content update_content content": "attach embed omit",
        "record_har_mode update_mode mode": "full minimal ai default",
        "not_found": "abort fallback",
        "polling": "raf",
        "filter": "all since-navigation",
        "scroll": "auto none",
        "same_site": "Lax None Strict",
        "method": " ".join(METHODS),
        "resource_type": "document stylesheet image media font script texttrack xhr fetch eventsource websocket manifest other",
        "channel": "chromium chrome chrome-beta chrome-dev chrome-canary msedge msedge-beta msedge-dev msedge-canary",
        "screen_orientation": "landscape portrait",
        "test_id_attribute_name": "data-testid data-test data-test-id data-cy data-qa",
    }.items()
    for name in names.split()
}
"""Parameter, as in Python → the words that it takes."""
_KEYS = NAMED_KEYS | {"Space", "PrintScreen", "ControlOrMeta", "ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight"}  # fmt: skip
_HELD = re.compile(r"(?:(?:Alt|Control|ControlOrMeta|Meta|Shift|ShiftLeft|ControlLeft|AltLeft)\+)+")
_CODE = re.compile(r"(?:Key)?[A-Za-z]|(?:Digit)?\d|[-=,./;']")


def is_own(name: str, value: Json) -> bool:
    """Return whether an argument is a word that Playwright defines for this parameter, or a list of such words."""
    if isinstance(value, list):
        return bool(value) and all(is_own(name, item) for item in value)
    if not isinstance(value, str):
        return False
    return value in VALUES.get(name, ()) or (name in ("key", "keys") and _is_key(value))


def _is_key(value: str) -> bool:
    """Return whether this is a key with a name, or a shortcut, which types nothing: ``Control+Shift+ArrowLeft``, ``Meta+K``."""
    held = _HELD.match(value)
    last = value[held.end() :] if held else value
    return last in _KEYS or (held is not None and held.group() != "Shift+" and _CODE.fullmatch(last) is not None)
