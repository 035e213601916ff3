"""Many recordings: taken in, looked through, searched.

    with Library("runs") as library:
        library.add("run.reel")
        library.search('outcome:failed seen:"card declined"')

The recordings and the log are what counts; the catalogue is derived from them and can be made again.
"""

from .figures import USUAL as GROUPS_TOLD
from .figures import Figures, page_of, sentence_of
from .figures import figure_text as figure_text
from .intake import FileOutcome, LibraryWatch
from .library import Added, Library
from .query import OPERATORS, QueryError, Term, parse
from .retention import Expired
from .searching import FoundRun, Hit, SearchResult, goals

__all__ = [
    "GROUPS_TOLD",
    "OPERATORS",
    "Added",
    "Expired",
    "Figures",
    "FileOutcome",
    "FoundRun",
    "Hit",
    "Library",
    "LibraryWatch",
    "QueryError",
    "SearchResult",
    "Term",
    "figure_text",
    "goals",
    "page_of",
    "parse",
    "sentence_of",
]

BY_NEED = ("serving",)
"""Sub-packages that are imported by name, since they ask for an extra: ``from pagereel.library import serving``."""
