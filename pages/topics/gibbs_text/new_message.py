"""A new message: typed by the learner or made by the model, and its class word by word, over the sweeps of the run."""

from collections.abc import Iterable
from functools import partial
from html import escape
from typing import NamedTuple

import numpy as np
from scipy import special

from pages.contract.place import Place
from pages.contract.tools import Field, Press, Tool
from pages.drawing.cards import badge, dart, numbered, quiet, score_table
from pages.drawing.numbers import nearly_sure, significant
from pages.topics.gibbs_text.fan import fan
from pages.topics.gibbs_text.inspector import name_of, options_of, pair_of, tinted
from pages.topics.gibbs_text.run import word_probs
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.new_documents import (
    MadeDocument,
    class_probabilities,
    drawn_log_joints,
    log_joints,
    make_document,
)

MOST_LINES = 40  # draws that are drawn
MOST_SWEEPS = 100  # that are averaged: so many of those that count, equally far apart
MOST_EXACT = 4_096  # labellings over which one sums while somebody waits
LONGEST = 10  # words of a message that is made
MOST_MADE = 99
LONGEST_TYPED = 100


def ask(place: Place) -> Iterable[Tool]:
    """Yield the field for the message and the button that has the model make one."""
    made = place.settings.made

    def typed(text: str) -> None:
        place.change(message=" ".join("".join(c if c.isprintable() else " " for c in text).split()), made=0)

    yield Field(
        "new message",
        "New message",
        "" if made else place.settings.message,
        typed,
        longest=LONGEST_TYPED,
        width=260,
        icon=":material/edit:",
        hint="Type a message, then Enter",
        among=made,
    )
    make = partial(place.change, made=made % MOST_MADE + 1)
    said = "The model draws a class, and then each word by its class"
    yield Press("Make one", make, ":material/casino:", said, looks=True)


class Words(NamedTuple):
    """The words of a new message."""

    text: str  # as typed; "" if it is made
    spans: tuple[tuple[int, int, int], ...]  # as `BagOfWords.read` gives them; none if it is made
    used: np.ndarray  # numbers of those in the vocabulary, in reading order, shape (words,)
    made: MadeDocument | None  # if the model has made it


def words_of(scene: TextScene, sweep: int) -> Words:
    """Return the words of the message that was typed, or that the model makes by the probabilities of a sweep."""
    if not scene.settings.made:
        text = scene.settings.message
        spans = scene.corpus.bag.read(text)
        return Words(text, spans, np.array([word for *_, word in spans if word >= 0], int), None)
    sampler, state = scene.run.sampler, scene.run.state(sweep)
    rng = np.random.default_rng((scene.run.chain.seed, scene.settings.made))
    like = int(rng.integers(scene.corpus.size))
    length = min(max(sampler.tokens(like).size, 1), LONGEST)
    made = make_document(weights_of(scene, sweep), word_probs(sampler, state), length, rng)
    return Words("", (), made.words, made)


def weights_of(scene: TextScene, sweep: int) -> np.ndarray:
    """Return the weights of the classes in a sweep, or those expected given its labels, shape (K,)."""
    sampler, state = scene.run.sampler, scene.run.state(sweep)
    if sampler.weights == "explicit":
        return state.weights
    return np.exp(sampler.log_mean_weights(state.counts))


class Prediction(NamedTuple):
    """The class of a new message, word by word."""

    # probability of each class before the first word and after each, averaged over sweeps: (words + 1, K)
    average: np.ndarray
    # log p(class, first words) by one draw of all parameters for each of some sweeps: (draws, words + 1, K)
    draws: np.ndarray
    exact: np.ndarray | None  # as the average, over all labellings, where they can be listed
    sweeps: np.ndarray  # those that are averaged


def predict(scene: TextScene, sweep: int, used: np.ndarray) -> Prediction:
    """Return the class of a new message by the sweeps up to one that come after the burn-in."""
    run, sampler = scene.run, scene.run.sampler
    sweeps, some = (counted_sweeps(scene, sweep, most) for most in (MOST_SWEEPS, MOST_LINES))
    draws = [
        drawn_log_joints(sampler, run.labels[each], used, np.random.default_rng((run.chain.seed, int(each), 1)))
        for each in some
    ]
    exact, known = None, scene.exact
    if known is not None and len(known.labellings) <= MOST_EXACT:
        exact = class_probabilities(sampler, known.labellings, used, known.probabilities)
    return Prediction(class_probabilities(sampler, run.labels[sweeps], used), np.array(draws), exact, sweeps)


def counted_sweeps(scene: TextScene, sweep: int, most: int) -> np.ndarray:
    """Return the sweeps after the burn-in up to one, or `MOST_SWEEPS` of them; in the burn-in, that one."""
    first = min(scene.settings.burn_in + 1, sweep)
    return np.unique(np.linspace(first, sweep, min(sweep - first + 1, most)).round().astype(int))


# ---- cards -----------------------------------------------------------------------------------------------------------


def new_message(scene: TextScene, sweep: int) -> str:
    """Return where the message comes from, its odds word by word, and its class, as HTML."""
    words = words_of(scene, sweep)
    found = predict(scene, sweep, words.used)
    pair = pair_of(np.log(found.average[-1]))
    means = log_joints(scene.run.sampler, scene.run.labels[sweep], words.used)
    terms = np.diff(means, axis=0)  # of each word, shape (words, K)
    first = _made(scene, sweep, words.made) if words.made else _typed(scene, words, terms, pair)
    with np.errstate(divide="ignore"):
        odds = np.log(found.average)
    picture = fan(
        [scene.corpus.bag.words[word] for word in words.used],
        odds[:, pair[0]] - odds[:, pair[1]],
        found.draws[:, :, pair[0]] - found.draws[:, :, pair[1]],
        pair,
        (scene.letters[pair[0]], scene.letters[pair[1]]),
    )
    cards = numbered(
        ("Made" if words.made else "Typed", first),
        ("Word by word", picture + _key(found)),
        ("Its class", _class(scene, found, words.made)),
    )
    return f'<div class="fans">{cards}</div>'


def _typed(scene: TextScene, words: Words, terms: np.ndarray, pair: tuple[int, int]) -> str:
    parts, at, number = [], 0, 0
    for start, end, word in words.spans:
        parts.append(escape(words.text[at:start]))
        surface, at = escape(words.text[start:end]), end
        if word < 0:
            parts.append(f'<span class="quiet">{surface}</span>')
            continue
        parts.append(tinted(surface, float(terms[number][pair[0]] - terms[number][pair[1]]), pair))
        number += 1
    text = f'<p class="message">{"".join(parts)}{escape(words.text[at:])}</p>'
    if not words.spans:
        return text + quiet("Type a message in the field above, and press Enter.")
    faint = " Faint words are not in the vocabulary and do not count." if number < len(words.spans) else ""
    return text + quiet(f"It is classified but not learned from: it is not part of the run.{faint}")


def _made(scene: TextScene, sweep: int, made: MadeDocument) -> str:
    sampler, weights = scene.run.sampler, weights_of(scene, sweep)
    probs = word_probs(sampler, scene.run.state(sweep))[made.label]
    options = options_of(scene, weights)
    shares = ", ".join(f"{badge(option.badge, option.cluster)} {option.probability:.2f}" for option in options)
    tiles = "".join(
        f'<span class="tile"><b>{escape(scene.corpus.bag.words[word])}</b>{significant(float(probs[word]), 2)}</span>'
        for word in made.words
    )
    return (
        f"<p>Class, by the weights {shares}: random number {made.uniforms[0]:.3f}</p>"
        f"{dart(options, float(made.uniforms[0]))}"
        f"<p>so {_named(scene, made.label)}. Then each word by θ of this class, one by one:</p>"
        f'<div class="tiles">{tiles}</div>'
    )


def _named(scene: TextScene, label: int) -> str:
    return f"{'class ' if scene.names[label].startswith('class ') else ''}{name_of(scene, label)}"


def _class(scene: TextScene, found: Prediction, made: MadeDocument | None) -> str:
    best = int(found.average[-1].argmax())
    table = score_table(options_of(scene, found.average[-1]), -1, "P(class | words), averaged over the sweeps")
    each = special.softmax(found.draws[:, -1], axis=1)[:, best]
    said = ""
    if len(each) > 1:
        low, high = (nearly_sure(float(end)) for end in np.quantile(each, (0.05, 0.95)))
        said = f"<p>{_named(scene, best)}: nine in ten draws are between {low} and {high}.</p>"
    if found.exact is not None:
        said += f"<p>Exact: <b>{nearly_sure(float(found.exact[-1][best]))}</b></p>"
    if made is not None:
        said += f"<p>It was made by {_named(scene, made.label)}.</p>"
    return table + said


def _key(found: Prediction) -> str:
    sweeps = f"sweep {found.sweeps[0]}" if len(found.sweeps) == 1 else f"sweeps {found.sweeps[0]} to {found.sweeps[-1]}"
    return quiet(
        f"Grey: one draw of π and θ for each of {len(found.draws)} of these sweeps. Thick: averaged over {sweeps}, "
        "with π and θ integrated out."
    )
