"""Data that are nobody else's: of a learner or of a lesson, from a file, and where they are kept."""
