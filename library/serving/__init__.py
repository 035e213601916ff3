"""A library over HTTP: an API, pages, and replays in a frame of another origin (docs/serve.md).

    serve(Path("runs"), ServeOptions(port=8700), started=print)

Importing this package needs Starlette and Uvicorn, which the extra ``serve`` installs.
"""

from .api import compare_runs, open_requested_run, search_runs
from .endpoint import NO_REASON, ApiRequest, ApiResponse, Endpoint, Parameter, build_json_response
from .library_site import LibrarySite
from .roles import SHOWN, add_token
from .server import ServeOptions, open_site, serve
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
    "build_json_response",
    "compare_runs",
    "open_requested_run",
    "open_site",
    "search_runs",
    "serve",
]
