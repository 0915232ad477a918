"""Lessons: Markdown files that an instructor writes, and the package that reads them."""
