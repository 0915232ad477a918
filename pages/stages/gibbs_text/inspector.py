"""One message: its update in four beats with its score added up word by word, and its text, each word tinted."""

from __future__ import annotations

import math
from html import escape

import numpy as np
import streamlit as st

from pages.parts.inspector import Option, badge, card, cards, dart
from pages.parts.palette import color
from pages.parts.state import Topic
from pages.stages.gibbs_text.run import Beat, CloseUp
from pages.stages.gibbs_text.scene import Scene
from samplers.labels import HIDDEN, WEIGHTS
from samplers.naive_bayes import DocumentsState

FORGET, SCORE, SAMPLE, REMEMBER = 1, 2, 3, 4
TITLES = ("Forget", "Score", "Sample", "Remember")
NOT_YET = '<p class="quiet">Not yet.</p>'
MOST_TERMS = 6  # words that the score lists one by one
STRONGEST = 3.0  # log ratio from which a word's tint is full
LONGEST_TEXT = 40_000  # characters that the page shows


def beat_by_beat(place: Topic, scene: Scene, close_up: CloseUp) -> None:
    """Draw the update that is under way, as far as it has come."""
    if place.t == 0:
        st.html('<p class="quiet">The sweep is about to begin. Press <b>Step</b>: the first message is taken out.</p>')
        return
    number, reached = (place.t - 1) // 4, (place.t - 1) % 4 + 1
    beat = close_up.beat(min(number, len(close_up.sites) - 1))
    st.html(_cards(scene, beat, reached) if beat.is_label else _block(scene, beat, reached))


def one_document(scene: Scene, close_up: CloseUp) -> None:
    """Draw the update of the open message, whole."""
    visit = int(close_up.visit_of[scene.document])
    if visit >= len(close_up.sites):
        name = escape(scene.names[scene.corpus.shown[scene.document]])
        st.html(
            f'<p class="quiet">The label of message {scene.document + 1} is shown to the sampler: {name}. It is not '
            "redrawn. Open another message.</p>"
        )
        return
    st.html(_cards(scene, close_up.beat(visit), REMEMBER, main=SCORE))


def choose_document(place: Topic, documents: int) -> None:
    """Ask which message to open."""
    key = "inspected message"
    st.session_state[key] = min(place.settings.document, documents)

    def chosen() -> None:
        place.settings = place.settings.model_copy(update={"document": st.session_state[key]})
        st.rerun(["stage", "readout"])

    st.number_input(
        "Message",
        1,
        documents,
        key=key,
        on_change=chosen,
        label_visibility="collapsed",
        width=120,
        icon=":material/mail:",
    )


# ---- the four beats ------------------------------------------------------------------------------------------------


def _cards(scene: Scene, beat: Beat, reached: int, main: int | None = None) -> str:
    bodies = (_forget(scene, beat), _score(scene, beat), _sample(scene, beat), _remember(scene, beat))
    return _laid_out(bodies, reached, main or reached)


def _laid_out(bodies: tuple[str, ...], reached: int, main: int) -> str:
    return cards(
        *(
            card(number, title, body if reached >= number else NOT_YET, main=number == main)
            for number, (title, body) in enumerate(zip(TITLES, bodies, strict=True), FORGET)
        )
    )


def _name(scene: Scene, label: int) -> str:
    name = scene.names[label]
    return f"{badge(scene.letters[label], label)}{'' if name.startswith('class ') else ' ' + escape(name)}"


def _forget(scene: Scene, beat: Beat) -> str:
    document = int(beat.update.site)
    label = beat.before[document]
    there = beat.counts[label]
    words = scene.run.sampler.tokens(document).size
    left = f"which has {there} − 1 = {there - 1} left"
    said = f"<p>Message {document + 1} is taken out of class {_name(scene, label)}, {left}.</p>"
    if scene.run.sampler.word_probs == "collapsed":
        said += f"<p>Its {_counted(words, 'word')} leave the class's counts.</p>"
    return said


def _score(scene: Scene, beat: Beat) -> str:
    law, sampler, document = beat.update.conditional, scene.run.sampler, int(beat.update.site)
    first, second = pair_of(law.log_weights)
    tokens, terms = sampler.tokens(document), sampler.word_terms(beat.lifted, document)
    class_terms = next(iter(law.terms.values()))
    prior_ratio = class_terms[first] - class_terms[second]
    rows = [("class", _class_fraction(scene, beat, first, second), prior_ratio)]
    ratios = terms[:, first] - terms[:, second]
    listed = np.arange(len(tokens))
    if len(tokens) > MOST_TERMS:
        listed = np.sort(np.argsort(-np.abs(ratios), kind="stable")[: MOST_TERMS - 1])
    for place in listed:
        fraction = f"{_number(math.exp(terms[place, first]))} / {_number(math.exp(terms[place, second]))}"
        rows.append((escape(scene.corpus.bag.words[tokens[place]]), fraction, float(ratios[place])))
    if len(listed) < len(tokens):
        rest = float(ratios.sum() - ratios[listed].sum())
        rows.append((f"{len(tokens) - len(listed)} more", "together", rest))
    heading = f"log ratio of {_name(scene, first)} to {_name(scene, second)}: class, then word by word"
    return _waterfall(rows, heading, (first, second)) + _total(scene, beat, rows, first, second)


def pair_of(log_weights: object) -> tuple[int, int]:
    """Return the two classes that weigh most, the lower number first."""
    order = np.argsort(-np.nan_to_num(np.array(log_weights), neginf=-1e300), kind="stable")
    first, second = sorted(order[:2].tolist())
    return first, second


def _class_fraction(scene: Scene, beat: Beat, first: int, second: int) -> str:
    """Return what the class term divides: weights, or messages with pseudo-counts as the rule has them."""
    terms = next(iter(beat.update.conditional.terms.values()))
    sampler = scene.run.sampler
    if sampler.weights == "explicit":
        return f"{math.exp(terms[first]):.3g} / {math.exp(terms[second]):.3g}"
    parts = []
    for k in (first, second):
        less = round(beat.lifted.counts[k] + float(sampler.class_prior[k]) - math.exp(terms[k]))
        parts.append(f"({beat.lifted.counts[k]} + {sampler.class_prior[k]:g}{f' − {less}' if less else ''})")
    return " / ".join(parts)


def _waterfall(rows: list[tuple[str, str, float]], heading: str, pair: tuple[int, int]) -> str:
    ends = np.concatenate([[0.0], np.cumsum([ratio for *_, ratio in rows])])
    if not np.isfinite(ends).all():
        ends = np.zeros(len(ends))
    low, high = min(ends.min(), -0.1), max(ends.max(), 0.1)
    body = ""
    for (name, fraction, ratio), start, end in zip(rows, ends[:-1], ends[1:], strict=True):
        left, width = 100 * (min(start, end) - low) / (high - low), 100 * abs(end - start) / (high - low)
        look = f"left:{left:.2f}%;width:{max(width, 0.8):.2f}%;background:{color(pair[0] if ratio >= 0 else pair[1])}"
        zero = f"left:{-100 * low / (high - low):.2f}%"
        body += (
            f'<tr><td>{name}</td><td class="terms">{fraction}</td><td>{_signed(ratio)}</td>'
            f'<td class="fall"><div><i style="{zero}"></i><span style="{look}"></span></div></td></tr>'
        )
    return f'<table class="score words"><caption>{heading}</caption>{body}</table>'


def _total(scene: Scene, beat: Beat, rows: list[tuple[str, str, float]], first: int, second: int) -> str:
    """Return the sum of the terms and the probability that it makes, as the rule at work makes it."""
    law = beat.update.conditional
    mark = badge(scene.letters[first], first)
    total = sum(ratio for *_, ratio in rows)
    if getattr(law, "undefined", False):
        return (
            "<p><b>0 / 0</b>: the product of so many probabilities is below the smallest number there is, in every "
            "class. The law is NaN, and the first class is taken.</p>"
        )
    weights = law.log_weights
    used = weights[first] - weights[second] if np.isfinite([weights[first], weights[second]]).all() else math.inf
    p = float(law.probabilities[first])
    if math.isfinite(used) and abs(used - total) > 1e-6 * max(1.0, abs(total)):
        return (
            f"<p>Sum {_signed(total)}, but <b>{_signed(used)} is used</b>: scored by other word probabilities than "
            f"these. P({mark}) = {_probability(p)}</p>"
        )
    if scene.classes > 2:
        return f"<p>Sum <b>{_signed(total)}</b>. With all classes, P({mark}) = {_probability(p)}</p>"
    formula = f"1 / (1 + e<sup>{_signed(-total)}</sup>)"
    return f"<p>Sum <b>{_signed(total)}</b>, P({mark}) = {formula} = <b>{_probability(p)}</b></p>"


def _options(scene: Scene, beat: Beat) -> list[Option]:
    probabilities = np.nan_to_num(beat.update.conditional.probabilities)
    return [
        Option(name, letter, k, "", float(p))
        for k, (name, letter, p) in enumerate(zip(scene.names, scene.letters, probabilities, strict=True))
    ]


def _sample(scene: Scene, beat: Beat) -> str:
    law = beat.update.conditional
    if getattr(law, "undefined", False):
        return f"<p>The dart is at {law.dart:.3f}, but there is no bar to hit.</p>"
    listed = " ".join(
        f"{badge(option.badge, option.cluster)}&nbsp;{_probability(option.probability)}"
        for option in _options(scene, beat)
    )
    return f"<p>A dart hits {law.dart:.3f}.</p>{dart(_options(scene, beat), law.dart)}<p>{listed}</p>"


def _remember(scene: Scene, beat: Beat) -> str:
    document, label = int(beat.update.site), int(beat.update.value)
    there = beat.lifted.counts[label]
    said = f"<p>Message {document + 1} goes to class {_name(scene, label)}: {there} + 1 = {there + 1}.</p>"
    held = int(scene.corpus.held_back[document])
    if held == HIDDEN:
        return said
    return f'{said}<p class="quiet">Held back: {escape(scene.corpus.messages.classes[held])}.</p>'


def _block(scene: Scene, beat: Beat, reached: int) -> str:
    """Return the beats of the weights or of the word probabilities, in words."""
    counts, sampler = beat.lifted.counts, scene.run.sampler
    if beat.update.site == WEIGHTS:
        listed = ", ".join(f"{count} + {prior:g}" for count, prior in zip(counts, sampler.class_prior, strict=True))
        drawn = ", ".join(f"{value:.3f}" for value in np.exp(beat.update.value))
        bodies = (
            "<p>The old weights are forgotten. They depend on the labels alone.</p>",
            f"<p>Messages in each class, plus γ:</p><p><b>Dirichlet({listed})</b></p>",
            "<p>One draw of all weights at once.</p>",
            f"<p>Now {drawn}. All labels of the next sweep are scored by these.</p>",
        )
    else:
        totals = sampler.word_counts(beat.lifted.labels).sum(axis=1)
        listed = ", ".join(
            f"{total:,.0f} words in {badge(letter, k)}"
            for k, (total, letter) in enumerate(zip(totals, scene.letters, strict=True))
        )
        bodies = (
            "<p>The old word probabilities are forgotten. Given the labels, the classes do not touch each other.</p>",
            f"<p>Times that a class has each of the {sampler.vocabulary_size:,} words, plus β: {listed}.</p>"
            "<p><b>Dirichlet(counts + β)</b> for each class</p>",
            "<p>One draw a class, of all its word probabilities at once.</p>",
            "<p>All labels of the next sweep are scored by these. A word that a class has never had still gets a "
            "little, from β.</p>",
        )
    return _laid_out(bodies, reached, reached)


# ---- the text ------------------------------------------------------------------------------------------------------


def text(scene: Scene, document: int, state: DocumentsState) -> None:
    """Draw a message, each word in the colour of the class that it speaks for, the stronger the more it says."""
    lifted = state.copy()
    scene.run.sampler.forget(lifted, document)
    terms = dict(
        zip(
            scene.run.sampler.tokens(document).tolist()[::-1],  # the first of a repeated word's terms stands for it
            scene.run.sampler.word_terms(lifted, document)[::-1],
            strict=True,
        )
    )
    label, held = state.labels[document], int(scene.corpus.held_back[document])
    sums = sum(terms.values()) if terms else np.zeros(scene.classes)
    first, second = pair_of(sums)
    words = f'<p class="message">{_tinted(scene, document, terms, first, second)}</p>'
    said = f"Message {document + 1}, now in class {_name(scene, label)}"
    said += f", held back: {escape(scene.corpus.messages.classes[held])}." if held != HIDDEN else "."
    if not terms:
        said += " It has no word that is used, so only the sizes of the classes speak."
    legend = (
        f'<span class="tint" style="--c:{color(first)};--p:45%">speaks for</span> {_name(scene, first)} &nbsp; '
        f'<span class="tint" style="--c:{color(second)};--p:45%">speaks for</span> {_name(scene, second)} &nbsp; '
        '<span class="quiet">pale: not used. Point at a word to see its probabilities.</span>'
    )
    st.html(f"<p>{said}</p>{words}<p>{legend}</p>")


def _tinted(scene: Scene, document: int, terms: dict[int, np.ndarray], first: int, second: int) -> str:
    source, at, parts = scene.corpus.messages.texts[document], 0, []
    for start, end, word in scene.corpus.bag.spans[document]:
        if end > LONGEST_TEXT:
            parts.append(f" … and {_counted(len(source) - at, 'character')} more")
            return "".join(parts)
        parts.append(escape(source[at:start]))
        surface, at = escape(source[start:end]), end
        if word not in terms:
            parts.append(f'<span class="quiet">{surface}</span>')
            continue
        ratio = float(terms[word][first] - terms[word][second])
        strength = 60 * min(1.0, abs(ratio) / STRONGEST)
        said = " : ".join(f"{_number(math.exp(terms[word][k]))} in {escape(scene.names[k])}" for k in (first, second))
        look = f"--c:{color(first if ratio > 0 else second)};--p:{strength:.0f}%"
        parts.append(f'<span class="tint" style="{look}" title="{said}">{surface}</span>')
    return "".join(parts) + escape(source[at:LONGEST_TEXT])


# ---- numbers -------------------------------------------------------------------------------------------------------


def _number(value: float) -> str:
    """Return a probability in few characters."""
    return f"{value:.2g}" if value >= 0.0001 else f"{value:.0e}".replace("e-0", "e-").replace("-", "−")


def _probability(value: float) -> str:
    if 0.0005 <= value <= 0.9995 or value in (0.0, 1.0):
        return f"{value:.3f}"
    return f"{value:.0e}".replace("e-0", "e-").replace("-", "−") if value < 0.5 else "&gt; 0.999"


def _signed(value: float) -> str:
    if math.isinf(value) or math.isnan(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "0/0"
    return f"{value:+.2f}".replace("-", "−")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
