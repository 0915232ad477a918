"""A new message: what a sweep's cards say of it, against the exact posterior of six messages."""

import re

import numpy as np
import pytest
from scipy import special

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.fan import fan
from pages.topics.gibbs_text.new_message import new_message, predict, words_of
from samplers.mixtures.exact_labellings import exact_naive_bayes

scene_of = GibbsTextStage().scene

SIX = {
    "data": "six_messages",
    "known_labels": 2,
    "word_probs": "collapsed",
    "message": "Free lunch, win a free unicorn",
}


def scene(until: int, **changes):
    made = scene_of(GibbsTextSettings(**{**SIX, **changes}), 7)
    made.run.grow(until, seconds=60)
    return made


def test_the_average_over_sweeps_comes_to_the_exact_class_and_leaves_the_run_as_it_is():
    one = scene(400)
    words = words_of(one, 400)
    assert [one.corpus.bag.words[word] for word in words.used] == ["free", "lunch", "win", "free"]
    found = predict(one, 400, words.used)
    rows = np.vstack([one.corpus.bag.counts.toarray(), np.bincount(words.used, minlength=10)])
    together = exact_naive_bayes(rows, 2, 1.0, 1.0, [*one.corpus.shown, -1])
    assert found.exact[-1] == pytest.approx(together.class_probabilities[-1], rel=1e-10)
    assert found.average[-1] == pytest.approx(found.exact[-1], abs=0.02)
    assert (found.sweeps[0], found.sweeps[-1], len(found.draws)) == (21, 400, 40)
    assert special.softmax(found.draws[:, -1], axis=1).std(axis=0)[0] > 0.05, "draws differ"
    other = scene(400, message="prize")
    assert other.run is one.run, "another message is no other run"


def test_words_that_no_message_has_do_not_count():
    html = new_message(scene(30, message="<b>unicorn</b> & zebra"), 30)
    assert "&lt;" in html
    assert "<b>unicorn" not in html
    assert "do not count" in html
    bare = predict(scene(30), 30, np.array([], int))
    assert bare.average.shape == (1, 2)
    assert bare.average[0] == pytest.approx([0.5, 0.5], abs=0.1)


def test_a_message_that_is_made_says_by_which_numbers():
    one = scene(30, made=3, word_probs="explicit", weights="explicit")
    made = words_of(one, 30).made
    assert made is not None
    state = one.run.state(30)
    assert made.label == int(made.uniforms[0] >= state.weights[0])
    html = new_message(one, 30)
    assert f"random number {made.uniforms[0]:.3f}" in html
    first = state.word_probs[made.label, made.words[0]]
    assert re.search(rf"<b>{one.corpus.bag.words[made.words[0]]}</b>{first:.2g}", html)


@pytest.mark.parametrize("many", [1, 4, 6, 7, 10, 14, 20])
def test_words_can_be_read_on_a_phone_and_lie_apart(many):
    odds = np.zeros(many + 1)
    picture = fan(["unicorn"] * many, odds, odds[np.newaxis], (0, 1), ("H", "S"))
    wide, high = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups())
    assert 13.5 * 340 / wide > 10, "type of 13.5 pixels, in a card of a phone"
    places = [
        (float(x), float(angle)) for x, angle in re.findall(r"translate\(([\d.]+) 168\) rotate\((\d+)\)", picture)
    ]
    assert len(places) == many + 1
    (left, angle), (right, _) = places[:2]
    assert (right - left) * np.sin(np.radians(angle)) > 13.5, "a line's height from one to the next"
    assert 168 + 11 * 7 * np.sin(np.radians(angle)) < high, "the longest ends within the picture"
