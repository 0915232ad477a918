"""The parts that stages are made of: a run, a scene, a wall, an opened update, a table of modes."""
