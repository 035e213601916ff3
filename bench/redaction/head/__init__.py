"""Trains the head, a small network that judges what the model Rampart found."""
