"""Helpers of the tests of the stages of points."""

from typing import Any

from pages.contract.film import Film
from pages.scenes.close_up import REMEMBER, Beat, four_beats
from pages.scenes.points import inspector
from pages.scenes.points.scene import MixtureScene
from tests.pages.player.films import fetched


def cards_of(made: MixtureScene, beat: Beat[Any], reached: int = REMEMBER) -> str:
    """Return the cards of a point's update, as far as they have come."""
    return four_beats(inspector.bodies(made.model, beat, reached), reached, reached)


def sent(film: Film, at: int = 0) -> tuple[dict, dict]:
    """Return the first message, read as the browser reads it."""
    return fetched(film, at)
