"""What differs at what both runs did: the page, the network, the console, the actions and the model's calls, time and cost."""
