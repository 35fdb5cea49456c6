"""Timing and pairing: how two things are compared fairly on a noisy machine. Knows nothing of what it times."""
