"""Answers the requests of a browser context from a recording instead of the network (`route_from_reel`)."""

from .routing import route_from_reel
from .served_requests import Served, ServedRequest, UnmatchedRequest, WorldWarning

__all__ = ["Served", "ServedRequest", "UnmatchedRequest", "WorldWarning", "route_from_reel"]
