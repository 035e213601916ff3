"""Mask the attributes of a document's elements, each by its role."""

from __future__ import annotations

import re

from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from ..detect.cues.label_entities import find_label_entity
from ..words.program_names import is_program_text
from .attribute_roles import ENUMERATED, FREE_VALUES, find_attribute_role
from .document_nodes import DocumentNodes, NodeInfo
from .form_controls import make_valid_control_value
from .styled_attributes import mask_attribute_by_role, mask_selected_value
from .text_masker import TextMasker

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_ROOT_PROPERTIES = frozenset({"mode", "delegatesFocus", "slotAssignment", "clonable", "serializable"})
"""Attributes of a shadow root that are kept."""
_SOFTWARE = frozenset({"application-name", "apple-mobile-web-app-title", "generator", "og:site_name"})
"""Names of ``<meta>`` elements whose content is the name of a program or of the site."""


class AttributeMasker:
    """Masks the attributes of the elements of one document."""

    def __init__(self, nodes: DocumentNodes, texts: TextMasker, sink: Sink, policy: Policy) -> None:
        self._nodes = nodes
        self._texts = texts
        self._sink = sink
        self._policy = policy

    def mask_attributes(self, tag: str, attrs: dict[str, str], info: NodeInfo) -> dict[str, str]:
        if tag.startswith("#"):
            return {k: v for k, v in attrs.items() if k in _ROOT_PROPERTIES}
        if tag == "meta" and (attrs.get("name") or attrs.get("property") or "").lower() in _SOFTWARE:
            self._sink.learn_program_name(attrs.get("content", ""))
        out = {}
        for name, value in attrs.items():
            rule = self._policy.find_rule_action("attribute", name)
            if rule == "drop":
                continue
            role = (
                "keep"
                if rule == "allow"
                else ("text" if rule == "mask" else find_attribute_role(tag, name, value, self._sink.form))
            )
            shown = None if role == "drop" else self.mask_attribute_name(tag, name)
            if shown is not None:
                out[shown] = self._mask_attribute_value(role, tag, name, value, info)
        return out

    def mask_attribute_name(self, tag: str, name: str) -> str | None:
        """Return an attribute's name with known values replaced, in the same way as in the selectors of style sheets,
        or None if the result is not a valid name.
        """
        shown = self._sink.visit_harmless(name, Slot("dom.attribute")) if "-" in name or "-" in tag else name
        return shown if shown == name or _NAME.fullmatch(shown) else None

    def _mask_attribute_value(self, role: str, tag: str, name: str, value: str, info: NodeInfo) -> str:
        slot = Slot(f"dom.attribute.{name}" if role != "empty" else "dom.attribute")
        if role == "text" and name == "label" and tag in ("option", "optgroup"):
            held = [""]
            self._texts.write_option(value, info, held, 0)
            return held[0]
        if role == "value" and name == "aria-valuenow":
            shown = self._sink.visit_private_value(value, Slot("dom.value", self._nodes.build_control_label(info)))
            ends = {end: info.attrs.get(f"aria-value{end}", "") for end in ("min", "max")}
            return make_valid_control_value(
                "number" if info.attrs.get("role") == "spinbutton" else "range", shown, ends, value
            )
        if role == "value" and name.lower() != "target" and name.lower() not in ENUMERATED:
            return self._mask_value_attribute(tag, value, info)
        if role != "empty":
            return mask_attribute_by_role(role, value, self._sink, slot)
        if value and find_label_entity(name.removeprefix("data-")) and not is_program_text(value):
            self._sink.visit_private_value(value, Slot("dom.attribute", name.removeprefix("data-")))  # learned only
        return ""

    def _mask_value_attribute(self, tag: str, value: str, info: NodeInfo) -> str:
        kind = info.attrs.get("type", "").lower()
        if tag == "button" or kind in FREE_VALUES:
            return self._sink.visit_text(value, Slot("dom.caption"))
        if tag == "option" or (tag == "input" and kind in ("checkbox", "radio")):
            return mask_selected_value(value, self._sink) if self._sink.form.selects_value("value", value) else ""
        if kind == "hidden":
            self._sink.visit_credential(value, Slot("dom.hidden", self._nodes.build_control_label(info)))
            return ""
        if not value:
            return value
        return make_valid_control_value(
            kind,
            self._sink.visit_private_value(value, Slot("dom.value", self._nodes.build_control_label(info))),
            info.attrs,
            value,
        )
