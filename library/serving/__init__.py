"""A library over HTTP: an API, pages, and replays in a frame of another origin (docs/serve.md).

    serve("runs", Options(port=8700), started=print)

Importing it asks for Starlette and Uvicorn, which come with the extra ``serve``.
"""

from .api import beside, found, opened
from .roles import SHOWN, add_token
from .route import NO_REASON, Asked, Endpoint, Parameter, Told, json_told
from .server import Options, serve, served
from .site import Site
from .worker import Limits

__all__ = [
    "NO_REASON",
    "SHOWN",
    "Asked",
    "Endpoint",
    "Limits",
    "Options",
    "Parameter",
    "Site",
    "Told",
    "add_token",
    "beside",
    "found",
    "json_told",
    "opened",
    "serve",
    "served",
]
