"""The interface between a topic and the rest: a stage makes films, charts and moments, and receives events."""
