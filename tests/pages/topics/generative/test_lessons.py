"""The numbers and claims of the lessons on generative classification, each computed again from the step's settings."""

from functools import cache

import numpy as np
import pytest

from lessons.topics.generative import GenerativeSettings
from pages.drawing.plane import grid_places
from pages.lesson.lessons import library
from pages.topics.generative import GenerativeStage
from samplers.generative.classifier import GenerativeModel
from samplers.generative.features import Encoding
from samplers.generative.stories import STORIES
from samplers.log_density import NoMode
from tests.pages.html import words

scene_of = GenerativeStage().scene

pytestmark = pytest.mark.told

NEW = 10_000  # the seed of 500 examples that nobody has learned from


def shown(lesson, step, **changes):
    found = library().lesson(lesson)
    settings = found.settings_for(next(each for each in found.steps if each.id == step)).model_copy(update=changes)
    scene = scene_of(settings, found.seed)
    scene.run.grow(scene.run.total, seconds=30)
    return settings, scene


def card(lesson, step, view, t, **changes):
    settings, _ = shown(lesson, step, **changes)
    return words(GenerativeStage().cards(settings, library().lesson(lesson).seed, view, t))


def at_query(lesson, step, by, t, **changes):
    settings, scene = shown(lesson, step, **changes)
    return float(scene.predict(by, settings.query(scene.examples.features)[None], t)[0, 1])


@cache
def new_examples(data):
    return STORIES[data].examples(500, NEW)


def errors(lesson, step, by, t, **changes):
    """Return the share of new examples of the same story that are taken for another class."""
    settings, scene = shown(lesson, step, **changes)
    values, labels = new_examples(settings.data)
    return (scene.predict(by, values, t).argmax(axis=1) != labels).mean()


def losses(data, count, grouping, stories):
    """Return the mean of -log p of the right label over so many stories: averaged, MAP and MLE, where there is one."""
    simulated = STORIES[data]
    encoding = Encoding(simulated.encoding.features, grouping)
    model = GenerativeModel(encoding.prior(1, 1), 2, 1.0)
    values, labels = new_examples(data)
    asked, found = encoding.rows(values), []
    for seed in range(stories):
        told, known = simulated.examples(count, seed)
        rows = encoding.rows(told)
        try:
            plugged = [model.plug_in(rows, known, prior=prior) for prior in (True, False)]
        except NoMode:
            continue
        answers = [each.predict(asked) for each in (model.posterior(rows, known).predictive(), *plugged)]
        found.append([-np.log(np.maximum(p[range(500), labels], 1e-300)).mean() for p in answers])
    return np.mean(found, axis=0)


# ---- the story, and three posteriors ---------------------------------------------------------------------------------


def test_the_twenty_examples_are_those_that_were_told():
    _, told = shown("generative-story", "twenty")
    _, learned = shown("generative-story", "weight")
    np.testing.assert_array_equal(told.examples.values, learned.examples.values)
    assert learned.examples.labels.sum() == 12
    assert "12 / 21 → 13 / 22 = 0.591" in card("generative-story", "weight", "step", 20)


def test_the_link_is_a_part_of_the_log_odds():
    settings, scene = shown("generative-posteriors", "missing", left_out=0)
    names, terms = scene.terms(40, settings.query(scene.examples.features))
    parts = dict(zip(names, terms[:, 1] - terms[:, 0], strict=True))
    whole = sum(parts.values())
    assert [f"{odds:.2f}" for odds in (whole, parts["link"], whole - parts["link"])] == ["-0.19", "1.31", "-1.50"]
    assert f"{1 / (1 + np.exp(parts['link'] - whole)):.3f}" == "0.183"


def test_missing_and_flipped_entries_as_they_are_told():
    """From the counts of the examples alone, by fractions; and the cards show the same."""
    _, scene = shown("generative-gaps", "imputed")
    links = [scene.examples.values[scene.examples.labels == label, 2] for label in range(2)]
    ham, spam = ((links[label].sum() + 1) / (links[label].size + 2) for label in range(2))
    assert [ham, spam] == pytest.approx([0.222, 0.824], abs=5e-4)
    yes = at_query("generative-gaps", "imputed", "posterior", 40)
    answer = np.array([1 - yes, yes])
    assert answer == pytest.approx([0.817, 0.183], abs=5e-4)
    assert answer @ [ham, spam] == pytest.approx(0.33, abs=5e-3)
    text = card("generative-gaps", "same", "imputed", 40)
    assert f"{answer @ [ham, spam]:.3f}" in text, "the exact one"
    assert "0.817" in text
    _, scene = shown("generative-gaps", "corrupted")
    labels = scene.examples.labels
    said = [scene.examples.values[labels == label, 0] for label in range(2)]
    ham, spam = ((said[label].sum() + 1) / (said[label].size + 2) for label in range(2))
    assert (labels.sum(), labels.size) == (14, 40)
    weight = (labels.sum() + 1) / (labels.size + 2)
    assert [ham, spam, weight] == pytest.approx([0.036, 0.375, 0.357], abs=5e-4)
    for flip, told in ((0.0, 0.854), (0.1, 0.63), (0.5, 0.357)):
        recorded = [(1 - flip) * chance + flip * (1 - chance) for chance in (ham, spam)]
        joint = np.array([(1 - weight) * recorded[0], weight * recorded[1]])
        assert joint[1] / joint.sum() == pytest.approx(told, abs=5e-3 if flip == 0.1 else 5e-4)
        found = at_query("generative-gaps", "corrupted", "posterior", 40, flip=flip)
        assert found == pytest.approx(joint[1] / joint.sum())
        if flip == 0.1:
            assert [*recorded[::-1], *joint[::-1]] == pytest.approx([0.4, 0.129, 0.143, 0.083], abs=5e-4)


def test_the_eighth_message_moves_two_posteriors_of_three():
    _, scene = shown("generative-posteriors", "moves")
    assert scene.examples.labels[:8].tolist() == [1, 0, 1, 0, 0, 0, 0, 1]
    before, after = (scene.fit.posterior(scene.run.labels_at(t)) for t in (7, 8))
    assert (before.weights.prior[1], before.weights.prior.sum()) == (3, 9)
    assert (after.weights.prior[1], after.weights.prior.sum()) == (4, 10)
    rows = scene.fit.rows
    np.testing.assert_array_equal(before.families[0].terms(rows), after.families[0].terms(rows))
    assert np.abs(before.families[1].terms(rows) - after.families[1].terms(rows)).min() > 0


def test_what_leaving_out_does():
    lesson = "generative-posteriors"
    assert at_query(lesson, "missing", "posterior", 40) == pytest.approx(0.183, abs=5e-4)
    assert at_query(lesson, "missing", "posterior", 40, left_out=0) == pytest.approx(0.453, abs=5e-4)
    assert at_query(lesson, "nothing", "posterior", 40) == pytest.approx(16 / 42)


# ---- averaging -------------------------------------------------------------------------------------------------------


def test_three_examples_have_no_likeliest_covariance():
    _, scene = shown("generative-averaging", "none")
    assert scene.examples.labels[:3].tolist() == [0, 0, 1]
    assert scene.fit.problem("MLE", scene.run.labels_at(3))
    assert not scene.fit.problem("MLE", scene.run.labels_at(8))


def test_far_from_the_points_one_is_sure_and_the_other_is_not():
    answers = [at_query("generative-averaging", "sure", by, 8) for by in ("posterior", "MLE", "truth")]
    assert answers == pytest.approx([0.195, 1.0, 0.275], abs=5e-4)
    plugged, scene = shown("generative-averaging", "sure")
    assert plugged.measure(scene.run.chain, 8)["answer"] == pytest.approx(answers[1]), "by the estimate of the settings"
    differences = []
    for step, t in (("difference", 8), ("many", 200)):
        _, scene = shown("generative-averaging", step)
        first, second = (scene.predict(by, grid_places(), t)[:, 1] for by in ("posterior", "MLE"))
        differences.append(np.abs(first - second).max())
    assert differences == pytest.approx([0.95, 0.046], abs=5e-4)
    _, scene = shown("generative-averaging", "difference")
    at_points = [scene.predict(by, scene.examples.values, 8)[:, 1] for by in ("posterior", "MLE")]
    off = np.abs(at_points[0] - at_points[1])
    assert off[2] == pytest.approx(0.39, abs=5e-3)
    assert np.delete(off, 2).max() == pytest.approx(0.11, abs=5e-3)


def test_by_maximum_likelihood_the_cards_leave_the_prior_out_and_the_note_names_both_classes():
    said = card("generative-averaging", "none", "step", 3)
    assert "0 / 2 → 1 / 3 = 0.333" in said
    assert "mean x₁ – → 0.79 mean x₂ – → −0.83" in " ".join(said.split())
    assert "That had the probability" not in said
    _, scene = shown("generative-averaging", "none")
    why = scene.fit.problem("MLE", scene.run.labels_at(3))
    assert "class 0: without a prior" in why
    assert "class 1: without a prior" in why
    averaged = card("generative-averaging", "none", "step", 3, estimate="MAP")
    assert "1 / 3 = 0.333" in averaged
    assert "That had the probability" in averaged


def test_averaging_pays_with_few_examples():
    assert losses("equal", 8, "whole", 60) == pytest.approx([0.364, 0.833, 22.4], abs=0.05)
    assert losses("equal", 200, "whole", 60) == pytest.approx([0.248, 0.250, 0.249], abs=5e-4)


# ---- naive -----------------------------------------------------------------------------------------------------------


def test_naive_bayes_counts_twice():
    lesson = "generative-naive"
    assert at_query(lesson, "twice", "posterior", 40) == pytest.approx(0.955, abs=5e-4)
    assert at_query(lesson, "twice", "posterior", 40, grouping="whole") == pytest.approx(0.847, abs=5e-4)
    assert at_query(lesson, "twice", "truth", 40) == pytest.approx(0.855, abs=5e-4)
    wrong = {step: shown(lesson, step)[1].lost("posterior", 40)[0] for step in ("round", "whole")}
    assert {step: f"{share:.1%}" for step, share in wrong.items()} == {"round": "25.5%", "whole": "18.3%"}
    assert shown(lesson, "whole")[1].lost("truth", 40)[0] == pytest.approx(0.170, abs=1e-3)
    for step, expected in wrong.items():
        among = errors(lesson, step, "posterior", 40)  # 500 new examples
        assert among == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 500))


def test_pairs_are_best_with_few_examples():
    found = [losses("pairs", 10, grouping, 30)[0] for grouping in ("pairs", "whole", "naive")]
    assert found == pytest.approx([0.40, 0.58, 0.66], abs=6e-3)
    many = [losses("pairs", 200, grouping, 10)[0] for grouping in ("pairs", "whole")]
    assert many[0] == pytest.approx(many[1], abs=0.01)


# ---- hidden labels ---------------------------------------------------------------------------------------------------


def test_points_without_labels_help_where_the_story_is_right():
    lesson = "generative-unlabelled"
    settings, scene = shown(lesson, "six")
    assert np.bincount(scene.fit.known[:6]).tolist() == [2, 2, 2]
    assert (scene.run.labels_at(40) == scene.examples.labels)[6:].sum() == 49
    changed = (scene.run.labels_at(1) != np.array(scene.run.state(0).labels)).sum()
    assert changed > 54 / 2, "most labels change"
    assert settings.labelled == 6


def long_run(step, by, t):
    """Return the share of all examples of a story that a way takes for another class: an integral over the plane."""
    settings, scene = shown("generative-unlabelled", step)
    axis = np.linspace(-11, 11, 166)
    x, y = np.meshgrid(axis, axis)
    places = np.column_stack([x.ravel(), y.ravel()])
    densities = np.array([share * plane_normal(places, *moments) for share, *moments in PLANES[settings.data]])
    taken = scene.predict(by, places, t).argmax(axis=1)
    right = densities[taken, np.arange(len(places))].sum()
    assert densities.sum() * (axis[1] - axis[0]) ** 2 == pytest.approx(1, abs=1e-4)
    return 1 - right / densities.sum()


def plane_normal(places, mean, covariance):
    away = places - np.array(mean)
    exponent = np.einsum("pi,ij,pj->p", away, np.linalg.inv(covariance), away)
    return np.exp(-exponent / 2) / (2 * np.pi * np.sqrt(np.linalg.det(covariance)))


TILTED = [[4.5, 3.6], [3.6, 4.5]]
PLANES = {  # the stories once more: weight, mean and covariance of each class
    "three": [
        (0.40, (-3.0, -1.7), [[2.2, 0], [0, 2.2]]),
        (0.35, (3.0, -1.4), [[2.8, 1.7], [1.7, 2.8]]),
        (0.25, (0.3, 2.9), [[4.4, 0], [0, 1.1]]),
    ],
    "correlated": [(0.5, (-1.7, -0.7), TILTED), (0.5, (1.7, 0.7), TILTED)],
}


def test_how_often_each_way_errs_in_the_long_run():
    """An integral, to which draws come near: of 20,000 new examples within 4 standard errors, half a percent, too."""
    gained = [long_run("gained", by, 40) for by in ("labelled", "posterior", "truth", "logistic")]
    assert [f"{error:.0%}" for error in gained] == ["8%", "5%", "4%", "7%"]
    wrong = [long_run("wrong", by, 60) for by in ("labelled", "posterior")]
    assert [f"{error:.0%}" for error in wrong] == ["28%", "29%"]
    assert wrong[1] > wrong[0] + 0.005
    _, scene = shown("generative-unlabelled", "gained")
    rows, labels = STORIES["three"].story.examples(20_000, NEW)
    missed = (scene.predict("truth", STORIES["three"].encoding.values(rows), 40).argmax(axis=1) != labels).mean()
    assert missed == pytest.approx(gained[2], abs=4 * np.sqrt(gained[2] / 20_000))


def test_labels_that_are_not_lost_by_chance_make_a_class_look_rare():
    settings, scene = shown("generative-unlabelled", "lost")
    assert ((scene.examples.labels == 1).sum(), (scene.fit.known == 1).sum(), settings.labelled) == (28, 4, 30)
    shares = [np.mean(np.array(scene.run.labels_at(t)) == 1) for t in range(20, 201)]
    assert np.mean(shares) == pytest.approx(0.3, abs=0.05)
    fair, by_chance = shown("generative-unlabelled", "lost", lost="by chance")
    shares = [np.mean(np.array(by_chance.run.labels_at(t)) == 1) for t in range(20, 201)]
    assert np.mean(shares) == pytest.approx(28 / 60, abs=0.05), "with as many labels, lost by chance, it is right"
    assert fair.labelled == 30


def test_who_asks_for_less_needs_less():
    said = card("generative-unlabelled", "beside", "beside", 40)
    assert "numbers to learn 17 9" in said
    assert "6 examples with label and all features" in said


# ---- errors ----------------------------------------------------------------------------------------------------------


def test_each_error_shows_as_it_is_told():
    lesson = "generative-spot-the-error"
    _, scene = shown(lesson, "prior")
    assert np.bincount(scene.examples.labels).tolist() == [24, 16]
    assert "0.505" in card(lesson, "prior", "known", 40)
    assert "0.495" in card(lesson, "prior", "known", 40)
    assert "0.433" in card(lesson, "prior", "known", 40, rule="right")
    share = next(chart for chart in scene.film.charts if chart.name == "share")
    assert share.caption == "· {mean} on average", "that prior's counts are no examples"

    _, scene = shown(lesson, "nought")
    assert np.bincount(scene.examples.labels).tolist() == [9, 3]
    assert at_query(lesson, "nought", "posterior", 12) == 0
    assert at_query(lesson, "nought", "posterior", 12, rule="right") == pytest.approx(0.434, abs=5e-4)
    assert np.isnan(at_query(lesson, "both", "posterior", 12))
    assert scene.examples.values[scene.examples.labels == 1][:, 3].sum() == 0
    assert scene.examples.values[scene.examples.labels == 0][:, 0].sum() == 0

    assert at_query(lesson, "missing", "posterior", 40) == pytest.approx(0.317, abs=5e-4)
    assert at_query(lesson, "missing", "posterior", 40, rule="right") == pytest.approx(0.671, abs=5e-4)


def test_settings_of_lessons_are_those_of_this_stage():
    lessons = [each for each in library().lessons if each.stage == "generative"]
    assert len(lessons) == 13
    assert all(isinstance(each.settings_for(step), GenerativeSettings) for each in lessons for step in each.steps)
