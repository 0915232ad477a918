"""The player and the runs that it plays."""
