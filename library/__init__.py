"""Many recordings: taken in, looked through, searched.

    with Library("runs") as library:
        library.add("run.reel")
        library.search('outcome:failed seen:"card declined"')

The recordings and the log are what counts; the catalogue is derived from them and can be made again.
"""

from .library import Added, Library
from .query import OPERATORS, QueryError, Term, parse
from .searching import Answer, FoundRun, Hit

__all__ = ["OPERATORS", "Added", "Answer", "FoundRun", "Hit", "Library", "QueryError", "Term", "parse"]

BY_NEED = ("serving",)
"""Sub-packages that are imported by name, since they ask for an extra: ``from pagereel.library import serving``."""
