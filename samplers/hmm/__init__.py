"""Hidden Markov models with a fixed or a learned number of states: Gibbs samplers, and exact answers."""
