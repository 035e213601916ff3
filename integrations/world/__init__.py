"""A recorded run's network, answering again: `route_from_reel`."""

from .routing import route_from_reel
from .served import Served, ServedRequest, Unmatched, WorldWarning

__all__ = ["Served", "ServedRequest", "Unmatched", "WorldWarning", "route_from_reel"]
