"""Films of messages: a run sweep by sweep, or one sweep beat by beat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from pages.drawing.palette import color
from pages.player.player import Chart, Film
from pages.stages.close_up import LABEL, STRIDES, CloseUp
from pages.stages.gibbs_text import charts
from pages.stages.gibbs_text.charts import HIDE, PAST, ROWS
from pages.stages.gibbs_text.frames import Replay, beat_frames, sweep_frames
from pages.stages.gibbs_text.run import NOT_DRAWN, first_look
from pages.stages.gibbs_text.scene import Scene
from samplers.mixtures.naive_bayes import DocumentsState

FIRST_WORDS = 60  # characters of a message that a row may need


def sweeps_film(scene: Scene) -> Film:
    """Return the run, a frame a sweep."""
    return Film(
        key=f"{scene.key} sweeps page {scene.page}",
        charts=_charts(scene, None),
        areas=AREAS,
        columns=COLUMNS,
        data=_data(scene, scene.rows),
        frames=lambda start, stop: sweep_frames(scene, start, stop),
        total=scene.run.last,
        label="sweep {t} of {total}",
        strides=(("1 sweep", 1), ("10 sweeps", 10), ("100 sweeps", 100)),
        grow=lambda t: scene.run.grow(t),
        params=params(scene),
    )


def close_up_film(scene: Scene, close_up: CloseUp[DocumentsState]) -> Film:
    """Return one sweep of the first chain, a frame a beat, or raise `NotYet` while it is being replayed."""
    if close_up.film is None:
        close_up.film = Replay(close_up, scene.run.order, scene.classes)
    replay, total = close_up.film.whole(), 4 * len(close_up)
    return Film(
        key=f"{scene.key} sweep {close_up.sweep}",
        charts=_charts(scene, total),
        areas=AREAS,
        columns=COLUMNS,
        data=_data(scene, range(scene.corpus.size)),
        frames=lambda start, stop: beat_frames(scene, replay, start, stop),
        total=total,
        label=f"sweep {close_up.sweep} · {{kind:message|weights|words}} {{item}} · {LABEL}",
        strides=STRIDES,
        before=close_up.sweep > 1,
        after=close_up.sweep < min(SWEEPS, scene.run.last),
        params=params(scene),
    )


AREAS = '"rows words all" "rows words trace"'
COLUMNS = "minmax(0, 2fr) minmax(0, 0.85fr) minmax(0, 0.85fr)"


def params(scene: Scene) -> dict[str, tuple[float, float]]:
    """Return where the open message is: its row, and its cell of the overview (or none of them)."""
    cells = scene.overview
    found = np.flatnonzero(cells.documents == scene.document)
    place = cells.places[found[0]] if found.size else (-9, -9)
    return {"document": (0, float(scene.place_of[scene.document] % ROWS)), "cell": (float(place[0]), float(place[1]))}


# ---- charts and what does not change -------------------------------------------------------------------------------


def _charts(scene: Scene, last: int | None) -> list[Chart]:
    run = scene.run
    names = tuple(scene.corpus.bag.words[word] for word in run.words)
    early = run.word_probs[: first_look(scene.corpus.size) + 1]
    low, high = float(max(np.quantile(early, 0.05) / 2, early.max() / 2_000)), min(1.0, 1.6 * float(early.max()))
    cells = scene.overview
    some = (
        f"{len(cells.documents)} of {scene.corpus.size:,}, evenly spread"
        if len(cells.documents) < scene.corpus.size
        else ""
    )
    agree = agreement_caption(scene)
    beats = last is not None
    return [
        Chart(
            "rows",
            "Messages",
            agree,
            "Messages as rows: the class that each has now, its first words, the probability of that class when it "
            "was drawn, and its classes in the last sweeps.",
            charts.rows(scene.letters, scene.has_held, beats),
            [(f"{color(k)} solid", name) for k, name in enumerate(scene.names)],
            aspect="13 / 9",
            hand="document",
        ),
        Chart(
            "words",
            "Most telling words",
            "· ● this sweep, | average so far",
            "Probability of a few words in each class: now as dots, averaged over the run as ticks, on a log axis.",
            charts.words(names, low, high, scene.classes),
            aspect="1 / 1",
        ),
        Chart(
            "all",
            "All messages" if not some else "Some messages",
            f"· {some}" if some else "· the fainter, the less sure",
            "All messages as cells in the colour of their class, grouped by their true label.",
            charts.everyone(cells.width, cells.height, cells.groups, beats),
            hand="cell",
        ),
        Chart(
            "trace",
            "Log joint",
            "· {log_joint}",
            "The log probability of messages, labels and word probabilities together, along the run.",
            charts.trace(
                "log_joint", charts.trace_domain(run.log_joint[: first_look(scene.corpus.size) + 1]), None, "sweeps"
            ),
        )
        if last is None
        else Chart(
            "trace",
            f"Share of {scene.names[0]}",
            "· {share} %",
            "The share of messages in the first class, along the beats of this sweep.",
            charts.trace("share", (0, 100), last, "beats of this sweep"),
        ),
    ]


def agreement_caption(scene: Scene) -> str:
    """Return the caption that tells how many hidden labels are the true ones."""
    if not scene.has_held:
        return "· no true label to compare with"
    if scene.corpus.named:
        return "· {agree} % of the hidden labels match the true ones"
    return "· {agree} % match the true labels (best naming)"


def _data(scene: Scene, documents: Iterable[int]) -> dict[str, dict[str, list[Any]]]:
    """Return the data sets with all their fields; frames change some of them."""
    run, texts = scene.run, scene.corpus.messages.texts
    documents, page = list(map(int, documents)), scene.rows.tolist()
    held = scene.held_letters()
    count = len(run.words)
    cells = scene.overview
    return {
        "texts": {
            "doc": documents,
            "text": [
                f"{doc + 1}  {' '.join(texts[doc][: 2 * FIRST_WORDS].split())[:FIRST_WORDS]}" for doc in documents
            ],
            "held": [str(held[doc]) for doc in documents],
        },
        "rows": {
            "row": list(range(ROWS)),
            "doc": [*page, *[-1] * (ROWS - len(page))],
            "label": [0] * ROWS,
            "drawn": [NOT_DRAWN] * ROWS,
            "unlike": [0] * ROWS,
            "lit": [0] * ROWS,
        },
        "offers": {
            "label": list(range(scene.classes)),
            **{field: [None] * scene.classes for field in ("row", "p", "from")},
        },
        "strip": {
            "row": [row for row in range(ROWS) for _ in range(PAST)],
            "place": [*range(PAST)] * ROWS,
            "was": [HIDE] * (ROWS * PAST),
        },
        "words": {
            "word": [scene.corpus.bag.words[word] for word in run.words for _ in range(scene.classes)],
            "label": [*range(scene.classes)] * count,
            "now": [0.5] * (count * scene.classes),
            "mean": [0.5] * (count * scene.classes),
        },
        "all": {
            "row": cells.documents.tolist(),
            "x": cells.places[:, 0].tolist(),
            "y": cells.places[:, 1].tolist(),
            "label": [0] * len(cells.documents),
            "sure": [100] * len(cells.documents),
            "lit": [0] * len(cells.documents),
        },
    }
