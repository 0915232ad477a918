"""The film of one sweep, beat by beat: the hour in hand, its factors, and the forward sums so far."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.scenes.close_up import FORGET, REMEMBER, Beat, CloseUp, beats_of, chapter_of
from pages.topics.hidden_chain import charts
from pages.topics.hidden_chain.film import bars_data, hours_data, moves_chart, moves_data, series_chart, stacked
from pages.topics.hidden_chain.run import HiddenScene
from samplers.hmm.block import FILTERED
from samplers.hmm.concentrations import CONCENTRATIONS
from samplers.hmm.model import FIT, FROM_LAST, MEANS, TO_NEXT, TRANSITIONS, ChainState, Forwards
from samplers.hmm.sticky import BASE

KINDS = "hour|forward sum of hour|transitions|means|base weights|concentrations"


@dataclass(frozen=True)
class Replay:
    """The columns of the frames of a sweep."""

    columns: Columns

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(values.nbytes for values in self.columns.values())


def _of_label(beat: Beat[ChainState], found: np.ndarray) -> None:
    conditional, terms = beat.update.conditional, beat.update.conditional.terms
    found[0] = np.exp(terms[FILTERED if FILTERED in terms else FROM_LAST])
    found[1] = np.exp(terms[TO_NEXT])
    if FIT in terms:
        found[2], found[4] = np.exp(np.array(terms[FIT]) - max(terms[FIT])), np.exp(terms[FIT])
    found[3] = conditional.probabilities


def _of_sum(beat: Beat[ChainState], found: np.ndarray) -> None:
    site: Any = beat.update.site
    found[0], found[3] = beat.update.conditional.before, beat.update.conditional.filtered
    fits = np.array(beat.lifted.fits[site.hour])
    found[2], found[4] = np.exp(fits - fits.max()), np.exp(fits)


class Part(NamedTuple):
    """The part of the film that updates of a kind have."""

    kind: int  # a number of `KINDS`
    hour: Callable[[Any], float] = lambda _: np.nan  # that an update is about, from 0, of its site
    fill: Callable[[Beat[ChainState], np.ndarray], None] = lambda *_: None  # in the factors that it has


PARTS: dict[object, Part] = {  # by the type of the site, or by the parameters
    int: Part(0, float, _of_label),
    Forwards: Part(1, lambda site: float(site.hour), _of_sum),
    **{site: Part(number) for number, site in enumerate((TRANSITIONS, MEANS, BASE, CONCENTRATIONS), 2)},
}


def part_of(site: object) -> Part:
    """Return the part of the film that an update has."""
    return PARTS[site if isinstance(site, str) else type(site)]


def factors_of(beat: Beat[ChainState], states: int) -> np.ndarray:
    """Return the factors of each state as `charts.COLUMNS` names them, NaN for those that this update lacks; (5, K).

    The densities of the value are there as they are, and as parts of the largest, which their bars show.
    """
    found = np.full((len(charts.COLUMNS), states), np.nan)
    part_of(beat.update.site).fill(beat, found)
    return found


def replayed(scene: HiddenScene[Any], close_up: CloseUp[ChainState]) -> Replay:
    """Replay a sweep; frame 4 u + b is beat b of update u."""
    sampler = scene.run.sampler
    frames, hours, states = 4 * len(close_up) + 1, sampler.hours, sampler.states
    labels, means = np.empty((frames, hours), np.int16), np.full((frames, hours), np.nan, np.float32)
    hand, kinds = np.full(frames, np.nan), np.zeros(frames, np.uint8)
    factors = np.full((frames, len(charts.COLUMNS), states), np.nan, np.float32)
    filtered = np.full((frames, hours, states), np.nan, np.float32)
    moves = np.empty((frames, states * states), np.float32)
    fresh = np.zeros(hours, bool)  # forward sums of this sweep

    def keep(t: int, state: ChainState) -> None:
        labels[t], moves[t] = state.labels, np.ravel(state.transitions)
        known = labels[t] >= 0
        means[t, known] = np.array(state.means)[labels[t, known]]
        for hour in np.flatnonzero(fresh).tolist():
            filtered[t, hour] = state.filtered[hour]

    keep(0, close_up.before)
    for number, beat in enumerate(close_up):
        site, part = beat.update.site, part_of(beat.update.site)
        for step in range(FORGET, REMEMBER + 1):
            t = 4 * number + step
            if step == REMEMBER and isinstance(site, Forwards):
                fresh[site.hour] = True
            keep(t, beat.after if step == REMEMBER else beat.lifted)
            hand[t], kinds[t] = part.hour(site), part.kind
            if step != FORGET:
                factors[t] = factors_of(beat, states)
    kinds[0] = part_of(close_up.sites[0]).kind
    columns: Columns = {
        ("hours", "label"): labels,
        ("hours", "mean"): means,
        ("hand", "x"): hand + 1,
        ("hand", "y"): np.where(np.isnan(hand), np.nan, scene.values[np.nan_to_num(hand).astype(int)]),
        ("say", "kind"): kinds,
        ("say", "item"): hand + 1,
        ("say", "beat"): beats_of(np.arange(frames)),
        **{("weights", name): factors[:, place] for place, name in enumerate(charts.COLUMNS)},
    }
    if scene.method.sums:
        columns |= stacked("shares", filtered)
    if sampler.learned:
        columns["moves", "p"] = moves
    return Replay(columns)


def beats_film(scene: HiddenScene[Any], close_up: CloseUp[ChainState]) -> Film:
    """Return one sweep, a frame a beat."""
    if close_up.film is None:
        close_up.film = replayed(scene, close_up)
    states = scene.run.sampler.states
    shown = [series_chart(scene, "· the ring: the hour in hand"), _weights(scene)]
    sets = hours_data(scene)
    if scene.method.sums:
        shown.append(_sums(scene))
        sets |= bars_data(scene, "shares")
    if scene.run.sampler.learned:
        shown.append(moves_chart(scene))
        sets |= moves_data(states)
    sets["weights"] = {"k": list(range(states)), **dict.fromkeys(charts.COLUMNS, FLOAT32)}
    return Film(
        key=f"{scene.key} sweep {close_up.sweep}",
        charts=shown,
        data=sets | {"say": {"kind": UINT8, "beat": UINT8, "item": FLOAT32}},
        columns=close_up.film.columns,
        **chapter_of(close_up, KINDS, "item", SWEEPS),
    )


def _weights(scene: HiddenScene[Any]) -> Chart:
    return Chart(
        "weights",
        "The factors of each state",
        f"{{kind:· multiplied|· {scene.way.said}|· not for transitions|· not for means|· not for weights|"
        "· not for concentrations}",
        "For each state its factors as bars, and the probability that their product gives.",
        charts.weights(scene.run.sampler.states),
    )


def _sums(scene: HiddenScene[Any]) -> Chart:
    return Chart(
        "shares",
        "Forward sums",
        "· each state given the values so far",
        "For each hour the probability of each state given the values up to that hour, and the exact ones given all.",
        charts.shares(len(scene.values), scene.marginals is not None, "shares"),
        [("ink", "exact, given all values")] * (scene.marginals is not None),
    )
