"""Runs, paths and summaries: held against enumeration, brute force and the chain itself; wrong densities must fail."""

from itertools import product

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.topics.marginalise import MarginaliseStage
from pages.topics.marginalise.gibbs_comparison import entries, exact_of, summary
from pages.topics.marginalise.run import MarginalRun, expected_larger
from pages.topics.marginalise.scene import running
from pages.topics.marginalise.truth import DRAWS, _verdict, panel, truth_of
from samplers import Chain
from samplers.diagnostics.convergence import diagnose

scene_of = MarginaliseStage().scene


def grown(t: int, seed: int = 3, **changes):
    """Return a scene whose runs have come to iteration t."""
    scene = scene_of(MarginaliseSettings(**changes), seed)
    while scene.made < t:
        scene.grow(t)
    return scene


# ---- arithmetic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
def test_the_largest_class_is_expected_as_by_listing_all_labels(classes):
    chances = np.random.default_rng(2).dirichlet([0.5] * classes, 5)
    chances[1:3] = np.eye(classes)[[0, -1]]
    total = 0.0
    for labels in product(range(classes), repeat=5):
        largest = max(labels.count(label) for label in range(classes))
        total += float(np.prod(chances[range(5), labels])) * largest
    assert expected_larger(chances) == pytest.approx(total)
    assert expected_larger(np.zeros((0, classes))) == 0


def test_running_means_leave_the_warmup_out():
    values = np.array([9.0, 8.0, 1.0, 3.0, 5.0])
    assert running(values, 0, 1).tolist() == [9, 8, 1, 2, 3]
    assert running(values, 3, 1).tolist() == [2, 3]
    assert running(values[:2], 0, 4).tolist() == [9, 8]
    assert running(np.column_stack([values, values]), 4, 1).tolist() == [[3, 3]]


# ---- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_keeps_what_its_chain_does():
    settings = MarginaliseSettings(variant="full Bayes")
    run, chain = MarginalRun(settings, 5), Chain(settings.sampler(), 5)
    run.grow(30, seconds=20)
    target = settings.target()
    for t in (0, 1, 30):
        assert run.positions[t] == pytest.approx(chain[t].position, rel=1e-5)
        assert run.log_density[t] == chain[t].log_density
        assert not t or run.divergent[t] == (chain.record(t).divergent is not None)
        assert run.class_probs[t] == pytest.approx(target.class_probabilities(chain[t].position), abs=1e-6)
    known = settings.labels >= 0
    assert set(run.belongs(slice(30, 31))[0, known].ravel()) <= {0.0, 1.0}
    assert run.belongs(slice(30, 31), 2)[0].tolist() == run.belongs(slice(30, 31))[0, 2].tolist()
    assert (run.seconds[1:31] > 0).all()


@pytest.mark.parametrize("t", [1, 14])
def test_a_path_is_the_iteration_that_the_chain_made(t):
    scene = grown(20)
    path = scene.run.close_up(t)
    chosen = path.trajectory.points[path.trajectory.chosen]
    assert chosen.position.tolist() == scene.run.state(t).position.tolist()
    steps = [path.trajectory.points[place].step for place in path.order]
    assert steps[0] == 0
    for number, step in enumerate(steps[1:], 1):
        assert {step - 1, step + 1} & set(steps[:number]), "each point is made beside one that is there"


def against_enumeration(scene, what: str, t: int) -> float:
    """Return how many standard errors the run's mean is away from the truth."""
    mine = entries(scene, what, t)[0]
    assert mine.exact is not None
    assert mine.found.mcse_mean is not None
    return abs(mine.mean - mine.exact) / mine.found.mcse_mean


def test_the_averages_are_those_of_all_labellings_and_a_wrong_density_is_caught():
    right = grown(800, layout="beside Gibbs")
    for what in ("together", "larger class"):
        assert against_enumeration(right, what, 800) < 3.5  # 1 in 2,000 by chance
    gibbs = entries(right, "together", 800)[1]
    assert abs(gibbs.mean - gibbs.exact) < 3.5 * gibbs.found.mcse_mean
    wrong = grown(800, layout="beside Gibbs", rule="sum of logs")
    assert against_enumeration(wrong, "together", 800) > 10
    assert "too large to be chance" in panel(wrong, 800)
    assert "within Monte Carlo error" in panel(right, 800)


def test_two_means_beside_gibbs_have_one_posterior():
    scene = grown(800, model="two means", spacing=1.0, layout="beside Gibbs", gibbs="collapsed")
    assert scene.gibbs is not None
    for entry in entries(scene, "together", 800):
        assert abs(entry.mean - entry.exact) < 3.5 * entry.found.mcse_mean


def test_an_order_changes_no_summary_without_names():
    """By a sum over a grid, as the ordered run itself mixes too slowly to be held against its standard error."""
    free, ordered = (
        grown(60, model="two means", spacing=1.0, means=m, layout="beside Gibbs") for m in ("free", "ordered")
    )
    assert exact_of(free, "together") == exact_of(ordered, "together")
    assert (np.diff(ordered.run.by_class[:61]) > 0).all()
    target = ordered.run.target
    grid = np.array(list(product(np.arange(-8, 8, 0.25), np.arange(-9, 3, 0.15))))
    first, second = np.array([target.class_probabilities(place)[:2, 0] for place in grid]).T
    logs = np.array([target.log_density(place) for place in grid])
    for log_weights, right in ((logs, True), (logs - grid[:, 1], False)):  # the second forgets the log-Jacobian
        weights = np.exp(log_weights - log_weights.max())
        same = np.average(first * second + (1 - first) * (1 - second), weights=weights)
        assert (abs(same - exact_of(ordered, "together")) < 1e-4) == right


def test_an_item_is_of_one_class_with_itself():
    scene = grown(20, layout="beside Gibbs", document=3, partner=3)
    for values in summary(scene, "together", 21):
        assert set(values) == {1.0}


# ---- prediction ------------------------------------------------------------------------------------------------------


def test_the_truth_of_a_document_without_words_is_the_expected_weight():
    settings = MarginaliseSettings(variant="prediction", words=2, known_labels=3, class_prior=1.5)
    truth = truth_of(settings)
    empty = int(np.flatnonzero((settings.corpus().bag.counts.sum(axis=1) == 0) & (settings.labels < 0))[0])
    first = (settings.labels == 0).sum()
    a, b = first + 1.5, 3 - first + 1.5
    error = np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)) / DRAWS)
    assert abs(truth[empty] - a / (a + b)) < 4 * error


def test_prediction_agrees_with_independent_draws_and_full_bayes_does_not():
    truth = truth_of(MarginaliseSettings(variant="prediction"))
    for rule, right in (("right", True), ("test documents teach", False)):
        scene = grown(800, variant="prediction", rule=rule)
        mean = scene.run.class_probs[301:801, 1, 0].mean()
        assert bool(abs(mean - truth[1]) < 0.04) == right


@pytest.mark.parametrize(("rule", "right"), [("right", True), ("sum of logs", False)])
def test_three_classes_agree_with_all_labellings_and_a_wrong_density_does_not(rule, right):
    scene = grown(600, variant="full Bayes", known_labels=2, classes=3, warmup=100, rule=rule)
    exact = scene.settings.exact()
    assert len(exact.labellings) == 3**4
    draws = scene.run.class_probs[101:601].astype(float)
    far = [
        abs(draws[:, item, label].mean() - exact.class_probabilities[item, label])
        / diagnose(draws[:, item, label]).mcse_mean
        for item in np.flatnonzero(scene.labels < 0)
        for label in range(3)
    ]
    assert bool(max(far) < 4) == right


def test_many_documents_in_three_classes_are_not_compared_by_the_largest_class():
    settings = MarginaliseSettings(data="toy_corpus", classes=3, layout="beside Gibbs", summary="larger class")
    assert settings.compared_by == "together"
    assert not settings.matters("summary")
    assert settings.model_copy(update={"data": "six_messages"}).compared_by == "larger class"
    assert settings.model_copy(update={"model": "two means"}).class_count == 2
    assert settings.now.gibbs(settings.as_gibbs()).classes == 3


def test_a_run_that_never_changes_is_not_within_its_error():
    said = panel(grown(130, model="naive Bayes", rule="Jacobian forgotten", warmup=50), 130)
    assert "this run never changes" in said
    assert "within Monte Carlo error" not in said


@pytest.mark.parametrize(("errors", "said"), [(2.4, "within"), (3.2, "large, but it may be chance"), (4.5, "wrong")])
def test_how_many_errors_are_too_many(errors, said):
    assert said in _verdict(errors)
