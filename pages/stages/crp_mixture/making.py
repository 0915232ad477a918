"""The film of the generative process: a point draws a table, a new table its dish, and the dish the point."""

from functools import cached_property
from typing import Any

import numpy as np

from lessons.data.columns import Column
from lessons.stages.crp_mixture import MAKER, CRPMixtureSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, UINT16, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.stages.close_up import SAMPLE
from pages.stages.points import pictures
from pages.stages.points.beats import cluster_columns
from pages.stages.points.model import NEW, PARAMETERS, SHOWN, factor
from pages.stages.points.options import DART, ELLIPSE, NEAR, ROWS, SPOKE
from pages.stages.points.placed import cluster_data, options_data, points_data
from pages.stages.points.scene import IN_A_PLANE, domain
from pages.stages.points.update_layers import PointsPicture
from samplers import Chain
from samplers.crp.forwards import TABLE, TURNS, Draw, Made

DOOR = (0.5, 0.13)  # where points come in, in shares of the picture
TWO_SD = float(np.sqrt(MAKER.prior_variance + MAKER.variance) * 2)  # of a point at a table that nobody has opened


class Making:
    """A run of the story, all of whose draws are made at once: they are cheap.

    Parameters
    ----------
    settings : CRPMixtureSettings
        Forwards.
    seed : int
        Of the run.
    key : str
        Of the film.

    Attributes
    ----------
    total : int
        How many draws there are.
    """

    def __init__(self, settings: CRPMixtureSettings, seed: int, key: str) -> None:
        self.settings, self.key, self.total = settings, key, settings.iterations
        self._records: dict[int, Draw] = {}
        self.chain: Chain[Made] = Chain(settings.story, seed, on_step=self._records.__setitem__)
        self.last = self.chain[self.total]
        self._joints = np.cumsum([0.0, *(self.record(t).log_density for t in range(1, self.total + 1))])

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        frame = 4 * (ROWS * (len(SPOKE) + len(ELLIPSE)) + SHOWN * PARAMETERS + self.settings.points)
        return self.total * (frame + 12 * self.settings.points)  # states hold three lists, which share what is in them

    def record(self, t: int) -> Draw:
        """Return draw t, from 1."""
        return self._records[t]

    def state(self, t: int) -> Made:
        """Return what has been made after t draws."""
        return self.chain[t]

    def log_joint(self, t: int) -> float:
        """Return the log of the product of all factors up to draw t."""
        return float(self._joints[t])

    @cached_property
    def domains(self) -> tuple[Domain, Domain]:
        """Ranges of the axes, with room for all points and dishes, those to come as well."""
        means, wide = np.array([dish.mean for dish in self.last.dishes]), 2 * np.sqrt(MAKER.variance)
        drawn = np.vstack([np.array(self.last.points), means - wide, means + wide])
        x, y = (domain(values, 0.12) for values in drawn.T)
        return x, y

    @cached_property
    def film(self) -> Film:
        """The film, a frame a draw."""
        return Film(
            key=self.key,
            charts=_charts(self),
            data=_data(self),
            columns=_Frames(self).columns(),
            total=self.total,
            label="draw {t} of {total}",
            strides=(("Draw", 1), ("Point", TURNS)),
        )

    def across(self, shares: tuple[float, float]) -> tuple[float, float]:
        """Return a place from its shares of the picture."""
        x, y = (low + share * (high - low) for share, (low, high) in zip(shares, self.domains, strict=True))
        return x, y


def _charts(making: Making) -> list[Chart]:
    picture = PointsPicture("a", *making.domains, (Column("x"), Column("y")), 55, "table", opened=True)
    lowest, highest = float(making._joints.min()), float(making._joints.max())
    tables = float(max(8, len(making.last.counts) + 1))
    lines = [
        ("tables", "Tables", "The number of tables, draw by draw.", (0.0, tables)),
        ("log_joint", "Log of the product", "The log of the product of all factors so far.", (lowest - 1, highest + 1)),
    ]
    return [
        Chart(
            "points",
            "Points being made",
            "· {made} {made:points|point|points}, {tables} {tables:tables|table|tables}",
            "Points in a plane as they are made: the bar of the tables and the dart, the dishes, and the points.",
            pictures.plane(picture),
            (
                ("block", "a dish: 2 standard deviations", "tables"),
                ("dashed", "where a new table’s points may fall", "scored"),
            ),
            "4 / 3",
        ),
        *(
            Chart(
                "trace" if name == "log_joint" else name,
                title,
                f"· {{{name}}}",
                alt,
                trace(name, making.total, "draws"),
                params={f"{name}_span": span},
            )
            for name, title, alt, span in lines
        ),
    ]


def _data(making: Making) -> Data:
    points = np.array(making.last.points)
    return {
        **points_data("a", points[:, 0], points[:, 1], FLOAT32),
        **cluster_data("a", tops=True),
        **options_data((*SPOKE, *ELLIPSE)),
        "past": {"tables": INT16, "log_joint": FLOAT32},
        "say": {"tables": INT16, "log_joint": FLOAT32, "made": UINT16, "scored": UINT8},
    }


class _Frames:
    """The columns of every frame."""

    def __init__(self, making: Making) -> None:
        self._making = making
        low, high = np.array(making.domains).T
        shares = (np.array(making.last.points) - low) / (high - low)
        away = ((np.array(IN_A_PLANE)[:, None] - shares) ** 2).sum(axis=2).min(axis=1)
        self._aside, self._door = making.across(IN_A_PLANE[int(away.argmax())]), making.across(DOOR)
        self._span = high - low

    def columns(self) -> Columns:
        """Return the columns by their names."""
        making, every = self._making, np.arange(self._making.total + 1)
        size = making.settings.points
        clusters = np.full((len(every), SHOWN, PARAMETERS), np.nan, np.float32)
        options = np.full((len(every), ROWS, len(SPOKE) + len(ELLIPSE)), np.nan, np.float32)
        darts = np.full((len(every), len(DART)), np.nan, np.float32)
        tables = np.zeros(len(every), int)
        for t in range(1, making.total + 1):
            state = making.state(t)
            tables[t] = len(state.counts)
            clusters[t] = _dishes(state)
            if (t - 1) % TURNS == TABLE:
                rows = self._options(t)
                options[t, : len(rows)], darts[t] = rows, self._dart(t)
        made = every // TURNS
        seats = np.array(making.last.seating.seats)
        labels = np.where(np.arange(size) < made[:, None], seats, np.nan)
        scored = np.isfinite(options[:, :, 0])
        columns: Columns = {
            ("points_a", "label"): labels,
            ("clusters_a", "top"): np.where(scored[:, :1], np.nan, 1),
            ("options_a", "top"): np.where(scored, 1, np.nan),
            **along(tables=tables, log_joint=making._joints),
            ("say", "made"): made,
            ("say", "scored"): scored.any(axis=1),
            **{("options_a", name): options[:, :, i] for i, name in enumerate((*SPOKE, *ELLIPSE))},
            **{("dart_a", name): darts[:, i] for i, name in enumerate(DART)},
        }
        return columns | cluster_columns("a", clusters)

    def _end(self, before: Made, table: int) -> tuple[float, float]:
        if table == len(before.dishes):
            return self._aside
        x, y = before.dishes[table].mean.tolist()
        return x, y

    def _options(self, t: int) -> np.ndarray:
        """Return the options of a table, the most probable first; see `pages.stages.points.options.fields_of`."""
        before, seats = self._making.state(t - 1), self._making.record(t).seats
        assert seats is not None
        chances = seats.probabilities
        ends, rows = np.cumsum(chances), list[tuple[float, ...]]()
        for table in np.argsort(-chances, kind="stable")[:ROWS].tolist():
            new = table == len(before.dishes)
            shape = (
                (*MAKER.mean, TWO_SD, 0.0, TWO_SD)
                if new
                else _doubled(factor(before.dishes[table].mean, before.dishes[table].covariance))
            )
            place = self._end(before, table)
            near = [row for row in rows if (np.abs(np.subtract(row[6:8], place)) < NEAR * self._span).all()]
            spoke = (chances[table], ends[table] - chances[table], ends[table], *self._door, *place, not near)
            rows.append((NEW if new else table, *spoke, *shape))
        return np.array(rows, np.float32)

    def _dart(self, t: int) -> np.ndarray:
        before, record = self._making.state(t - 1), self._making.record(t)
        table = self._making.state(t).seating.seats[-1]
        assert record.seats is not None
        chance = record.seats.probabilities[table]
        return np.array([SAMPLE, record.uniform, chance, table, *self._end(before, table), *self._door], np.float32)


def _doubled(shape: tuple[float, ...]) -> tuple[float, ...]:
    x, y, *root = shape
    return x, y, *(2 * entry for entry in root)


def _dishes(state: Made) -> np.ndarray:
    """Return the dishes of the largest tables, shape (SHOWN, PARAMETERS); a table without a dish yet has no row."""
    rows = np.full((SHOWN, PARAMETERS), np.nan, np.float32)
    order = sorted(range(len(state.dishes)), key=lambda table: -state.counts[table])
    for row, table in enumerate(order[:SHOWN]):
        dish: Any = state.dishes[table]
        rows[row] = (table, state.counts[table] / len(state.seating), *factor(dish.mean, dish.covariance))
    return rows
