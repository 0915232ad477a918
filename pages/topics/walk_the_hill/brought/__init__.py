"""The mode in which chains of one's own walk: draws from a file, with their diagnostics as these grow."""
