"""The writer thread's side: receives what pages and the network send, checks it, and writes events."""
