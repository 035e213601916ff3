"""Mask pictures: remove their metadata, paint boxes over texts, or replace the whole picture."""
