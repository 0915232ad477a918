"""The generative process forwards: the three factors of a point, and the way from the points to the sampler."""

import math
from collections.abc import Iterable

from lessons.topics.crp_mixture import MAKER, CRPMixtureSettings
from pages.code.listing import listing
from pages.code.watch import Way, names, watch
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.contract.tools import Press, Tool
from pages.drawing.cards import Option, badge, dart, numbered, pointing, quiet, score_table
from pages.drawing.numbers import fixed, multiplied, of_its_log, vector
from pages.drawing.plates import Diagram
from pages.scenes.points.model import option_of
from pages.scenes.shared import key_of, shared
from pages.topics.crp_mixture.diagram import diagram_of_story
from pages.topics.crp_mixture.making import Making
from samplers.crp.forwards import DISH, POINT, TURNS, Forwards

FORWARDS = Way((Forwards.step,), names("seats uniform table", "dish len", "served point"))
LEAST_MADE = 3  # points from which a sampler can begin
HEADING = "p(table) = customers there / (n − 1 + α)"
NOT_YET = quiet("Comes next.")
BACKWARDS = quiet(
    "This view is for the sampler. While the story makes points, there is nothing to infer: see <b>This update</b>. "
    "Then press <b>Forget who made them</b>."
)


def story(making: Making, t: int) -> str:
    """Return the draws of one point up to draw t, with their factors, as HTML."""
    if not t:
        return quiet(
            "No point has come yet. Each takes three steps: it draws a <b>table</b>, a new table draws its "
            "<b>dish</b>, and the <b>point</b> is drawn around the dish."
        )
    number, turn = (t - 1) // TURNS + 1, (t - 1) % TURNS
    first = TURNS * (number - 1) + 1
    bodies = [_table(making, first)]
    bodies.append(_dish(making, first + DISH) if turn >= DISH else NOT_YET)
    bodies.append(_point(making, first + POINT) if turn >= POINT else NOT_YET)
    titles = (f"Point {number}: a table", "Its dish", "The point")
    factors = [making.record(now).log_density for now in range(first, t + 1)]
    found = multiplied(*factors) if turn else of_its_log(factors[0])
    said = (
        f"<p>Factors of point {number} so far: <b>{found}</b>. Log of the product of all factors, dishes as "
        f"they were drawn: <b>{fixed(float(making.log_joints[t]), 1)}</b>.</p>"
    )
    return f'<div class="three">{numbered(*zip(titles, bodies, strict=True), main=turn + 1)}</div>{said}'


def _mark(table: int) -> str:
    return pointing(f"table-{table + 1}", badge(str(table + 1), table))


def _options(making: Making, t: int) -> list[Option]:
    before, seats = making.state(t - 1), making.record(t).seats
    assert seats is not None
    bottom = f"{len(before.seating) + making.settings.made_alpha:.4g}"
    chances = seats.probabilities.tolist()
    found = [
        option_of("table", table, f"{count} / {bottom}", chance)
        for table, (count, chance) in enumerate(zip(before.counts, chances, strict=False))
    ]
    new = f"{making.settings.made_alpha:g} / {bottom}"
    return [*found, option_of("table", None, new, chances[-1])]


def _table(making: Making, t: int) -> str:
    record, options = making.record(t), _options(making, t)
    table = making.state(t).seating.seats[-1]
    assert record.uniform is not None
    seats = score_table(options, table, HEADING)
    return f"{seats}<p>Random number {record.uniform:.3f}:</p>{dart(options, record.uniform, 'dart')}"


def _dish(making: Making, t: int) -> str:
    state = making.state(t)
    table = state.seating.seats[-1]
    dish = vector(state.dishes[table].mean.tolist())
    if len(making.state(t - 1).dishes) == len(state.dishes):
        return f"<p>Table {_mark(table)} has its dish: μ = {dish}.</p><p>Nothing is drawn: a factor of 1.</p>"
    spread = f"{math.sqrt(MAKER.prior_variance):g}"
    density = of_its_log(making.record(t).log_density)
    return (
        f"<p>Table {_mark(table)} is new. It draws its mean from <i>G</i>₀, a Normal around (0, 0) with a spread of "
        f"{spread} in both directions:</p><p>μ = <b>{dish}</b>, with density {density}.</p>"
    )


def _point(making: Making, t: int) -> str:
    state = making.state(t)
    table = state.seating.seats[-1]
    spread = f"{math.sqrt(MAKER.variance):.2f}"
    name = pointing(f"point-{len(state.points)}", vector(state.points[-1].tolist()))
    density = of_its_log(making.record(t).log_density)
    return (
        f"<p>Around the dish of table {_mark(table)}, a Normal with a spread of {spread}:</p>"
        f"<p>x = <b>{name}</b>, with density {density}.</p>"
    )


def code(making: Making, t: int) -> str:
    """Return the code of draw t, as it ran."""
    if not t:
        return listing(FORWARDS, ())
    _, calls = watch(FORWARDS, lambda: making.settings.story.step(making.state(t - 1), making.chain.rng(t)))
    return listing(FORWARDS, calls, main=((t - 1) % TURNS) + 1)


@shared
def making_of(settings: CRPMixtureSettings, seed: int) -> Making:
    """Return the run of a story; sessions share it."""
    return Making(settings, seed, key_of(settings, seed))


class Story(Stage[CRPMixtureSettings]):
    """Points that are made, three draws a point."""

    opens = ("point",)

    def film(self, settings: CRPMixtureSettings, seed: int) -> Film:
        return making_of(settings, seed).film

    def cards(self, settings: CRPMixtureSettings, seed: int, view: str, t: int) -> str:
        """Return the draws of a point, or their code; all else is of the sampler."""
        making = making_of(settings, seed)
        write = {"update": story, "code": code}.get(view)
        return write(making, min(t, making.total)) if write else BACKWARDS

    def model(self, settings: CRPMixtureSettings, seed: int, t: int) -> Diagram:
        return diagram_of_story(t)

    def actions(self, place: Place[CRPMixtureSettings]) -> Iterable[Tool]:
        """Yield the way from the story to the sampler."""
        if place.t >= TURNS * LEAST_MADE:
            said = "The sampler gets these points alone."
            yield Press("Forget who made them", lambda: forget(place), ":material/visibility_off:", said)

    def open(self, place: Place[CRPMixtureSettings], mark: Open) -> None:
        """Go to the point that was pressed."""
        if mark.what == "point":
            place.move(TURNS * mark.which)


def forget(place: Place[CRPMixtureSettings]) -> None:
    """Go on with the points that have been made so far, and a sampler that does not know who made them."""
    settings = place.settings
    place.change(
        direction="backwards",
        data="made",
        points=place.t // TURNS,
        data_seed=place.seed,
        family="known",
        concentration=settings.made_alpha,
        step_by="sweep",
    )
    place.move(0)
