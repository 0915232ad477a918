"""Values are written so that they are read as the same."""

import numpy as np
import pytest

from lessons.settings.calls import Entry, call
from pages.contract.moment import Moment, ShownChain
from pages.download.script import script
from pages.download.writing import Unwritable, Writer, same
from samplers.conjugate import NormalInverseGamma
from samplers.crp.mixture import CRPMixture
from samplers.log_density import FunctionLogDensity
from samplers.regression.metropolis import RandomWalkMetropolis
from tests.pages.download.moments import bits


def written(value):
    writer = Writer()
    text = writer.text(value)
    imports = [
        f"from {module} import {', '.join(names)}" if names else f"import {module}"
        for module, names in writer.imports.items()
    ]
    space = {}
    exec("\n".join([*imports, "import numpy as np", *writer.lines, f"found = {text}"]), space)
    return text, space["found"]


@pytest.mark.parametrize(
    "value",
    [
        0.1 + 0.2,
        -np.inf,
        'a “word” and "another"\n',
        (1,),
        [1, (2.5, None)],
        np.arange(30) / 7,
        np.ones(5),
        np.array([[np.nan, 1.0], [np.inf, -2.0]]),
        np.zeros((0, 2)),
        np.array([1, 0], np.uint8),
        np.random.default_rng(0).standard_normal((900, 4)),
        NormalInverseGamma(0.25, 0.1, 2.0, 0.3),
        CRPMixture([0.1, 0.2], NormalInverseGamma(0, 1, 1, 1), 0.5, start="apart"),
    ],
)
def test_what_is_written_is_read_as_the_same(value):
    text, found = written(value)
    assert same(found, value) or bits(found) == bits(value)
    assert len(text) < 40_000


def test_what_a_call_made_is_named():
    made = call(Entry("samplers.data.blobs", "DATASETS", "three_points"), 3, 1)
    sampler = CRPMixture(made.made().data, NormalInverseGamma(0, 1, 1, 1), 0.5)
    text = script(Moment([ShownChain(sampler, 3, 2)], {"drawn": made}), "A title", "/coin")
    assert 'drawn = DATASETS["three_points"](3, 1)' in text
    assert "CRPMixture(\n    drawn.data,\n" in text or "CRPMixture(drawn.data, " in text
    assert "chain = Chain(sampler, seed=3)\nstate = chain[2]" in text


def test_what_cannot_be_written_is_said():
    kernel = RandomWalkMetropolis(FunctionLogDensity(1, lambda x: -x @ x), 1.0, [0.0])
    with pytest.raises(Unwritable):
        script(Moment([ShownChain(kernel, 3, 2)], {}), "A title", "/coin")
