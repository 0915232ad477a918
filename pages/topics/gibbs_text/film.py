"""Films of messages: a run sweep by sweep, or one sweep beat by beat."""

from collections.abc import Iterable
from textwrap import shorten
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart, Listed, Trail
from pages.contract.columns import FLOAT32, INT16, UINT8, Data
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.drawing.palette import color
from pages.scenes.close_up import SWEEP_BY_SWEEP, CloseUp, chapter_of
from pages.topics.gibbs_text import charts
from pages.topics.gibbs_text.charts import HEAD, HIDE, LIST, PAST, ROWS
from pages.topics.gibbs_text.frames import MessagesReplay, beat_frames, sweep_frames
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.naive_bayes import DocumentsState

OF_A_BEAT = {"kind": UINT8, "beat": UINT8, "current": INT16, **dict.fromkeys(("share", "agree", "item"), FLOAT32)}
FIRST_WORDS = 60  # characters of a message that a row may need


def sweeps_film(scene: TextScene) -> Film:
    """Return the run, a frame a sweep."""
    run = scene.run
    joint = Chart(
        "trace",
        "Log joint",
        "· {log_joint}",
        "The log probability of messages, labels and word probabilities together, along the run.",
        trace("log_joint", None, "sweeps"),
        params={"log_joint_span": trace_domain(run.seen_early("log_joint"))},
    )
    return _film(
        scene,
        joint,
        scene.rows,
        key=f"{scene.key} sweeps page {scene.page}",
        columns=lambda start, stop: sweep_frames(scene, start, stop),
        total=run.last,
        grow=run.grow,
        trails=[Trail("strip", "was", ("rows", "label"), PAST, HIDE)],
        **SWEEP_BY_SWEEP,
    )


def close_up_film(scene: TextScene, close_up: CloseUp[DocumentsState]) -> Film:
    """Return one sweep of the first chain, a frame a beat, or raise `NotYet` while it is being replayed."""
    if close_up.film is None:
        close_up.film = MessagesReplay(close_up, scene.run.order, scene.classes)
    replay, last = close_up.film.whole(), 4 * len(close_up)
    share = Chart(
        "trace",
        f"Share of {scene.names[0]}",
        "· {share} %",
        "The share of messages in the first class, along the beats of this sweep.",
        trace("share", last, "beats of this sweep"),
        params={"share_span": (0, 100)},
    )
    return _film(
        scene,
        share,
        range(scene.corpus.size),
        key=f"{scene.key} sweep {close_up.sweep}",
        columns=lambda start, stop: beat_frames(scene, replay, start, stop),
        **chapter_of(close_up, "message|weights|words", "item", min(SWEEPS, scene.run.last)),
    )


def _film(scene: TextScene, chart: Chart, documents: Iterable[int], **more: Any) -> Film:
    """Return a film with a chart along its frames; `documents` are those of which a row may speak."""
    beats = "grow" not in more
    return Film(
        charts=[*_charts(scene, beats=beats), chart],
        data=_data(scene, documents, beats=beats),
        params=_places(scene),
        **more,
    )


def _places(scene: TextScene) -> dict[str, float | tuple[float, float]]:
    """Return where the open message is: in its list, and its cell of the overview (or none of them)."""
    cells = scene.overview
    found = np.flatnonzero(cells.documents == scene.document)
    place = cells.places[found[0]] if found.size else (-9, -9)
    return {"current": float(scene.place_of[scene.document] % LIST), "cell": (float(place[0]), float(place[1]))}


# ---- charts and what does not change -------------------------------------------------------------------------------


def trace_domain(seen: np.ndarray, above: int = 4) -> Domain:
    """Return where a number moves in the first sweeps, with some room: more above, as it is still rising."""
    low, high = float(seen.min()), float(seen.max())
    room = 0.1 * (high - low) + 1
    return float(np.floor(low - room)), float(np.ceil(high + above * room))


def _charts(scene: TextScene, *, beats: bool) -> list[Chart]:
    run, cells, size = scene.run, scene.overview, scene.corpus.size
    early = run.seen_early("word_probs")
    low, high = float(max(np.quantile(early, 0.05) / 2, early.max() / 2_000)), min(1.0, 1.6 * float(early.max()))
    some, shown = len(cells.documents) < size, charts.rows_shown(size)
    return [
        Chart(
            "rows",
            "Messages",
            _agreement(scene),
            "Messages as rows: the class that each has now, its first words, the probability of that class when it "
            "was drawn, and its classes in the last sweeps.",
            charts.messages(scene.letters, scene.has_held, shown),
            [(f"{color(k)} solid", name) for k, name in enumerate(scene.names)],
            tall=(shown + HEAD) / (ROWS + HEAD),
            listed=Listed(scene.length, shown, {"rows": 1, "strip": PAST}),
        ),
        Chart(
            "words",
            "Most telling words",
            "· ● this sweep, | average so far",
            "Probability of a few words in each class: now as dots, averaged over the run as ticks, on a log axis.",
            charts.words(),
            [(f"{color(k)} solid", name) for k, name in enumerate(scene.names)],
            share=4,
            params={"words_span": (low, high)},
        ),
        Chart(
            "all",
            "Some messages" if some else "All messages",
            f"· {len(cells.documents)} of {size:,}, evenly spread" if some else "· the fainter, the less sure",
            "All messages as cells in the colour of their class, grouped by their true label.",
            charts.everyone(cells.width, cells.height, cells.groups, beats),
            [(f"{color(k)} solid", name) for k, name in enumerate(scene.names)],
        ),
    ]


def _agreement(scene: TextScene) -> str:
    if not scene.has_held:
        return "· no true label to compare with"
    if scene.corpus.named:
        return "· {agree} % of the hidden labels match the true ones"
    return "· {agree} % match the true labels (best naming)"


def _data(scene: TextScene, documents: Iterable[int], *, beats: bool) -> Data:
    """Return the data sets with all their fields, and which of these change with the frame."""
    texts, held, cells, classes = scene.corpus.messages.texts, scene.held_letters(), scene.overview, scene.classes
    documents, page, length = list(map(int, documents)), scene.rows.tolist(), scene.length
    told = [scene.corpus.bag.words[word] for word in scene.run.words]
    joint = {"log_joint": FLOAT32}
    return {
        "texts": {
            "doc": documents,
            "text": [
                f"{doc + 1}  {shorten(texts[doc][: 2 * FIRST_WORDS], FIRST_WORDS, placeholder='…')}"
                for doc in documents
            ],
            "held": [str(held[doc]) for doc in documents],
        },
        "rows": {
            "row": list(range(length)),
            "doc": INT16 if beats else [*page, *[-1] * (length - len(page))],
            **dict.fromkeys(("drawn", "label", "unlike"), UINT8),
        },
        "offers": {
            "label": list(range(classes)),
            **dict.fromkeys(("row", "p", "from"), FLOAT32 if beats else [None] * classes),
        },
        "strip": {
            "row": [row for row in range(length) for _ in range(PAST)],
            "place": [*range(PAST)] * length,
            "was": UINT8 if beats else [HIDE] * (length * PAST),
        },
        "words": {
            "word": [word for word in told for _ in range(classes)],
            "label": [*range(classes)] * len(told),
            "now": FLOAT32,
            "mean": FLOAT32,
        },
        "all": {
            "row": cells.documents.tolist(),
            "x": cells.places[:, 0].tolist(),
            "y": cells.places[:, 1].tolist(),
            "label": UINT8,
            "sure": [100] * len(cells.documents) if beats else UINT8,
            "lit": UINT8 if beats else [0] * len(cells.documents),
        },
        "past": {"share": FLOAT32} if beats else joint,
        "say": OF_A_BEAT if beats else joint | {"agree": FLOAT32},
    }
