"""The wrong rules of the mixture's lessons: what is said of them is so."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import SWEEPS
from samplers import Chain
from samplers.crp.exact_partitions import exact_posterior, sweep_matrix
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import (
    effective_draws_per_sweep,
    error_to_truth,
    noise_floor,
    partition_ids,
    sweeps_to_separate,
)
from samplers.enumerated import stationary
from samplers.partitions import partitions
from tests.pages.topics.crp_mixture.steps import ERRORS, IDS, scene_of, step_of

every_error = pytest.mark.parametrize("step", [step for _, step in ERRORS.values()], **IDS)
NUMBERS = {"one": 1, "two": 2, "three": 3}


class Rule:
    """A wrong rule on the data of its step, and all that can be known of it without chance."""

    def __init__(self, step) -> None:
        self.settings, self.seed, _ = step_of(ERRORS[step.id][0], step.id)
        self.sampler = self.settings.sampler()
        right = self.settings.model_copy(update={"rule": "right"}).sampler()
        self.exact = exact_posterior(right.data, right.family, self.settings.concentration)
        matrices = sweep_matrix(self.sampler), sweep_matrix(right)
        self.efficiency = min(map(effective_draws_per_sweep, matrices))
        self.limit = stationary(matrices[0])
        self.sweeps = sweeps_to_separate(self.limit, self.exact.probabilities, self.efficiency)

    def tables(self, law: np.ndarray) -> np.ndarray:
        """Return the probability of 0, 1, 2 and 3 tables."""
        return np.bincount(np.array(partitions(3)).max(axis=1) + 1, law, 4)


def sweeps_said(text: str) -> float:
    found = re.search(r"about\s(?:\*\*)?([\d,]+|a\sdozen)\s?sweeps", text)[1]
    return 12 if found.endswith("dozen") else float(found.replace(",", ""))


def test_every_wrong_rule_has_a_step_and_only_one():
    assert sorted(Rule(step).settings.rule for _, step in ERRORS.values()) == sorted(WRONG_RULES)


def reason_of(step) -> str:
    return next(choice.reason for choice in step.choices if choice.correct)


@every_error
def test_the_sweeps_that_the_answer_names_are_those_that_it_takes_and_the_question_keeps_silent(step):
    rule = Rule(step)
    assert sweeps_said(reason_of(step)) == pytest.approx(rule.sweeps, rel=0.15)
    assert not re.search(r"\bsweeps\b", step.body), "nothing would be left to find"
    assert rule.sweeps < rule.settings.sweep <= SWEEPS


@every_error
def test_the_update_that_opens_shows_what_is_wrong(step):
    rule = Rule(step)
    close_up = scene_of(rule.settings, rule.seed).runs[0]
    close_up.grow(rule.settings.sweep, seconds=60)
    beat = close_up.close_up(rule.settings.sweep)[(step.at - 1) // 4]
    assert step.open == "update"
    assert step.at % 4 == 2, "it is scored"
    (counts, fits) = np.exp(list(beat.update.conditional.terms.values()))
    right = rule.settings.model_copy(update={"rule": "right"}).sampler()
    expected = np.exp(list(right.score(beat.lifted, beat.update.site).terms.values()))
    told = [float(number) for number in re.findall(r"\b0\.\d{3,}", reason_of(step))]
    own = len(counts) - 2
    match step.id:
        case "too-sure":
            assert [fits[-1], expected[1, -1]] == pytest.approx(told, rel=4e-3)
            assert rule.sampler.data[beat.update.site, 0] == 2
        case "guessed":
            assert [fits[-1], expected[1, -1]] == pytest.approx(told, rel=4e-3)
            first = close_up.close_up(rule.settings.sweep)[0]
            assert np.exp(first.update.conditional.terms["fit"][-1]) < 1e-3, "point 1 hardly ever opens one"
        case "at-once":
            before = close_up.close_up(rule.settings.sweep)[0]
            assert (before.before.labels[0] + 1, before.after.labels[0] + 1) == (1, beat.before.labels[1] + 1) == (1, 3)
            assert counts[0] == 2, "two customers at table 1, where only point 3 is"
            assert beat.before.labels.count(0) == 1
        case "data-included":
            place = list(beat.lifted.clusters).index(beat.before.labels[beat.update.site])
            assert beat.before.labels[1] == beat.before.labels[2]
            assert fits.argmax() == place
            assert [fits[place], expected[1, place]] == pytest.approx(told, rel=4e-3)
        case "counts-included" | "emptied":
            assert beat.before.labels.count(beat.before.labels[beat.update.site]) == 1, "it sat alone"
            assert len(counts) == len(expected[0]) + 1
            assert counts[own] == 1
        case "counts-forgotten":
            assert (counts[0], expected[0, 0]) == pytest.approx((1, 2))
            assert len(list(beat.lifted.clusters)) == 1
        case "not-removed":
            place = list(beat.lifted.clusters).index(beat.before.labels[beat.update.site])
            assert beat.before.labels[0] == beat.before.labels[1] != beat.before.labels[2]
            assert (counts[place], expected[0, place]) == pytest.approx((2, 1))
            assert [fits[place], expected[1, place]] == pytest.approx(told, rel=4e-3)
        case _:
            raise AssertionError(step.id)


@every_error
def test_after_the_sweeps_of_the_step_the_error_stands_clear_of_the_noise(step):
    rule = Rule(step)
    chain = Chain(rule.sampler, rule.seed)
    sweep = rule.settings.sweep
    ids = partition_ids([chain[t].labels for t in range(1, sweep + 1)])
    law = rule.exact.probabilities
    error = float(error_to_truth(ids, law, sweep))
    assert error > 2 * noise_floor(law, sweep)
    assert error > 2 * noise_floor(law, sweep * rule.efficiency), "and of the noise of a chain this slow"


@every_error
def test_the_percentages_in_the_text_are_exact(step):
    rule, text = Rule(step), " ".join(step.body.partition("```")[0].split())
    numbers = [float(number) for number in re.findall(r"(\d+) %", text)]
    table = re.search(r"\b([Oo]ne|[Tt]wo|[Tt]hree)(?: tables?)? (?:are found|have|has)", text)[1].lower()
    wrong, truth = (100 * rule.tables(law)[NUMBERS[table]] for law in (rule.limit, rule.exact.probabilities))
    expected = [wrong, truth] if len(numbers) == 2 else [truth]
    assert len(numbers) in (1, 2)
    assert numbers == pytest.approx(expected, abs=1.5)
    if "Two or three tables nearly always" in text:
        assert rule.tables(rule.limit)[2:].sum() > 0.95


def test_with_the_right_rule_the_error_follows_the_noise():
    settings, seed, step = step_of("mixture-spot-the-error", "right")
    sampler = settings.sampler()
    exact = exact_posterior(sampler.data, sampler.family, settings.concentration)
    chain = Chain(sampler, seed)
    ids = partition_ids([chain[t].labels for t in range(1, step.until + 1)])
    assert error_to_truth(ids, exact.probabilities, step.until) < 2 * noise_floor(exact.probabilities, step.until)
