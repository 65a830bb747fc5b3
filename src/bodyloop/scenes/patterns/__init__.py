"""Procedural texture patterns, grouped by what they cover."""
