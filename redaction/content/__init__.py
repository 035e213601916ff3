"""Mask what a page consists of: nodes, attributes, style sheets, addresses, bodies."""
