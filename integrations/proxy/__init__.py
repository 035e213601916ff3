"""A reverse proxy on this machine that passes model traffic on byte by byte, and records it."""

from .answers import Answers
from .child import run_command
from .intercept import Interceptor
from .server import ModelProxy
from .upstreams import Upstream, environment_of, upstreams_of

__all__ = ["Answers", "Interceptor", "ModelProxy", "Upstream", "environment_of", "run_command", "upstreams_of"]
