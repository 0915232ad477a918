"""One update of a label in four beats: forget, score, sample, remember, with the numbers in the formula."""

from collections.abc import Iterable
from typing import Any

from pages.contract.place import Place
from pages.contract.tools import Pick, Tool, Verdict
from pages.drawing.cards import Option, dart, pointing, quiet, score_table
from pages.scenes.close_up import FORGET, REMEMBER, SAMPLE, Beat, CloseUp, UpdateCards, under_way
from pages.scenes.points.model import Model, option_of
from pages.scenes.points.scene import MixtureScene


def _chosen(scene: MixtureScene, close_up: CloseUp[Any]) -> int:
    """Return the update of the point that the learner has chosen."""
    point: int = scene.settings.point
    return min(point, len(scene.data)) - 1


def _notes(scene: MixtureScene, beat: Beat[Any]) -> dict[str, str]:
    point = int(beat.update.site) + 1
    where = _options(scene.model, beat)[beat.update.value].name
    return {"site": pointing(f"point-{point}", f"point {point}"), "value": where}


CARDS = UpdateCards(
    start=quiet("This is the start. Press <b>Step</b>: one sweep redraws every label once."),
    begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first point is lifted out."),
    writers={
        int: lambda scene, beat, reached: bodies(scene.model, beat, reached),
        str: lambda scene, beat, reached: scene.model.block(beat),
    },
    chosen=_chosen,
    notes=_notes,
    look="block",
    options=lambda scene, beat: _options(scene.model, beat),
)


def guess(place: Place, scene: MixtureScene, close_up: CloseUp[Any]) -> Iterable[Tool]:
    """In free play, ask where a point that is lifted out will go; when it is there, say what came of the guess."""
    number, reached = under_way(place.t)
    if place.lesson or not place.t or isinstance(site := close_up.sites[number], str):
        return
    key = f"{scene.key} {close_up.sweep} {site}"
    guessed = place.guesses.get(key)
    if reached == FORGET:
        yield _ask(place, scene, close_up[number], key)
    elif reached == REMEMBER and guessed is not None:
        yield verdict(close_up[number], guessed)


def _ask(place: Place, scene: MixtureScene, beat: Beat[Any], key: str) -> Pick:
    ids = [scene.model.option(beat.lifted, option) for option in range(len(beat.update.conditional.probabilities))]
    return Pick(
        "guess",
        f"Where will point {int(beat.update.site) + 1} go?",
        {option: "new" if there < 0 else str(there + 1) for option, there in enumerate(ids)},
        place.guesses.get(key),
        lambda option: place.guesses.update({key: option}),
        among=key,
        beside="Your guess:",
        pills=True,
    )


def verdict(beat: Beat[Any], guessed: int) -> Verdict:
    """Return whether a guess came true, and how probable it was."""
    came = "As you guessed" if guessed == beat.update.value else "Not as you guessed"
    return Verdict(came, float(beat.update.conditional.probabilities[guessed]))


# ---- cards ---------------------------------------------------------------------------------------------------------


def bodies(model: Model, beat: Beat[Any], reached: int = REMEMBER) -> tuple[str, ...]:
    """Return the four beats of a point's update as HTML; the option that was drawn is marked from Sample on."""
    options, point, at = _options(model, beat), int(beat.update.site), beat.update.uniform
    assert at is not None  # a label is drawn from its options
    name, number = pointing(f"point-{point + 1}", f"Point {point + 1}"), pointing("dart", f"Random number: {at:.3f}")
    left, joined = model.mark(beat.before.labels[point]), beat.after.labels[point]
    if model.option(beat.lifted, beat.update.value) < 0:
        came = model.opened(name, model.mark(joined))
    else:
        came = model.joined(name, model.mark(joined), model.sizes(beat.after)[joined])
    return (
        f"<p>{name} is lifted out of {model.one} {left}. {model.forgotten(beat)}</p>",
        score_table(options, beat.update.value if reached >= SAMPLE else -1, model.heading),
        f"<p>{number}. The dart lands there on the bar of probabilities.</p>{dart(options, at, 'dart')}",
        f"<p>{came}</p>",
    )


def _options(model: Model, beat: Beat[Any]) -> list[Option]:
    chances = beat.update.conditional.probabilities.tolist()
    ids = [model.option(beat.lifted, place) for place in range(len(chances))]
    return [
        option_of(model.one, None if component < 0 else component, terms, chance)
        for component, terms, chance in zip(ids, model.terms(beat), chances, strict=True)
    ]
