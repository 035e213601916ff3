"""A reverse proxy on this machine that passes model traffic on byte by byte, and records it."""

from .child_command import run_command
from .mitmproxy_interceptor import Interceptor
from .recorded_answers import Answers
from .server import ModelProxy
from .upstreams import UpstreamProvider, build_environment, parse_upstreams

__all__ = [
    "Answers",
    "Interceptor",
    "ModelProxy",
    "UpstreamProvider",
    "build_environment",
    "parse_upstreams",
    "run_command",
]
