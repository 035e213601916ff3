"""Tests of pagereel, a folder a room; they run against the installed package."""
