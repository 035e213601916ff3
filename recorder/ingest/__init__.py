"""The writer thread's side of the recorder: receives and checks what pages and the network send, and writes events."""
