"""The lessons of the mixture's page: what they say is so."""

import numpy as np
import pytest

from lessons.topics.crp_mixture import CONCENTRATION_PRIOR
from pages.player.run import reach
from pages.topics.crp_mixture.prediction import replica_of
from pages.topics.crp_mixture.summaries import times_seen
from pages.topics.crp_mixture.summaries import together as together_in
from samplers import Chain
from samplers.crp.exact_partitions import concentration_density, exact_posterior
from samplers.crp.facts import relabel, table_count_moments
from samplers.crp.mixture import co_clustering
from samplers.diagnostics.convergence import (
    diagnose,
    error_to_truth,
    noise_floor,
    partition_ids,
)
from samplers.diagnostics.predictive_checks import to_the_farthest, to_the_nearest
from samplers.mixtures.how_many import exact_finite
from samplers.partitions import partitions
from tests.pages.topics.crp_mixture.steps import scene_of, step_of


def chain_of(lesson: str, step: str, **changes) -> Chain:
    settings, seed, _ = step_of(lesson, step)
    return Chain(settings.model_copy(update=changes).sampler(), seed)


@pytest.mark.told
def test_one_update_slowly_is_as_it_is_told():
    settings, seed, _ = step_of("mixture-one-update", "three")
    run = scene_of(settings, seed).runs[0]
    assert run.sampler.data[:, 0].tolist() == [-1, 0, 2]
    first, second, third = run.close_up(1)
    assert first.before.labels == [0, 0, 0]
    assert step_of("mixture-one-update", "score")[2].at == 2
    chances = first.update.conditional.probabilities
    assert chances.argmax() == len(list(first.lifted.clusters)) == 1, (
        "the new table is the likelier one, although two sit at the old one"
    )
    count, fit = first.update.conditional.terms.values()
    assert np.exp(count).tolist() == pytest.approx([2, 1])
    assert np.exp(fit).tolist() == pytest.approx([0.0359, 0.168], abs=5e-4)
    assert np.exp(fit[1]) > 2 * np.exp(fit[0])
    assert step_of("mixture-one-update", "forget")[2].at == 4
    assert second.before.labels == [1, 0, 0], "point 1 has opened table 2, and 2 and 3 share table 1"
    assert [second.before.counts, second.lifted.counts] == [[2, 1], [1, 1]]
    assert step_of("mixture-one-update", "alone")[2].at == 8
    assert len(set(third.before.labels)) == 3, "now each sits alone"
    assert second.update.value == len(list(second.lifted.clusters)), "point 2 has opened a table too"
    assert len(third.lifted.clusters) == len(third.before.clusters) - 1, "it vanishes"
    assert pytest.approx(1 / 3) == 0.20 / (0.30 + 0.10 + 0.20)
    assert step_of("mixture-one-update", "guess")[2].at == 9
    assert third.update.conditional.probabilities == pytest.approx([0.03, 0.28, 0.69], abs=0.005), "1, 2, or alone"
    assert third.after.labels[2] == third.after.labels[1], "with point 2"
    assert third.update.uniform == pytest.approx(0.206, abs=5e-4)


def kept(runs, name: str, sweep: int):
    """Return the diagnosis of a series without its first half."""
    return diagnose([getattr(run, name)[sweep // 2 + 1 : sweep + 1] for run in runs])


@pytest.mark.told
def test_from_one_cluster_to_many_is_as_it_is_told():
    settings, seed, step = step_of("mixture-one-to-many", "starts")
    runs = scene_of(settings, seed).runs
    assert [int(run.tables[0]) for run in runs] == [1, 60]
    for run in runs:
        run.grow(1000, seconds=60)
        assert 3 <= run.tables[step.then.advance] <= 6, "both within some fifteen sweeps"
    met, longer = step_of("mixture-one-to-many", "met")[2], step_of("mixture-one-to-many", "longer")[2].until
    met = met.at + met.then.advance
    both = "tables", "log_joint"
    assert all(kept(runs, name, met).rhat > 1.05 for name in both), "not yet"
    assert kept(runs, "tables", met).ess_bulk == pytest.approx(16, abs=1)
    assert all(kept(runs, name, longer).rhat < 1.015 for name in both)
    assert kept(runs, "tables", longer).ess_bulk > 100
    upper = settings.dataset().data[:, 1] > 1
    colours = {run.labels[200][upper].tolist()[0] % 8 for run in runs}
    assert len(colours) == 2, "one colour on the left and another on the right"
    settings, seed, step = step_of("mixture-one-to-many", "overlap")
    runs = scene_of(settings, seed).runs
    reach(runs, 15)
    left, right = (run.tables for run in runs)
    assert right[step.then.advance] > left[step.then.advance] + 2, "the right chain keeps too many for longer"
    assert left[1:16].max() > 1, "the left one opens tables at once"


@pytest.mark.told
def test_how_sure_is_as_it_is_told():
    assert len(partitions(7)) == 877
    settings, seed, step = step_of("mixture-how-sure", "noise")
    sampler = settings.sampler()
    law = exact_posterior(sampler.data, sampler.family, settings.concentration).probabilities
    errors = []
    for other in range(seed, seed + 12):
        chain = Chain(sampler, other)
        errors.append(error_to_truth(partition_ids([chain[t].labels for t in range(1, step.at + 1)]), law, step.at))
    assert [errors[0], noise_floor(law, step.at)] == pytest.approx([0.214, 0.240], abs=6e-4)
    assert min(errors) < noise_floor(law, step.at) < max(errors), "single runs lie on both sides"
    assert np.std(errors) == pytest.approx(0.02, abs=0.008), "they scatter by some 0.02"
    settings, seed, step = step_of("mixture-how-sure", "more")
    run = scene_of(settings, seed).runs[0]
    run.grow(step.then.advance, seconds=20)
    tables = run.tables[20 : step.then.advance + 1]
    assert np.median(tables) > 3, "more than three"
    assert len(set(tables.tolist())) > 2, "and not very sure"
    means = {}
    for name in ("seven", "alpha"):
        settings, _, _ = step_of("mixture-how-sure", name)
        sampler = settings.sampler()
        law = exact_posterior(sampler.data, sampler.family, settings.concentration).table_counts
        means[name] = law @ np.arange(8)
    assert means["alpha"] < means["seven"]
    assert law[1] < 0.5, "the points' two groups hold against the prior"


def pairs_right(labels: list[int], groups: np.ndarray) -> float:
    """Return which share of all pairs of points is together or apart as it was made."""
    alike = together_in(np.array(labels)) == together_in(groups)
    return float(alike[np.triu_indices(len(groups), 1)].mean())


@pytest.mark.told
def test_the_story_is_as_it_is_told():
    settings, seed, step = step_of("mixture-story", "second")
    story = Chain(settings.sampler(), seed)
    assert np.exp(story.record(step.at).log_density) == pytest.approx(1 / 2)
    assert story[step.at].seating.seats == [0, 0], "on table 1, where point 1 sits"
    assert story.record(step.at + 1).log_density == 0, "a factor of 1"
    assert np.sqrt(settings.story.family.variance) == pytest.approx(0.55, abs=5e-3)
    settings, seed, step = step_of("mixture-story", "blind")
    settings = settings.model_copy(update=step.then.settings)
    data = settings.dataset()
    made = story[3 * 40]
    assert np.array_equal(data.data, made.points), "those very points"
    assert sorted(made.counts) == [1, 6, 7, 8, 18]
    means = np.array([dish.mean for dish in made.dishes])
    apart = np.linalg.norm(means[:, None] - means, axis=2)[np.triu_indices(5, 1)]
    assert apart.min() == pytest.approx(1.6, abs=0.05)
    assert table_count_moments(40, settings.concentration)[0][-1] == pytest.approx(4.3, abs=0.05), "some four tables"
    chain = Chain(settings.sampler(), seed)
    labels = np.array(chain[0].labels)
    assert len(chain[0].counts) == 6
    largest = data.data[labels == np.bincount(labels).argmax()]
    assert len(largest) == 20
    assert (np.ptp(largest, axis=0) > 0.75 * np.ptp(data.data, axis=0)).all(), "all over the picture"
    assert pairs_right(chain[0].labels, data.labels) < 0.65
    assert 0.85 < pairs_right(chain[1].labels, data.labels) < 0.93, "they begin to separate"
    assert len(chain[1].counts) > 5, "some of them still in pieces"
    assert pairs_right(chain[30].labels, data.labels) == pytest.approx(0.94, abs=5e-3)
    assert sorted(chain[30].counts) == [1, 6, 7, 8, 18], "five tables again"
    joints = [chain.sampler.log_joint(state) for state in (chain[30], chain.sampler.state(data.labels))]
    assert joints == pytest.approx([-136.5, -137.2], abs=0.05)


@pytest.mark.told
def test_the_limit_is_as_it_is_told():
    settings, seed, step = step_of("mixture-limit", "empty")
    scene = scene_of(settings, seed)
    for run in scene.runs:
        run.grow(step.at, seconds=60)
    assert [int(run.tables[step.at]) for run in scene.runs] == [2, 2], "two are in use"
    clusters = [4, 20, 100, 200]
    assert [(k - 2) / k for k in clusters[:3]] == pytest.approx([0.5, 0.9, 0.98]), "what the empty ones weigh"
    data, family = scene.data, settings.prior(scene.data)
    exact = [exact_finite(data, family, k, 1.0) for k in clusters]
    assert scene.exact is not None
    far = [np.abs(one.probabilities - scene.exact.probabilities).sum() / 2 for one in exact]
    assert far == pytest.approx([0.307, 0.0665, 0.0133, 0.00665], rel=5e-3)
    assert exact[0].table_counts[[2, 4]] == pytest.approx([0.49, 0.066], abs=5e-3)
    assert scene.exact.table_counts[2] == pytest.approx(0.21, abs=5e-3)
    assert exact_finite(data, family, 100, 100.0).table_counts[7] == pytest.approx(0.68, abs=5e-3), "a count of 1 each"
    for run in scene.runs:
        apart = [not {*row[:3]} & {*row[4:]} for row in run.labels[1 : step.at + 1].tolist()]
        assert np.mean(apart) > 0.9, "hardly ever"


@pytest.mark.told
def test_the_farthest_response_time_is_the_one_that_is_asked_for():
    settings, _, step = step_of("mixture-response-times", "column")
    times = settings.dataset().data[:, 0]
    first, second = np.argsort(times)[:2] + 1
    assert (first, str(second)) == (step.answers.right, step.choices[1].text)
    assert times.min() == pytest.approx(-3.4, abs=0.05)
    assert f"{400 * 2 ** times.min():.0f}" == "38", "milliseconds"
    assert times[second - 1] > times.min() + 0.2, "nobody has to aim between the two"


@pytest.mark.told
def test_response_times_are_as_they_are_told():
    settings, _, step = step_of("mixture-response-times", "run")
    chain = chain_of("mixture-response-times", "run")
    times, start, end = settings.dataset().data[:, 0], chain[0], chain[step.then.advance]
    law = start.clusters[0].posterior().typical()
    assert np.abs(times - law.mean[0]).min() > 0.02, "hardly any point at its mean"
    assert (np.abs(times - law.mean[0]) < 0.2).mean() < 0.05
    laws = {cluster.count: cluster.posterior().typical() for cluster in end.clusters.values()}
    assert sorted(laws, reverse=True) == [67, 29, 23, 1], "three tables hold all points but one"
    centres = [400 * 2 ** laws[size].mean[0] for size in (29, 67)]
    assert centres == pytest.approx([250, 700], rel=0.06), "as they were simulated"
    spread = {size: float(laws[size].covariance[0, 0]) ** 0.5 for size in laws}
    assert max(spread[67], spread[29]) < spread[23] / 2, "narrow ones for the humps, and a wide one"
    assert laws[23].mean[0] < laws[29].mean[0]
    (wide,) = [label for label, cluster in end.clusters.items() if cluster.count == 23]
    simulated = np.array(settings.dataset().labels)[[label == wide for label in end.labels]]
    assert np.bincount(simulated, minlength=3).argmax() == 0, "most of what it holds is of the left hump"
    assert (simulated == 2).sum() >= 9, "and it holds nearly all of the others"
    among = {size: times[np.array(end.labels) == label] for label, size in zip(end.clusters, end.counts, strict=True)}
    assert among[29].min() < -1 < among[23].max() < among[67].min(), "they share bars at the left hump, and only there"
    joints = [chain.sampler.log_joint(chain[t]) for t in range(step.then.advance + 1)]
    points = [sum(cluster.log_marginal() for cluster in state.clusters.values()) for state in (start, end)]
    seatings = [joints[0] - points[0], joints[-1] - points[1]]
    assert [joints[0], joints[-1], *points, *seatings] == pytest.approx([-182, -190, -181, -61, -1, -129], abs=0.6)
    assert np.mean(np.array(joints) < joints[0] - 0.1) > 0.5, "most sweeps were lower than the start"
    assert (3**120 - 3 * 2**120 + 3) / 6 > 1e56, "seatings with three tables"
    assert [laws[67].mean[0], spread[67]] == pytest.approx([0.77, 0.32], abs=5e-3)
    middle = 400 * 2 ** laws[67].mean[0]
    low, high = (400 * 2 ** (laws[67].mean[0] + side * spread[67]) for side in (-1, 1))
    assert [low, middle, high] == pytest.approx([547, 682, 852], abs=0.6)
    assert [low, high] == pytest.approx([550, 850], abs=5)
    assert [middle - low, high - middle] == pytest.approx([136, 170], abs=0.6)


@pytest.mark.told
def test_a_single_normal_passes_both_checks_and_fills_the_gap():
    settings, seed, step = step_of("mixture-response-times", "check")
    scene = scene_of(settings, seed)
    scene.run.grow(step.at, seconds=60)
    assert scene.run.tables[step.at] == 1
    assert (scene.run.tables[: step.at + 1] == 1).mean() > 0.95, "in nearly all before"
    times, draw = scene.data, replica_of(scene.run)
    sets = [draw(sweep).points for sweep in range(51, 101)]
    farther = [sum(of(points) >= of(times) for points in sets) for of in (to_the_nearest, to_the_farthest)]
    assert farther == [14, 6]
    assert {len(points) for points in sets} == {120}

    def in_the_gap(points):
        return (np.abs(points[:, 0] - times.mean()) < 0.2).mean()

    assert in_the_gap(times) < 0.05
    assert np.mean([in_the_gap(points) for points in sets]) > 2 * in_the_gap(times)


@pytest.mark.told
def test_the_next_point_is_as_it_is_told():
    settings, seed, _ = step_of("mixture-next-point", "eight")
    run = scene_of(settings, seed).runs[0]
    run.grow(200, seconds=60)
    assert run.tables[40] == 4
    exact = scene_of(settings, seed).exact
    assert exact.probabilities.max() == pytest.approx(0.14, abs=0.005)
    one = scene_of(settings.model_copy(update={"prediction": "average"}), seed)
    grid = np.linspace(-4, 4, 81)[:, None]
    truth = one.exact_density(grid)
    off = {t: np.abs(one.averaged(run, t, grid) - truth).max() for t in (45, 200)}
    assert off[200] < 0.03 * truth.max(), "it lies on the red one"
    sweeps = [np.abs(run.model.density(run.rebuilt(t), grid) - truth).max() for t in range(40, 46)]
    assert np.median(sweeps) > 3 * off[200], "how much the dashed curve moves"
    ready, seed, step = step_of("mixture-next-point", "ready")
    other = scene_of(ready.model_copy(update=step.then.settings), seed).exact_density
    assert [one.exact_density(np.zeros((1, 1)))[0], other(np.zeros((1, 1)))[0]] == pytest.approx(
        [0.159, 0.184], abs=6e-4
    )
    humps = [(np.diff(np.sign(np.diff(law))) < 0).sum() for law in (truth, other(grid))]
    assert humps == [2, 1], "one broad hump"
    assert settings.prior(run.sampler.data).variance ** 0.5 == pytest.approx(0.7, abs=0.01)


@pytest.mark.told
def test_what_the_model_draws_is_as_it_is_told():
    for step, tables in (("draw", 10), ("shape", 6)):
        settings, seed, _ = step_of("mixture-next-point", step)
        made = scene_of(settings, seed)
        made.run.grow(60, seconds=60)
        assert made.run.tables[60] == tables
        ours = to_the_nearest(made.data), to_the_farthest(made.data)
        theirs = np.array(
            [[f(made.replica(t).points) for t in range(31, 61)] for f in (to_the_nearest, to_the_farthest)]
        )
        if step == "draw":
            assert [ours[0], theirs[0].min()] == pytest.approx([0.191, 0.222], abs=6e-4)
        else:
            assert [(row >= own).sum() for row, own in zip(theirs, ours, strict=True)] == [6, 18]


@pytest.mark.told
def test_the_best_clustering_is_as_it_is_told():
    settings, seed, step = step_of("mixture-best-clustering", "best")
    made = scene_of(settings, seed)
    made.run.grow(step.at, seconds=60)
    law = made.exact.probabilities
    best = int(made.run.log_joint[1 : step.at + 1].argmax()) + 1
    assert len(law) == 877
    assert relabel(made.run.labels[best]).tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert law.max() == pytest.approx(0.141, abs=6e-4)
    assert law.argmax() == partition_ids(made.run.labels[[best]])[0], "it is the best of all, not only of those seen"
    assert (law > 0.01).sum() - 1 == 21
    assert made.exact.table_counts[[2, 3]] == pytest.approx([0.21, 0.41], abs=0.005)
    assert made.exact.table_counts.argmax() == 3
    pairs = made.exact.co_clustering
    assert [pairs[3, 2], pairs[3, 4]] == pytest.approx([0.24, 0.46], abs=0.005)
    apart = np.array([list(labels).count(labels[3]) == 1 for labels in made.exact.partitions])
    assert law @ apart == pytest.approx(0.23, abs=0.005)


@pytest.mark.told
def test_the_best_of_sixty_points_is_not_typical():
    settings, seed, step = step_of("mixture-best-clustering", "typical")
    run = scene_of(settings, seed).runs[0]
    run.grow(206, seconds=60)
    best = int(run.log_joint[1 : step.at + 1].argmax()) + 1
    assert (best, run.tables[best], times_seen(run.labels[1 : step.at + 1], run.labels[best])) == (156, 2, 1)
    assert run.log_joint[best] == pytest.approx(-208.1, abs=0.05)
    assert run.log_joint[101:201].mean() == pytest.approx(-231, abs=0.5)
    assert run.tables[101:201].mean() == pytest.approx(5, abs=0.3)
    average = [co_clustering(run.labels[t // 2 + 1 : t + 1]) for t in (201, 206)]
    draws = [np.abs(together_in(run.labels[t]) - together_in(run.labels[t + 1])).mean() for t in range(201, 206)]
    assert min(draws) > 10 * np.abs(average[0] - average[1]).mean(), "the average hardly moves"


@pytest.mark.told
def test_learning_alpha_is_as_it_is_told():
    def law(step: str, **changes) -> np.ndarray:
        settings, seed, _ = step_of("mixture-learning-alpha", step)
        return scene_of(settings.model_copy(update=changes), seed).exact.table_counts

    assert law("small")[2] == pytest.approx(0.95, abs=0.005)
    one = law("small", concentration=1.0)
    assert one[3] == max(one) == pytest.approx(0.41, abs=0.005)
    learned = law("sure")
    assert learned[[3, 6]] == pytest.approx([0.32, 0.05], abs=0.005)
    assert learned[2] > one[2] - 0.01, "a small one speaks for two tables"
    assert learned[5] > one[5], "and a large one for five"
    price = law("price")
    assert [price.argmax(), *price[[6, 3]]] == pytest.approx([6, 0.40, 0.01], abs=0.005)
    settings, seed, _ = step_of("mixture-learning-alpha", "posterior")
    alphas = np.linspace(1e-4, 60, 60_001)
    exact = scene_of(settings, seed).exact
    density = concentration_density(exact, CONCENTRATION_PRIOR, alphas)
    assert (alphas * density).sum() / density.sum() == pytest.approx(1.61, abs=0.006)
    settings, seed, step = step_of("mixture-learning-alpha", "more")
    run = scene_of(settings.model_copy(update=step.then.settings), seed).runs[0]
    run.grow(step.at, seconds=60)
    assert 0.3 < run.concentration[1 : step.at].std() < 0.7, "narrower than the prior's 1, and still broad"


@pytest.mark.told
def test_a_cluster_is_not_a_process_as_it_is_told():
    settings, seed, step = step_of("mixture-not-a-process", "far")
    run = scene_of(settings, seed).runs[0]
    run.grow(130, seconds=60)
    end = run.rebuilt(step.then.advance)
    assert sorted(end.counts) == [1, 19, 20, 20]
    assert end.labels.count(end.labels[-1]) == 1
    company = [t for t in range(101, 131) if (run.labels[t] == run.labels[t][-1]).sum() > 1]
    assert company == [101, 118, 121, 125], "four of these thirty sweeps: nearly always alone"
    settings, seed, step = step_of("mixture-not-a-process", "one")
    made = scene_of(settings, seed)
    made.run.grow(step.then.advance, seconds=60)
    laws = {cluster.count: cluster.posterior().typical() for cluster in made.run.rebuilt(100).clusters.values()}
    assert set(laws) == {98, 22}
    assert laws[22].deviations[0] > 2 * laws[98].deviations[0], "a wide one"
    assert laws[22].mean[0] > laws[98].mean[0] + 0.8, "makes the tail"
    settings, seed, step = step_of("mixture-not-a-process", "diffusion")
    drifting = scene_of(settings, seed)
    drifting.run.grow(step.then.advance, seconds=60)
    laws = {cluster.count: cluster.posterior().typical() for cluster in drifting.run.rebuilt(100).clusters.values()}
    assert set(laws) == {110, 7, 3}
    assert laws[7].mean[0] > laws[110].mean[0] + 0.5, "has the slow answers"
    assert np.bincount(drifting.run.tables[1:101]).tolist() == [0, 5, 80, 15]
    settings, seed, step = step_of("mixture-not-a-process", "both")
    drawn = scene_of(settings, seed)
    drawn.run.grow(100, seconds=60)
    assert drawn.run.tables[100] == 3
    sets = [drawn.replica(t).points for t in range(51, 101)]
    measures = to_the_nearest, to_the_farthest
    assert [sum(measure(points) >= measure(drawn.data) for points in sets) for measure in measures] == [5, 6]
