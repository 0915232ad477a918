"""Data from a file, of a learner or of a lesson: how topics take them, and where they are kept."""
