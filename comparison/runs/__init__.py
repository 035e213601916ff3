"""Reads a recording as a run for comparison: steps and actions, requests, the console, and the pages' text meanwhile."""
