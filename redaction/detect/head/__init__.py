"""A net of our own on Rampart's hidden layers."""
