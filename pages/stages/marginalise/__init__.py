"""Labels summed out: what Stan does with a mixture, term by term, leapfrog by leapfrog, and beside Gibbs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import streamlit as st

from lessons.stages.marginalise import MarginaliseSettings
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.player.run import Run
from pages.shell.page import plain
from pages.shell.widgets import bound_choice
from pages.stages.close_up import opened, step_shown, zoom_iteration
from pages.stages.marginalise import (
    gibbs_comparison,
    inspector,
    log_sum_exp_panel,
    program_film,
    programs,
    run_film,
    sum_film,
    trajectory_film,
    triangle,
    truth,
)
from pages.stages.marginalise.diagram import diagram
from pages.stages.marginalise.program_trace import ProgramTrace, trace_of
from pages.stages.marginalise.run import FIRST_LOOK, GibbsRun, MarginalRun
from pages.stages.marginalise.scene import Scene
from pages.stages.picks import pick_number, picks
from pages.stages.scene_stage import SceneStage

FILMS: dict[str, Callable[[Scene], Film]] = {
    "walk": run_film.film,
    "beside Gibbs": gibbs_comparison.film,
    "sums": sum_film.film,
}  # of a run, by the layout


def scene_of(settings: MarginaliseSettings, seed: int) -> Scene:
    """Return the runs of these settings."""
    plain = settings.as_run()
    named = plain.model_dump_json()
    run = RUNS.shared(f"marginalise run {named} {seed}", lambda: MarginalRun(plain, seed))
    runs: list[Run[Any]] = [run]
    if settings.layout == "beside Gibbs" and settings.comparable:
        beside = settings.as_gibbs()
        key = f"marginalise Gibbs {beside.model_dump_json()} {seed}"
        runs.append(RUNS.shared(key, lambda: GibbsRun(beside, seed)))
    run.reach(FIRST_LOOK, "Making the first iterations")
    return Scene(settings, f"marginalise {named} {seed}", runs, RUNS.shared(f"marginalise truth {named}", plain.exact))


class MarginaliseStage(SceneStage[MarginaliseSettings, Scene]):
    """The stage of the topic "Sum the labels out"."""

    diagram = diagram
    makes = scene_of
    whole = "iteration"
    about = ("gamma",)
    views: ClassVar = {
        "step": inspector.step,
        "code": inspector.code,
        "gamma": log_sum_exp_panel.panel,
        "gibbs": gibbs_comparison.panel,
        "truth": truth.panel,
        "program": programs.panel,
    }

    def extra(self, place: Place[MarginaliseSettings]) -> None:
        """Draw the choice of a word in free play, and what the data are."""
        settings = place.settings
        if self.missing(settings) is not None or settings.model == "two means":
            return
        walks = settings.close_up == "iteration" and settings.layout == "walk"
        all_drawn = walks and len(settings.corpus().bag.words) == triangle.WORDS  # all alike: none is followed
        if place.current() is None and not all_drawn:
            _choose_word(place)
        if place.screen().messages:
            st.caption(" ".join(plain(note) for note in notes_of(settings)))

    def missing(self, settings: MarginaliseSettings) -> str | None:
        """Return a sentence on the labels that are missing; None if there are enough to sample."""
        if settings.size == 0:
            return (
                "**Nothing to learn from:** the supervised program uses only labelled documents, and no label is "
                "shown. Show some labels."
            )
        return None

    def film(self, settings: MarginaliseSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        scene = scene_of(settings, seed)
        if settings.opened is not None:
            close_up = CLOSE_UPS[settings.close_up]
            return close_up.film(scene, close_up.made(scene))
        beside = settings.layout == "beside Gibbs" and not settings.comparable
        return FILMS["walk" if beside else settings.layout](scene)

    def moment(self, settings: MarginaliseSettings, seed: int, t: int) -> Moment:
        """Return what is on the screen; terms are added up at the state of the iteration that is opened."""
        found = super().moment(settings, seed, t)
        return replace(found, frame=None) if settings.close_up == "term" else found

    def chains(self, settings: MarginaliseSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the chain, and Gibbs sampling where it is shown beside it."""
        found = [ShownChain(settings.sampler(), seed, t)]
        if settings.close_up == "iteration" and settings.layout == "beside Gibbs" and settings.comparable:
            found.append(ShownChain(settings.as_gibbs().gibbs_sampler(), seed, t, "gibbs"))
        return found

    def cards(self, settings: MarginaliseSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t: of a term or a leapfrog step of an opened iteration, or of all."""
        if settings.opened is None or view not in CLOSE_UPS[settings.close_up].views:
            return super().cards(settings, seed, view, t)
        scene, close_up = scene_of(settings, seed), CLOSE_UPS[settings.close_up]
        made = close_up.made(scene)
        return close_up.views[view](scene, made, min(t, made.total))

    def actions(self, place: Place[MarginaliseSettings]) -> None:
        """Draw the buttons beside the inspector's views."""
        if place.view in ("gamma", "gibbs"):
            _choose_items(place)
        elif place.view == "program":
            programs.run_in_stan(scene_of(place.settings, place.seed), step_shown(place.settings, place.t))

    def levels(self, settings: MarginaliseSettings) -> tuple[str, ...]:
        """Return iterations, leapfrog steps, and the terms of a program that has any."""
        terms = ("Term",) if settings.model == "naive Bayes" else ()
        return ("Iteration", "Leapfrog", *terms)

    def zoom(self, place: Place[MarginaliseSettings], level: str) -> None:
        """Open this iteration, or go back to the whole run."""
        zoom_iteration(place, level.lower(), {"Term": 0, "Leapfrog": 1}.get(level))


def _choose_items(place: Place[MarginaliseSettings]) -> None:
    """Ask for the item that is looked at, and in its view for the other one, or how often it is repeated."""
    settings = place.settings

    def choose(name: str, icon: str) -> None:
        title = str(type(settings).model_fields[name].title)
        pick_number(place, name, title, settings.size, icon=icon, width=120, help=title)

    if settings.size == 0:
        return
    choose("document", ":material/looks_one:")
    if place.view == "gibbs":
        choose("partner", ":material/looks_two:")
    elif settings.model == "naive Bayes":
        times, show = ("1", "10", "100", "1000"), lambda many: f"× {int(many):,}"
        look = bound_choice(place, "inspected repeat", times, settings.repeat, picks(place, "repeat"))
        st.selectbox("Document, times", format_func=show, width=110, label_visibility="collapsed", **look)


def _choose_word(place: Place[MarginaliseSettings]) -> None:
    settings = place.settings
    words = settings.corpus().bag.words
    numbers, word = range(1, len(words) + 1), min(settings.word, len(words))
    look = bound_choice(place, "inspected word", numbers, word, lambda word: place.change(word=word))
    st.selectbox("Word that is followed", format_func=lambda number: words[number - 1], **look)


def notes_of(settings: MarginaliseSettings) -> list[str]:
    """Return notes on the documents: how many words are left, which labels are shown."""
    corpus = settings.corpus()
    shown = corpus.size - len(corpus.hidden)
    empty = int((corpus.bag.counts.sum(axis=1) == 0).sum())
    notes = [f"{corpus.size:,} documents, {len(corpus.bag.words)} words, {shown:,} labels shown."]
    if empty:
        notes.append(f"{empty:,} documents have none of these words.")
    if not settings.rule_at_work:
        notes.append("This rule makes a difference only in the program for prediction.")
    return notes


def trace_at(scene: Scene) -> ProgramTrace:
    """Return the program's acts at the parameters of the iteration that is looked at."""
    scene.run.reach(scene.iteration)
    return trace_of(scene.settings, scene.run.target, scene.run.state(scene.iteration).position)


class CloseUp(NamedTuple):
    """A close-up of an iteration: the function that opens it, its film, and the views of the inspector."""

    made: Callable[[Scene], Any]
    film: Callable[[Scene, Any], Film]
    views: Mapping[str, Callable[[Scene, Any, int], str]]


CLOSE_UPS = {
    "term": CloseUp(trace_at, program_film.film, {"step": inspector.act, "code": inspector.code_of_term}),
    "leapfrog": CloseUp(
        lambda scene: opened(scene.key, scene.run, scene.iteration),
        trajectory_film.film,
        {"step": inspector.leapfrog, "code": inspector.code_of_path},
    ),
}
