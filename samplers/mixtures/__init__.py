"""Mixtures with a fixed number of classes: points and documents."""
