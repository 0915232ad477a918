"""The first numbers of many generators are those that NumPy's own give."""

import numpy as np

from samplers.streams import first_uniforms

LAST = 2**32 - 1


def test_they_are_the_numbers_of_numpys_generators():
    seeds, steps = np.array([0, 1, 7, 99, 12_345, 2**31, LAST]), np.array([[0], [1], [2], [500], [2**20], [LAST]])
    drawn = first_uniforms(seeds, steps)
    own = [[np.random.default_rng((seed, step)).random() for seed in seeds.tolist()] for (step,) in steps.tolist()]
    assert drawn.shape == (6, 7)
    assert drawn.tolist() == own
