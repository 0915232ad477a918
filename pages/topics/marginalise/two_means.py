"""Two means: points on a line, each of one of two components."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.contract.place import Place
from pages.contract.tools import Tool
from pages.drawing.cards import quiet
from pages.drawing.charts import Domain
from pages.drawing.numbers import fixed
from pages.scenes.leapfrogs import LeapfrogPath
from pages.topics.marginalise import charts, plane, run_film
from pages.topics.marginalise.diagram import of_means
from pages.topics.marginalise.model import Marginalised
from pages.topics.marginalise.scene import MarginaliseScene, room

NO_PROGRAM = quiet("The programs are those of naive Bayes. Choose <b>Model: Naive Bayes</b>.")


@dataclass(frozen=True)
class MeansScene(MarginaliseScene):
    """Points on a line."""

    plane = "the two means"
    told = ("a0_mean", "a1_mean")
    names = ("component 1", "component 2")
    words = ()
    coordinates = (0, 1)

    def title_of(self, item: int) -> str:
        return f"{item + 1}"

    @property
    def heading(self) -> str:
        return f"Point {self.item + 1}, x = {fixed(float(self.settings.on_a_line[self.item]))}"

    @property
    def line(self) -> Domain:
        """The part of the line that holds the points and their components."""
        points = self.settings.on_a_line
        return float(np.floor(points.min() - 1.2)), float(np.ceil(points.max() + 1.2))

    @property
    def domains(self) -> tuple[Domain, Domain]:
        x = self.line
        return x, {"free": x, "ordered": (-3.0, float(np.ceil(np.log(x[1] - x[0]))))}[self.settings.means]

    @property
    def titles(self) -> tuple[str, str]:
        return "mean 1", {"free": "mean 2", "ordered": "log distance"}[self.settings.means]

    def walk_charts(self) -> list[Chart]:
        words = (
            "Means",
            "· averages {a0_mean} and {a1_mean}",
            "The two means along the run, and their running means, which meet where the labels switch.",
        )
        means = run_film.named_chart(self, "means", words, "a", self.line, legend=run_film.legend(self))
        return [plane.chart(self), *self.path_charts(), means, run_film.log_density_chart(self)]

    def path_charts(self) -> list[Chart]:
        return [
            Chart(
                "points",
                "The data, coloured by Pr(component)",
                "",
                "The two components' densities over the points; each point is a bar that the components share.",
                charts.line(self.line),
                run_film.legend(self),
            )
        ]

    def item_data(self, rows: dict[str, Any]) -> Data:
        rows["x"] = self.settings.on_a_line.round(3).tolist()
        return {"rows": rows, "components": {"label": [0, 1], **room("mean", many=2)}}

    def walk_data(self) -> Data:
        return plane.walk_data(self)

    def walk_columns(self, start: int, stop: int) -> Columns:
        means = self.run.by_class[start:stop]
        return {("components", "mean"): means, **plane.walk_columns(self, start, stop)}

    def path_columns(self, path: LeapfrogPath, at: np.ndarray, over: np.ndarray) -> Columns:
        points = [path.trajectory.points[place].position for place in at]
        means = [self.run.target.constrain(position).means for position in points]
        return {("components", "mean"): np.array(means).reshape(-1, self.classes)}


class TwoMeans(Marginalised):
    """The stage of two means."""

    shows = MeansScene
    diagram = of_means
    views: ClassVar = Marginalised.views | {"program": lambda *_: NO_PROGRAM}

    def actions(self, place: Place[MarginaliseSettings]) -> Iterable[Tool]:
        if place.view in ("gamma", "gibbs"):
            yield from self.choose_items(place)
