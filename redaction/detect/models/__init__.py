"""Run the models: Presidio over spaCy, Rampart, and two small nets of pagereel's own."""
