"""The numbers that the buffet's lessons tell, from the runs and the exact facts that they tell of."""

import numpy as np
import pytest

from lessons.format.lesson import Step
from pages.lesson.lessons import library
from pages.topics.ibp_buffet.run import BuffetRun
from samplers.buffet.exact import (
    dishes_of_a_customer,
    dishes_overall,
    log_probability_of_class,
    new_dishes_of_a_customer,
)
from samplers.buffet.prior import TAKES

pytestmark = pytest.mark.told
LESSONS = {lesson.id: lesson for lesson in library().for_stage("ibp_buffet")}


def opened(lesson: str, step: str) -> tuple[BuffetRun, Step]:
    """Return a step's run, and the step."""
    found = next(one for one in LESSONS[lesson].steps if one.id == step)
    return BuffetRun(LESSONS[lesson].settings_for(found), LESSONS[lesson].seed_for(found)), found


def right(step: Step) -> str:
    return next(choice.text for choice in step.choices if choice.correct)


def mean(probabilities: np.ndarray) -> float:
    return float(np.arange(len(probabilities)) @ probabilities)


def test_from_one_label_to_many_features():
    run, step = opened("buffet-line", "second")
    assert (step.at, run.plates[0], run.counts(2)) == (1, 3, [1, 1, 1])
    run, step = opened("buffet-line", "new")
    assert right(step) == f"{run.sampler.new_mean(step.at + 1):g}"
    run, step = opened("buffet-line", "all")
    assert right(step) == f"{mean(dishes_overall(20, 2.0)):.1f}"
    assert step.at + step.then.advance == 20
    for name in ("first", "plate"):
        assert mean(dishes_of_a_customer(2.0)) == pytest.approx(float(right(opened("buffet-line", name)[1])))


def test_the_limit_of_a_finite_model():
    run, step = opened("buffet-limit", "untouched")
    assert run.choices(1)[0].conditional.probabilities[TAKES] == pytest.approx(float(right(step)), abs=5e-4)
    run, step = opened("buffet-limit", "three")
    assert (step.at, run.counts(5)[1]) == (4, 3)
    assert right(step) == f"{run.choices(5)[1].conditional.probabilities[TAKES]:.2f}"
    run, step = opened("buffet-limit", "more")
    assert right(step) == f"{mean(dishes_of_a_customer(2.0, 100)):.2f}"
    run, step = opened("buffet-limit", "poisson")
    untouched, new = (new_dishes_of_a_customer(10, 2.0, columns) for columns in (100, None))
    assert run.settings.many == "new"
    assert np.abs(untouched - new[: len(untouched)]).sum() / 2 < 0.02, "nearly Poisson"
    assert mean(new) == pytest.approx(2 / 10)
    run, step = opened("buffet-limit", "few")
    assert right(step) == f"{mean(dishes_overall(20, 2.0, 10)):.1f}"
    assert f"{mean(dishes_overall(20, 2.0)):.1f} dishes after twenty" in step.body
    run, step = opened("buffet-limit", "near")
    logs = [log_probability_of_class(run.matrix, 2.0, columns) for columns in (10, 100, None)]
    assert right(step) == f"{logs[1] - logs[2]:.2f}"
    assert logs[0] - logs[2] == pytest.approx(0.8, abs=0.05)


def test_spot_the_error():
    run, _ = opened("buffet-spot-the-error", "everyone")
    dishes, *_ = run.sampler.simulate(20, 2_000, np.random.default_rng(0))
    assert dishes.mean() == pytest.approx(40, abs=1)
    run, _ = opened("buffet-spot-the-error", "refused")
    dishes, plates, _ = run.sampler.simulate(20, 2_000, np.random.default_rng(0))
    assert dishes.mean() == pytest.approx(mean(dishes_overall(20, 2.0)), abs=0.3)
    assert plates.mean() > 4
