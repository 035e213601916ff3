"""Converts a recording to rrweb's events, for rrweb's Replayer and for products that read its format."""

from .export import to_rrweb

__all__ = ["to_rrweb"]
