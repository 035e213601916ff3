"""Reads a recording as a run: steps and what was done in them, requests, the console, and what its pages showed meanwhile."""
