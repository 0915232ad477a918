"""Convergence diagnostics and label switching."""
