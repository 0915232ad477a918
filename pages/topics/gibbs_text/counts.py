"""Counts and pseudo-counts: the posteriors of a word's probability and of the weights; the weights integrated out."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.contract.tools import Pick, Slide, Tool
from pages.drawing.cards import fractions, numbered, quiet, table
from pages.drawing.numbers import counted, fixed, of_its_log, significant
from pages.drawing.palette import color
from pages.topics.gibbs_text.inspector import class_mark
from pages.topics.gibbs_text.new_message import MOST_LINES, counted_sweeps
from pages.topics.gibbs_text.scene import TextScene
from samplers.conjugate.beta import Beta
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.mixtures.naive_bayes import NaiveBayes

MOST_WORDS = 1_000  # among which one can choose
MOST_FRACTIONS = 12
POINTS = 120  # of a curve
LEFT, WIDE, HIGH, BELOW = 6, 300, 96, 20  # pixels of a picture
SPREAD = (0.05, 0.95)


def ask(settings: GibbsTextSettings, scene: TextScene) -> Iterable[Tool]:
    """Yield the choice of a word and of a class, and the pseudo-count that is set by hand."""
    words, names = scene.corpus.bag.words[:MOST_WORDS], [scene.names[label] for label in range(scene.classes)]
    chosen, label = min(settings.word, len(words)), min(settings.hand_class, scene.classes)
    yield Pick("word", "Word", dict(enumerate(words, 1)), chosen, width=150)
    yield Pick("hand_class", "Class", dict(enumerate(names, 1)), label, width=120)
    said = "As if this class had used this word that many times more, before any message is read."
    yield Slide("by_hand", "Pseudo-counts by hand", 0, 50, width=230, help=said)


class Posterior(NamedTuple):
    """The Beta distribution of one probability out of a Dirichlet distribution."""

    # seen, pseudo, by_hand: of the option itself
    seen: float
    pseudo: float
    by_hand: float
    others: float  # counts and pseudo-counts of all others

    @property
    def own(self) -> float:
        """The sum of the option's counts and pseudo-counts."""
        return self.seen + self.pseudo + self.by_hand

    @property
    def mean(self) -> float:
        """The expected probability."""
        return self.own / (self.own + self.others)

    @property
    def spread(self) -> tuple[float, float]:
        """Between which the probability lies nine times out of ten."""
        low, high = (self.beta.quantile(share) for share in SPREAD)
        return low, high

    @property
    def beta(self) -> Beta:
        """The distribution of the probability."""
        return Beta(self.own, self.others)


def of_word(scene: TextScene, sweep: int, by_hand: bool = True) -> list[Posterior]:
    """Return the posterior of the open word's probability in each class, given the labels of a sweep."""
    sampler, settings = scene.run.sampler, scene.settings
    word = min(settings.word, sampler.vocabulary_size) - 1
    found = []
    for label, counts in enumerate(sampler.word_counts(scene.run.labels[sweep])):
        more = settings.by_hand if by_hand and label == min(settings.hand_class, scene.classes) - 1 else 0
        total = float(counts.sum() + sampler.word_prior.sum())
        own = float(counts[word]), float(sampler.word_prior[word])
        found.append(Posterior(*own, float(more), total - sum(own)))
    return found


def of_weights(scene: TextScene, sweep: int) -> list[Posterior]:
    """Return the posterior of each class's weight, given the labels of a sweep."""
    sampler = scene.run.sampler
    sizes = np.bincount(scene.run.labels[sweep], minlength=scene.classes)
    total = float(sizes.sum() + sampler.class_prior.sum())
    return [
        Posterior(float(size), float(prior), 0.0, total - size - prior)
        for size, prior in zip(sizes, sampler.class_prior.tolist(), strict=True)
    ]


def label_factors(sampler: NaiveBayes, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return p(label | those before) of each label in turn, weights integrated out, as numerators and denominators."""
    before = np.array([(labels[:place] == label).sum() for place, label in enumerate(labels)])
    return before + sampler.class_prior[labels], np.arange(len(labels)) + sampler.class_prior.sum()


# ---- cards -----------------------------------------------------------------------------------------------------------


def counts(scene: TextScene, sweep: int) -> str:
    """Return the posteriors of a word and of the weights, and the factors that replace the weights, as HTML."""
    of_classes = (
        (("π: the classes", _fixed(scene, sweep)),)
        if scene.run.sampler.weights == "equal"
        else (("π: the classes", _weights(scene, sweep)), ("π integrated out", _product(scene, sweep)))
    )
    cards = numbered(("θ: one word", _word(scene, sweep)), *of_classes)
    return f'<div class="dirichlets">{cards}</div>'


def _word(scene: TextScene, sweep: int) -> str:
    word = escape(scene.corpus.bag.words[min(scene.settings.word, scene.run.sampler.vocabulary_size) - 1])
    if scene.run.sampler.vocabulary_size == 1:
        return f"<p>“<b>{word}</b>” in each class</p>{quiet('It is the only word, so its probability is 1.')}"
    found, plain = of_word(scene, sweep), of_word(scene, sweep, by_hand=False)
    picture = _picture(found, {k: old for k, old in enumerate(plain) if old != found[k]})
    hand = any(each.by_hand for each in found)
    heads = ("", "count + β" + (" + yours" if hand else ""), "of", "mean", "9 of 10")
    rows = [_row(scene, k, each) for k, each in enumerate(found)]
    more = " Dashed: without what you added. It is added only here, not in the run." if hand else ""
    said = f"Given the labels of sweep {sweep}.{more}"
    return f"<p>“<b>{word}</b>” in each class</p>{picture}{table(heads, rows)}{quiet(said)}"


def _row(scene: TextScene, label: int, found: Posterior) -> tuple[str, ...]:
    hand = f" + {found.by_hand:g}" if found.by_hand else ""
    low, high = (significant(end, 2) for end in found.spread)
    return (
        class_mark(scene, label),
        f"{found.seen:g} + {found.pseudo:g}{hand}",
        f"{found.own + found.others:g}",
        f"<b>{significant(found.mean, 3)}</b>",
        f"{low} to {high}",
    )


def _weights(scene: TextScene, sweep: int) -> str:
    found, run = of_weights(scene, sweep), scene.run
    sweeps = counted_sweeps(scene, sweep, MOST_LINES)
    drawn = []
    for each in sweeps.tolist():
        sizes = np.bincount(run.labels[each], minlength=scene.classes)
        log_weights = run.sampler.draw_log_weights(sizes, np.random.default_rng((run.chain.seed, each, 3)))
        drawn.append(float(np.exp(log_weights[0])))
    picture = _picture(found[:1] if scene.classes == 2 else found, {}, drawn)
    heads = ("", "messages + γ", "of", "mean", "9 of 10")
    rows = [_row(scene, k, each) for k, each in enumerate(found)]
    said = f"Grey: π of {class_mark(scene, 0)} drawn given the labels of {counted(len(sweeps), 'sweep')}."
    return f"<p>Weight of each class</p>{picture}{table(heads, rows)}{quiet(said)}"


def _fixed(scene: TextScene, sweep: int) -> str:
    """Return the factor of the labels by fixed weights: the same for each, in whatever class it is."""
    classes, labels = scene.classes, scene.run.labels[sweep]
    sizes = np.bincount(labels, minlength=classes)
    heads = ("", "messages", "weight")
    rows = [(class_mark(scene, k), str(size), f"<b>1/{classes}</b>") for k, size in enumerate(sizes)]
    whole = of_its_log(-len(labels) * float(np.log(classes)))
    return (
        f"<p>Weight of each class: fixed</p>{table(heads, rows)}"
        f"<p>p(labels) = (1/{classes})<sup>{len(labels)}</sup> = <b>{whole}</b></p>"
        f"{quiet('It is the same for all labels. The counts of messages have no say; the words alone decide.')}"
    )


def _product(scene: TextScene, sweep: int) -> str:
    sampler, labels = scene.run.sampler, scene.run.labels[sweep].astype(int)
    tops, bottoms = label_factors(sampler, labels)
    product = fractions(tops, bottoms, (labels + 1).tolist(), MOST_FRACTIONS)
    by_parts = of_its_log(float(np.log(tops / bottoms).sum()))
    sizes = np.bincount(labels, minlength=sampler.classes)
    whole = of_its_log(float(log_marginal_of_counts(sizes, sampler.class_prior)))
    power = " ".join(
        f"π<sub>{letter}</sub><sup>{size}</sup>" for letter, size in zip(scene.letters, sizes, strict=True)
    )
    mean = fixed(of_weights(scene, sweep)[0].mean, 3)
    return (
        f"<p>Label by label: messages before it in its class + γ, over all before it + {scene.classes}γ</p>{product}"
        f"<p>= <b>{by_parts}</b></p><p>∫ {power} p(π) dπ = <b>{whole}</b></p>"
        f"{quiet(f'No π is needed. For one more label the factor is the mean of π: {mean} for the first class.')}"
    )


def _picture(found: Sequence[Posterior], dashed: Mapping[int, Posterior], draws: Sequence[float] = ()) -> str:
    """Return densities as curves in the colours of the classes, with a line at each mean, and draws as ticks below."""
    shown = [(k, each, "") for k, each in enumerate(found)] + [(k, each, ' class="old"') for k, each in dashed.items()]
    reaches = [1.15 * each.beta.quantile(0.995) for _, each, _ in shown] + [1.05 * draw for draw in draws]
    top = min(1.0, max(reaches))
    at = np.linspace(0, top, POINTS + 1)[1 : -1 if top == 1 else None]
    curves = [np.exp(each.beta.log_density(at)) for _, each, _ in shown]
    highest = max(float(curve.max()) for curve in curves)

    def x(value: float) -> float:
        return LEFT + WIDE * value / top

    def path(curve: np.ndarray) -> str:
        places = zip(at.tolist(), (curve / highest).tolist(), strict=True)
        return "M" + "L".join(f"{x(value):.1f} {4 + HIGH * (1 - height):.1f}" for value, height in places)

    parts = [
        f'<path d="{path(curve)}" stroke="{color(k)}"{look}/>'
        for (k, _, look), curve in zip(shown, curves, strict=True)
    ]
    parts += [
        f'<path d="M{x(each.mean):.1f} 4V{4 + HIGH}" stroke="{color(k)}" class="mean"/>' for k, each in enumerate(found)
    ]
    parts += [f'<path d="M{x(draw):.1f} {4 + HIGH - 9}v9" class="draw"/>' for draw in draws]
    ends = "".join(
        f'<text x="{x(value):.1f}" y="{HIGH + BELOW}" text-anchor="{anchor}">{significant(value, 2)}</text>'
        for value, anchor in ((0.0, "start"), (top / 2, "middle"), (top, "end"))
    )
    base = f'<path d="M{LEFT} {4 + HIGH}h{WIDE}" class="base"/>'
    box = f'viewBox="0 0 {WIDE + 2 * LEFT} {HIGH + BELOW + 4}"'
    return f'<svg class="density" {box} aria-hidden="true">{base}{"".join(parts)}{ends}</svg>'
