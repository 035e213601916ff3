"""Masks pictures: cleaned of what they say beside their pixels, boxed where text stands, or replaced."""
