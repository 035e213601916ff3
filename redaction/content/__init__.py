"""Masks what a page is made of: nodes, attributes, sheets, addresses, bodies."""
