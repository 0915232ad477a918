"""Base of the stages of points: a run sweep by sweep or one sweep beat by beat, the learner's own points."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Generic

import numpy as np
import streamlit as st

from lessons.data.columns import Column
from lessons.stages.points import PointsSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.moment import Shown
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.player.kept import OWN_DATA
from pages.player.run import reach
from pages.shell import uploads
from pages.shell.widgets import pressed
from pages.stages.close_up import opened, site_at, step_shown, zoom_sweep
from pages.stages.picks import next_like, pick_number
from pages.stages.points import inspector, own, panels
from pages.stages.points.film import close_up_film, sweeps_film
from pages.stages.points.scene import Points, Scene
from pages.stages.wall import Wall

BEATS = ("update", "code")  # the views that speak of one update


WALL = Wall("chain", "chains", "sweep")


class PointsStage(Stage[Points], Generic[Points]):
    """A stage whose sampler gives points their labels."""

    whole = "sweep"
    opens = ("point", "count")

    @abstractmethod
    def scene(self, settings: Points, seed: int) -> Scene[Points]:
        """Return the chains of these settings, on the points that they name or on the learner's own."""

    @abstractmethod
    def look(self, place: Place[Points], scene: Scene[Points], sweep: int) -> None:
        """Draw one of the inspector's views, other than those of `told` and the components."""

    def extra(self, place: Place[Points]) -> None:
        """Draw the upload, where the learner's own data are asked for."""
        settings = place.settings
        if settings.data == "own":
            own.upload(place)

    def missing(self, settings: Points) -> str | None:
        """Return that a file is needed, if it is."""
        return uploads.missing(settings, own.OwnPoints, own.ASK)

    def film(self, settings: Points, seed: int) -> Film:
        """Return the film of these settings and this seed, or that of the wall of chains."""
        if settings.many:
            return WALL.film(self.name, settings, seed)
        scene = self.scene(settings, seed)
        if settings.step_by == "sweep":
            return sweeps_film(scene)
        return close_up_film(scene, opened(scene.key, scene.run, settings.sweep))

    def chains(self, settings: Points, seed: int, t: int) -> list[Shown]:
        """Return the first chain, and the second where there is one; a branch begins where the settings say."""
        first, *others = self.scene(settings, seed).runs
        branch = getattr(settings, "branch_at", None) if getattr(settings, "second", "") == "branch" else None
        return [
            Shown(first.sampler, first.chain.seed, t),
            *(Shown(run.sampler, run.chain.seed, t, "second", branch) for run in others),
        ]

    def cards(self, settings: Points, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t; None for one that has charts."""
        scene, sweep = self.scene(settings, seed), step_shown(settings, t)
        if view in BEATS and settings.opened is not None:
            write = inspector.beat_by_beat if view == "update" else inspector.code
            return write(scene, opened(scene.key, scene.run, sweep), t)
        reach(scene.runs, sweep)
        return self.told(scene, view, sweep)

    def site(self, settings: Points, seed: int, t: int) -> Any:
        """Return the site that frame t redraws of a sweep that is opened; None of a whole one."""
        scene = self.scene(settings, seed)
        return site_at(scene.key, scene.run, settings, t)

    def told(self, scene: Scene[Points], view: str, sweep: int) -> str:
        """Return a view of the inspector after a whole sweep, which all chains have."""
        if view == "code":
            return inspector.code(scene, opened(scene.key, scene.run, sweep) if sweep else None, sweep)
        if not sweep:
            return '<p class="quiet">This is the start. Press <b>Step</b>: one sweep redraws every label once.</p>'
        return inspector.one_point(scene, opened(scene.key, scene.run, sweep))

    def inspect(self, place: Place[Points]) -> None:
        """Draw a view that has charts."""
        scene = self.scene(place.settings, place.seed)
        sweep = step_shown(place.settings, place.t)
        if place.view in ("clusters", "components"):
            panels.clusters(scene, sweep)
        else:
            self.look(place, scene, sweep)

    def actions(self, place: Place[Points]) -> None:
        """Draw the buttons beside the inspector's views."""
        settings = place.settings
        scene = self.scene(settings, place.seed)
        if settings.opened is None:
            if place.view in BEATS and place.t:
                st.markdown("Point", width="content")
                pick_number(place, "point", "Point", len(scene.data), width=92)
            self.beside(place)
        elif place.view in BEATS:
            inspector.guess(place, scene, opened(scene.key, scene.run, settings.sweep))
        if settings.compared and pressed("One chain", icon=":material/close:"):
            place.change(second="none")
            st.rerun()

    def levels(self, settings: Points) -> tuple[str, ...]:
        """Return sweeps, points and beats."""
        return ("Sweep", "Point", "Beat")

    def zoom(self, place: Place[Points], level: str) -> None:
        """Open the next sweep, or go back to the whole run."""
        settings = place.settings
        zoom_sweep(place, level, lambda _: 4 * settings.sites(len(points_of(settings)[0])))

    def open(self, place: Place[Points], mark: Open) -> None:
        """Open the update of a point in the sweep at hand, or go to the next sweep with this number of components."""
        if mark.what == "count":
            run = self.scene(place.settings, place.seed).runs[0]
            place.move(next_like(run.tables[: run.made + 1], mark.which, place.t))
            return
        if place.settings.opened is None:
            place.change(step_by="update", sweep=max(1, place.t))
            place.view = "update"
        place.move(4 * mark.which - 3)  # it is lifted out there

    def beside(self, place: Place[Points]) -> None:
        """Draw buttons for a second chain, while a step is a sweep; none, if a stage does not say otherwise."""
        return


def points_of(settings: PointsSettings) -> tuple[np.ndarray, tuple[Column, ...]]:
    """Return the points that the settings name, or the learner's own, with their columns."""
    if settings.data != "own":
        dataset = settings.dataset()
        return dataset.data, tuple(map(Column, dataset.columns))
    mine = OWN_DATA.get(settings.own, own.OwnPoints)
    assert mine is not None  # `missing` has said so
    return mine.data, mine.columns
