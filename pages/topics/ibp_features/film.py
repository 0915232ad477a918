"""Films of binary features: a run sweep by sweep, or one sweep beat by beat."""

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import Domain, trace
from pages.drawing.numbers import rounded
from pages.scenes.close_up import SWEEP_BY_SWEEP, CloseUp, Replay, beats_of, chapter_of
from pages.scenes.points.beats import shares
from pages.scenes.points.charts import table_counts
from pages.topics.ibp_features import charts
from pages.topics.ibp_features.run import DRAWN, GONE, PARTS, SHOWN, State, picture_of
from pages.topics.ibp_features.scene import FeaturesScene
from samplers.buffet.exact import dishes_overall
from samplers.buffet.linear_gaussian import Bit, Own
from samplers.buffet.loadings import Parts

FIRST_LOOK = 30  # sweeps that are made at once: they set the axes
MOST = 12  # the last number of features that has a bar of its own


def sweeps_film(scene: FeaturesScene) -> Film:
    """Return the run, a frame a sweep."""
    if not scene.films:
        scene.films["sweeps"] = Film(
            key=f"{scene.key} sweeps",
            charts=_charts(scene, None),
            data=_data(scene),
            columns=lambda start, stop: _sweeps(scene, start, stop),
            total=SWEEPS,
            grow=scene.run.grow,
            **SWEEP_BY_SWEEP,
        )
    return _looked_at(scene, scene.films["sweeps"])


def close_up_film(scene: FeaturesScene, close_up: CloseUp[State]) -> Film:
    """Return one sweep, a frame a beat."""
    if close_up.film is None:
        close_up.film = FeatureBeatFrames(scene, close_up)
    frames: FeatureBeatFrames = close_up.film
    film = Film(
        key=f"{scene.key} sweep {close_up.sweep}",
        charts=_charts(scene, 4 * len(close_up)),
        data=_data(scene, beats=True),
        columns=frames.columns,
        grow=frames.grow,
        **chapter_of(close_up, _kinds(scene), "site", SWEEPS)
        | {"strides": (("Beat", 1), (scene.words.bit.capitalize(), 4))},
    )
    return _looked_at(scene, film)


def _kinds(scene: FeaturesScene) -> str:
    """Return the words for what an update redraws, in the order of `kind_of`."""
    words, one = scene.words, scene.rows.one
    return "|".join((f"{words.bit} of {one}", f"{words.own} of {one}", *words.blocks.values()))


def _looked_at(scene: FeaturesScene, film: Film) -> Film:
    """Return a film with the parameters of what is looked at."""
    chosen = -1 if scene.settings.opened else scene.row
    left = float(scene.settings.order == "left")
    return replace(film, params={"reach": scene.reach, "chosen": chosen, "left": left})


def _charts(scene: FeaturesScene, last: int | None) -> list[Chart]:
    words, unit = scene.words, "sweeps" if last is None else "beats of this sweep"

    def line(name: str, title: str, alt: str, domain: Domain) -> Chart:
        spec = trace(name, last, unit, grows=name == "features")
        return Chart(name, title, f"· {{{name}}}", alt, spec, params={f"{name}_span": domain})

    varies, noise = scene.settings.redraws("variances"), float(scene.run.noise[: FIRST_LOOK + 1].max())
    exact = [] if scene.number is None else [("ink", f"{words.posterior}, thick")]
    return [
        *scene.pictured(),
        Chart(
            "number",
            f"Number of {words.many} so far",
            "",
            f"How often each number of {words.many} has come up so far, beside its prior probability.",
            table_counts(MOST, bool(exact), True, words.many, True),
            [("block", "this chain"), ("ink", "prior, thin" if exact else "prior"), *exact],
        ),
        *scene.histograms(),
        line("features", words.many.capitalize(), f"The number of {words.many} along the run.", (0, _most(scene))),
        *([line("noise", "Noise σₓ", "The standard deviation of the noise.", (0, 1.3 * noise))] if varies else []),
    ]


def pictures(scene: FeaturesScene) -> Chart:
    """Return the chart of the features, the first rows, their sums, and what is left over."""
    rows, words = scene.rows, scene.words
    count, shown = len(rows.data), DRAWN
    first = f"· the first {shown} of {count} " if shown < count else ""
    return Chart(
        "pictures",
        f"{rows.many.capitalize()}, taken apart into {words.many}",
        f"{first}· {words.many} {{features}}{{more:|, the first 8 of them drawn, all of them put together}}",
        f"The {words.many} that have been found, the first {rows.many} with the {words.many} that each has, the "
        "sums of these, and what is left over.",
        charts.pictures(rows.tile, len(rows.data), rows.many, words.many),
        [(f"{charts.NEGATIVE} ramp {charts.POSITIVE}", "below 0, 0, above 0")],
        charts.aspect(len(rows.data)),
        lines=True,
    )


def _most(scene: FeaturesScene) -> int:
    return max(8, 3 + int(scene.run.features[: FIRST_LOOK + 1].max()))


def _data(scene: FeaturesScene, beats: bool = False) -> Data:
    """Return the data sets with all their fields; frames change some of them."""
    rows = scene.rows
    count, size = rows.data.shape
    place = np.arange(size)
    px, py = place % rows.tile[1], place // rows.tile[1]
    shown = min(count, DRAWN)
    k = list(range(1, MOST + 1))
    numbers = {"features": FLOAT32 if beats else INT16, "noise": FLOAT32}
    cells = np.repeat(np.arange(count), SHOWN), np.tile(np.arange(SHOWN), count)
    return {
        "pixels": {
            "n": np.repeat(np.arange(shown), size).tolist(),
            "px": np.tile(px, shown).tolist(),
            "py": np.tile(py, shown).tolist(),
            "value": rounded(rows.data[:shown].ravel(), 3),
            "sum": FLOAT32,
        },
        "contents": {
            "k": np.repeat(np.arange(SHOWN), size).tolist(),
            "px": np.tile(px, SHOWN).tolist(),
            "py": np.tile(py, SHOWN).tolist(),
            "value": FLOAT32,
        },
        "heads": {"k": list(range(SHOWN)), "m": UINT8},
        "cells": {
            "n": cells[0].tolist(),
            "k": cells[1].tolist(),
            **dict.fromkeys(("on", "name", "left"), UINT8),
            **scene.cells,
        },
        **scene.sets(),
        "names": {"n": list(range(count)), "text": list(rows.names)},
        "here": {"n": FLOAT32},
        "counts": {
            "k": k,
            "share": FLOAT32,
            "share_b": rounded(_up_to_most(dishes_overall(count, scene.settings.concentration)), 5),
            "exact": rounded(_up_to_most(np.zeros(1) if scene.number is None else scene.number), 5),
        },
        "past": numbers,
        "say": numbers
        | {"more": UINT8}
        | scene.said
        | ({"site": FLOAT32, "kind": UINT8, "beat": UINT8} if beats else {}),
    }


def _up_to_most(probabilities: np.ndarray) -> np.ndarray:
    """Return the probabilities of 1, 2... features; the last stands for all larger numbers."""
    found = np.zeros(max(MOST + 1, len(probabilities)))
    found[: len(probabilities)] = probabilities
    return np.append(found[1:MOST], found[MOST:].sum())


def _sweeps(scene: FeaturesScene, start: int, stop: int) -> Columns:
    run, part = scene.run, slice(start, stop)
    columns = _columns(scene, {name: getattr(run, name)[part] for name in PARTS})
    return columns | {
        **scene.so_far(start, stop),
        **along(features=run.features[part], noise=run.noise[part]),
        ("say", "more"): run.features[part] > SHOWN,
        ("counts", "share"): shares(run.features, start, stop, MOST),
        ("here", "n"): np.nan,
    }


def _columns(scene: FeaturesScene, parts: Mapping[str, np.ndarray]) -> Columns:
    """Return the columns of frames from the parts of their pictures, each with one row a frame."""
    count, bits, names = len(scene.rows.data), parts["bits"], parts["by_name"]
    return {
        **scene.of_pictures(parts),
        ("pixels", "sum"): flat(parts["sums"]),
        ("contents", "value"): flat(parts["contents"]),
        ("heads", "m"): np.where(names == GONE, GONE, parts["counts"]),
        ("cells", "on"): flat(bits),
        ("cells", "name"): np.tile(names, (1, count)),
        ("cells", "left"): np.tile(parts["by_left"], (1, count)),
    }


def flat(array: np.ndarray) -> np.ndarray:
    """Return an array with one row a frame, shape (frames, rows)."""
    return array.reshape(len(array), array.shape[1] * array.shape[2])


class FeatureBeatFrames(Replay):
    """The columns of a sweep's frames: its start, then four beats an update."""

    def __init__(self, scene: FeaturesScene, close_up: CloseUp[State]) -> None:
        self._scene = scene
        total, (rows, columns) = 4 * len(close_up) + 1, scene.rows.data.shape
        self._parts: dict[str, np.ndarray] = {
            "bits": np.empty((total, rows, SHOWN), np.uint8),
            **{name: np.empty((total, SHOWN), np.uint8) for name in ("counts", "by_name", "by_left")},
            "amounts": np.empty((total, rows, SHOWN), np.float32),
            "contents": np.empty((total, SHOWN, columns), np.float32),
            "sums": np.empty((total, min(rows, DRAWN), columns), np.float32),
        }
        self._numbers = {name: np.empty(total, np.float32) for name in ("features", "noise")}
        self._here, self._kind = np.full(total, np.nan, np.float32), np.zeros(total, np.uint8)
        super().__init__(close_up)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self._parts.values())

    def replayed(self) -> Generator[None, None, None]:
        parts = self._keep(0, self.close_up.before)
        for number, beat in enumerate(self.close_up):
            first, site = 4 * number + 1, beat.update.site
            before, parts = parts, self._keep(first + 3, beat.after)
            for part in (*self._parts.values(), *self._numbers.values()):
                part[first : first + 3] = part[first - 1]
            if not beat.is_block:
                self._here[first : first + 4] = site.row
                self._take_out(slice(first, first + 3), before, site)
            self._kind[first : first + 4] = kind_of(self._scene, site)
            yield

    def _keep(self, t: int, state: State) -> Parts:
        parts = self._scene.run.sampler.parts(state)
        for name, part in picture_of(parts).items():
            self._parts[name][t] = part
        self._numbers["features"][t], self._numbers["noise"][t] = len(parts.names), parts.noise
        return parts

    def _take_out(self, frames: slice, before: Parts, site: Bit | Own) -> None:
        """Mark what is redrawn of a row in some frames: it counts nowhere, and nothing of it is put together."""
        row, has = site.row, before.amounts != 0
        out = has[row] & (has.sum(axis=0) == 1) if isinstance(site, Own) else np.array(before.names) == site.feature
        named = [before.names[place] for place in np.flatnonzero(out) if before.names[place] < SHOWN]
        self._parts["counts"][frames, named] -= self._parts["bits"][frames, row, named]
        self._parts["bits"][frames, row, named] = 2
        if row < DRAWN:
            self._parts["sums"][frames, row] = before.amounts[row, ~out] @ before.contents[~out]

    def columns(self, start: int, stop: int) -> Columns:
        """Return the columns of frames from `start` and below `stop`, all of which have been made."""
        part = slice(start, stop)
        columns = _columns(self._scene, {name: found[part] for name, found in self._parts.items()})
        numbers = {name: found[part] for name, found in self._numbers.items()}
        sweep, here = self.sweep, self._here[part]
        return columns | {
            **self._scene.so_far(sweep - 1, sweep),
            **along(**numbers),
            ("say", "more"): numbers["features"] > SHOWN,
            ("counts", "share"): shares(self._scene.run.features, sweep - 1, sweep, MOST),
            ("here", "n"): here,
            ("say", "site"): here + 1,
            ("say", "kind"): self._kind[part],
            ("say", "beat"): beats_of(np.arange(start, stop)),
        }


def kind_of(scene: FeaturesScene, site: Any) -> int:
    """Return which of the `_kinds` a site is."""
    return [Bit, Own, *scene.words.blocks].index(site if isinstance(site, str) else type(site))
