"""Recipes for slides, books and learning platforms: what each puts on a page is opened and played, from another origin.

Their engines are no part of this project. What they make of a file is made here, as their guides have it: Quarto and
Jupyter Book pass raw HTML on as it is, MyST makes a frame of an address, Moodle and Canvas keep some attributes of a
frame, PowerPoint's Web Viewer opens an address in a sandbox, and reveal.js shows a section.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Frame

from lessons.topics import STAGES
from pages.embed.host import asked
from pages.notebook.page import framed, kept
from tests.browser.driver import ROOT, WAIT, WIDE, serve, served

pytestmark = pytest.mark.browser
FOLDER = ROOT / "deploy" / "embed"
THERE = "https://samplescope.example.edu"
AT_REST = "() => document.querySelector('[data-at-rest]')?.dataset.atRest > ''"
PLAYER = "document.querySelector('.st-key-player').shadowRoot.player"
KEPT = ("src", "title", "width", "height", "loading")  # attributes that Canvas keeps of a frame, of those in the file
SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups"


def blocks(text: str, kind: str) -> list[str]:
    """Return the blocks of a Markdown file that go into the page as they are."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```", text, re.M | re.S)


def raw(kind: str) -> Callable[[str], str]:
    return lambda text: "\n".join(blocks(text, kind))


def of_myst(text: str) -> str:
    return "".join(
        f'<iframe src="{escape(url)}" width="100%"></iframe>' for url in re.findall(r"\{iframe\} (\S+)", text)
    )


def of_canvas(text: str) -> str:
    (frame,) = re.findall(r"<iframe(.*?)>", text, re.S)
    kept = [f'{name}="{value}"' for name, value in re.findall(r'(\w+)="([^"]*)"', frame) if name in KEPT]
    return f"<iframe {' '.join(kept)}></iframe>"


def of_powerpoint(text: str) -> str:
    (address,) = re.findall(rf"^ +({THERE}\S+)$", text, re.M)
    return f'<iframe sandbox="{SANDBOX}" src="{escape(address)}" style="width: 900px; height: 500px"></iframe>'


def of_reveal(text: str) -> str:
    return re.sub(r"<script.*?</script>|<link[^>]*>", "", text, flags=re.S)  # its engine, which shows a section


def of_notebook(text: str) -> str:
    """Return the frame of a stage in a notebook's HTML, where no kernel runs."""
    (link,) = map(urlsplit, re.findall(rf'Stage\(\\"({THERE}/[^"]+)\\"\)', text))
    here = asked(link.path.rpartition("/")[2], dict(parse_qsl(link.query)))
    return framed(kept(here, link.query, 20, alone=True), 500)


RECIPES: dict[str, Callable[[str], str]] = {
    "reveal.html": of_reveal,
    "quarto.qmd": raw("{=html}"),
    "quarto-slides.qmd": raw("{=html}"),
    "jupyter-book-1.md": raw("{raw} html"),
    "jupyter-book-2.md": of_myst,
    "powerpoint.md": of_powerpoint,
    "moodle.html": str,
    "canvas.html": of_canvas,
    "notebook.ipynb": of_notebook,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[tuple[str, str, Path]]:
    folder = tmp_path_factory.mktemp("site")
    with served(folder) as other, serve(framed_by=other) as app:
        yield app.url, other, folder


def test_each_file_is_a_recipe_and_in_the_guide():
    files = {path.name for path in FOLDER.iterdir()} - {"README.md"}
    guide = (FOLDER / "README.md").read_text("utf-8")
    assert files == RECIPES.keys()
    assert all(f"({name})" in guide for name in files)


@pytest.mark.parametrize("name", [*RECIPES, "README.md"])
def test_every_address_of_a_recipe_is_in_order(name):
    text = (FOLDER / name).read_text("utf-8").replace("&amp;", "&")
    found = {urlsplit(url) for url in re.findall(rf"{THERE}/stage/[^\s\"<)`\\]+", text)}
    stages = [url for url in found if not url.path.endswith(".js")]
    assert stages
    for url in stages:
        topic = url.path.rpartition("/")[2]
        assert topic in STAGES
        assert asked(topic, dict(parse_qsl(url.query))).notes == ()


@pytest.mark.parametrize("name", RECIPES)
def test_what_a_recipe_puts_on_a_page_plays_there(browser: Browser, site, name):
    app, other, folder = site
    body = RECIPES[name]((FOLDER / name).read_text("utf-8")).replace(THERE, app)
    (folder / "made.html").write_text(f"<!doctype html><meta charset=utf-8><title>{name}</title>{body}", "utf-8")
    context = browser.new_context(viewport=WIDE | {"height": 1400}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{other}/made.html")
    page.wait_for_function("() => frames.length || document.querySelector('samplescope-stage')?.shadowRoot")
    frames = page.frames[1:]
    assert len(frames) == body.count("<iframe") + body.count("<samplescope-stage")
    for frame in frames:
        played(frame)
    context.close()


def played(frame: Frame) -> None:
    """Go a step on in a frame, after its question if it asks one."""
    frame.wait_for_function(AT_REST)
    if frame.locator(".asks").is_visible():
        frame.get_by_role("button", name="Show the answer").click()
        frame.wait_for_function(f"() => !{PLAYER}.locked('step')")
        frame.wait_for_function(AT_REST)
    before = frame.evaluate(f"{PLAYER}.at")
    frame.get_by_role("button", name="Step (right arrow)").click()
    frame.wait_for_function(f"before => {PLAYER}.at === before + 1", arg=before)
