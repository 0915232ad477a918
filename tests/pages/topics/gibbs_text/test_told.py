"""Numbers of the lessons on counts and on the test set, recomputed."""

import numpy as np
import pytest

from pages.lesson.lessons import library
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.counts import label_factors, of_word
from pages.topics.gibbs_text.new_message import predict, words_of
from pages.topics.gibbs_text.surprises import surprises
from pages.topics.gibbs_text.three_times import comparison_of
from samplers import Chain

scene_of = GibbsTextStage().scene

LESSONS = {lesson.id: lesson for lesson in library().for_stage("gibbs_text")}


def step_of(lesson: str, step: str, **changes):
    found = next(each for each in LESSONS[lesson].steps if each.id == step)
    settings = LESSONS[lesson].settings_for(found).model_copy(update=changes)
    return settings, LESSONS[lesson].seed_for(found), found


def grown(lesson: str, step: str, **changes):
    settings, seed, found = step_of(lesson, step, **changes)
    one = scene_of(settings, seed)
    one.run.grow(found.at or 0, seconds=60)
    return one


def compared(step: str, **changes):
    settings, seed, _ = step_of("text-test-set", step, **changes)
    found = comparison_of(settings, seed)
    for run in found.runs:
        run.grow(40, seconds=60)
    return [(run.right(40), round(run.log_loss(40), 3)) for run in found.runs]


@pytest.mark.told
def test_the_word_and_the_labels_of_six_messages():
    one = grown("text-counts", "mean")
    ham, spam = of_word(one, 1)
    assert one.corpus.bag.words[2] == "prize"
    assert (spam.seen, spam.own + spam.others) == (3, 21)
    assert spam.mean == pytest.approx(4 / 21)
    assert (ham.seen, ham.own + ham.others) == (0, 21)
    for by_hand, above in ((3, False), (4, True)):
        more = of_word(grown("text-counts", "hand", by_hand=by_hand), 1)
        assert (more[0].mean > more[1].mean) == above
    assert one.corpus.messages.labels.tolist() == [1, 1, 1, 0, 0, 0]
    tops, bottoms = label_factors(one.run.sampler, one.run.labels[1].astype(int))
    assert tops.tolist() == [1, 2, 3, 1, 2, 3]
    assert bottoms.tolist() == [2, 3, 4, 5, 6, 7]


@pytest.mark.told
def test_the_words_that_change_places():
    texts = {swap: grown("text-counts", "swap", swap=swap).corpus.messages.texts for swap in ("none", "same class")}
    assert texts["none"][:2] == ("Win cash now!", "Prize! Free cash prize!")
    assert texts["same class"][:2] == ("Prize cash now!", "Win! Free cash prize!")
    before, after = (grown("text-counts", "between", swap=swap) for swap in ("none", "other class"))
    assert [before.corpus.messages.texts[k].split()[0] for k in (0, 3)] == ["Win", "Mum"]
    assert [after.corpus.messages.texts[k].split()[0] for k in (0, 3)] == ["Mum", "Win"]
    tables = [each.run.sampler.word_counts(each.run.labels[0]) for each in (before, after)]
    assert (tables[0] != tables[1]).sum() == 4
    assert tables[0].sum(axis=1).tolist() == tables[1].sum(axis=1).tolist() == [11, 11]


@pytest.mark.told
def test_rare_words_part_the_lines():
    one = grown("text-counts", "new")
    words = words_of(one, 60).used
    names = [one.corpus.bag.words[word] for word in words]
    assert names == ["you", "free", "lunch", "noon"]
    data = np.asarray(one.corpus.bag.counts.sum(axis=0)).ravel().astype(int)
    assert [data[word] for word in words[1:]] == [38, 4, 2]
    draws = predict(one, 60, words).draws
    spread = (draws[:, :, 0] - draws[:, :, 1]).var(axis=0)
    assert np.argsort(np.diff(spread)).tolist()[-2:] == [2, 3]
    assert spread[0] < 0.1


@pytest.mark.told
def test_the_runs_on_the_test_set():
    assert compared("three") == [(53, 0.2), (55, 0.266), (55, 0.391)]
    assert compared("told", test_set="told")[0] == (60, 0.038)
    assert compared("read", test_set="read")[0][1] == 0.419
    assert compared("better", word_prior=0.1)[0] == (58, 0.175)
    assert compared("sandbox")[2][0] < 40


@pytest.mark.told
def test_the_words_that_surprise():
    flat, calm = grown("text-test-set", "again"), grown("text-test-set", "weaker", word_prior=0.1)
    first = surprises(flat, 80)[0]
    assert (first.word, first.data, first.sets.min(), first.sets.max()) == ("#", 103, 49, 93)
    assert all(one.as_far for one in surprises(calm, 80))
    number = next(one for one in surprises(calm, 80) if one.word == "#")
    assert (number.data, number.sets.min(), number.sets.max()) == (103, 67, 140)
    assert (number.sets >= number.data).sum() == 13
    totals = flat.run.sampler.word_counts(flat.run.labels[1]).sum(axis=1)
    assert totals[0] == 1_041
    assert len(flat.corpus.bag.words) == 754


@pytest.mark.told
def test_about_one_chain_in_five_with_ten_labels_is_a_mirror_image():
    """Fifty chains, seen when nearly all have chosen their side."""
    settings, _, _ = step_of("text-ten-labels", "often")
    sampler = settings.sampler()
    matched = np.array([settings.measure(Chain(sampler, seed), 20)["agree"] for seed in range(50)])
    assert 0.15 < np.mean(matched < 35) < 0.25
    assert np.mean((matched > 35) & (matched < 70)) < 0.15, "few are still on their way"
