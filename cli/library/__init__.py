"""`pagereel library` and `pagereel serve`: work on many recordings in one folder that has a catalogue."""
