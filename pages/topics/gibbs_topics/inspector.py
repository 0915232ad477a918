"""One word: its update in four beats, and one message with its mixture of topics."""

from collections.abc import Sequence
from html import escape
from math import log

import numpy as np

from pages.drawing.cards import MOST_ROWS, Option, badge, dart, pointing, quiet, score_table, table
from pages.drawing.numbers import counted, multiplied, probability, significant
from pages.scenes.close_up import Beat, UpdateCards
from pages.topics.gibbs_topics.run import Scene, one_document, site_named
from samplers.topics.hdp import BASE, HDPState
from samplers.topics.lda import TOPIC_PRIOR, VALUES, WORD_PRIOR, LDAState

WORDS = 12  # of a topic, that a message's table lists
WordBeat = Beat[LDAState]


def _three(weight: float) -> str:
    return significant(weight, 3)


def _topic(k: int) -> str:
    return pointing(f"topic-{k + 1}", f"topic {badge(str(k + 1), k)}")


def _word(scene: Scene, site: int) -> str:
    return pointing(f"word-{site + 1}", f"<b>{escape(site_named(scene.texts, site))}</b>")


def _message(scene: Scene, document: int) -> str:
    one = one_document(scene.texts)
    return pointing(f"{one}-{document + 1}", f"{one} {document + 1}")


def bodies(scene: Scene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    """Return the four beats of a word's update as HTML."""
    return _forget(scene, beat), _score(scene, beat), _sample(scene, beat), _remember(scene, beat)


def _counts(scene: Scene, state: LDAState, site: int, label: int) -> tuple[int, int, int]:
    """Return how many words of the message have a topic, how often the topic has this word, and its words in all."""
    words = scene.run.sampler.words
    return state.by_document[words.document[site]][label], state.by_word[words.word[site]][label], state.totals[label]


def _forget(scene: Scene, beat: WordBeat) -> str:
    site = int(beat.update.site)
    label, document = beat.before.labels[site], scene.run.sampler.words.document[site]
    before, lifted = (_counts(scene, state, site, label) for state in (beat.before, beat.lifted))
    names = (f"of {_message(scene, document)}", f"this word in {_topic(label)}", f"words of {_topic(label)}")
    lines = "".join(f"<p>{there} → {left} {name}</p>" for there, left, name in zip(before, lifted, names, strict=True))
    gone = ""
    if isinstance(beat.before, HDPState) and not lifted[2]:
        weight, rest = beat.before.base[label], beat.before.base[beat.before.next]
        total = f"{_three(weight)} + {_three(rest)} = {_three(weight + rest)}"
        gone = f"<p>The topic has no word left. Its base weight goes to the rest: {total}.</p>"
    return f"<p>{_word(scene, site)} is taken out of {_topic(label)}.</p>{lines}{gone}"


def _options(scene: Scene, beat: WordBeat) -> list[Option]:
    """Return the topics that a word may get, in order; a number that is free is none of them, but for a new topic's."""
    sampler, state, site = scene.run.sampler, beat.lifted, int(beat.update.site)
    alpha, beta = f"{state.topic_prior:g}", f"{state.word_prior:g}"
    below, probabilities = sampler.denominators(state), beat.update.conditional.probabilities  # type: ignore[arg-type]
    options = []
    for k, p in enumerate(probabilities.tolist()):
        weight = alpha
        if isinstance(state, HDPState):
            if not state.base[k]:
                continue
            weight = f"{alpha} · {_three(state.base[k])}"
            if k == state.next:
                terms = f"{weight} · {beta} / {significant(below[k], 4)}"
                options.append(Option("a new topic", "+", None, terms, p))
                continue
        here, same, _ = _counts(scene, state, site, k)
        terms = f"({here} + {weight}) · ({same} + {beta}) / {significant(below[k], 4)}"
        options.append(Option(f"topic {k + 1}", str(k + 1), k, terms, p, f"topic-{k + 1}"))
    return options


def _score(scene: Scene, beat: WordBeat) -> str:
    hdp = isinstance(beat.lifted, HDPState)
    share = "α · base weight" if hdp else "α"
    heading = f"(in this {one_document(scene.texts)} + {share}) · (this word + β) / (words of the topic + Vβ)"
    options = sorted(_options(scene, beat), key=lambda option: option.cluster is None)  # a new topic is the last row
    value = int(beat.update.value)
    new = isinstance(beat.lifted, HDPState) and value == beat.lifted.next
    places = [option.cluster for option in options]
    return score_table(options, places.index(None if new else value), heading)


def _sample(scene: Scene, beat: WordBeat) -> str:
    options, uniform = _options(scene, beat), beat.update.uniform
    assert uniform is not None  # a topic is drawn from its options
    best = sorted(options, key=lambda option: -option.probability)[:MOST_ROWS]
    listed = " ".join(f"{badge(each.badge, each.cluster)}&nbsp;{probability(each.probability)}" for each in best)
    return f"<p>Random number: {uniform:.3f}</p>{dart(options, uniform)}<p>{listed}</p>"


def _remember(scene: Scene, beat: WordBeat) -> str:
    site, label = int(beat.update.site), int(beat.update.value)
    document = scene.run.sampler.words.document[site]
    stays = " again" if label == beat.before.labels[site] else ""
    here, same, total = _counts(scene, beat.after, site, label)
    if isinstance(beat.lifted, HDPState) and label == beat.lifted.next:
        assert isinstance(beat.after, HDPState)
        return f"<p>{_word(scene, site)} opens {_topic(label)}.</p>{_opened(beat.lifted, beat.after, site)}"
    return (
        f"<p>{_word(scene, site)} gets {_topic(label)}{stays}.</p><p>Now {here} of {_message(scene, document)}, "
        f"{same} times this word, {counted(total, 'word')} of the topic.</p>"
    )


def _opened(lifted: HDPState, after: HDPState, site: int) -> str:
    """Return the sentences about the weight of a new topic, as HTML."""
    rest = lifted.base[lifted.next]
    fraction = 1 - lifted.left[site]
    return (
        f"<p>A fraction of the rest is drawn from Beta(1, γ): {fraction:.3f}.</p>"
        f"<p>Base weight {multiplied(log(fraction), log(rest), mark='b')}; "
        f"{_three(after.base[after.next])} of the stick is left.</p>"
    )


def _base_weights(scene: Scene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    """Return the beats of the redraw of base weights, as HTML."""
    before, after, one = beat.before, beat.after, one_document(scene.texts)
    assert isinstance(before, HDPState)
    assert isinstance(after, HDPState)
    tables = beat.update.value.tables
    most = sorted(before.used, key=lambda topic: -before.totals[topic])[:MOST_ROWS]
    documents = np.count_nonzero(np.array(before.by_document), axis=0)
    names = {topic: badge(str(topic + 1), topic) for topic in most}
    counts = [(names[k], f"{before.totals[k]:,}", str(documents[k]), _three(before.base[k])) for k in most]
    drawn = [(names[k], f"{before.totals[k]:,}", f"{int(tables[:, k].sum()):,}") for k in most]
    weights = [(names[k], f"<b>{_three(after.base[k])}</b>") for k in most]
    rest = ("rest", f"<b>{_three(after.base[after.next])}</b>")
    return (
        f"<p>The base weights of {counted(len(before.used), 'topic')} are forgotten. All words keep their topics.</p>",
        f"<p>In each {one}, the words of a topic are customers who sit at tables. With i others there, a word "
        "opens a table with probability αb / (αb + i).</p>" + table(("", "words", f"{one}s", "b"), counts),
        f"<p>{int(tables.sum()):,} tables are drawn.</p>" + table(("", "words", "tables"), drawn),
        "<p>The weights are drawn from a Dirichlet distribution. Its parameters are the tables of each topic, and γ "
        "for the rest.</p>" + table(("", "b"), [*weights, rest]),
    )


def _prior(scene: Scene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    """Return the beats of a redraw of α, β or γ, in words."""
    symbol, what, before = _prior_of(scene, beat)
    value, probabilities = int(beat.update.value), beat.update.conditional.probabilities
    order = np.argsort(-probabilities, kind="stable")[:MOST_ROWS]
    listed = table((symbol, "probability"), ((f"{VALUES[k]:g}", probability(float(probabilities[k]))) for k in order))
    return (
        f"<p>{symbol} = {before:g} is forgotten.</p>",
        f"<p>Each of {len(VALUES)} values is scored by the {what}.</p>{listed}",
        f"<p>Random number: {beat.update.uniform:.3f}</p>",
        f"<p>{symbol} = <b>{VALUES[value]:g}</b></p>",
    )


def _prior_of(scene: Scene, beat: WordBeat) -> tuple[str, str, float]:
    """Return the symbol of α, β or γ, what scores its values, and its value before."""
    if beat.update.site == TOPIC_PRIOR:
        return "α", f"topics of the {one_document(scene.texts)}s", beat.before.topic_prior
    if beat.update.site == WORD_PRIOR:
        return "β", "words of the topics", beat.before.word_prior
    assert isinstance(beat.before, HDPState)
    return "γ", "base weights", beat.before.top_concentration


def _notes(scene: Scene, beat: WordBeat) -> dict[str, str]:
    return {"site": _word(scene, int(beat.update.site)), "value": _topic(int(beat.update.value))}


CARDS = UpdateCards(
    start=quiet("This is the start: every word has a random topic. Press <b>Step</b>: one sweep redraws each of them."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first word is taken out."),
    writers={int: bodies, BASE: _base_weights, str: _prior},
    chosen=lambda scene, close_up: scene.site,
    notes=_notes,
    options=_options,
)


def message(scene: Scene, sweep: int) -> str:
    """Return the open message: its words by topic, and the share of each topic that is expected in it."""
    texts, labels = scene.texts, scene.run.labels[sweep]
    document = int(texts.document[scene.site])
    own = np.flatnonzero(texts.document == document)
    alpha, size, topics = float(scene.run.priors[sweep, 0]), len(own), scene.topics
    hdp = scene.settings.hdp
    weights = [f"{alpha:g}"] * topics
    if hdp:
        weights = [f"{alpha:g} · {_three(b)}" for b in scene.run.base[sweep].tolist()]
    below = f"{size} + {alpha:g}" if hdp else f"{size} + {topics} · {alpha:g}"
    shares = scene.run.shares(sweep, np.bincount(labels[own], minlength=topics))
    rows = [
        _line(scene, k, own[labels[own] == k].tolist(), f"+ {weights[k]}) / ({below}) = <b>{shares[k]:.3f}</b>")
        for k in range(topics)
        if (topics <= MOST_ROWS and not hdp) or (labels[own] == k).any()
    ]
    formula = "(its words + α · its base weight) / (all words + α)" if hdp else "(its words + α) / (all words + Kα)"
    one = one_document(scene.texts)
    name = pointing(f"{one}-{document + 1}", f"{one.capitalize()} {document + 1}")
    said = f"<p>{name}, {counted(size, 'word')}. The share of a topic is {formula}.</p>"
    return said + table(("", "words", "share", ""), rows, "wrapped")


def _line(scene: Scene, k: int, sites: Sequence[int], share: str) -> tuple[str, ...]:
    names = ", ".join(escape(site_named(scene.texts, site)) for site in sites[:WORDS])
    more = f" and {len(sites) - WORDS} more" if len(sites) > WORDS else ""
    return badge(str(k + 1), k), str(len(sites)), f"({len(sites)} {share}", names + more
