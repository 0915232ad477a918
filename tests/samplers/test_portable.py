"""Runs of HMC and NUTS have the same last bits with other vector instructions and other linear algebra."""

import hashlib
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from samplers import Chain, portable
from samplers.gradient.nuts import NUTS
from samplers.gradient.posterior_planes import POSTERIOR_PLANES

ROOT = Path(__file__).parents[2]
ITERATIONS = 30
RUNS = (
    {},
    {"variant": "full Bayes"},
    {"variant": "prediction", "rule": "test documents teach"},
    {"rule": "sum of logs"},
    {"words": 3, "method": "HMC"},
    {"classes": 3},
    {"model": "two means"},
    {"model": "two means", "means": "ordered", "spacing": 0.0},
)
# What a processor of 2008 would use. Names that a build or a processor does not have are left out with a warning.
OLD = {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
NEWER = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}  # of 2013


@cache
def bits() -> str:
    """Return a digest of all positions of all runs."""
    digest = hashlib.sha256()
    samplers = [MarginaliseSettings(**changes).sampler() for changes in RUNS]
    samplers += [NUTS(target, warmup=0, step_size=0.3, start=[0.0, -2.0]) for target in POSTERIOR_PLANES.values()]
    for sampler in samplers:
        chain = Chain(sampler, 3)
        digest.update(np.array([chain[t].position for t in range(ITERATIONS + 1)]).tobytes())
    return digest.hexdigest()


def with_kernels(kernels: dict[str, str], expression: str) -> str:
    """Return the value of an expression of this file in a process that uses other kernels."""
    command = [sys.executable, "-c", f"from tests.samplers import test_portable as t; print({expression})"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ | kernels)
    return done.stdout.strip()


@pytest.mark.parametrize("kernels", [OLD, NEWER], ids=["2008", "2013"])
def test_runs_have_the_same_bits_on_every_kernel(kernels):
    assert with_kernels(kernels, "t.bits()") == bits()


@pytest.mark.parametrize(("mine", "exact"), [(portable.exp, math.exp), (portable.log, math.log)])
def test_functions_are_those_of_the_mathematical_library(mine, exact):
    values = np.abs(np.random.default_rng(0).normal(size=(50, 20))) * 20
    assert mine(values).tolist() == [[exact(value) for value in row] for row in values.tolist()]


def test_the_ends_of_the_range():
    assert portable.exp(np.array([-math.inf, -800.0, 0.0, 800.0])).tolist() == [0, 0, 1, math.inf]
    with np.errstate(divide="ignore"):
        assert portable.log(np.array([0.0, math.inf])).tolist() == [-math.inf, math.inf]


def test_sums_and_products_are_added_from_left_to_right():
    numbers = [1.0, *[2.0**-53] * 3, 1e300, -1e300, math.inf]
    assert portable.total(numbers[:-1]) == 0.0
    assert portable.total(numbers[:4]) == 1.0
    assert portable.total(numbers) == math.inf
    assert portable.total([]) == 0.0
    grid = np.arange(6.0).reshape(2, 3)
    assert portable.dot(grid, grid) == 55
