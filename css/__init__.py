"""Reads style sheets the way browsers do, for the build, the redaction and the export to rrweb.

tinycss2 splits a text into the tokens of css-syntax-3. This package finds the position of each token in the text, and
the rule, declaration or selector that it belongs to. So a text can be edited at some positions, and everything else,
broken CSS too, stays as it was.

It imports no other part of pagereel.
"""

from .pieces import TextPiece, Where, pieces
from .pseudo import PSEUDO
from .reader import SheetReader, Token, as_read, close, kept, rules

__all__ = ["PSEUDO", "SheetReader", "TextPiece", "Token", "Where", "as_read", "close", "kept", "pieces", "rules"]
