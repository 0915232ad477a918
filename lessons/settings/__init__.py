"""The parts that the settings of all topics are made of."""
