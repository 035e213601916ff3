"""`pagereel library` and `pagereel serve`: many recordings in one folder, with a catalogue of them."""
