"""The format of a lesson file: its schema, its kinds of questions, and the Markdown around them."""
