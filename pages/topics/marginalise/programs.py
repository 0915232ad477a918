"""The program view: its lines, what moved since another variant, downloads, and a run in Stan itself if it is there."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, Literal
from urllib.parse import quote, urlencode

from lessons.topics.marginalise import MarginaliseSettings
from pages.contract.tools import Computation, Tool
from pages.drawing.cards import quiet
from pages.drawing.numbers import counted
from pages.drawing.parts import saving
from pages.topics.marginalise import cmdstan
from pages.topics.marginalise.program_film import listed
from pages.topics.marginalise.scene import MarginaliseScene
from samplers.gradient.stan_programs import TITLES, Line, Variant, program, saved, stan_code, stan_data

PLAYGROUND = "https://stan-playground.flatironinstitute.org/"  # its docs/url_parameters.md has what an address names
HERE, MOVED, NEW = "", "moved", "new"
SIGNS = {HERE: (" ", ""), MOVED: ("⇄", "moved, from "), NEW: ("+", "new")}
OtherScope = Literal["the other scope of γ"]
OTHER_SCOPE: Final = "the other scope of γ"
OF_OTHER_SCOPE = {"saved": "the same, γ local", "local": "the same, γ saved"}
NOT_SAVED = {"saved": "", "local": " γ is not saved: it is declared between braces, and gone when they close."}
RUNS_AT = {  # Stan reference manual, "Program blocks"
    "data": "read once",
    "parameters": "what the sampler moves",
    "transformed parameters": "runs at every leapfrog step, with its gradient",
    "model": "runs at every leapfrog step, with its gradient",
    "generated quantities": "runs once for each draw",
}
NEAREST: dict[Variant, Variant] = {
    "supervised": "unsupervised",
    "unsupervised": "supervised",
    "full Bayes": "prediction",
    "prediction": "full Bayes",
}


def marks(lines: tuple[Line, ...], other: tuple[Line, ...]) -> list[tuple[str, str]]:
    """Return for each line whether it is as in the other program, moved or new, and the block that it came from."""
    ours, left = [*_placed(lines)], Counter(_placed(other))
    here = []
    for placed in ours:
        here.append(left[placed] > 0)
        left[placed] -= here[-1]
    found = []
    for line, stays, (block, text) in zip(lines, here, ours, strict=True):
        if stays or line.role == "structure":
            found.append((HERE, block if stays else ""))
            continue
        whence = next((where for (where, other), many in left.items() if many > 0 and other == text), None)
        if whence is not None:
            left[whence, text] -= 1
        found.append((NEW, "") if whence is None else (MOVED, whence))
    return found


def _placed(lines: tuple[Line, ...]) -> Iterator[tuple[str, str]]:
    """Yield the block that each line is in, and its text without indentation."""
    block = ""
    for line in lines:
        if line.role == "structure" and not line.text.startswith((" ", "}")):
            block = line.text.rstrip(" {")
        yield block, line.text.strip()


def gone(lines: tuple[Line, ...], other: tuple[Line, ...]) -> list[str]:
    """Return the lines of the other program, without its data, that are nowhere in this one."""
    here = {line.text.strip() for line in lines}
    later = other[listed(other)[0] :]
    return [line.text.strip() for line in later if line.role != "structure" and line.text.strip() not in here]


def _code(lines: tuple[Line, ...], looks: list[tuple[str, str]]) -> str:
    """Return a program as HTML, with what is moved or new marked; its data block can be opened."""
    rows = [_line(line, look, where) for line, (look, where) in zip(lines, looks, strict=True)]
    first = listed(lines)[0]
    fresh = sum(look == NEW for look, _ in looks[:first])
    said = f"data {{ {first - 2} lines{f', {fresh} new' if fresh else ''} }}"
    return (
        f'<div class="program"><details><summary>{said}</summary><div>{"".join(rows[:first])}</div></details>'
        f"<div>{''.join(rows[first:])}</div></div>"
    )


def _line(line: Line, look: str, where: str) -> str:
    body, slashes, comment = line.text.partition("//")
    sign, meaning = SIGNS[look]
    told = f' title="{meaning}{escape(where)}"' if look else ""
    said = f'<span class="quiet">{escape(slashes + comment)}</span>' if line.role == "data" else ""
    if (block := body.rstrip(" {")) in RUNS_AT and line.role == "structure":
        said = f"<em>{RUNS_AT[block]}</em>"
    return f'<div class="code {look}"{told}>{sign} {escape(body)}{said}</div>'


def panel(scene: MarginaliseScene, _: int) -> str:
    """Return the program beside each other one, the nearest first, and links that save it and its data."""
    settings = scene.settings
    nearest: Variant | OtherScope = OTHER_SCOPE if settings.local else NEAREST[settings.variant]
    others: list[Variant | OtherScope] = [variant for variant in TITLES if variant != settings.variant]
    others += [OTHER_SCOPE] if settings.variant != "supervised" else []
    others.sort(key=lambda other: other != nearest)
    return _take(settings) + "".join(_against(settings, other, other == nearest) for other in others) + _how_to_run()


def _against(settings: MarginaliseSettings, other: Variant | OtherScope, is_open: bool) -> str:
    """Return the program with what is moved or new since another one."""
    lines = settings.program()
    if other == OTHER_SCOPE:
        before = program(settings.variant, local=not settings.local)
    else:
        before = program(other, local=settings.local)
    looks = marks(lines, before)
    return (
        f'<details class="marked" name="marked"{" open" * is_open}><summary>Marked against: {_named(other, settings)}'
        f"</summary>{_changes(settings, looks, gone(lines, before))}{_code(lines, looks)}</details>"
    )


def _how_to_run() -> str:
    if cmdstan.installed():
        return ""
    return quiet(
        "To run it here in Stan itself: <code>pip install cmdstanpy</code>, then <code>install_cmdstan</code>, and "
        "start the app again."
    )


def _changes(settings: MarginaliseSettings, looks: list[tuple[str, str]], lost: list[str]) -> str:
    count = Counter(look for look, _ in looks)
    came = " and ".join(sorted({where for look, where in looks if look == MOVED}))
    missed = [f"<code>{escape(line)}</code>" for line in lost]
    said = [f"⇄ {counted(count[MOVED], 'line')} moved{f' from <i>{came}</i>' if came else ''}."] if count[MOVED] else []
    said += [f"+ {counted(count[NEW], 'line')} new."] if count[NEW] else []
    said += [f"Gone: {', '.join(missed)}"] if missed else []
    return f'<p class="took"><b>{TITLES[settings.variant]}.</b> {" ".join(said)}</p>{_saved(settings)}'


def _saved(settings: MarginaliseSettings) -> str:
    """Return the values saved with each draw, and why γ is or is not one."""
    found = saved(settings.variant, data_of(settings), local=settings.local)
    listed = ", ".join(f"<code>{name}</code> {many:,}" for name, many in found.items())
    why = NOT_SAVED[settings.gamma_scope] if settings.variant != "supervised" else ""
    return f'<p class="took">Each draw saves {sum(found.values()):,} numbers: {listed}.{why}</p>'


def _named(other: str, settings: MarginaliseSettings) -> str:
    """Return the name of a program that this one is marked against."""
    return OF_OTHER_SCOPE[settings.gamma_scope] if other == OTHER_SCOPE else other


def _take(settings: MarginaliseSettings) -> str:
    name, code = settings.variant.lower().replace(" ", "_"), stan_code(settings.variant, local=settings.local)
    data = json.dumps(data_of(settings))
    there = escape(playground(TITLES[settings.variant], code, data))
    return (
        saving("Save the program", f"{name}.stan", "text/plain", code)
        + saving("Save its data", f"{name}.json", "application/json", data)
        + f'<a class="saving" target="_blank" rel="noopener" href="{there}">Open both in Stan Playground</a> '
        + quiet("Stan Playground is the Flatiron Institute’s. The link carries the program and its data there.")
    )


def playground(title: str, code: str, data: str) -> str:
    """Return the address at which Stan Playground opens a program with its data; both ride in it."""
    files = {name: f"data:text/plain;charset=utf-8,{quote(text)}" for name, text in (("stan", code), ("data", data))}
    return f"{PLAYGROUND}?{urlencode({'title': title, **files})}"


def data_of(settings: MarginaliseSettings) -> dict[str, int | list[int] | list[float]]:
    """Return the data that the variant's program asks for, as these settings have them."""
    corpus = settings.corpus()
    return stan_data(
        corpus.bag.counts, corpus.shown, settings.classes, settings.class_prior, settings.word_prior, settings.variant
    )


def run_in_stan(scene: MarginaliseScene, t: int) -> Iterable[Tool]:
    """Yield the button that runs the program in Stan, where it is installed, to show its draws beside ours."""
    interface, settings = cmdstan.installed(), scene.settings
    if interface is None:
        return
    code = stan_code(settings.variant, local=settings.local)
    yield Computation(
        f"Run in Stan ({interface})",
        f"stan {scene.key}",
        lambda: cmdstan.run(interface, code, data_of(settings), seed=1),
        lambda draws: cmdstan.table(cmdstan.compare(scene, draws, t)),
        meanwhile="Stan compiles, and then samples …",
        icon=":material/play_circle:",
    )
