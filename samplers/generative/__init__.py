"""Generative classification: a story of how labels and features come about, run forwards and backwards."""
