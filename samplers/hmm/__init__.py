"""Hidden Markov models: Gibbs samplers of the states, one at a time and as a block, and exact answers."""
