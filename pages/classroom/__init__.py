"""Rooms: one instructor, a class of browsers, and what they see and answer together, past the scripts."""
