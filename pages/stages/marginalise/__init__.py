"""Labels summed out: what Stan does with a mixture, term by term, leapfrog by leapfrog, and beside Gibbs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

import streamlit as st

from lessons.reader.stages.marginalise import MarginaliseSettings
from pages.parts.page import plain
from pages.parts.player import Film
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.marginalise import beside, inspector, paths, programs, sums, terms, triangle, truth, walk
from pages.stages.marginalise.paths import Path
from pages.stages.marginalise.run import GibbsRun, MarginalRun
from pages.stages.marginalise.scene import Scene
from pages.stages.marginalise.script import Script, script_of

VIEWS = {
    "step": "This step",
    "gamma": "γ and its sum",
    "program": "Program",
    "gibbs": "Beside Gibbs",
    "truth": "Truth",
}
# settings that change what is looked at, not what the sampler does
OF_THE_PAGE = {"layout", "gibbs", "summary", "document", "partner", "word", "repeat", "step_by", "iteration"}


@st.cache_resource(max_entries=16, show_spinner=False)
def _run(settings: MarginaliseSettings, seed: int) -> MarginalRun:
    return MarginalRun(settings, seed)


@st.cache_resource(max_entries=16, show_spinner=False)
def _gibbs(settings: MarginaliseSettings, seed: int) -> GibbsRun:
    return GibbsRun(settings, seed)


@lru_cache(maxsize=16)
def _exact(settings: MarginaliseSettings) -> Any:
    return settings.exact()


class MarginaliseStage(Stage):
    """The stage of the topic "Sum the labels out"."""

    name = "marginalise"
    views: ClassVar = VIEWS

    def extra(self, place: Topic) -> None:
        """Draw the choice of a word in free play, and what the data are."""
        settings: Any = place.settings
        if self.missing(place) is not None or settings.model == "two means":
            return
        if place.current() is None and not _all_words_drawn(settings):
            _choose_word(place)
        st.caption(" ".join(plain(note) for note in notes_of(settings)))

    def missing(self, place: Topic) -> str | None:
        """Return what must be there before anything can be sampled."""
        settings: Any = place.settings
        if settings.size == 0:
            return (
                "**Nothing to learn from:** the supervised program is given labelled documents alone, and no label is "
                "shown. Show some labels."
            )
        return None

    def film(self, settings: MarginaliseSettings, seed: int) -> Film:
        """Return what the player shows."""
        scene = scene_of(settings, seed)
        if settings.close_up == "term":
            return terms.film(scene, script_at(scene))
        if settings.close_up == "leapfrog":
            return paths.film(scene, path_at(scene, scene.iteration))
        return walk.film(scene) if scene.gibbs is None else beside.film(scene)

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        scene = scene_of(place.settings, place.seed)
        iteration = _iteration(place, scene)
        if place.view == "step":
            st.html(_step(place, scene))
        elif place.view == "gamma":
            st.html(f'<p class="quiet">{sums.title(scene)}</p>{sums.panel(scene, iteration)}')
        elif place.view == "program":
            programs.panel(scene, iteration)
        elif place.view == "gibbs":
            st.html(beside.panel(scene, iteration))
        else:
            st.html(truth.panel(scene, iteration))

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views."""
        settings: Any = place.settings
        if place.view in ("gamma", "gibbs"):
            _choose_items(place)
            return
        if settings.close_up != "iteration":
            if st.button("Step by iterations", icon=":material/zoom_out:", help="Back to the whole run"):
                iteration = scene_of(settings, place.seed).iteration
                place.change(step_by="iteration")
                place.move(iteration)
                st.rerun()
            return
        if settings.model == "naive Bayes":
            _zoom(place, "Terms", "term", "What the program adds up at this iteration, term by term")
        _zoom(place, "Leapfrogs", "leapfrog", "This iteration, one leapfrog step at a time")


def _zoom(place: Topic, label: str, step_by: str, help_text: str) -> None:
    """Draw a button that opens the iteration at which the player rests."""
    if st.button(label, icon=":material/zoom_in:", help=help_text):
        place.change(step_by=step_by, iteration=max(place.t, int(step_by == "leapfrog")))
        place.view = "step"
        place.move(0)
        st.rerun()


def _choose_items(place: Topic) -> None:
    """Ask for the item that is looked at, and in its view for the other one, or how often it is repeated."""
    settings: Any = place.settings

    def choose(name: str, icon: str) -> None:
        key = f"inspected {name}"
        st.session_state[key] = min(getattr(settings, name), settings.size)
        title = str(type(settings).model_fields[name].title)
        st.number_input(
            title, 1, settings.size, key=key, on_change=_set_here, args=(place, name, key), icon=icon, width=120,
            label_visibility="collapsed", help=title,
        )  # fmt: skip

    if settings.size == 0:
        return
    choose("document", ":material/looks_one:")
    if place.view == "gibbs":
        choose("partner", ":material/looks_two:")
    elif settings.model == "naive Bayes":
        key = "inspected repeat"
        st.session_state[key] = settings.repeat
        times = ("1", "10", "100", "1000")
        st.selectbox(
            "Document, times", times, format_func=lambda many: f"× {int(many):,}", key=key, width=110,
            on_change=_set_here, args=(place, "repeat", key), label_visibility="collapsed",
        )  # fmt: skip


def _all_words_drawn(settings: MarginaliseSettings) -> bool:
    """Return whether the charts show every word alike, in the triangle, and follow none."""
    walks = settings.close_up == "iteration" and settings.layout == "walk"
    return walks and len(settings.corpus().bag.words) == triangle.WORDS


def _choose_word(place: Topic) -> None:
    settings: Any = place.settings
    words = settings.corpus().bag.words
    key = "inspected word"
    st.session_state[key] = min(settings.word, len(words))
    st.selectbox(
        "Word that is followed", range(1, len(words) + 1), format_func=lambda number: words[number - 1], key=key,
        on_change=_set, args=(place, "word", key),
    )  # fmt: skip


def _set(place: Topic, name: str, key: str) -> None:
    place.settings = place.settings.model_copy(update={name: st.session_state[key]})


def _set_here(place: Topic, name: str, key: str) -> None:
    _set(place, name, key)
    st.rerun(["stage", "readout"])  # the stage, because the link names the item


def _iteration(place: Topic, scene: Scene) -> int:
    """Return the iteration to speak of."""
    settings: Any = place.settings
    return scene.made(place.t if settings.close_up == "iteration" else scene.iteration)


def _step(place: Topic, scene: Scene) -> str:
    settings: Any = place.settings
    if settings.close_up == "term":
        return inspector.act(scene, script := script_at(scene), min(place.t, len(script.acts)))
    if settings.close_up == "leapfrog":
        path = path_at(scene, scene.iteration)
        return inspector.leapfrog(scene, path, min(place.t, path.total))
    t = scene.made(place.t)
    return inspector.iteration(scene, path_at(scene, t)) if t else inspector.start(scene)


def notes_of(settings: MarginaliseSettings) -> list[str]:
    """Return what there is to say of the documents: how many words are left, which labels are shown."""
    corpus = settings.corpus()
    shown = corpus.size - len(corpus.hidden)
    empty = int((corpus.bag.counts.sum(axis=1) == 0).sum())
    notes = [f"{corpus.size:,} documents, {len(corpus.bag.words)} words, {shown:,} labels shown."]
    if empty:
        notes.append(f"{empty:,} documents have none of these words: they say nothing but their weight.")
    if settings.rule == "test documents teach" and settings.variant != "prediction":
        notes.append("This rule is at work with the program for prediction.")
    return notes


def plain_settings(settings: MarginaliseSettings, *also: str) -> MarginaliseSettings:
    """Return settings without what only changes what is looked at: the same for all who look at the same run."""
    fields = type(settings).model_fields
    return settings.model_copy(update={name: fields[name].default for name in (*OF_THE_PAGE, *also)})


def scene_of(settings: MarginaliseSettings, seed: int) -> Scene:
    """Return the runs of these settings."""
    plain = plain_settings(settings)
    gibbs = None
    if settings.layout == "beside Gibbs" and settings.comparable:
        of_gibbs = plain_settings(settings, "rule", "method", "step_size", "leapfrog_steps", "means")
        gibbs = _gibbs(of_gibbs.model_copy(update={"gibbs": settings.gibbs}), seed)
    key = f"marginalise {plain.model_dump_json(exclude=OF_THE_PAGE)} {seed}"
    return Scene(settings, key, _run(plain, seed), gibbs, _exact(plain))


def script_at(scene: Scene) -> Script:
    """Return what the program does at the parameters of the iteration that is looked at."""
    scene.run.grow(scene.iteration, seconds=30)
    return script_of(scene.settings, scene.run.target, scene.run.state(scene.iteration).position)


@st.cache_resource(max_entries=24, show_spinner="Replaying the run up to that iteration …")
def _path(key: str, iteration: int, _run: MarginalRun) -> Path:
    _run.grow(iteration, seconds=30)
    return Path(iteration, _run.trajectory(iteration))


def path_at(scene: Scene, iteration: int) -> Path:
    """Return an iteration, opened; sessions share it."""
    return _path(scene.key, iteration, scene.run)
