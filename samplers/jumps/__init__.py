"""Samplers that jump where Gibbs sampling is stuck: their moves change several labels, or the target, at once."""
