"""The options of one update as rows of data: what each offers to the point in hand, and what it predicts for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln

from pages.contract.columns import FLOAT32, Data
from pages.scenes.close_up import SAMPLE, SCORE, Beat
from pages.scenes.points.model import NEW, SHOWN, factor
from pages.scenes.points.scene import MixtureScene
from samplers.recipe import Conditional

ROWS = SHOWN + 1  # options that are drawn: the likeliest
MANY = 1e5  # degrees of freedom of a Normal, near enough
SPOKE = ("option", "p", "low", "high", "x", "y", "x2", "y2", "room")
CURVE = ("centre", "scale", "df", "log_height", "fit")
ELLIPSE = ("mx", "my", "a", "b", "c")
DART = ("beat", "at", "p", "label", "x", "y", "x2", "y2")
NEAR = 0.1  # share of an axis within which two numbers would overlap


def fields_of(scene: MixtureScene) -> tuple[str, ...]:
    """Return the fields of an option's row.

    They are its component (`NEW` for one that is not opened yet), its probability, where it begins and ends on the bar
    from 0 to 1, a line from the point in hand to it, and whether a number has room at its end. Then comes what it
    predicts for the point: on a line a Student t, with the log of its greatest height, and its height at the point; in
    a plane the ellipse that holds as much of it as two standard deviations do of a Normal.
    """
    if scene.model.counts:
        return SPOKE
    return SPOKE + (CURVE if scene.flat else ELLIPSE)


def options_data(fields: Sequence[str]) -> Data:
    """Return the data sets of the components that a point may join, and of the dart that chooses."""
    return {
        "options_a": dict.fromkeys((*fields, "top"), FLOAT32.of(ROWS)),
        "dart_a": dict.fromkeys(DART, FLOAT32),
    }


class Update:
    """The update of one point, as rows.

    Parameters
    ----------
    scene : MixtureScene
        Whose first chain's it is.
    beat : Beat
        The update.
    place : numpy.ndarray
        Where the point is drawn, shape (2,).
    """

    def __init__(self, scene: MixtureScene, beat: Beat[Any], place: np.ndarray) -> None:
        conditional = beat.update.conditional
        assert isinstance(conditional, Conditional)
        self._scene, self._beat, self._place = scene, beat, place
        self._chances = conditional.probabilities
        self._fit = conditional.terms[scene.run.sampler.fit]
        ends = np.cumsum(self._chances)
        self._ends = np.concatenate([[0.0], ends / ends[-1]])

    def rows(self) -> np.ndarray:
        """Return a row for each option that is drawn, shape (options, fields), as `fields_of` has them."""
        order = np.argsort(-self._chances, kind="stable")[:ROWS]
        rows = np.array([self._row(int(option)) for option in order], np.float32)
        low, high = np.array(self._scene.domains).T
        places = (rows[:, 6:8] - low) / (high - low)
        for number, place in enumerate(places):
            rows[number, 8] = (np.abs(places[:number] - place).max(axis=1, initial=0) > NEAR).all()
        return rows

    def dart(self) -> np.ndarray:
        """Return the dart while the point is scored and while it is sampled, as `DART`, shape (2, fields).

        They are the beat, where it hits the bar, the probability of what it hits, the label that the point gets, and
        the line to the option that is hit.
        """
        value, site = self._beat.update.value, int(self._beat.update.site)
        chance, label = self._chances[value], self._beat.after.labels[site]
        row = (self._beat.update.uniform, chance, label, *self._place, *self._end(value))
        return np.array([(SCORE, *row), (SAMPLE, *row)], np.float32)

    def _name(self, option: int) -> int:
        return self._scene.model.option(self._beat.lifted, option)

    def _end(self, option: int) -> tuple[float, float]:
        """Return where the line to an option ends."""
        name = self._name(option)
        return self._scene.aside if name == NEW else self._scene.model.place(self._beat.lifted, name)

    def _row(self, option: int) -> tuple[float, ...]:
        spoke = self._chances[option], *self._ends[option : option + 2], *self._place, *self._end(option)
        return self._name(option), *spoke, 1.0, *self._foretold(option)

    def _foretold(self, option: int) -> tuple[float, ...]:
        model = self._scene.model
        if model.counts:
            return ()
        centre, scale, df = model.predictive(self._beat.lifted, self._name(option)).student_t()
        df = min(df, MANY)
        if not self._scene.flat:
            # of a Student t in the plane, the square of the distance from its centre is 2 F(2, df)
            return factor(centre, scale * df * np.expm1(4 / df))
        width = float(scale[0, 0]) ** 0.5
        log_height = gammaln((df + 1) / 2) - gammaln(df / 2) - np.log(df * np.pi) / 2 - np.log(width)
        return float(centre[0]), width, df, float(log_height), float(np.exp(self._fit[option]))
