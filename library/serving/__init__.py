"""A library over HTTP: an API, pages, and replays in a frame of another origin (docs/serve.md).

    serve(Path("runs"), ServeOptions(port=8700), started=print)

Importing this package needs Starlette and Uvicorn, which the extra ``serve`` installs.
"""

from .api import compare_runs, requested_reading, search_runs
from .roles import SHOWN, add_token
from .route import NO_REASON, ApiRequest, ApiResponse, Endpoint, Parameter, json_response
from .server import ServeOptions, serve, served
from .site import LibrarySite
from .worker import Limits

__all__ = [
    "NO_REASON",
    "SHOWN",
    "ApiRequest",
    "ApiResponse",
    "Endpoint",
    "LibrarySite",
    "Limits",
    "Parameter",
    "ServeOptions",
    "add_token",
    "compare_runs",
    "json_response",
    "requested_reading",
    "search_runs",
    "serve",
    "served",
]
