"""Mask the text nodes of a document: runs of nodes that are read as one text, boxes of one letter each, and text whose element decides how it is masked."""

from __future__ import annotations

from typing import Any

from ..contracts.policy import Policy
from ..contracts.sink import Sink, Slot
from ..normalise.spelled_text import iter_boxed_unknown_words, may_be_name_or_number
from .boxed_numbers import is_digit_group, iter_number_spans, split_by_weights
from .document_nodes import DocumentNodes, NodeInfo
from .form_controls import (
    consists_of_program_words,
    is_command_value,
    is_impersonal_option,
    is_user_name_like,
)
from .name_parts import (
    FULL_NAME,
    HALVES,
    find_family_name_at_start,
    find_given_name_at_end,
    iter_split_names,
    may_be_name_part,
    split_after_first_word,
)
from .reversed_text import mask_reversed_text

OPTION = "Option"
"""The neutral text of an option or a group whose number is unknown."""
USER_NAME = "User name"
"""The label under which a user name in a list of people is searched, so that it becomes a known value."""
CODE, WRITTEN = "dom.code", "dom.code.written"
"""Channels of source code that is shown, and of source code that somebody may be editing."""
_CODES = (CODE, WRITTEN)
_JOINTS = "-/.+()"
"""Characters between the digits of a number that may stand in a box of their own."""
_EMPTY_TEXT = frozenset({"script", "object"})
_Piece = tuple[list[Any], int, str, int]
"""Where a text is written (a list and an index in it), the text, and its node."""


class TextMasker:
    """Masks the texts of one document. Adjacent text nodes that are read as one text make a run, which is masked when
    it ends.
    """

    def __init__(self, d: int, nodes: DocumentNodes, sink: Sink, policy: Policy) -> None:
        self._d = d
        self._nodes = nodes
        self._sink = sink
        self._policy = policy
        self._run: list[_Piece] = []
        self._run_slot = Slot("dom.text")
        self._letters: list[tuple[_Piece, Slot]] = []
        """Adjacent texts of one letter each, in boxes of their own, with their slots."""
        self._groups: list[tuple[list[_Piece], str, Slot]] = []
        """Adjacent texts of a few digits each, in boxes of their own."""
        self._aside: list[_Piece] = []
        """The collected ruby texts, which are shown above another text and read by themselves."""
        self._row: list[tuple[list[_Piece], str, Slot]] = []
        """The last cells of a row, or adjacent blocks, that are one word each and may be parts of a name."""
        self._in_row = False
        self._given = ""
        """The given name at the end of the previous line in the same block, or the empty string."""
        self.masked: set[int] = set()
        """Text nodes whose text was changed by masking."""

    @property
    def one_letter_text_count(self) -> int:
        """The number of collected texts of one letter each, not masked yet."""
        return len(self._letters)

    @property
    def digit_box_count(self) -> int:
        """The number of collected boxes of a few digits each, not masked yet."""
        return len(self._groups)

    def add_text_node(
        self, text: str, parent: int, out: list[Any], index: int, node: int, changed_in_place: bool = False
    ) -> None:
        """Add a text node to the current run, or mask the node at once if its parent requires that.

        :param changed_in_place: a mutation changed the text in place. In an editor such a text is a form value, and is searched
            for elsewhere.
        """
        info = self._nodes.get(parent)
        tag = info.tag if info else ""
        code = bool(text.strip()) and self._nodes.is_source_code(parent)
        if tag == "style" or tag == "svg|style":
            out[index] = self._sink.visit_css(text, Slot("dom.style"))
        elif tag in _EMPTY_TEXT or tag == "svg|script":
            out[index] = ""
        elif tag == "textarea":
            out[index] = (
                self._sink.visit_private_value(text, Slot("dom.value", self._nodes.build_control_label(info)))
                if text.strip()
                else text
            )
        elif tag in ("option", "optgroup"):
            self.write_option(text, info, out, index)
        elif text.strip() and not code and self._nodes.is_editable(parent):
            slot = Slot("dom.editable", self._nodes.build_control_label(info))
            out[index] = (
                self._sink.visit_typed_value(text, slot, (self._d, node))
                if changed_in_place
                else self._sink.visit_body_leaf(text, slot)
            )
        elif (action := self._nodes.find_selector_action(parent)) is not None:
            out[index] = self.mask_by_user_rule(action, text, Slot("dom.text"))
        else:
            if (self._d, node) in self._sink.split and text.strip():
                out[index] = self._sink.visit_private_value(text, Slot("dom.split"))
                self.masked.add(node)
                return
            if self._nodes.is_ruby_annotation(parent):
                self._aside.append((out, index, text, node))
                return
            if text.strip() and self._nodes.shows_letters_reversed(parent):
                out[index] = mask_reversed_text(text, self._sink)
                self._record_whether_masked(node, out[index] != text)
                return
            if code:
                slot = Slot(WRITTEN if self._nodes.is_editable(parent) else CODE)
            else:
                slot = Slot("dom.title" if tag == "title" else "dom.text", self._nodes.find_text_label(parent, text))
            if self._run and text.strip() and (slot.channel in _CODES) != (self._run_slot.channel in _CODES):
                self.end_text_run()
            if self._run and slot.label != self._run_slot.label and text.strip():
                self.end_text_run()  # a label beside its value is no part of a sentence
            if not self._run:
                self._run_slot = slot
            self._run.append((out, index, text, node))
            return
        # An option's text may be hidden later, together with the others of its select.
        self._record_whether_masked(node, out[index] != text or tag in ("option", "optgroup"))

    def write_option(self, text: str, info: NodeInfo | None, out: Any, index: Any) -> None:
        """Write an option's text: its own words if they are not personal, else ``Option 2 of 4``."""
        if not text.strip():
            out[index] = text
            return
        if self._policy.option_text == "detect":
            out[index] = self._sink.visit_text(text, Slot("dom.option"))
            return
        choices = self._nodes.find_options_of_enclosing_select(info)
        nth = info.cells if info is not None and info.tag == "option" else 0
        if choices is None:
            self._sink.visit_text(text, Slot("dom.option"))  # only so that the text is learned
            out[index] = OPTION
            return
        slot = Slot("dom.option", USER_NAME if choices.people and is_user_name_like(text) else "")
        masked = (self._sink.visit_harmless if choices.is_everybodys(text) else self._sink.visit_text)(text, slot)
        if choices.rights and self._policy.option_text != "constant":
            out[index] = masked
            return
        value = info.attrs.get("value", "") if info is not None else ""
        own = (
            is_impersonal_option(text)
            or choices.is_everybodys(text)
            or is_command_value(value)
            or self._sink.is_translation_string(text)
            or (choices.states and consists_of_program_words(value))
        )
        if not choices.personal and (masked != text or not (own or choices.may_show_option(text, value))):
            choices.hide_all_options()
        empty = info is not None and info.attrs.get("value") == ""
        instead = (
            choices.find_replacement_text(text, masked, nth, empty) if self._policy.option_text != "constant" else None
        )
        if instead is None and (choices.personal or self._policy.option_text == "constant"):
            out[index] = choices.build_neutral_text(nth) if nth else OPTION
            return
        if instead is not None and (choices.personal or instead == text):
            out[index] = instead
            return
        out[index] = text
        if nth:
            choices.shown.append((out, index, nth))

    def end_text_run(self, is_last: bool = False) -> None:
        """End the current run, and mask its pieces as one text.

        :param is_last: no other run follows.
        """
        run, self._run = self._run, []
        text = "".join(piece[2] for piece in run).strip()
        if text:
            self._report_name_across_lines(text)
        if is_digit_group(text) and (len(text) > 1 or any(group[:1] == "+" for _, group, _ in self._groups)):
            self._groups.append((run, text, self._run_slot))
            run, text = [], ""
        elif text:
            self.mask_split_numbers()
        if is_last:
            self.mask_split_numbers()
        if len(text) == 1 and (text.isalnum() or (self._letters and text in _JOINTS)):
            self._letters += [(piece, self._run_slot) for piece in run]
            run = []
        elif text:
            self.mask_spelled_out_words()
        if is_last:
            self.mask_spelled_out_words()
        label = self._run_slot.label.casefold()
        if may_be_name_part(text) and (not label or label in HALVES):
            self._row.append((run, text, self._run_slot))
            run = []
        elif text:
            self.mask_split_names()
        self._write_masked_run(run)
        if is_last:
            self.mask_split_names()
            self.end_ruby_annotation()

    def _report_name_across_lines(self, text: str) -> None:
        """Give the sink a name that begins at the end of one line and ends at the start of the next as one text."""
        if self._given and (family := find_family_name_at_start(text)):
            self._sink.visit_text(f"{self._given} {family}", self._run_slot._replace(label=FULL_NAME))
        self._given = find_given_name_at_end(text)

    def end_block(self) -> None:
        """End a block element: names, numbers and words do not continue behind it."""
        self.end_text_run()
        self._given = ""

    def end_ruby_annotation(self) -> None:
        """Mask the collected ruby texts, which a browser shows above another text, as one text."""
        aside, self._aside = self._aside, []
        self._write_masked_run(aside, Slot("dom.text"))

    def enter_or_leave_row(self, is_entering: bool) -> None:
        """Begin or end a table row, whose adjacent cells may hold one name."""
        self.end_text_run()
        self.mask_split_names()
        self._in_row = is_entering

    def mask_split_names(self) -> None:
        """Mask the collected cells or blocks of one word each. Two adjacent ones that make a name are masked as one
        text.
        """
        row, self._row = self._row, []
        at = 0
        for start in iter_split_names([said for _, said, _ in row], in_one_column=not self._in_row):
            for run, _, slot in row[at:start]:
                self._write_masked_run(run, slot)
            (first, one, slot), (second, two, _) = row[start : start + 2]
            shown = self._sink.visit_text(f"{one} {two}", slot._replace(label=FULL_NAME))
            for run, part in zip((first, second), split_after_first_word(shown), strict=True):
                self._write_to_first_piece(run, part)
            at = start + 2
        for run, _, slot in row[at:]:
            self._write_masked_run(run, slot)

    def _write_to_first_piece(self, run: list[_Piece], masked_text: str) -> None:
        """Write a masked text into the first piece of a run that has text, and empty the run's other pieces."""
        for out, index, said, node in run:
            out[index], masked_text = (masked_text, "") if said.strip() else (said, masked_text)
            self._record_whether_masked(node, out[index] != said)

    def mask_split_numbers(self) -> None:
        """Mask the collected boxes of a few digits each where they together make a card, telephone or account number."""
        row, self._groups = self._groups, []
        said = [group for _, group, _ in row]
        at = 0
        for start, end in iter_number_spans(said):
            for run, _, slot in row[at:start]:
                self._write_masked_run(run, slot)
            shown = self._sink.visit_private_value(" ".join(said[start:end]), Slot("dom.spelled"))
            parts = split_by_weights(shown, [len(group) for group in said[start:end]])
            for (run, _, _), part in zip(row[start:end], parts, strict=True):
                for number, (out, index, _, node) in enumerate(run):
                    out[index] = part if number == 0 else ""
                    self._record_whether_masked(node, True)
            at = end
        for run, _, slot in row[at:]:
            self._write_masked_run(run, slot)

    def mask_spelled_out_words(self, first_index: int = 0) -> None:
        """Mask the collected boxes of one letter each where they spell a possible name or card number.

        :param first_index: the index of the first letter that counts.
        """
        row, self._letters = self._letters[first_index:], self._letters[:first_index]
        word = "".join("".join(piece[2] for piece, _ in row).split())
        if not may_be_name_or_number("".join(c for c in word if c not in _JOINTS)):
            for piece, slot in row:
                self._write_masked_run([piece], slot)
            return
        shown = self._sink.visit_private_value(word, Slot("dom.spelled"))
        parts = split_by_weights(shown, [len("".join(said.split())) for (_, _, said, _), _ in row])
        for ((out, index, said, node), _), part in zip(row, parts, strict=True):
            out[index] = ("" if part == said.strip() else part) if said.strip() and shown != word else said
            self._record_whether_masked(node, bool(said.strip()))

    def _write_masked_run(self, run: list[_Piece], slot: Slot | None = None) -> None:
        if not run:
            return
        pieces = [text for _, _, text, _ in run]
        masked = pieces if not any(p.strip() for p in pieces) else self._mask_pieces(pieces, slot or self._run_slot)
        for (out, index, said, node), text in zip(run, masked, strict=True):
            out[index] = text
            self._record_whether_masked(node, text != said)

    def _mask_pieces(self, pieces: list[str], slot: Slot) -> list[str]:
        """Return pieces that are read as one text, masked. Unknown words and names that the pieces spell only
        together are masked as well.
        """
        if slot.channel in _CODES:
            return self._sink.visit_code_nodes(pieces, slot, slot.channel == WRITTEN)
        masked = list(self._sink.visit_text_nodes(pieces, slot))
        for start, end in iter_boxed_unknown_words(pieces):
            if masked[start:end] == pieces[start:end]:
                word = self._sink.visit_private_value("".join(pieces[start:end]), Slot("dom.spelled"))
                masked[start:end] = split_by_weights(word, [1] * (end - start))
        for start in iter_split_names(pieces):
            if masked[start : start + 2] == pieces[start : start + 2]:
                both = self._sink.visit_text(" ".join(pieces[start : start + 2]), slot._replace(label=FULL_NAME))
                masked[start : start + 2] = split_after_first_word(both)
        return masked

    def _record_whether_masked(self, node: int, masked: bool) -> None:
        if masked:
            self.masked.add(node)
        else:
            self.masked.discard(node)

    def mask_by_user_rule(self, action: str | None, text: str, slot: Slot) -> str:
        """Return a text masked by the action of the user's rule for its element.

        ``allow`` replaces only known values, ``mask`` replaces the whole text, ``drop`` returns the empty string.
        Without a rule (None) the text is masked as any text that people read.
        """
        if action is None:
            return self._sink.visit_text(text, slot)
        if action == "drop":
            return ""
        return (
            self._sink.visit_harmless(text, slot) if action == "allow" else self._sink.visit_private_value(text, slot)
        )
