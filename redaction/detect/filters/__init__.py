"""Decides what the models are asked about, and what of their answers is believed."""
