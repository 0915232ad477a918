"""The film of the generative process: a point draws a table, a new table its dish, and the dish the point."""

from functools import cached_property
from typing import Any

import numpy as np

from lessons.data.columns import Column
from lessons.topics.crp_mixture import MAKER, CRPMixtureSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, UINT16, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.scenes.close_up import SAMPLE
from pages.scenes.points import pictures
from pages.scenes.points.beats import cluster_columns, cluster_data
from pages.scenes.points.model import NEW, PARAMETERS, SHOWN, factor, rows_of
from pages.scenes.points.options import DART, ELLIPSE, NEAR, ROWS, SPOKE, options_data
from pages.scenes.points.scene import domain, far_from
from pages.scenes.points.stills import points_data
from pages.scenes.points.update_layers import PointsPicture
from samplers import Chain
from samplers.crp.forwards import TABLE, TURNS, Draw, Made

OPTION = (*SPOKE, *ELLIPSE)  # fields of a row
DOOR = (0.5, 0.13)  # where points come in, in shares of the picture
TWO_SD = float(np.sqrt(MAKER.prior_variance + MAKER.variance) * 2)  # of a point at a table that nobody has opened


class Making:
    """A run of the story, forwards, all of whose draws are made at once: they are cheap.

    Attributes
    ----------
    total : int
        How many draws there are.
    log_joints : numpy.ndarray
        The log of the product of all factors up to each draw, shape (total + 1,).
    """

    def __init__(self, settings: CRPMixtureSettings, seed: int, key: str) -> None:
        self.settings, self.key, self.total = settings, key, settings.iterations
        self._records: dict[int, Draw] = {}
        self.chain: Chain[Made] = Chain(settings.story, seed, on_step=self._records.__setitem__)
        self.last = self.chain[self.total]
        self.log_joints = np.cumsum([0.0, *(self.record(t).log_density for t in range(1, self.total + 1))])

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        frame = 4 * (ROWS * len(OPTION) + SHOWN * PARAMETERS + self.settings.points)
        return self.total * (frame + 12 * self.settings.points)  # states hold three lists, which share what is in them

    def record(self, t: int) -> Draw:
        """Return draw t, from 1."""
        return self._records[t]

    def state(self, t: int) -> Made:
        """Return the data made after t draws."""
        return self.chain[t]

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
            columns=_columns(self),
            total=self.total,
            label="draw {t} of {total}",
            strides=(("Draw", 1), ("Point", TURNS)),
        )

    @cached_property
    def aside(self) -> list[float]:
        """The place of a table that is not open yet: at the rim."""
        return far_from(np.array(self.last.points), self.domains)

    @cached_property
    def door(self) -> list[float]:
        """The place where points come in."""
        return [low + share * (high - low) for share, (low, high) in zip(DOOR, self.domains, strict=True)]


def _charts(making: Making) -> list[Chart]:
    picture = PointsPicture("a", *making.domains, (Column("x"), Column("y")), 55, "table", opened=True)
    lowest, highest = float(making.log_joints.min()), float(making.log_joints.max())
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
                ("ink", "a dish: 2 standard deviations", "tables"),
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
        **options_data(OPTION),
        "past": {"tables": INT16, "log_joint": FLOAT32},
        "say": {"tables": INT16, "log_joint": FLOAT32, "made": UINT16, "scored": UINT8},
    }


def _columns(making: Making) -> Columns:
    """Return every column of all frames."""
    every, size = np.arange(making.total + 1), making.settings.points
    clusters = np.full((len(every), SHOWN, PARAMETERS), np.nan, np.float32)
    options = np.full((len(every), ROWS, len(OPTION)), np.nan, np.float32)
    darts = np.full((len(every), len(DART)), np.nan, np.float32)
    tables = np.zeros(len(every), int)
    for t in range(1, making.total + 1):
        state = making.state(t)
        tables[t] = len(state.counts)
        clusters[t] = _dishes(state)
        if (t - 1) % TURNS == TABLE:
            rows = _options(making, t)
            options[t, : len(rows)], darts[t] = rows, _dart(making, t)
    made = every // TURNS
    seats = np.array(making.last.seating.seats)
    scored = np.isfinite(options[:, :, 0])
    columns: Columns = {
        ("points_a", "label"): np.where(np.arange(size) < made[:, None], seats, np.nan),
        ("clusters_a", "top"): np.where(scored[:, :1], np.nan, 1),
        ("options_a", "top"): np.where(scored, 1, np.nan),
        **along(tables=tables, log_joint=making.log_joints),
        ("say", "made"): made,
        ("say", "scored"): scored.any(axis=1),
        **{("options_a", name): options[:, :, i] for i, name in enumerate(OPTION)},
        **{("dart_a", name): darts[:, i] for i, name in enumerate(DART)},
    }
    return columns | cluster_columns("a", clusters)


def _end(making: Making, before: Made, table: int) -> list[float]:
    """Return where the line to a table ends: at its dish, or of a new one at the rim."""
    return making.aside if table == len(before.dishes) else before.dishes[table].mean.tolist()


def _options(making: Making, t: int) -> np.ndarray:
    """Return the options of a table, the most probable first; see `pages.scenes.points.options.fields_of`."""
    before, seats = making.state(t - 1), making.record(t).seats
    assert seats is not None
    chances, span = seats.probabilities, np.ptp(making.domains, axis=1)
    ends, rows = np.cumsum(chances), list[tuple[float, ...]]()
    for table in np.argsort(-chances, kind="stable")[:ROWS].tolist():
        new = table == len(before.dishes)
        shape = (*MAKER.mean, TWO_SD, 0.0, TWO_SD) if new else _doubled(before.dishes[table])
        place = _end(making, before, table)
        near = [row for row in rows if (np.abs(np.subtract(row[6:8], place)) < NEAR * span).all()]
        spoke = (chances[table], ends[table] - chances[table], ends[table], *making.door, *place, not near)
        rows.append((NEW if new else table, *spoke, *shape))
    return np.array(rows, np.float32)


def _dart(making: Making, t: int) -> np.ndarray:
    before, record = making.state(t - 1), making.record(t)
    table = making.state(t).seating.seats[-1]
    assert record.seats is not None
    chance = record.seats.probabilities[table]
    return np.array([SAMPLE, record.uniform, chance, table, *_end(making, before, table), *making.door], np.float32)


def _doubled(dish: Any) -> tuple[float, ...]:
    x, y, *root = factor(dish.mean, dish.covariance)
    return x, y, *(2 * entry for entry in root)


def _dishes(state: Made) -> np.ndarray:
    """Return the dishes of the largest tables, shape (SHOWN, PARAMETERS); a table without a dish yet has no row."""
    dishes = dict(enumerate(state.dishes))
    return rows_of(dishes, {table: state.counts[table] for table in dishes}, len(state.seating))
