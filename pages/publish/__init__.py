"""A course as a folder of files, which plays without a server."""
