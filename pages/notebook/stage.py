"""The widget: a link plays in a notebook, and Python has what the learner chose."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import anywidget
import traitlets

from lessons.settings.settings import StageSettings
from pages.embed.host import Asked, asked
from pages.http.errors import BadAddressError
from pages.notebook.answers import answer
from pages.notebook.page import framed, kept, page
from pages.player.modules import PAGES
from samplers import Chain

if TYPE_CHECKING:
    from xarray import DataTree

DRAWS = 1_000


class Stage(anywidget.AnyWidget):  # type: ignore[misc]
    """A stage that plays in a notebook, with frames from Python in the same process.

    Parameters
    ----------
    link : str
        A link of the app, whole or from its topic on: ``"crp_mixture?concentration=2&t=40"``.
    keep : int, optional
        The iterations from its place on that play without a kernel as well, as in a notebook's HTML.
    height : int, optional
        Pixels.

    Attributes
    ----------
    link : str
        The link to where the learner is now.

    Raises
    ------
    ValueError
        If the link names no topic, lesson, step or chart, or data that are not there.
    """

    _esm = (PAGES / "embed/element.js").read_text("utf-8") + Path(__file__).with_name("widget.js").read_text("utf-8")
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)
    link = traitlets.Unicode().tag(sync=True)

    def __init__(self, link: str, *, keep: int = 100, height: int = 560) -> None:
        ask, search = _read(link)
        for note in ask.notes:
            warnings.warn(note, stacklevel=2)
        self._opened = ask, search, keep
        found = kept(ask, search, keep, alone=False)
        super().__init__(page=page(found), height=height, link=f"{ask.place.stage}?{search}")
        self.on_msg(self._hear)

    def _hear(self, _: object, said: dict[str, Any], __: object) -> None:
        """Answer the browser: from the routes, in this process."""
        reply = answer(said["address"])
        self.send({"ask": said["ask"], "status": reply.status, "kind": reply.kind}, [reply.body])

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget, and for HTML without a kernel a frame with the whole page in it."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle:
            ask, search, keep = self._opened
            bundle[0]["text/html"] = framed(kept(ask, search, keep, alone=True), self.height)
        return bundle

    @property
    def settings(self) -> StageSettings:
        """The settings that the learner has chosen."""
        return _read(self.link)[0].place.settings

    @property
    def seed(self) -> int:
        """The seed."""
        return _read(self.link)[0].place.seed

    @property
    def t(self) -> int:
        """The iteration at which the learner is."""
        return _read(self.link)[0].place.t

    @property
    def chain(self) -> Chain[Any]:
        """The chain with the chosen settings and seed; ``stage.chain[40]`` is its state after 40 iterations."""
        return Chain(self.settings.sampler(), self.seed)

    def to_datatree(self, draws: int = DRAWS) -> "DataTree":
        """Return the draws of iterations 1 to `draws`, as ArviZ reads them; needs xarray.

        Raises
        ------
        ValueError
            If the chain's states are no draws from a posterior.
        """
        return self.chain.to_datatree(draws)


def _read(link: str) -> tuple[Asked, str]:
    """Return a link as it is read, and its part after the question mark."""
    parts = urlsplit(link.strip())
    values = dict(parse_qsl(parts.query, keep_blank_values=True))
    try:
        return asked(parts.path.rstrip("/").rpartition("/")[2], values), parts.query
    except BadAddressError as error:
        raise ValueError(str(error)) from None
