"""Mask pictures: without their metadata, with boxes over texts, or replaced."""
