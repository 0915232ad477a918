"""Simulated data."""
