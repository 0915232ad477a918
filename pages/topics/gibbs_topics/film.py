"""Films of topics: a run sweep by sweep, or one sweep beat by beat."""

from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Data
from pages.contract.film import Film
from pages.drawing.charts import trace
from pages.drawing.numbers import rounded
from pages.drawing.palette import color
from pages.scenes.close_up import SWEEP_BY_SWEEP, CloseUp, chapter_of
from pages.topics.gibbs_text.film import trace_domain
from pages.topics.gibbs_topics import charts
from pages.topics.gibbs_topics.charts import ACROSS, IMAGES, LISTED, PICTURES, SHOWN
from pages.topics.gibbs_topics.frames import WordsReplay, beat_frames, first_images, sweep_frames
from pages.topics.gibbs_topics.layout import LINES, Page, shown
from pages.topics.gibbs_topics.run import TopicsScene, one_document, site_named

FIRST_LOOK = 30  # sweeps that set the axis of the log joint
LEAST_LINES = 8  # room that a few messages have
FULL = 12  # a bar is full where a word is this many times as probable as if all were alike


def sweeps_film(scene: TopicsScene) -> Film:
    """Return the run, a frame a sweep."""
    run, page = scene.run, scene.page_of(scene.site)
    joint = Chart(
        "trace",
        "Log joint",
        f"· {{log_joint}}{scene.given}",
        f"The log probability of words and topics together{scene.given}, along the run.",
        trace("log_joint", None, "sweeps"),
        share=scene.room[0],
        params={"log_joint_span": trace_domain(run.log_joint[: min(FIRST_LOOK, run.made) + 1], above=3)},
    )
    options = scene.topics if scene.options else 0
    hand = [_hand(scene, f"“{site_named(scene.texts, scene.site)}”", options)] if options else []
    return Film(
        key=f"{scene.key} sweeps {page.first} {scene.site}",
        charts=[*_charts(scene, page), *scene.number_charts(whole=True), *hand, joint],
        data=_data(scene, page, options, beats=False),
        columns=lambda start, stop: sweep_frames(scene, page, start, stop),
        total=run.last,
        grow=run.grow,
        params=_places(scene, chosen=True),
        **SWEEP_BY_SWEEP,
    )


def close_up_film(scene: TopicsScene, close_up: CloseUp[Any], replays: type[WordsReplay] = WordsReplay) -> Film:
    """Return one sweep, a frame a beat, or raise `NotYet` while it is being replayed.

    The page of messages is that of the open word.
    """
    if close_up.film is None:
        close_up.film = replays(close_up, scene.topics)
    replay, page = close_up.film.whole(), scene.page_of(scene.site)
    return Film(
        key=f"{scene.key} sweep {close_up.sweep} {page.first}",
        charts=[
            *_charts(scene, page),
            *scene.number_charts(whole=False),
            _hand(scene, "the word in hand", replay.shown),
        ],
        data=_data(scene, page, replay.shown, beats=True),
        columns=lambda start, stop: beat_frames(scene, page, replay, start, stop),
        params=_places(scene, chosen=False),
        **chapter_of(close_up, scene.kinds, "item", min(SWEEPS, scene.run.last)),
    )


def _places(scene: TopicsScene, *, chosen: bool) -> dict[str, float | tuple[float, float]]:
    """Return which word and which message are open; in beats, none."""
    message = float(scene.texts.document[scene.site])
    open_one = message if scene.texts.side else float(scene.site)
    return {
        "chosen": open_one if chosen else -1.0,
        "open": message if chosen else -1.0,
        "top_p": min(1.0, FULL / len(scene.texts.words)),
    }


def _charts(scene: TopicsScene, page: Page) -> list[Chart]:
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
                rows=lines,
                beside=True,  # in a narrower chart words would run into each other
            ),
            Chart(
                "topics",
                "Topics",
                scene.lists,
                "For each topic its share of all words, and its most probable words with their probabilities.",
                charts.ranked(listed, _listed(listed)),
                share=scene.room[1],
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


def _hand(scene: TopicsScene, word: str, options: int) -> Chart:
    """Return the chart of the word in hand."""
    one = one_document(scene.texts)
    alt = f"For each topic the factor of the {one}, that of the topic, and the probability that they make."
    written = bool(scene.settings.moves_by)
    said = "· by your rule" if written else "· each factor as shares"
    return Chart("hand", f"Topic of {word}", said, alt, charts.hand(options, one, written), share=1.8)


def _listed(topics: int) -> int:
    return LISTED[-(-topics // ACROSS)]


def _data(scene: TopicsScene, page: Page, options: int, *, beats: bool) -> Data:
    """Return the data sets with all their fields, and which of these change with the frame.

    `options` is how many the word in hand has; 0 if there is none.
    """
    texts, topics = scene.texts, scene.topics
    k = list(range(topics))
    data: Data = {"shares": {"k": k if texts.side else k[:SHOWN], "share": FLOAT32}}
    if options:
        data["hand"] = {"k": k[:options], **dict.fromkeys(("document", "share", "p"), FLOAT32), "fresh": UINT8}
    of_number = scene.number_data(whole=not beats)
    data |= {name: fields for name, fields in of_number.items() if name != "say"}
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
    numbers: dict[str, Any] = dict.fromkeys(("agree", "mixed", "bars"), FLOAT32) | of_number["say"]
    if beats:
        return data | {"say": numbers | {"item": FLOAT32, "kind": UINT8, "beat": UINT8}}
    return data | {"past": {"log_joint": FLOAT32}, "say": numbers | {"log_joint": FLOAT32}}


def _in_tiles(name: str, tiles: list[int], side: int) -> dict[str, Any]:
    """Return a row for each pixel of each tile, with its place in the tile."""
    place = np.arange(side**2)
    px, py = (place % side).tolist(), (place // side).tolist()
    return {name: np.repeat(tiles, place.size).tolist(), "px": px * len(tiles), "py": py * len(tiles)}
