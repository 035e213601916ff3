"""Mask the parts of a page: nodes, attributes, style sheets, addresses, bodies."""
