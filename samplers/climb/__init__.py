"""Mixtures by climbing: k-means, EM and variational Bayes, a half-step at a time."""
