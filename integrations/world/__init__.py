"""Answers the requests of a browser context from a recording instead of the network (`route_from_reel`)."""

from .routing import route_from_reel
from .served import Served, ServedRequest, Unmatched, WorldWarning

__all__ = ["Served", "ServedRequest", "Unmatched", "WorldWarning", "route_from_reel"]
