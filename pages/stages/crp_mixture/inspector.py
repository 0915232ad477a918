"""One update of a label in four beats: forget, score, sample, remember, with the numbers in the formula."""

from __future__ import annotations

import math

import streamlit as st

from pages.parts.inspector import Option, badge, card, cards, dart, score_table
from pages.parts.state import Topic, guesses
from pages.stages.crp_mixture.film import Scene
from pages.stages.crp_mixture.run import Beat, CloseUp

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
        st.html(_concentration(beat, reached))
        return
    st.html(_cards(scene, beat, reached, guesses().get(_guess_key(scene, close_up, beat))))


def one_point(place: Topic, scene: Scene, close_up: CloseUp) -> None:
    """Draw the update of the point that the learner has chosen, whole."""
    point = min(place.settings.point, len(scene.data))
    st.html(_cards(scene, close_up.beats[point - 1], REMEMBER, None, main=SCORE))


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
    """While a point is lifted out and not yet scored, let the learner say where it will sit."""
    if place.t % 4 != FORGET:
        return
    beat = close_up.beats[place.t // 4]
    if not beat.is_point:
        return
    key = _guess_key(scene, close_up, beat)
    names = [*(str(table + 1) for table in beat.options), "new"]
    st.session_state["guess"] = guesses().get(key)
    st.markdown("Your guess:", width="content")
    st.pills(
        f"Where will point {int(beat.update.site) + 1} sit?",
        range(len(names)),
        format_func=lambda option: names[option],
        key="guess",
        on_change=lambda: guesses().update({key: st.session_state["guess"]}),
        label_visibility="collapsed",
    )


def _guess_key(scene: Scene, close_up: CloseUp, beat: Beat) -> str:
    return f"{scene.key} {close_up.sweep} {beat.update.site}"


# ---- cards ---------------------------------------------------------------------------------------------------------


def _cards(scene: Scene, beat: Beat, reached: int, guess: int | None, main: int | None = None) -> str:
    options = _options(scene, beat)
    bodies = [
        _forget(beat),
        score_table(options, beat.update.value if reached >= SAMPLE else -1, FORMULA),
        _sample(beat, options),
        _remember(beat, guess),
    ]
    shown = [body if reached >= number else NOT_YET for number, body in enumerate(bodies, FORGET)]
    titles = ("Forget", "Score", "Sample", "Remember")
    return cards(
        *(
            card(number, title, body, main=number == (main or reached))
            for number, (title, body) in enumerate(zip(titles, shown, strict=True), FORGET)
        )
    )


FORMULA = "p(table | the rest) ∝ customers there / (N − 1 + α) · fit"


def _options(scene: Scene, beat: Beat) -> list[Option]:
    conditional = beat.update.conditional
    customers, fit = conditional.terms["customers already there"], conditional.terms["fit"]
    bottom = f"{len(scene.data) - 1 + beat.lifted.concentration:.4g}"
    options = []
    for i, probability in enumerate(conditional.probabilities):
        table = beat.options[i] if i < len(beat.options) else None
        terms = f"{math.exp(customers[i]):.4g} / {bottom} · {_fit(fit[i])}"
        name = f"table {table + 1}" if table is not None else "a new table"
        options.append(Option(name, str(table + 1) if table is not None else "+", table, terms, float(probability)))
    return options


def _fit(log_fit: float) -> str:
    """Return a density in few characters; a very small or large one with its power of ten."""
    if -9 < log_fit < 9:
        return f"{math.exp(log_fit):.3g}"
    power = math.floor(log_fit / math.log(10))
    return f"{10 ** (log_fit / math.log(10) - power):.2f}·10<sup>{power}</sup>".replace("-", "−")


def _forget(beat: Beat) -> str:
    point = int(beat.update.site)
    table = beat.before.labels[point]
    there = beat.before.clusters[table].count
    if there == 1:
        left = "It sat alone, so its table vanishes."
    else:
        left = f"Its count goes from {there} to {there - 1}, and its fit follows."
    return f"<p>Point {point + 1} is lifted out of table {badge(str(table + 1), table)}. {left}</p>"


def _sample(beat: Beat, options: list[Option]) -> str:
    at = beat.update.conditional.dart
    return f"<p>A dart at the bar of probabilities hits {at:.3f}.</p>{dart(options, at)}"


def _remember(beat: Beat, guess: int | None) -> str:
    point = int(beat.update.site)
    table = beat.after.labels[point]
    mark = badge(str(table + 1), table)
    if beat.update.value >= len(beat.options):
        said = f"<p>Point {point + 1} opens table {mark}.</p>"
    else:
        said = f"<p>Point {point + 1} sits down at table {mark}, which has {beat.after.clusters[table].count} now.</p>"
    if guess is None:
        return said
    chance = beat.update.conditional.probabilities[guess]
    verdict = "As you guessed" if guess == beat.update.value else "Not as you guessed"
    return f"{said}<p><b>{verdict}</b> ({chance:.2f}).</p>"


def _concentration(beat: Beat, reached: int) -> str:
    law = beat.update.conditional
    bodies = [
        f"<p>α was {beat.before.concentration:.3g}. It is redrawn given the number of tables alone.</p>",
        f"<p>{law.tables} tables, {law.points} points, and a Gamma({law.shape:g}, {law.rate:g}) prior.</p>",
        f"<p>An auxiliary number from Beta(α + 1, N) fell at {law.auxiliary:.3f}; given it, α is drawn from a Gamma "
        "law (Escobar &amp; West 1995).</p>",
        f"<p>α is now {beat.after.concentration:.3g}.</p>",
    ]
    titles = ("Forget", "Score", "Sample", "Remember")
    return cards(
        *(
            card(number, title, body if reached >= number else NOT_YET, main=number == reached)
            for number, (title, body) in enumerate(zip(titles, bodies, strict=True), FORGET)
        )
    )
