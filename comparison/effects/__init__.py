"""The kinds of differences between two runs: the page, the network, the console, the actions and model calls, time and cost."""
