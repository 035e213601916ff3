"""A library: a folder of many recordings that can be listed and searched.

    with Library("runs") as library:
        library.add("run.reel")
        library.search('outcome:failed seen:"card declined"')

Only the recordings and the log are original data; the catalogue is derived from them and can be rebuilt.
"""

from .figures import USUAL as GROUPS_TOLD
from .figures import Figures, page_of, sentence_of
from .figures import figure_text as figure_text
from .intake import FileOutcome, LibraryWatch
from .library import Added, Library
from .query import OPERATORS, QueryError, Term, parse
from .retention import Expired
from .searching import FoundRun, Hit, SearchResult, StepName, goals, step_names

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
    "StepName",
    "Term",
    "figure_text",
    "goals",
    "page_of",
    "parse",
    "sentence_of",
    "step_names",
]

BY_NEED = ("serving",)
"""Sub-packages that are imported only by name, because they need an extra: ``from pagereel.library import serving``."""
