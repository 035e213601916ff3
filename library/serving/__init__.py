"""A library over HTTP: an API, pages, and replays in a frame of another origin (docs/serve.md).

    serve("runs", Options(port=8700), started=print)

Importing it asks for Starlette and Uvicorn, which come with the extra ``serve``.
"""

from .roles import add_token
from .route import Asked, Endpoint, Parameter, Told
from .server import Options, serve, served
from .site import Site

__all__ = ["Asked", "Endpoint", "Options", "Parameter", "Site", "Told", "add_token", "serve", "served"]
