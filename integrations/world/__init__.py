"""`route_from_reel`: answers a context's requests from a recording."""

from .routing import route_from_reel
from .served import Served, ServedRequest, Unmatched, WorldWarning

__all__ = ["Served", "ServedRequest", "Unmatched", "WorldWarning", "route_from_reel"]
