"""Chinese restaurant processes: seating, mixtures, and their exact facts."""
