"""Style sheets read the way browsers read them: one reader for the build, the redaction and the export to rrweb.

tinycss2 cuts a text into the tokens of css-syntax-3, escapes resolved; this room knows where in the text each stands and what it
stands in, so that a text can be changed by splicing and whatever is not touched, broken CSS too, stays as it was.

This room imports none of the others.
"""

from .pieces import TextPiece, Where, pieces
from .pseudo import PSEUDO
from .reader import SheetReader, Token, as_read, close, kept, rules

__all__ = ["PSEUDO", "SheetReader", "TextPiece", "Token", "Where", "as_read", "close", "kept", "pieces", "rules"]
