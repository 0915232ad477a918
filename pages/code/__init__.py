"""The code that runs, as it has run: a function's own source, a look at one step of it, and both as HTML."""
