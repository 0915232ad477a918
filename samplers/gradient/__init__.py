"""Hamiltonian Monte Carlo, and models whose labels are summed out for it."""
