"""One update of a label in four beats: forget, score, sample, remember, with the numbers in the formula."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.inspector import Option, card, cards, dart, score_table
from pages.parts.state import Topic, guesses
from pages.stages.points.run import Beat, CloseUp
from pages.stages.points.scene import Scene

FORGET, SCORE, SAMPLE, REMEMBER = 1, 2, 3, 4
NOT_YET = '<p class="quiet">Not yet.</p>'


def beat_by_beat(place: Topic, scene: Scene, close_up: CloseUp) -> None:
    """Draw the update that is under way, as far as it has come."""
    if place.t == 0:
        st.html('<p class="quiet">The sweep is about to begin. Press <b>Step</b>: the first point is lifted out.</p>')
        return
    number, reached = (place.t - 1) // 4, (place.t - 1) % 4 + 1
    beat = close_up.beats[number]
    if not beat.is_point:
        st.html(_block(beat, reached))
        return
    st.html(_cards(beat, reached, guesses().get(_guess_key(scene, close_up, beat))))


def one_point(place: Topic, scene: Scene, close_up: CloseUp) -> None:
    """Draw the update of the point that the learner has chosen, whole."""
    point = min(place.settings.point, len(scene.data))
    st.html(_cards(close_up.beats[point - 1], REMEMBER, None, main=SCORE))


def choose_point(place: Topic, points: int) -> None:
    """Ask whose update to open."""
    key = "inspected point"
    st.session_state[key] = min(place.settings.point, points)

    def chosen() -> None:
        place.settings = place.settings.model_copy(update={"point": st.session_state[key]})
        st.rerun(["stage", "readout"])

    st.markdown("Point", width="content")
    st.number_input("Point", 1, points, key=key, on_change=chosen, label_visibility="collapsed", width=110)


def ask_for_guess(place: Topic, scene: Scene, close_up: CloseUp) -> None:
    """While a point is lifted out and not yet scored, let the learner say where it will go."""
    if place.t % 4 != FORGET:
        return
    beat = close_up.beats[place.t // 4]
    if not beat.is_point:
        return
    key = _guess_key(scene, close_up, beat)
    names = [str(there + 1) for there in beat.options]
    names += ["new"] * (len(beat.update.conditional.probabilities) - len(names))
    st.session_state["guess"] = guesses().get(key)
    st.markdown("Your guess:", width="content")
    st.pills(
        f"Where will point {int(beat.update.site) + 1} go?",
        range(len(names)),
        format_func=lambda option: names[option],
        key="guess",
        on_change=lambda: guesses().update({key: st.session_state["guess"]}),
        label_visibility="collapsed",
    )


def _guess_key(scene: Scene, close_up: CloseUp, beat: Beat) -> str:
    return f"{scene.key} {close_up.sweep} {beat.update.site}"


# ---- cards ---------------------------------------------------------------------------------------------------------


def _cards(beat: Beat, reached: int, guess: int | None, main: int | None = None) -> str:
    options = _options(beat)
    bodies = [
        _forget(beat),
        score_table(options, beat.update.value if reached >= SAMPLE else -1, beat.model.formula),
        _sample(beat, options),
        _remember(beat, guess),
    ]
    return _in_turn(bodies, reached, main or reached)


def _options(beat: Beat) -> list[Option]:
    ids = beat.options
    options = []
    for i, (probability, terms) in enumerate(
        zip(beat.update.conditional.probabilities, beat.model.terms(beat), strict=True)
    ):
        there = ids[i] if i < len(ids) else None
        name = f"a new {beat.model.one}" if there is None else f"{beat.model.one} {there + 1}"
        options.append(Option(name, "+" if there is None else str(there + 1), there, terms, float(probability)))
    return options


def _forget(beat: Beat) -> str:
    point = int(beat.update.site)
    mark = beat.model.mark(beat.before.labels[point])
    return f"<p>Point {point + 1} is lifted out of {beat.model.one} {mark}. {beat.model.forgotten(beat)}</p>"


def _sample(beat: Beat, options: list[Option]) -> str:
    at = beat.update.conditional.dart
    return f"<p>A dart at the bar of probabilities hits {at:.3f}.</p>{dart(options, at)}"


def _remember(beat: Beat, guess: int | None) -> str:
    point = int(beat.update.site)
    joined, model = beat.after.labels[point], beat.model
    if beat.update.value >= len(beat.options):
        said = f"<p>{model.opened(point + 1, model.mark(joined))}</p>"
    else:
        said = f"<p>{model.joined(point + 1, model.mark(joined), model.sizes(beat.after)[joined])}</p>"
    if guess is None:
        return said
    chance = beat.update.conditional.probabilities[guess]
    verdict = "As you guessed" if guess == beat.update.value else "Not as you guessed"
    return f"{said}<p><b>{verdict}</b> ({chance:.2f}).</p>"


def _block(beat: Beat, reached: int) -> str:
    return _in_turn(beat.model.block(beat), reached, reached)


def _in_turn(bodies: Sequence[str], reached: int, main: int) -> str:
    """Return four cards of which those to come say nothing yet."""
    titles = ("Forget", "Score", "Sample", "Remember")
    return cards(
        *(
            card(number, title, body if reached >= number else NOT_YET, main=number == main)
            for number, (title, body) in enumerate(zip(titles, bodies, strict=True), FORGET)
        )
    )
