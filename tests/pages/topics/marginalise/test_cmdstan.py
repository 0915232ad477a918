"""Stan itself, by fakes of its two interfaces: which one is found, what it is given, what comes back, how it fails."""

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.topics.marginalise import MarginaliseStage, cmdstan
from pages.topics.marginalise.programs import data_of
from samplers.gradient.stan_programs import stan_code
from tests.pages.html import words
from tests.pages.visits import app, buttons, inspector, press

scene_of = MarginaliseStage().scene

RNG = np.random.default_rng(0)
THETA = RNG.dirichlet([4.0, 1.0], 50)
Z_PROB = RNG.dirichlet([1.0, 1.0], (50, 2))


class FakeModel:
    """Stands for cmdstanpy.CmdStanModel."""

    code = ""
    asked: dict = {}

    def __init__(self, stan_file: str) -> None:
        with open(stan_file) as file:
            FakeModel.code = file.read()

    def sample(self, **asked):
        FakeModel.asked = asked
        return SimpleNamespace(stan_variable=lambda name: {"theta": THETA, "z_prob2": Z_PROB}[name])


@pytest.fixture
def interface(monkeypatch):
    """Return a function that puts one fake interface in place, and hides the real ones."""
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in ("cmdstanpy", "stan") else real(name, *rest)
    )

    def put(name: str, **contents) -> None:
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda wanted, *rest: (
                True if wanted == name else None if wanted in ("cmdstanpy", "stan") else real(wanted, *rest)
            ),
        )

    return put


def test_none_is_found_where_none_is(interface):
    assert cmdstan.installed() is None


def test_cmdstanpy_gets_program_and_data(interface):
    interface("cmdstanpy", CmdStanModel=FakeModel)
    assert cmdstan.installed() == "CmdStanPy"
    settings = MarginaliseSettings(variant="prediction")
    data = data_of(settings)
    draws = cmdstan.run("CmdStanPy", stan_code("prediction"), data, seed=4)
    assert FakeModel.code == stan_code("prediction")
    assert FakeModel.asked["data"] == data
    assert FakeModel.asked["seed"] == 4
    assert draws["theta"].tolist() == THETA.tolist()
    assert draws["z_prob"].shape == (50, 2, 2)


def test_pystan_has_its_draws_last(interface):
    fit = {"theta": THETA.T, "z_prob2": np.moveaxis(Z_PROB, 0, -1)}
    posterior = SimpleNamespace(sample=lambda **asked: fit)
    interface("stan", build=lambda code, data, random_seed: posterior)
    assert cmdstan.installed() == "PyStan"
    draws = cmdstan.run("PyStan", stan_code("full Bayes"), {}, seed=1)
    assert draws["theta"].tolist() == THETA.tolist()
    assert draws["z_prob"].tolist() == Z_PROB.tolist()


def test_a_failure_says_what_stan_said(interface):
    def broken(stan_file: str):
        raise ValueError("CmdStan installation missing")

    interface("cmdstanpy", CmdStanModel=broken)
    with pytest.raises(cmdstan.StanError, match="CmdStan installation missing"):
        cmdstan.run("CmdStanPy", stan_code("supervised"), {}, seed=1)


def test_draws_are_laid_over_ours_without_names():
    scene = scene_of(MarginaliseSettings(variant="prediction"), 7)
    scene.run.grow(400, seconds=30)
    rows = cmdstan.compare(scene, {"theta": THETA, "z_prob": Z_PROB}, 400)
    assert [title for title, *_ in rows] == ["the largest weight", "documents 2 and 5 of one class"]
    (_, ours, error, theirs, _), (_, _, _, same, _) = rows
    assert ours == pytest.approx(scene.run.by_class[301:401].max(axis=1).mean())
    assert error is not None
    assert theirs == pytest.approx(THETA.max(axis=1).mean())
    assert same == pytest.approx(np.mean([a @ b for a, b in zip(Z_PROB[:, 0], Z_PROB[:, 1], strict=True)]))
    assert "run on" in cmdstan.table(cmdstan.compare(scene, {"theta": THETA}, 3))


def test_the_page_offers_stan_only_where_it_is(interface):
    link = {"view": "program", "variant": "prediction", "t": "5"}
    test = app("marginalise.py", **link)
    assert not test.exception
    assert not [label for label in buttons(test) if "Stan" in label]
    assert "pip install cmdstanpy" in inspector(test)
    interface("cmdstanpy", CmdStanModel=FakeModel)
    test.run()
    press(test, "Run in Stan (CmdStanPy)")
    shown = words(" ".join(element.proto.body for element in test.get("html")))
    assert "the largest weight" in shown
    assert f"{THETA.max(axis=1).mean():.3f}" in shown


def test_three_classes_go_to_stan_and_come_back():
    settings = MarginaliseSettings(variant="full Bayes", classes=3)
    data = data_of(settings)
    assert data["K"] == len(data["alpha"]) == 3
    assert set(data["z"]) == {1, 2}
    scene = scene_of(settings, 7)
    scene.run.grow(330, seconds=30)
    probs = RNG.dirichlet([1.0, 1.0, 1.0], (50, 2))
    _, (_, ours, _, theirs, _) = cmdstan.compare(scene, {"theta": RNG.dirichlet([1.0] * 3, 50), "z_prob": probs}, 330)
    assert theirs == pytest.approx((probs[:, 0] * probs[:, 1]).sum(axis=1).mean())
    first, second = scene.run.class_probs[301:331][:, np.flatnonzero(scene.labels < 0)[:2]].swapaxes(0, 1)
    assert ours == pytest.approx((first * second).sum(axis=1).mean(), abs=1e-6)
