"""Three runs on the same messages: what each predicts of the test messages, and the words that surprise."""

import numpy as np
import pytest
from scipy import special

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.download.picture import picture
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.surprises import check, surprises
from pages.topics.gibbs_text.three_times import comparison_of, film, results
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.new_documents import class_probabilities

scene_of = GibbsTextStage().scene


def compared(until: int, **changes):
    found = comparison_of(GibbsTextSettings(layout="three_times", **changes), 7)
    for run in found.runs:
        run.grow(until, seconds=60)
    return found


def test_each_run_comes_to_the_exact_posterior_of_the_test_messages():
    found = compared(400, data="six_messages", test_messages=2, word_probs="collapsed")
    for number, run in enumerate(found.runs):
        counts = run.corpus.bag.counts
        exact = exact_naive_bayes(counts, 2, 1.0, 1.0, run.corpus.shown)
        for place, row in enumerate(found.tested.counts.toarray()):
            words = np.repeat(np.arange(counts.shape[1]), row.astype(int))
            expected = class_probabilities(run.sampler, exact.labellings, words, exact.probabilities)[-1]
            if number < 2:  # without labels either name is as good, and each sweep takes the one that fits
                assert run.predicted(400)[place] == pytest.approx(expected, abs=1e-6 if number == 0 else 0.03)
            else:
                assert expected == pytest.approx([0.5, 0.5])


def test_the_numbers_are_those_of_the_definition():
    found = compared(12)
    for run in found.runs:
        some = np.exp(run.log_joint[7:13].astype(float)).sum(axis=0)
        shares = some / some.sum(axis=1, keepdims=True)
        assert run.predicted(12) == pytest.approx(shares, rel=1e-6)
        truth = found.tested.truth
        assert run.log_loss(12) == pytest.approx(-np.log(shares[np.arange(60), truth]).mean(), rel=1e-6)
        assert run.right(12) == (shares.argmax(axis=1) == truth).sum()
    assert f"{found.runs[0].right(12)} of 60" in results(found, 12)
    frames = film(found).frames(12, 13)
    rings = [int(frames[f"cells_{k}", "lit"].sum()) for k in range(3)]
    assert rings == [60 - run.right(12) for run in found.runs]


def test_a_test_that_is_told_is_passed():
    apart, told = compared(12), compared(12, test_set="told")
    assert told.runs[0].right(12) == 60
    assert told.runs[0].log_loss(12) < 0.3 * apart.runs[0].log_loss(12)


def test_frequent_words_surprise_a_model_whose_prior_is_too_flat():
    flat, right = (scene_of(GibbsTextSettings(known_labels=300, word_prior=beta), 7) for beta in (1.0, 0.1))
    for one in (flat, right):
        one.run.grow(80, seconds=60)
    worst, calm = surprises(flat, 80), surprises(right, 80)
    data = np.asarray(flat.corpus.bag.counts.sum(axis=0)).ravel()
    assert [one.data for one in worst] == [data[flat.corpus.bag.words.index(one.word)] for one in worst]
    assert sum(one.as_far == 0 for one in worst) >= 4
    assert all(one.as_far > 0 for one in calm)
    html = check(flat, 80)
    assert f"<td>{worst[0].word}</td>" in html
    assert html == check(flat, 80)


def test_losses_are_finite_where_the_model_is_surest():
    found = compared(12, test_set="told")
    assert np.isfinite([run.log_loss(t) for run in found.runs for t in (0, 1, 12)]).all()
    assert special.logsumexp(np.log(found.runs[0].predicted(3)), axis=1) == pytest.approx(0, abs=1e-9)


def test_which_labels_chooses_what_is_held_apart():
    settings = GibbsTextSettings(layout="three_times")
    first, second = (comparison_of(settings.model_copy(update={"label_seed": seed}), 7) for seed in (0, 1))
    assert settings.matters("label_seed")
    assert {*first.tested.test} != {*second.tested.test}


def test_a_loss_above_the_axis_has_its_number():
    found = compared(3, word_prior=0.1)
    said = picture(film(found), "loss", 3).decode()
    beyond = [run.log_loss(3) for run in found.runs if run.log_loss(3) > 1]
    assert len(beyond) == 1
    assert f"no label shown ↑ {beyond[0]:.3f}" in said
    assert said.count("↑") == 2, "with its halo"
