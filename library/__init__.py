"""A library: a folder of many recordings that can be listed and searched.

    with Library("runs") as library:
        library.add("run.reel")
        library.search('outcome:failed seen:"card declined"')

Only the recordings and the log are original data; the catalogue is derived from them and can be rebuilt.
"""

from .figures import USUAL as GROUPS_TOLD
from .figures import Figures, describe_curve_step, render_figures_page
from .figures import format_figure as format_figure
from .intake import LibraryWatch, WatchedFileOutcome
from .library import Added, Library
from .query import OPERATORS, QueryError, QueryTerm, parse_query
from .retention import Expired
from .searching import FoundRun, Hit, SearchResult, StepName, list_outermost_titles, list_steps_of_runs

__all__ = [
    "GROUPS_TOLD",
    "OPERATORS",
    "Added",
    "Expired",
    "Figures",
    "FoundRun",
    "Hit",
    "Library",
    "LibraryWatch",
    "QueryError",
    "QueryTerm",
    "SearchResult",
    "StepName",
    "WatchedFileOutcome",
    "describe_curve_step",
    "format_figure",
    "list_outermost_titles",
    "list_steps_of_runs",
    "parse_query",
    "render_figures_page",
]

BY_NEED = ("serving",)
"""Sub-packages that are imported only by name, because they need an extra: ``from pagereel.library import serving``."""
