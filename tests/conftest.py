"""The option --disturbed: every gradient is off by a rounding error or two, as another processor's may be."""

import gc
import os

# A second thread of BLAS waits for the first in a busy loop: of the tests of regressions that was a fifth of the time
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["SAMPLESCOPE_WORKERS"] = "0"  # servers of tests make walls by themselves: a process takes a second to start

import numpy as np
import pytest
from hypothesis import settings

from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.regression.linear import LinearModel

settings.register_profile("whatever the machine does", deadline=None)
settings.load_profile("whatever the machine does")
RELATIVE = 1e-12  # far more than rounding does, and far less than any number that is told


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--disturbed", action="store_true", help=f"put every gradient off by {RELATIVE:g} of it")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # while tests are collected: nearly all that is made stays
    if config.getoption("--disturbed"):
        for owner, method, place in (
            (NaiveBayesMarginal, "log_density_and_gradient", 1),
            (GaussianMarginal, "log_density_and_gradient", 1),
            (LinearModel, "gradient_and_hessian", 0),
        ):
            _disturb(owner, method, place)


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among the modules: that takes a twentieth of the time of all tests."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _disturb(owner: type, method: str, place: int) -> None:
    """Put one of the arrays that a method returns off, by the same at the same place: replays stay exact."""
    right = getattr(owner, method)

    def off(self, position):
        found = list(right(self, position))
        found[place] = found[place] * (1 + RELATIVE * np.cos(np.arange(len(found[place]))))
        return tuple(found)

    setattr(owner, method, off)
