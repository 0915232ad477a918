"""The inspector of features: an update in four beats, a row's updates in a sweep, and a row as a sum."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pages.drawing.cards import Option, quiet, table
from pages.drawing.numbers import significant
from pages.scenes.close_up import Beat, CloseUp, UpdateCards
from pages.topics.ibp_features.charts import NEGATIVE, POSITIVE
from pages.topics.ibp_features.scene import FeaturesScene, feature_name, row_name
from samplers import Update
from samplers.buffet.linear_gaussian import Bit, Own

Line = Callable[[Update], tuple[str, ...]]
Writer = Callable[[FeaturesScene, Beat[Any], int], Sequence[str]]

SITES: dict[type, Callable[[FeaturesScene, Any], str]] = {
    Bit: lambda scene, site: f"{row_name(scene, site.row)}, {scene.words.one} {feature_name(site.feature)}",
    Own: lambda scene, site: f"{row_name(scene, site.row)}, {scene.words.own}",
}


def _chosen(scene: FeaturesScene, close_up: CloseUp[Any]) -> int:
    """Return the first update of the chosen row."""
    return next(place for place, site in enumerate(close_up.sites) if getattr(site, "row", None) == scene.row)


def one_row(scene: FeaturesScene, close_up: CloseUp[Any], heads: Sequence[str], lines_of: Mapping[type, Line]) -> str:
    """Return all updates of the chosen row in a sweep, as a table."""
    updates = close_up.updates(close_up.before.copy())
    lines = [lines_of[type(one.site)](one) for one in updates if getattr(one.site, "row", None) == scene.row]
    said = f"its {scene.words.bit}s in sweep {close_up.sweep}, in the order in which they were drawn."
    named = [head.format(len(scene.rows.data)) for head in heads]
    return f"<p>{row_name(scene, scene.row)}: {said}</p>{table(named, lines)}"


def cards_of(
    writers: Mapping[str | type, Writer],
    heads: Sequence[str],
    lines: Mapping[type, Line],
    options: Callable[[FeaturesScene, Beat[Any]], Sequence[Option]] | None = None,
) -> UpdateCards:
    """Return the cards of a model's updates: four of each, and a table of a row's, with heads and, by sites, lines."""
    return UpdateCards(
        start=quiet("This is the start. Press <b>Step</b>: one sweep redraws every bit or loading once, row by row."),
        begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first row is taken out."),
        writers=writers,
        chosen=_chosen,
        notes=lambda scene, beat: {"site": SITES[type(beat.update.site)](scene, beat.update.site)},
        whole=lambda scene, close_up: one_row(scene, close_up, heads, lines),
        options=options,
    )


# ---- a row as a sum --------------------------------------------------------------------------------------------------


def features_of(scene: FeaturesScene, state: Any) -> tuple[list[int], list[int]]:
    """Return the names of the features in order, and those that the chosen row has in the sum: some turned by hand."""
    parts, turned = scene.run.sampler.parts(state), scene.settings.turned
    has = {name for name, amount in zip(parts.names, parts.amounts[scene.row], strict=True) if amount}
    names = scene.summands(parts)
    return names, [name for name in names if (name in has) ^ (turned >> name & 1)]


def as_sum(scene: FeaturesScene, state: Any) -> str:
    """Return a row as the sum of its features, with what is left over."""
    names, chosen = features_of(scene, state)
    found, x = scene.run.sampler.parts(state), scene.rows.data[scene.row]
    amounts = np.where(found.amounts[scene.row], found.amounts[scene.row], 1.0)  # of one turned on by hand: 1
    places = [found.names.index(name) for name in chosen]
    parts = (amounts[:, None] * found.contents)[places]
    total = parts.sum(axis=0)
    left, expected = float(((x - total) ** 2).sum()), len(x) * found.noise**2
    pieces = [figure(scene, x, row_name(scene, scene.row)), '<span class="sign">≈</span>']
    for place, name in enumerate(chosen):
        pieces += ['<span class="sign">+</span>'] * (place > 0)
        pieces.append(figure(scene, parts[place], scene.term(name, float(amounts[places[place]]))))
    if not chosen:
        pieces.append("<p>nothing</p>")
    pieces += ['<span class="sign">=</span>', figure(scene, total, "put together")]
    pieces += ['<span class="sign"></span>', figure(scene, x - total, "left over")]
    by_hand = [name for name in names if scene.settings.turned >> name & 1]
    said = f" Turned by hand: {', '.join(map(feature_name, by_hand))}." if by_hand else ""
    return (
        f'<div class="tiles">{"".join(pieces)}</div><p>Sum of squares left over: <b>{significant(left)}</b> of '
        f"{significant(float((x**2).sum()))}; of noise alone D σₓ² = {significant(expected)} is expected.{said}</p>"
    )


def figure(scene: FeaturesScene, values: np.ndarray, text: str) -> str:
    """Return numbers of a row as a tile, with HTML below it."""
    down, wide = scene.rows.tile
    size = 78 // max(down, wide)
    cells = "".join(
        f'<rect x="{place % wide * size}" y="{place // wide * size}" width="{size}" height="{size}" '
        f'fill="{POSITIVE if value > 0 else NEGATIVE}" fill-opacity="{min(1, abs(value) / scene.reach):.2f}"/>'
        for place, value in enumerate(values.tolist())
    )
    width, height = wide * size, down * size
    box = f'viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" height="{height + 2}"'
    frame = f'<rect width="{width}" height="{height}" fill="none" stroke="currentColor" stroke-opacity=".4"/>'
    return f'<span class="tile"><svg {box} aria-hidden="true">{cells}{frame}</svg><span>{text}</span></span>'
