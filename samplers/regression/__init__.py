"""Logistic and other regressions: modes, Laplace approximations, predictives."""
