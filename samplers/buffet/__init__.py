"""Indian buffet processes: binary features, their prior, and samplers of models that are made of them."""
