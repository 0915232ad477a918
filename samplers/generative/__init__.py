"""Generative classification: a story of how labels and features come about, told forwards and backwards."""
