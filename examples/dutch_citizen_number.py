"""A recognizer of one's own, of Presidio's class: the Dutch citizen number, nine digits that pass the eleven test.

python examples/dutch_citizen_number.py run.reel run.html
"""

from __future__ import annotations

import sys

from presidio_analyzer import Pattern, PatternRecognizer

from pagereel import build


class DutchCitizenNumber(PatternRecognizer):
    """Presidio asks `validate_result` about each match: True makes it certain, False drops it."""

    def __init__(self) -> None:
        super().__init__(supported_entity="NL_BSN", patterns=[Pattern("nine digits", r"\b\d{9}\b", 0.3)])

    def validate_result(self, pattern_text: str) -> bool:
        weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
        return sum(int(digit) * weight for digit, weight in zip(pattern_text, weights, strict=True)) % 11 == 0


if __name__ == "__main__":
    print(build(sys.argv[1], sys.argv[2], recognizers=[DutchCitizenNumber()]).redaction)
