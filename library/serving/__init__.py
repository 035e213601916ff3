"""A library over HTTP: an API, pages, and replays in a frame of another origin (docs/serve.md).

    serve(Path("runs"), ServeOptions(port=8700), started=print)

Importing this package needs Starlette and Uvicorn, which the extra ``serve`` installs.
"""

from .api import compare_runs, open_requested_run, search_runs
from .endpoint import NO_REASON, ApiRequest, ApiResponse, Endpoint, Parameter, json_response
from .roles import SHOWN, add_token
from .server import ServeOptions, open_site, serve
from .site import LibrarySite
from .worker import TaskLimits

__all__ = [
    "NO_REASON",
    "SHOWN",
    "ApiRequest",
    "ApiResponse",
    "Endpoint",
    "LibrarySite",
    "Parameter",
    "ServeOptions",
    "TaskLimits",
    "add_token",
    "compare_runs",
    "json_response",
    "open_requested_run",
    "open_site",
    "search_runs",
    "serve",
]
