"""The page of messages behind the player, with as many as a public collection of short messages has: 5,574."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace

from bench import Row, in_slices, median_seconds, sent, size
from bench.documents import short_messages
from lessons.data.messages import Messages, read_messages
from lessons.topics.gibbs_text import GibbsTextSettings
from pages.player.turns import SLICE
from pages.topics.gibbs_text.film import close_up_film, sweeps_film
from pages.topics.gibbs_text.run import TextRun
from pages.topics.gibbs_text.scene import TextScene

SETTINGS = GibbsTextSettings(data="own", stop_words="kept", most_words=8_000, known_labels=10)
SWEEPS = 60


def upload() -> bytes:
    """Return a file of a label, a tab and a text in each line."""
    words, documents = short_messages()
    texts: list[list[str]] = [[] for _ in range(documents.max() + 1)]
    for word, document in zip(words.tolist(), documents.tolist(), strict=True):
        texts[document].append("".join(chr(97 + int(digit)) for digit in f"{word:04}"))
    return "\n".join(f"{('ham', 'spam')[i % 7 == 0]}\t{' '.join(text)}" for i, text in enumerate(texts)).encode()


def loading(content: bytes) -> Iterator[Row]:
    """Time all that an upload waits for."""

    def load() -> TextRun:
        corpus = SETTINGS.corpus_of(read_messages(content, "messages.tsv"))
        return TextRun(SETTINGS.sampler_of(corpus), corpus, 7)

    start = time.perf_counter()
    messages = read_messages(content, "messages.tsv")
    read = time.perf_counter() - start
    yield Row("read a file of 5,574 messages", read)
    yield Row("count their words", median_seconds(lambda: SETTINGS.corpus_of(messages), repeats=3))
    yield Row("all of it, with the first look at the run", median_seconds(load, repeats=3), 2.0)


def stepping(messages: Messages, variant: str) -> Iterator[Row]:
    """Time sweeps as the player has them made, what is sent of them, and one of them opened."""
    settings = SETTINGS.model_copy(update={"word_probs": variant})
    corpus = settings.corpus_of(messages)
    run = TextRun(settings.sampler_of(corpus), corpus, 7)
    whole, longest = in_slices(run, run.made + SWEEPS)
    kept = (run.labels.nbytes + run.certainty.nbytes) / 1e6
    said = f"{kept:.1f} MB of labels and certainties for {run.last:,} sweeps"
    yield Row(f"a sweep, word probabilities {variant}, and what is kept", whole / SWEEPS, 0.1, said)
    yield Row("the longest slice", longest, None, f"asked for {1e3 * SLICE:g} ms")

    scene = TextScene(settings, variant, corpus, [run], None)
    film = replace(sweeps_film(scene), total=SWEEPS, grow=None)
    answers = sent(film, count=SWEEPS)
    seconds = median_seconds(lambda: sent(film, count=SWEEPS))
    yield Row(f"answers with {SWEEPS} sweeps", seconds, None, f"{size(answers):.0f} kB")
    yield Row("one sweep replayed, update by update", median_seconds(lambda: run.close_up(SWEEPS), repeats=3))
    opened = run.close_up(SWEEPS)
    updates = itertools.cycle(range(len(opened.sites) - 9, len(opened.sites) - 1))  # an update that is open is at hand
    yield Row("one of its last updates opened", median_seconds(lambda: opened[next(updates)], repeats=5), 0.15)
    beats = close_up_film(scene, opened)
    large = f"{size(sent(beats)):.0f} kB with the first words of all messages"
    yield Row("first answers of its beats", median_seconds(lambda: sent(beats), repeats=5), None, large)


def rows() -> Iterator[Row]:
    content = upload()
    yield from loading(content)
    for variant in ("explicit", "collapsed"):
        yield from stepping(read_messages(content, "messages.tsv"), variant)
