"""Measuring: speed, starts, quality, sessions and servers, alone and in fair pairs on a noisy machine.

Knows engines and artefacts. Knows no commands.
"""
