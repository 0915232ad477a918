"""Films of topics: a run sweep by sweep, or one sweep beat by beat."""

from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from lessons.stages.gibbs_topics import counts as counts_of
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Data
from pages.contract.film import Film
from pages.drawing.charts import trace
from pages.drawing.numbers import rounded
from pages.drawing.palette import color
from pages.stages.close_up import SWEEP_BY_SWEEP, CloseUp, chapter_of
from pages.stages.gibbs_text.film import trace_domain
from pages.stages.gibbs_topics import charts
from pages.stages.gibbs_topics.charts import ACROSS, IMAGES, LISTED, MOST_COUNTED, PICTURES, SHOWN
from pages.stages.gibbs_topics.frames import WordsReplay, beat_frames, first_images, sweep_frames
from pages.stages.gibbs_topics.layout import LINES, Page, shown
from pages.stages.gibbs_topics.run import Scene, one_document, site_named
from pages.stages.points.charts import table_counts
from samplers.topics.lda import LDAState

FIRST_LOOK = 30  # sweeps that set the axis of the log joint
LEAST_LINES = 8  # room that a few messages have
KINDS, HDP_KINDS, LEARNED_KINDS = "word|α|β", "word|base weights", "word|α|β|γ|base weights"  # redrawn, in order
FULL = 12  # a bar is full where a word is this many times as probable as if all were alike


def sweeps_film(scene: Scene) -> Film:
    """Return the run, a frame a sweep."""
    run, page = scene.run, scene.page_of(scene.site)
    given = ", given the base weights" if scene.settings.hdp else ""
    joint = Chart(
        "trace",
        "Log joint",
        f"· {{log_joint}}{given}",
        f"The log probability of words and topics together{given}, along the run.",
        trace("log_joint", None, "sweeps"),
        share=0.7 if scene.settings.hdp else 1,
        params={"log_joint_span": trace_domain(run.log_joint[: min(FIRST_LOOK, run.made) + 1], above=3)},
    )
    word = "" if scene.settings.hdp else f"“{site_named(scene.texts, scene.site)}”"
    return Film(
        key=f"{scene.key} sweeps {page.first} {scene.site}",
        charts=[*_charts(scene, page), *_of_number(scene, word, scene.topics), joint],
        data=_data(scene, page, 0 if scene.settings.hdp else scene.topics, beats=False),
        columns=lambda start, stop: sweep_frames(scene, page, start, stop),
        total=run.last,
        grow=run.grow,
        params=_places(scene, chosen=True),
        **SWEEP_BY_SWEEP,
    )


def close_up_film(scene: Scene, close_up: CloseUp[LDAState]) -> Film:
    """Return one sweep, a frame a beat, or raise `NotYet` while it is being replayed.

    The page of messages is that of the open word.
    """
    if close_up.film is None:
        close_up.film = WordsReplay(close_up, scene.topics)
    replay, page = close_up.film.whole(), scene.page_of(scene.site)
    kinds = KINDS if not scene.settings.hdp else LEARNED_KINDS if scene.settings.learns else HDP_KINDS
    return Film(
        key=f"{scene.key} sweep {close_up.sweep} {page.first}",
        charts=[*_charts(scene, page), *_of_number(scene, "the word in hand", replay.shown)],
        data=_data(scene, page, replay.shown, beats=True),
        columns=lambda start, stop: beat_frames(scene, page, replay, start, stop),
        params=_places(scene, chosen=False),
        **chapter_of(close_up, kinds, "item", min(SWEEPS, scene.run.last)),
    )


def _places(scene: Scene, *, chosen: bool) -> dict[str, float | tuple[float, float]]:
    """Return which word and which message are open; in beats, none."""
    message = float(scene.texts.document[scene.site])
    open_one = message if scene.texts.side else float(scene.site)
    return {
        "chosen": open_one if chosen else -1.0,
        "open": message if chosen else -1.0,
        "top_p": min(1.0, FULL / len(scene.texts.words)),
    }


def _charts(scene: Scene, page: Page) -> list[Chart]:
    """Return the charts of the words and of the topics."""
    texts, topics, one = scene.texts, scene.topics, one_document(scene.texts)
    if texts.side:
        found = [
            Chart(
                "topics",
                "Topics",
                "· {bars} of 10 bars found",
                "Each topic as an image: the stronger the colour of a pixel, the more probable it is in the topic.",
                charts.pictures(topics, texts.side),
                aspect=f"{1.15 * min(topics, PICTURES):g} / {1.4 * -(-topics // PICTURES):g}",
            ),
            Chart(
                "documents",
                f"The first {first_images(texts)} images",
                "· colour: the topic of most words there",
                "Images as their pixels: the stronger the colour, the more words; the colour is the topic of most.",
                charts.images(texts.side),
                aspect=f"{IMAGES[0]} / {IMAGES[1]}",
                share=3,
            ),
        ]
    else:
        listed = min(topics, SHOWN)
        lines = max(page.lines, LEAST_LINES) if len(scene.pages) == 1 else LINES
        found = [
            Chart(
                "documents",
                "Messages",
                "· {agree} % of all words match their true theme" if texts.names else "",
                "Messages as lines of words, each word in the colour of its topic, with the topic's number.",
                charts.documents(lines),
                [(f"{color(k)} solid", f"topic {k + 1}") for k in range(listed)],
                tall=lines / LINES,
            ),
            Chart(
                "topics",
                "Topics",
                _of_lists(scene),
                "For each topic its share of all words, and its most probable words with their probabilities.",
                charts.ranked(listed, _listed(listed)),
                share=8 if scene.settings.hdp else 4,
            ),
        ]
    if topics == 3:
        found.append(
            Chart(
                "triangle",
                f"Each {one} a point",
                "· {mixed} of more than one topic",
                f"Each {one} as a point in a triangle: the nearer to a corner, the more of that topic.",
                charts.triangle(),
                aspect="1.13 / 1",
                share=2.5,
            )
        )
    return found


def _of_lists(scene: Scene) -> str:
    if scene.settings.hdp:
        return f"· {{used}} in use, the first {SHOWN} numbers listed"
    return "· their most probable words" if scene.topics <= SHOWN else f"· the first {SHOWN} of {scene.topics}"


def _of_number(scene: Scene, word: str, options: int) -> list[Chart]:
    """Return the charts of a word in hand, unless it is ""; and if the number of topics is learned, of that."""
    found = []
    if scene.settings.hdp:
        found.append(
            Chart(
                "stick",
                "Base weights",
                "· {used} in use; the rest: {rest}",
                "A stick of length 1, broken into the base weights of the topics and a rest.",
                charts.stick(scene.topics),
                share=0.4,
            )
        )
    if word:
        one = one_document(scene.texts)
        alt = f"For each topic the factor of the {one}, that of the topic, and the probability that they make."
        about = "· each factor as shares"
        found.append(Chart("hand", f"Topic of {word}", about, alt, charts.hand(options, one), share=1.8))
    else:
        exact = [] if scene.exact is None else [("ink", "exact posterior")]
        found.append(
            Chart(
                "number",
                "Number of topics so far",
                "",
                "How often each number of topics has come up so far, beside its exact probability where it is known.",
                table_counts(MOST_COUNTED, bool(exact), False, "topics", True),
                [("block", "this chain"), *exact],
                share=0.7,
            )
        )
    return found


def _listed(topics: int) -> int:
    return LISTED[-(-topics // ACROSS)]


def _data(scene: Scene, page: Page, options: int, *, beats: bool) -> Data:
    """Return the data sets with all their fields, and which of these change with the frame.

    `options` is how many the word in hand has; 0 if there is none.
    """
    texts, topics = scene.texts, scene.topics
    k = list(range(topics))
    data: Data = {"shares": {"k": k if texts.side else k[:SHOWN], "share": FLOAT32}}
    if options:
        data["hand"] = {"k": k[:options], **dict.fromkeys(("document", "share", "p"), FLOAT32), "fresh": UINT8}
    if scene.settings.hdp:
        data["pieces"] = {"k": list(range(topics + 1)), **dict.fromkeys(("x", "x2"), FLOAT32)}
        if not options:
            data["counts"] = _counts(scene)
    if texts.side:
        each_image = list(range(first_images(texts)))
        data["pixels"] = _in_tiles("k", k, texts.side) | {"p": FLOAT32}
        data["images"] = dict.fromkeys(("place", "doc", "n"), each_image)  # n as for words
        data["cells"] = _in_tiles("place", each_image, texts.side) | dict.fromkeys(("count", "label"), UINT8)
    else:
        listed = min(topics, SHOWN)
        data["words"] = {
            "n": list(range(page.first, page.last)),
            "x": rounded(page.x),
            "line": rounded(page.y),
            "wide": rounded(page.wide),
            "text": [shown(texts.words[word]) for word in texts.word[page.first : page.last].tolist()],
            "label": UINT8,
        }
        data["heads"] = {"doc": list(page.messages), "line": rounded(np.array(page.tops))}
        data["vocabulary"] = {"word": list(range(len(texts.words))), "text": [shown(word) for word in texts.words]}
        data["ranked"] = {
            "k": np.repeat(np.arange(listed), _listed(listed)).tolist(),
            "rank": [*range(_listed(listed))] * listed,
            "word": INT16,
            "p": FLOAT32,
        }
    if topics == 3:
        doc = list(range(len(texts.documents)))
        data["mixes"] = {"doc": doc, **dict.fromkeys(("x", "y"), FLOAT32), "label": UINT8}
    numbers: dict[str, Any] = dict.fromkeys(("agree", "mixed", "bars"), FLOAT32)
    if scene.settings.hdp:
        numbers |= {"used": FLOAT32, "rest": FLOAT32}
    if beats:
        return data | {"say": numbers | {"item": FLOAT32, "kind": UINT8, "beat": UINT8}}
    return data | {"past": {"log_joint": FLOAT32}, "say": numbers | {"log_joint": FLOAT32}}


def _in_tiles(name: str, tiles: list[int], side: int) -> dict[str, Any]:
    """Return a row for each pixel of each tile, with its place in the tile."""
    place = np.arange(side**2)
    px, py = (place % side).tolist(), (place // side).tolist()
    return {name: np.repeat(tiles, place.size).tolist(), "px": px * len(tiles), "py": py * len(tiles)}


def _counts(scene: Scene) -> dict[str, Any]:
    """Return the data set of the number of topics, with the exact probabilities where they are known."""
    counts: dict[str, Any] = {"k": list(range(1, MOST_COUNTED + 1)), "share": FLOAT32}
    if scene.exact is not None:
        exact = scene.exact.distribution(counts_of(scene.texts, scene.exact.labellings)["used"])[1:]
        counts["exact"] = rounded(np.pad(exact, (0, MOST_COUNTED - len(exact))), 6)
    return counts
