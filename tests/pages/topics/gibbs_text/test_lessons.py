"""The lessons about messages: what they say is so."""

import re

import numpy as np
import pytest

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.topics.gibbs_text import statistics
from samplers import Chain
from tests.pages.topics.gibbs_text.steps import LESSONS, STEPS, scene_of
from tests.pages.visits import follow, inspector

TOPIC = "gibbs_text.py"


def test_there_are_thirteen_lessons():
    assert [int(lesson.path.name.split("-")[1]) for lesson in LESSONS] == list(range(1, 14))


def step_of(lesson: str, step: str, **changes):
    found = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == (lesson, step))
    return found[0].settings_for(found[1]).model_copy(update=changes), found[0].seed_for(found[1]), found[1]


def text_of(lesson: str, step: str) -> str:
    _, _, found = step_of(lesson, step)
    choices = " ".join(f"{choice.text} {choice.reason}" for choice in found.choices)
    return " ".join(f"{found.body} {choices} {found.instructor}".split())


def agree(settings: GibbsTextSettings, seed: int, t: int) -> int:
    return settings.measure(Chain(settings.sampler(), seed), t)["agree"]


@pytest.mark.told
def test_the_numbers_of_one_message():
    settings, seed, _ = step_of("text-word-by-word", "score")
    sampler = settings.sampler()
    first, second = Chain(sampler, seed).record(1)[:2]
    assert first.conditional.probabilities[1] == pytest.approx(0.98, abs=0.005)
    start = Chain(sampler, seed)[0]
    now = list(settings.corpus().bag.words).index("now")
    assert start.word_probs[:, now] == pytest.approx([0.011, 0.177], abs=0.0006)
    assert np.log(5 / 2) == pytest.approx(0.92, abs=0.005)
    assert np.diff(start.log_word_probs[:, now])[0] == pytest.approx(2.75, abs=0.005)
    prize = list(settings.corpus().bag.words).index("prize")
    assert -np.diff(start.log_word_probs[:, prize])[0] == pytest.approx(1.60, abs=0.005)
    assert second.site == 1
    assert sampler.tokens(1).tolist().count(prize) == 2


@pytest.mark.told
def test_the_numbers_without_labels():
    corpus = step_of("text-spam-without-labels", "start")[0].corpus()
    said_of = text_of("text-spam-without-labels", "start")
    assert f"{corpus.size} messages with {len(corpus.bag.words)} different words" in said_of
    assert round(corpus.bag.counts.sum(), -2) == 2_400
    settings, seed, _ = step_of("text-spam-without-labels", "run")
    assert agree(settings, seed, 0) == 57
    assert {agree(settings, other, 30) for other in range(1, 11)} == {83, 84, 85, 86, 87}
    labels = corpus.messages.labels
    for other, spam in ((seed, True), (seed + 2, False)):  # the next seed twice: the classes have changed places
        first = np.array(Chain(settings.sampler(), other)[30].labels) == 0
        assert (labels[first].mean() > 0.75) == spam
        assert (labels[first].mean() < 0.25) != spam
    assert "with seed 9" in text_of("text-spam-without-labels", "names")
    assert corpus.messages.texts[8].startswith("hey its me, lost my phone")
    assert corpus.messages.classes[corpus.messages.labels[8]] == "spam"
    calm, seed, step = step_of("text-spam-without-labels", "sure")
    run = scene_of(calm, seed).run
    run.grow(step.at, seconds=60)
    with_mum = corpus.messages.texts.index("My new number is on the kitchen door, mum has it too")
    assert run.labels[step.at, 8] == run.labels[step.at, with_mum]


@pytest.mark.told
def test_the_numbers_of_ten_labels():
    settings, seed, _ = step_of("text-ten-labels", "mirror")
    assert agree(settings, seed, 60) == 12
    ten, ten_seed, _ = step_of("text-ten-labels", "ten")
    assert agree(ten, ten_seed, 60) == 86
    corpus = settings.corpus()
    shown = corpus.messages.labels[corpus.shown >= 0]
    assert np.bincount(shown).tolist() == [5, 5]
    assert round(corpus.bag.counts[corpus.shown >= 0].sum(), -1) in (80, 90, 100)

    three, seed, _ = step_of("text-ten-labels", "log-joint", chains=3)
    _, draws, found = statistics.summary(grown(three, seed, 100), 100)[-1]
    for level in draws.mean(axis=1):
        assert f"{level:,.0f}".replace("-", "−") in text_of("text-ten-labels", "log-joint")
    assert found.rhat == pytest.approx(1.46, abs=0.005)
    first, seed, _ = step_of("text-ten-labels", "mirror")
    rows = scene_of(first, seed).rows
    assert (corpus.shown[rows[:10]] >= 0).all(), "the first ten rows say so"
    fifty, seed, _ = step_of("text-ten-labels", "fifty")
    assert agree(fifty, seed, 60) > 80
    looked, seed, _ = step_of("text-ten-labels", "start")
    assert (agree(looked, seed, 0), agree(looked, seed, 60)) == (64, 84)


def grown(settings: GibbsTextSettings, seed: int, until: int):
    made = scene_of(settings, seed)
    for run in made.runs:
        run.grow(until, seconds=60)
    return made


def last_row_of(lesson: str, step: str, t: int, **changes):
    settings, seed, _ = step_of(lesson, step, **changes)
    return statistics.summary(grown(settings, seed, t), t)[-1]


@pytest.mark.told
def test_the_numbers_of_when_to_stop():
    def last_row(step: str, t: int = 200, **changes):
        return last_row_of("text-when-to-stop", step, t, **changes)

    early, at = last_row("burn-in", 50)[1], step_of("text-when-to-stop", "burn-in")[2].at
    assert early.shape == (1, at) == (1, 50)
    assert early[:, 25:].mean() - early.mean() == pytest.approx(20, abs=0.5)
    assert early[:, 20:].mean() - early.mean() == pytest.approx(21, abs=0.5)
    low, calm = last_row("burn-in"), last_row("last")
    assert calm[1].mean() - low[1].mean() == pytest.approx(5, abs=0.5)
    assert calm[2].mcse_mean == pytest.approx(2.6, abs=0.05)
    assert calm[1].std() == pytest.approx(25, abs=0.5)
    assert round(calm[2].ess_bulk) == 94
    thin = last_row("thin")
    assert thin[1].size == 45
    assert thin[2].mcse_mean == pytest.approx(3.9, abs=0.05)
    assert not thin[2].too_few_for_rhat
    worth = last_row("worth")
    assert worth[1].size == 180
    assert round(worth[2].ess_bulk) == 13
    assert statistics.autocorrelation(worth[1], 10)[[1, 10]] == pytest.approx([0.80, 0.29], abs=0.005)


@pytest.mark.told
def test_the_numbers_of_several_chains():
    def last_row(step: str, **changes):
        return last_row_of("text-several-chains", step, 200, **changes)

    _, draws, many = last_row("better")
    assert (draws.size, round(many.ess_bulk), round(many.rhat, 2)) == (720, 50, 1.05)
    _, draws, collapsed = last_row("collapsed")
    assert (draws.size, round(collapsed.ess_bulk), round(collapsed.rhat, 3)) == (720, 467, 0.999)
    assert last_row("switching")[2].rhat == np.inf
    assert last_row("switching", statistic="log_joint")[2].rhat < 1.01
    assert last_row("switching", naming="matched")[1].std() == 0


@pytest.mark.told
def test_the_numbers_of_the_errors():
    settings, seed, _ = step_of("text-spot-the-error", "right")
    made = grown(settings, seed, 1)
    both = 1 - made.exact.probabilities[[0, -1]].sum()
    assert both == pytest.approx(0.9, abs=0.02)
    once = grown(*step_of("text-quiet-errors", "weights-once")[:2], 600)
    assert once.run.state(5).weights.tolist() == once.run.state(600).weights.tolist()
    assert abs((once.run.labels[1:601] == 0).mean() - 0.5) > 0.05
    late, seed, step = step_of("text-quiet-errors", "late")
    run = grown(late, seed, step.at).run
    beat = run.close_up(step.at)[int(run.order.visit_of[0])]
    terms = beat.update.conditional.terms["documents already there"]
    own = run.sampler.word_terms(beat.lifted, 0).sum(axis=0)
    assert np.subtract(*terms) + np.subtract(*own) == pytest.approx(-4.95, abs=0.005)
    assert np.subtract(*beat.update.conditional.log_weights) == pytest.approx(-1.28, abs=0.005)


@pytest.mark.told
def test_a_message_that_is_taken_out_changes_one_count_alone():
    settings, seed, _ = step_of("text-word-by-word", "forget")
    beat = scene_of(settings, seed).run.close_up(1)[0]
    assert beat.update.site == 0
    assert (beat.before.labels[0], beat.before.counts[1]) == (1, 2)
    assert "2 - 1 = 1" in text_of("text-word-by-word", "forget")


@pytest.mark.told
def test_on_the_large_corpus_the_quietest_error_does_as_well_as_the_right_rule():
    found = {}
    for rule in ("right", "repeated words as powers"):
        settings = GibbsTextSettings(rule=rule, word_probs="collapsed")
        found[rule] = np.mean([agree(settings, seed, 30) for seed in (7, 8, 9)])
    assert found["right"] == pytest.approx(found["repeated words as powers"], abs=1)


def test_what_the_quietest_error_would_take(visited):
    follow(visited, lesson="text-quiet-errors", step="found")
    shown = inspector(visited)
    said = re.search(r"stays ([\d.]+) from the exact posterior, .* after about ([\d,]+) sweeps", shown)
    distance, sweeps = said.groups()
    told = text_of("text-quiet-errors", "found")
    assert distance in told
    assert round(int(sweeps.replace(",", "")), -3) == 11_000
