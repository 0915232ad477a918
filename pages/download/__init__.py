"""Files that a learner takes away from a moment of a topic: a script, the draws, the charts."""
