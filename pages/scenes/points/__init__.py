"""Runs, films, inspector and panels of the stages whose samplers label points."""
