"""Tests of the app without a browser."""
