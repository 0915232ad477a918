"""Topics: every word of a document has a label of its own; latent Dirichlet allocation and its nonparametric form."""
