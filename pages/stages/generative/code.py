"""The code of a step: the story that draws an example, what is learned from one, or a hidden label that is redrawn."""

from html import escape
from typing import Any

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import GIBBS, Way, names, watch
from pages.drawing.cards import pointing
from pages.stages.generative.inspector import changed_by
from pages.stages.generative.scene import Scene
from samplers import updates
from samplers.generative.classifier import GenerativeModel
from samplers.generative.story import Story
from samplers.mixtures.labels import HIDDEN

STORY = Way((Story.step,), names("uniform label", "return", ""))


def step(scene: Scene, t: int) -> str:
    """Return the code of step t, as it ran."""
    run, fit, settings = scene.run, scene.fit, scene.settings
    wrong: Any = {} if settings.tells else of_class(fit.model)
    if settings.method == "labels":
        return _redraw(scene, t) if t and (fit.known == HIDDEN).any() else listing(GIBBS, mistakes=wrong)
    if settings.tells:
        state = run.state(t - 1) if t else None
        calls = watch(STORY, lambda: run.chain.sampler.step(state, run.chain.rng(t)))[1] if t else ()
        return listing(STORY, calls, notes={"label": _name(scene, int(scene.examples.labels[t - 1]))})
    way = _learning(fit.model)
    calls = watch(way, lambda: fit.posterior(run.labels_at(t)))[1] if t else ()
    return listing(way, calls, wrong)


def _redraw(scene: Scene, t: int) -> str:
    """Return the code of the first update of a sweep that changed a label, or of the first."""
    sampler: Any = scene.run.chain.sampler
    state, rng = scene.run.state(t - 1).copy(), scene.run.chain.rng(t)
    changed = changed_by(scene.run.record(t), state.labels)
    made = updates(sampler, state, rng)
    for _ in range(changed[0] if changed else 0):
        next(made)
    update, calls = watch(GIBBS, lambda: next(made))
    number = int(update.site) + 1
    example = pointing(f"point-{number}", f"example {number}")
    notes = {"site": example, "value": _name(scene, update.value)}
    return listing(GIBBS, calls, of_class(scene.fit.model), notes)


def _name(scene: Scene, label: int) -> str:
    return escape(scene.examples.classes[label])


def _learning(model: GenerativeModel) -> Way:
    """Return the way in which a model, or a wrong rule of it, learns from labelled examples."""
    beats = names("", "counts", "weights", "families given_labels")
    return Way(
        (type(model)._posterior,), beats, frozenset({"_by_class", "_scatters", "_each", "_with", "to_the_power"})
    )
