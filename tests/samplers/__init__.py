"""Tests of the samplers."""
