"""Takes in what pages and the network say, checks it, and writes it down."""
