"""The player's HTML: its bar, the menu of downloads, and the places of dials and charts."""

from collections.abc import Sequence

BAR = [  # of each button: action, name with key, picture, label
    ("first", "First (Home)", "M3 2h2v12H3zM14 2v12L6 8z", ""),
    ("back", "Back (left arrow)", "M12 2v12L3 8z", ""),
    ("play", "Play (space)", "", ""),
    ("step", "Step (right arrow)", "M4 2v12l9-6z", "Step"),
    ("last", "Last (End)", "M2 2v12l8-6zM11 2h2v12h-2z", ""),
    ("goal", "Run to the goal", "", "Run to"),
]


def _button(act: str, name: str, path: str, word: str) -> str:
    picture = f'<svg viewBox="0 0 16 16" aria-hidden="true"><path d="{path}"/></svg>' if path else ""
    if act == "play":
        picture = (
            '<svg class="start" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2v12l9-6z"/></svg>'
            '<svg class="pause" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h4v12H3zM9 2h4v12H9z"/></svg>'
            '<span class="word"></span>'
        )
    return f'<button type="button" data-act="{act}" aria-label="{name}" title="{name}">{word}{picture}</button>'


ROWS = [  # of each download: title, description, and a button for each kind of file
    (
        "Python script",
        "It reproduces this iteration’s numbers, with NumPy, SciPy and this app’s samplers.",
        {"copy": "Copy", "py": ".py", "zip": ".zip, samplers included"},
    ),
    (
        "Draws so far",
        "A row for each iteration of each chain; labels count from 0, not from 1 as here. NetCDF, for ArviZ, has only "
        "chains that share one posterior.",
        {"csv": "CSV", "nc": "NetCDF"},
    ),
    ("Lesson", "A lesson step that starts here, for an instructor to edit.", {"step": "Copy", "md": ".md"}),
    ("My work", "Saved in this browser, to review or hand in.", {"keep": "Keep"}),
    ("Picture", "The chart as it is now, for a slide or a page.", {"png": "PNG", "svg": "SVG", "pdf": "PDF"}),
    (
        "Clip",
        "The same chart from here on, iteration by iteration at this speed, for slides that play no web.",
        {"webm": "Film", "frames": "Pictures"},
    ),
]


WHICH = {
    "Picture": '<select aria-label="Which chart"></select>',
    "Clip": '<input type="text" inputmode="numeric" data-clip value="30" size="3" aria-label="Iterations of the clip">',
    "My work": '<input type="text" maxlength="400" aria-label="Note" placeholder="A note, if you like">',
}


def _row(row: tuple[str, str, dict[str, str]]) -> str:
    title, about, kinds = row
    buttons = "".join(f'<button type="button" data-take="{kind}">{word}</button>' for kind, word in kinds.items())
    return f"<p><b>{title}.</b> {about}</p><div>{WHICH.get(title, '')}{buttons}</div>"


SPEEDS = "".join(f'<option value="{s}"{" selected" * (s == 2)}>{s:g} / s</option>' for s in (0.5, 1, 2, 5, 15, 60))
CHAIN = "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13a3 3 0 0 1-4.5-4.5L4.5 7"
DOWN = "M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10"
LINK = f'<svg class="lines" viewBox="0 0 16 16" aria-hidden="true"><path d="{CHAIN}"/></svg><span class="said"></span>'
AWAY = f'<svg class="lines" viewBox="0 0 16 16" aria-hidden="true"><path d="{DOWN}"/></svg>'


def _shared(name: str, label: str, field: str) -> str:
    named = f'readonly data-shared="{name}" aria-label="{label}"'
    return f'<div>{field.format(named)}<button type="button" data-copy="{name}">Copy</button></div>'


INPUT, AREA = '<input type="text" {}>', '<textarea rows="4" {}></textarea>'
SHARED = f"""<p><b>Link.</b> It leads to exactly this, at this iteration.</p>
{_shared("link", "Link", INPUT)}<div class="qr" data-part="qr"></div>
<details><summary>Put it on a page</summary>
<p>The stage alone, in a frame: for slides, notebooks and learning platforms.</p>
{_shared("frame", "Frame", AREA)}
<p>Or as an element, where scripts are allowed: it takes the colours of its page.</p>
{_shared("element", "Element", AREA)}
<p data-part="framed"></p></details><p role="status"></p>"""


def html(rows: Sequence[tuple[str, str, dict[str, str]]]) -> str:
    """Return the player's HTML, with a menu of these downloads."""
    return f"""<section class="player" aria-label="Player">
<div class="bar" data-part="bar" role="group" aria-label="Playback">{"".join(_button(*b) for b in BAR)}
<div class="place"><span data-part="now"></span>
<input type="range" data-part="scrub" min="0" max="0" value="0" aria-label="Iteration"></div>
<div class="levels" data-part="levels" role="group" aria-label="How far Step goes" hidden></div>
<select data-part="speed" aria-label="Speed, iterations a second (+ and -)" title="Speed (+ and -)">{SPEEDS}</select>
<button type="button" data-act="link" aria-label="Copy a link to exactly this" title="Copy a link to exactly this"
 aria-expanded="false">{LINK}</button>
<button type="button" data-act="take" aria-label="Take it away" title="Take it away" aria-expanded="false">
{AWAY}</button></div>
<div class="takings" data-part="takings" role="group" aria-label="Take it away" popover>
{"".join(map(_row, rows))}
<p role="status"></p></div>
<div class="takings links" data-part="links" role="group" aria-label="Link" popover>{SHARED}</div>
<div class="dials" data-part="dials"></div>
<div class="charts" data-part="charts"><div class="main" data-part="main"></div>
<div class="names" data-part="names" role="group" aria-label="Charts" hidden></div>
<div class="side" data-part="side"></div></div>
<div class="divide" data-part="divide" hidden></div>
<button type="button" class="offside" data-part="read">Charts as tables (T)</button>
<div class="takings tables" data-part="tables" role="region" aria-label="Charts as tables" tabindex="0" popover></div>
<p data-part="nothing" hidden>The charts appear once you have answered.</p></section>"""


HTML = html(ROWS)
