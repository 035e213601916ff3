"""Reads style sheets the way browsers do, for the build, the redaction and the export to rrweb.

tinycss2 splits a text into the tokens of css-syntax-3. This package finds the position of each token in the text, and
the rule, declaration or selector that it belongs to. So a text can be edited at some positions, and everything else,
broken CSS too, stays as it was.

It imports no other part of pagereel.
"""

from .pseudo_classes import PSEUDO
from .reader import SheetReader, Token, cache_results, close_constructs, preprocess_css, split_rules
from .text_pieces import PiecePlace, TextPiece, find_text_pieces

__all__ = [
    "PSEUDO",
    "PiecePlace",
    "SheetReader",
    "TextPiece",
    "Token",
    "cache_results",
    "close_constructs",
    "find_text_pieces",
    "preprocess_css",
    "split_rules",
]
