"""Tests of the app in a real Chromium: pixels, keys, themes and sizes."""
