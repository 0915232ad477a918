"""The numbers that the lessons on why one samples tell, from the runs and the exact facts that they tell of."""

import numpy as np
import pytest

from lessons.format.lesson import Step
from pages.lesson.lessons import library
from pages.topics.why_sample.run import WhyRun
from samplers.crp.one_at_a_time import sweep_of
from samplers.diagnostics.convergence import sweeps_to_separate
from samplers.enumerated import stationary
from samplers.partitions import bell_numbers

pytestmark = pytest.mark.told
LESSONS = {lesson.id: lesson for lesson in library().for_stage("why_sample")}
YEAR, UNIVERSE = 365.2425 * 86_400, 13.8e9 * 365.2425 * 86_400  # seconds


def opened(lesson: str, step: str) -> tuple[WhyRun, Step]:
    """Return a step's run, and the step."""
    found = next(one for one in LESSONS[lesson].steps if one.id == step)
    return WhyRun(LESSONS[lesson].settings_for(found), LESSONS[lesson].seed_for(found)), found


def right(step: Step) -> str:
    return next(choice.text for choice in step.choices if choice.correct)


def test_what_an_update_leaves_unchanged():
    run, step = opened("why-unchanged", "ways")
    assert (run.path[0], *(run.matrices[0][0] > 0).nonzero()[0]) == (0, 0, 3)
    assert right(step) == "1|23"
    run, step = opened("why-unchanged", "forgets")
    assert run.matrices[0][[1, 2], 4] == pytest.approx([0.389, 0.389], abs=5e-4)
    run, step = opened("why-unchanged", "crowd")
    assert run.crowd[1] == pytest.approx([0.433, 0, 0, 0.567, 0], abs=5e-4)
    run, step = opened("why-unchanged", "where")
    assert (step.at + step.then.advance, run.distance[30] < 1e-12) == (30, True)
    run, step = opened("why-unchanged", "there")
    assert run.turn(step.at) == 0, "the arrows are the moves of point 1"
    assert run.crowd[step.at][[1, 4]] == pytest.approx([0.352, 0.245], abs=5e-4)
    flows = run.exact[:, None] * run.matrices[0]
    assert f"{1000 * flows[1, 4]:.0f}" == right(step) == f"{1000 * flows[4, 1]:.0f}"
    run, step = opened("why-unchanged", "back")
    assert run.matrices[0][4, 1] == pytest.approx(0.558, abs=5e-4)
    sweep = sweep_of(run.matrices)
    assert (sweep > 0).all(), "from anywhere to anywhere"
    assert (sweep[0, 4], sweep[4, 0]) == pytest.approx((0.198, 0.143), abs=5e-4), "as the instructor's note says"


def test_spot_the_error():
    run, step = opened("why-spot-the-error", "red")
    flows = run.exact[:, None] * run.matrices[0]
    assert (flows[1, 4], flows[4, 1]) == pytest.approx((0.137, 0.099), abs=5e-4)
    gains = flows.sum(axis=0) > run.exact + 1e-12
    assert gains.tolist() == [False, False, False, True, True], "where point 1 is alone: 1|23 and 1|2|3"
    run, step = opened("why-spot-the-error", "card")
    (update,) = run.chain.record(step.at)
    assert (run.path[step.at - 1], update.site, len(update.conditional.probabilities)) == (4, 1, 4)
    assert np.exp(update.conditional.terms["fit"][-2:]) == pytest.approx([0.188, 0.188], abs=5e-4)
    run, step = opened("why-spot-the-error", "longer")
    assert run.distance[step.at] == pytest.approx(0.079, abs=5e-4)
    assert np.abs(run.limit - run.exact).sum() / 2 == pytest.approx(0.083, abs=5e-4)
    assert run.distance[2000] == pytest.approx(0.083, abs=0.01)
    run, step = opened("why-spot-the-error", "matrix")
    kept = stationary(sweep_of(run.matrices))
    assert (kept[4], run.exact[4]) == pytest.approx((0.3306, 0.2453), abs=5e-5)
    run, step = opened("why-spot-the-error", "another")
    (update,) = run.chain.record(step.at)
    assert (run.path[0], update.site) == (0, 0)
    assert np.exp(update.conditional.terms["fit"]) == pytest.approx([0.0643, 0.168], abs=5e-4)
    assert np.exp(update.conditional.terms["customers already there"]) == pytest.approx([1, 1])
    run, step = opened("why-spot-the-error", "question")
    kept = stationary(sweep_of(run.matrices))
    assert kept[1:] / run.exact[1:] == pytest.approx(kept[1] / run.exact[1])
    assert (kept[0], run.exact[0]) == pytest.approx((0.0868, 0.1597), abs=5e-5)
    run, step = opened("why-spot-the-error", "small")
    assert run.distance[step.at] == pytest.approx(0.019, abs=5e-4)
    assert run.noise(step.at) == pytest.approx(0.021, abs=5e-4)
    assert np.abs(run.limit - run.exact).sum() / 2 == pytest.approx(0.028, abs=5e-4)
    assert sweeps_to_separate(run.limit, run.exact, run.worth) == pytest.approx(15_000, abs=500)


def test_too_many_to_count():
    run, step = opened("why-too-many", "ways")
    assert right(step) == str(len(run.exact))
    run, step = opened("why-too-many", "plausible")
    assert run.exact == pytest.approx([0.160, 0.352, 0.034, 0.209, 0.245], abs=5e-4)
    joint = np.exp(run.posterior.log_joint)
    assert (joint[1], joint.sum()) == pytest.approx((0.00111, 0.00315), abs=5e-6)
    _, step = opened("why-too-many", "sixty")
    seconds = np.array([float(number) for number in bell_numbers(60)]) / 1e9
    assert 1e33 < seconds[60] / UNIVERSE < 1e34
    assert 1 < seconds[21] / 86_400 < 7, "a few days"
    assert seconds[32] < UNIVERSE < seconds[33]
    assert bell_numbers(7)[4::3] == [15, 877]
    assert seconds[25] / YEAR == pytest.approx(147, abs=0.5)
    assert (seconds[26:] / seconds[25:-1]).min() > 10, "each further point"
    run, step = opened("why-too-many", "visits")
    assert right(step) == f"{run.visits[2000, 1] / 2000:.2f}"
    run, step = opened("why-too-many", "noise")
    assert (step.at, run.distance[2000]) == (2000, pytest.approx(0.026, abs=5e-4))
    assert run.noise(500) / run.noise(2000) == pytest.approx(2, abs=0.05)
