"""A recorded run's network, answering again: `route_from_reel`."""

from .routing import route_from_reel
from .served import Answered, Served, Unmatched, WorldWarning

__all__ = ["Answered", "Served", "Unmatched", "WorldWarning", "route_from_reel"]
