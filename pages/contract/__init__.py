"""What a topic and the house say to each other: a stage gives films, charts and moments, and hears events."""
