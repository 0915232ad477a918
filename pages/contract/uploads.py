"""The learner's own data of a topic: what is asked for, and what is said about it; a host draws the upload."""

from dataclasses import dataclass
from typing import Any

from lessons.own.taking import Taking

GONE = (
    "**These data are no longer here.** The server keeps data for two hours after their last use, or for less time if "
    "people upload a lot. Upload them again among the controls."
)
OF_CHAINS = (
    "CmdStan’s CSV, one for each chain; a table or Parquet with a row for each draw; ArviZ’s NetCDF; or a zip with "
    "such files, or with a Zarr store."
)


@dataclass(frozen=True)
class Upload:
    """Data from a file, typed, or made on the screen."""

    widget: tuple[str, str, str | None]  # the label of the upload, its key, and its help
    takes: Taking[Any]  # how the topic takes data from a file
    standardise: str = ""  # why columns are standardised, if learners can choose it
    said: str = ""  # what is added to the notes on what was read
    ask: str | None = None  # what is asked of a learner who has no data; None if these can be made on the screen
    earlier: str = ""  # the caption while there is no file, but data from an earlier one
    idle: str | None = None  # the caption while there are neither
    remove: str = ""  # the button that goes back to none, where some can be made on the screen
    example: str = ""  # what a learner may type or paste instead, as it is shown in the empty box

    def missing(self, settings: Any) -> str | None:
        """Return the remedy if a learner's own data are gone, or were never there; None if all is well."""
        if settings.data != "own" or settings.own_data is not None:
            return None
        if self.remove:
            return f"{GONE} Or start again: **{self.remove}**."
        return GONE if settings.own else self.ask


@dataclass(frozen=True)
class ChainsUpload:
    """Chains that another program has drawn, from one file or several."""

    ask: str = f"**Your own chains:** drop the files here, or upload them among the controls. {OF_CHAINS}"

    def missing(self, settings: Any) -> str | None:
        """Return the remedy if a learner's own chains are gone, or were never there; None if all is well."""
        if settings.own_data is not None:
            return None
        return GONE if settings.own else self.ask


OwnUpload = Upload | ChainsUpload
