"""One message: its update in four beats with its score added up word by word, and its text, each word tinted."""

import math
from html import escape

import numpy as np

from pages.drawing.cards import Option, badge, dart, pointing, quiet
from pages.drawing.numbers import counted, fixed, nearly_sure, significant
from pages.drawing.palette import color
from pages.scenes.close_up import REMEMBER, Beat, CloseUp, UpdateCards, four_beats
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.labels import HIDDEN, WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS, DocumentsState

MOST_TERMS = 6  # words that the score lists one by one
STRONGEST = 3.0  # log ratio from which a word's tint is full
LONGEST_TEXT = 40_000  # characters that the page shows
MessageBeat = Beat[DocumentsState]


def _chosen(scene: TextScene, close_up: CloseUp[DocumentsState]) -> int | None:
    """Return the update of the open message; None if its label is shown."""
    visit = int(scene.run.order.visit_of[scene.document])
    return visit if visit < len(close_up) else None


def one_document(scene: TextScene, close_up: CloseUp[DocumentsState]) -> str:
    """Return the update of the open message, whole."""
    visit = _chosen(scene, close_up)
    if visit is None:
        name = escape(scene.names[scene.corpus.shown[scene.document]])
        said = f"The label of message {scene.document + 1} is shown to the sampler: {name}. It is not redrawn."
        return quiet(f"{said} Open another message.")
    return four_beats(bodies(scene, close_up[visit]))


def _notes(scene: TextScene, beat: MessageBeat) -> dict[str, str]:
    number = int(beat.update.site) + 1
    site = pointing(f"message-{number}", f"message {number}")
    return {"site": site, "value": f"class {name_of(scene, beat.update.value)}"}


# ---- the four beats ------------------------------------------------------------------------------------------------


def bodies(scene: TextScene, beat: MessageBeat, reached: int = REMEMBER) -> tuple[str, ...]:
    """Return the four beats of a message's update as HTML."""
    return _forget(scene, beat), _score(scene, beat), _sample(scene, beat), _remember(scene, beat)


def class_mark(scene: TextScene, label: int) -> str:
    """Return the letter of a class in its colour, which lights it."""
    return pointing(f"class-{label + 1}", badge(scene.letters[label], label))


def name_of(scene: TextScene, label: int) -> str:
    """Return the letter of a class, and its name if it has one."""
    name = scene.names[label]
    return f"{class_mark(scene, label)}{'' if name.startswith('class ') else ' ' + escape(name)}"


def _message(document: int) -> str:
    return pointing(f"message-{document + 1}", f"Message {document + 1}")


def _forget(scene: TextScene, beat: MessageBeat) -> str:
    document = int(beat.update.site)
    label = beat.before.labels[document]
    there = beat.before.counts[label]
    words = scene.run.sampler.tokens(document).size
    left = f"which has {there} − 1 = {there - 1} left"
    said = f"<p>{_message(document)} is taken out of class {name_of(scene, label)}, {left}.</p>"
    if scene.run.sampler.word_probs == "collapsed":
        said += f"<p>Its {counted(words, 'word')} leave the class's counts.</p>"
    return said


def _score(scene: TextScene, beat: MessageBeat) -> str:
    conditional, sampler, document = beat.update.conditional, scene.run.sampler, int(beat.update.site)
    first, second = pair_of(conditional.log_weights)
    tokens, terms = sampler.tokens(document), sampler.word_terms(beat.lifted, document)
    class_terms = conditional.terms[sampler.class_term]
    prior_ratio = class_terms[first] - class_terms[second]
    rows = [("class", _class_fraction(scene, beat, first, second), prior_ratio)]
    ratios = terms[:, first] - terms[:, second]
    listed = np.arange(len(tokens))
    if len(tokens) > MOST_TERMS:
        listed = np.sort(np.argsort(-np.abs(ratios), kind="stable")[: MOST_TERMS - 1])
    for place in listed:
        fraction = f"{_few(math.exp(terms[place, first]))} / {_few(math.exp(terms[place, second]))}"
        rows.append((escape(scene.corpus.bag.words[tokens[place]]), fraction, float(ratios[place])))
    if len(listed) < len(tokens):
        rest = float(ratios.sum() - ratios[listed].sum())
        rows.append((f"{len(tokens) - len(listed)} more", "together", rest))
    one, other = name_of(scene, first), name_of(scene, second)
    heading = f"log ratio of {one} to {other}: class, then word by word; right for {one}, left for {other}"
    return _waterfall(rows, heading, (first, second)) + _total(scene, beat, rows, first, second)


def pair_of(log_weights: object) -> tuple[int, int]:
    """Return the two classes that weigh most, the lower number first."""
    order = np.argsort(-np.nan_to_num(np.array(log_weights), neginf=-1e300), kind="stable")
    first, second = sorted(order[:2].tolist())
    return first, second


def _class_fraction(scene: TextScene, beat: MessageBeat, first: int, second: int) -> str:
    """Return the numerators of the class term: weights, or messages with pseudo-counts as the rule has them."""
    sampler = scene.run.sampler
    terms = beat.update.conditional.terms[sampler.class_term]
    if sampler.weights == "equal":
        return " / ".join([f"1/{sampler.classes}"] * 2)
    if sampler.weights == "explicit":
        return f"{math.exp(terms[first]):.3g} / {math.exp(terms[second]):.3g}"
    less = f" − {sampler.taken_off}" if sampler.taken_off else ""
    return " / ".join(f"({beat.lifted.counts[k]} + {sampler.class_prior[k]:g}{less})" for k in (first, second))


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
            f'<tr><td>{name}</td><td class="terms">{fraction}</td><td>{fixed(ratio, plus=True)}</td>'
            f'<td class="fall"><div><i style="{zero}"></i><span style="{look}"></span></div></td></tr>'
        )
    return f'<table class="score words"><caption>{heading}</caption>{body}</table>'


def _total(scene: TextScene, beat: MessageBeat, rows: list[tuple[str, str, float]], first: int, second: int) -> str:
    """Return the sum of the terms and the probability that it makes, as the rule at work makes it."""
    conditional = beat.update.conditional
    mark = badge(scene.letters[first], first)
    total = sum(ratio for *_, ratio in rows)
    if conditional.undefined:
        return (
            "<p><b>0 / 0</b>: the product of all these probabilities is below the smallest number there is, in every "
            "class. The conditional is NaN, and the first class is taken.</p>"
        )
    weights = conditional.log_weights
    used = weights[first] - weights[second] if np.isfinite([weights[first], weights[second]]).all() else math.inf
    p = float(conditional.probabilities[first])
    if math.isfinite(used) and abs(used - total) > 1e-6 * max(1.0, abs(total)):
        return (
            f"<p>These lines add up to {fixed(total, plus=True)}, but <b>{fixed(used, plus=True)} is used</b>. "
            f"P({mark}) = {nearly_sure(p)}</p>"
        )
    if scene.classes > 2:
        return f"<p>Sum <b>{fixed(total, plus=True)}</b>. With all classes, P({mark}) = {nearly_sure(p)}</p>"
    formula = f"1 / (1 + e<sup>{fixed(-total, plus=True)}</sup>)"
    return f"<p>Sum <b>{fixed(total, plus=True)}</b>, P({mark}) = {formula} = <b>{nearly_sure(p)}</b></p>"


def options_of(scene: TextScene, probabilities: np.ndarray) -> list[Option]:
    """Return the classes as options with these probabilities."""
    return [
        Option(name, letter, k, "" if name.startswith("class ") else escape(name), float(p), f"class-{k + 1}")
        for k, (name, letter, p) in enumerate(zip(scene.names, scene.letters, probabilities, strict=True))
    ]


def _sample(scene: TextScene, beat: MessageBeat) -> str:
    uniform = beat.update.uniform
    assert uniform is not None  # a label is drawn from its options
    if beat.update.conditional.undefined:
        return f"<p>Random number: {uniform:.3f}, but there is no bar to hit.</p>"
    options = options_of(scene, np.nan_to_num(beat.update.conditional.probabilities))
    listed = " ".join(f"{badge(each.badge, each.cluster)}&nbsp;{nearly_sure(each.probability)}" for each in options)
    return f"<p>Random number: {uniform:.3f}</p>{dart(options, uniform)}<p>{listed}</p>"


def _remember(scene: TextScene, beat: MessageBeat) -> str:
    document, label = int(beat.update.site), int(beat.update.value)
    there = beat.lifted.counts[label]
    said = f"<p>{_message(document)} goes to class {name_of(scene, label)}: {there} + 1 = {there + 1}.</p>"
    held = int(scene.corpus.held_back[document])
    return said if held == HIDDEN else said + quiet(f"True label: {escape(scene.corpus.messages.classes[held])}.")


def _weights(scene: TextScene, beat: MessageBeat, reached: int) -> tuple[str, ...]:
    counted_and_prior = zip(beat.lifted.counts, scene.run.sampler.class_prior, strict=True)
    listed = ", ".join(f"{count} + {prior:g}" for count, prior in counted_and_prior)
    drawn = ", ".join(f"{value:.3f}" for value in np.exp(beat.update.value))
    return (
        "<p>The old weights are forgotten. They depend only on the labels.</p>",
        f"<p>Messages in each class, plus γ:</p><p><b>Dirichlet({listed})</b></p>",
        "<p>One draw of all weights at once.</p>",
        f"<p>Now {drawn}. All labels of the next sweep are scored with these.</p>",
    )


def _word_probs(scene: TextScene, beat: MessageBeat, reached: int) -> tuple[str, ...]:
    sampler = scene.run.sampler
    totals = sampler.word_counts(beat.lifted.labels).sum(axis=1)
    listed = ", ".join(
        f"{total:,.0f} words in {badge(letter, k)}"
        for k, (total, letter) in enumerate(zip(totals, scene.letters, strict=True))
    )
    return (
        "<p>The old word probabilities are forgotten. Given the labels, each class has its own.</p>",
        f"<p>Times that a class has each of the {sampler.vocabulary_size:,} words, plus β: {listed}.</p>"
        "<p><b>Dirichlet(counts + β)</b> for each class</p>",
        "<p>One draw a class, of all its word probabilities at once.</p>",
        "<p>All labels of the next sweep are scored with these. A word that a class has never had still gets a little, "
        "from β.</p>",
    )


CARDS = UpdateCards(
    start=quiet(
        "This is the start: labels were drawn blindly. Press <b>Step</b>: one sweep redraws every hidden label once."
    ),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first message is taken out."),
    writers={int: bodies, WEIGHTS: _weights, WORD_PROBS: _word_probs},
    chosen=_chosen,
    notes=_notes,
    whole=one_document,
    options=lambda scene, beat: options_of(scene, np.nan_to_num(beat.update.conditional.probabilities)),
)


# ---- the text ------------------------------------------------------------------------------------------------------


def text(scene: TextScene, document: int, state: DocumentsState) -> str:
    """Return a message, each word in the colour of the class that it favours: the more it does, the stronger."""
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
    said = f"{_message(document)}, now in class {name_of(scene, label)}"
    said += f"; its true label is {escape(scene.corpus.messages.classes[held])}." if held != HIDDEN else "."
    if not terms:
        said += " None of its words is used, so only the sizes of the classes count."
    legend = (
        f'<span class="tint" style="--c:{color(first)};--p:45%">speaks for</span> {name_of(scene, first)} &nbsp; '
        f'<span class="tint" style="--c:{color(second)};--p:45%">speaks for</span> {name_of(scene, second)} &nbsp; '
        '<span class="quiet">faint: not used. Point at a word to see its probabilities.</span>'
    )
    return f"<p>{said}</p>{words}<p>{legend}</p>"


def _tinted(scene: TextScene, document: int, terms: dict[int, np.ndarray], first: int, second: int) -> str:
    source, at, parts = scene.corpus.messages.texts[document], 0, []
    for start, end, word in scene.corpus.bag.spans[document]:
        if end > LONGEST_TEXT:
            parts.append(f" … and {counted(len(source) - at, 'character')} more")
            return "".join(parts)
        parts.append(escape(source[at:start]))
        surface, at = escape(source[start:end]), end
        if word not in terms:
            parts.append(f'<span class="quiet">{surface}</span>')
            continue
        ratio = float(terms[word][first] - terms[word][second])
        said = " : ".join(f"{_few(math.exp(terms[word][k]))} in {escape(scene.names[k])}" for k in (first, second))
        parts.append(tinted(surface, ratio, (first, second), f' title="{said}"'))
    return "".join(parts) + escape(source[at:LONGEST_TEXT])


def tinted(word: str, ratio: float, pair: tuple[int, int], more: str = "") -> str:
    """Return a word with a log ratio of two classes in the colour of the one that it favours, with more attributes."""
    strength = 60 * min(1.0, abs(ratio) / STRONGEST)
    look = f"--c:{color(pair[0] if ratio > 0 else pair[1])};--p:{strength:.0f}%"
    return f'<span class="tint" style="{look}"{more}>{word}</span>'


# ---- numbers -------------------------------------------------------------------------------------------------------


def _few(value: float) -> str:
    """Return a probability in few characters."""
    return significant(value, 2 if value >= 0.0001 else 1)
