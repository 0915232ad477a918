"""The package of the samplers as others install it; `make package` runs these tests, where the app is not installed.

They are apart from the others, since xarray, an extra of the package, would change what the diagnostics load there.
"""

import doctest
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from xarray import DataTree

import samplers
from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.crp.mixture import CRPMixture
from samplers.crp.seating import CRPSeating
from samplers.datatree import to_datatree
from samplers.gradient.nuts import NUTS
from samplers.gradient.plane_targets import CorrelatedNormal

POINTS = [-2.1, -1.8, 2.0, 2.3]


def mixture(seed: int) -> Chain:
    return Chain(CRPMixture(POINTS, NormalKnownVariance(0.0, 9.0, 1.0), concentration=1.0), seed)


def test_chains_of_a_mixture_are_one_posterior():
    chains = [mixture(1), mixture(2)]
    tree = to_datatree(chains, 30)
    assert isinstance(tree, DataTree)
    assert set(tree.children) == {"posterior", "sample_stats"}
    seats = tree["posterior"]["assignments"]
    assert seats.dims == ("chain", "draw", "assignments_dim_0")
    assert seats.shape == (2, 30, 4)
    assert tree["posterior"]["draw"].values.tolist() == list(range(1, 31))
    for number, chain in enumerate(chains):
        assert (
            seats[number] == np.array([chain.sampler.variables(chain[t])["assignments"] for t in range(1, 31)])
        ).all()
        assert tree["sample_stats"]["lp"][number, 9] == chain.sampler.log_joint(chain[10])


def test_the_warm_up_has_groups_of_its_own_and_steps_have_their_statistics():
    chain = Chain(NUTS(CorrelatedNormal(0.5), warmup=10), seed=3)
    tree = chain.to_datatree(25)
    assert set(tree.children) == {"posterior", "sample_stats", "warmup_posterior", "warmup_sample_stats"}
    assert tree["warmup_posterior"].sizes["draw"] == 10
    assert tree["posterior"].sizes["draw"] == 15
    assert tree["sample_stats"]["diverging"].dtype == bool


def test_what_is_no_posterior_is_refused():
    for chains, draws in [([], 3), ([mixture(1)], 0), ([Chain(CRPSeating(1.0), 1)], 3)]:
        with pytest.raises(ValueError, match="must be"):
            to_datatree(chains, draws)


def test_nothing_of_the_app_is_needed():
    assert not {"streamlit", "altair", "pydantic", "matplotlib"} & sys.modules.keys()
    assert samplers.__file__ is not None
    assert "site-packages" in samplers.__file__


def test_the_example_of_the_readme_runs():
    readme = (Path(samplers.__file__).parent / "README.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", readme, re.S)
    assert code
    names: dict = {}
    exec(code[1], names)
    assert names["chain"][200] != names["chain"].branch(100, seed=8)[200]
    assert doctest.testmod(samplers.chain).attempted > 4
