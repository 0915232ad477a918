"""The data of a lesson: a file beside it, read as a learner's own file is."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from lessons.data.layout import SEPARATORS, How
from lessons.data.numbers import Mark
from lessons.format.keys import Names, Strict, Text
from lessons.format.values import Location
from lessons.format.wording import did_you_mean
from lessons.own.store import Held, hold
from lessons.own.taking import Choice, ColumnError, FileTaking, Taken
from lessons.settings.settings import OWN
from lessons.topics import STAGES

KINDS = (".csv", ".tsv", ".txt")
MARKS: dict[str | None, Mark] = {None: "", "point": ".", "comma": ","}
READ = ("separator", "decimal", "header")  # keys that say how any file is read
KEY = "data"
NOBODYS = "0" * 32  # in place of the digest of data that cannot be used: they may be as many as there can be
FILE: Location = (KEY, "file")


class DataKeys(Strict):
    """The keys of a lesson's data."""

    file: Text = Field(description="The file, beside the lesson or in a folder there.")
    columns: Names = Field(default=(), description="Its columns that are used; the first ones if left out.")
    standardise: bool = Field(
        default=True, description="Whether each column is brought to mean 0 and standard deviation 1."
    )
    label: str = Field(default="", description="The column of the classes.")
    text: str = Field(default="", description="The column of the messages.")
    categories: Names | None = Field(
        default=None, description="The columns whose values are categories; decided by these if left out."
    )

    separator: Literal["comma", "semicolon", "tab", "bar", "spaces"] | None = Field(
        default=None, description="What separates its cells; found in its first rows if left out."
    )
    decimal: Literal["point", "comma"] | None = Field(
        default=None, description="The sign before decimals; found in its numbers if left out."
    )
    header: bool | None = Field(
        default=None, description="Whether its first row names the columns; found in its first rows if left out."
    )

    @property
    def choice(self) -> Choice:
        """The choices in the file."""
        separator = next((sign for sign, name in SEPARATORS.items() if name == self.separator), "")
        how = How(separator=separator, decimal=MARKS[self.decimal], header=self.header)
        return Choice(self.columns, self.standardise, self.label, self.text, self.categories, how)


def _alone(given: Any) -> Any:
    if not isinstance(given, str | dict | DataKeys):
        raise PydanticCustomError("file", "this should be the name of a file, or pairs such as {file: heights.csv}")
    return {"file": given} if isinstance(given, str) else given


Data = Annotated[
    DataKeys,
    BeforeValidator(_alone),
    WithJsonSchema({"anyOf": [{"type": "string"}, DataKeys.model_json_schema()]}),
]
"""The name of a file, or pairs that say what is used of it."""


class DataFile:
    """The file of data that a lesson names; it is read when it is first asked for.

    Parameters
    ----------
    folder : pathlib.Path
        The lesson's.

    Attributes
    ----------
    path : pathlib.Path or None
        The file, whether it is there or not; None if the lesson names none.
    problems : list of (tuple, str)
        Why it cannot be used, each with the place in the front matter.
    notes : tuple of str
        What was read, changed and left out, in sentences that may quote the file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read = False
        self._held: Held | None = None
        self.path: Path | None = None
        self.problems: list[tuple[Location, str]] = []
        self.notes: tuple[str, ...] = ()

    def held(self, keys: DataKeys | None, stage: str) -> Held | None:
        """Return the data of these keys as a topic takes them; None if there are none, or none that can be used."""
        if keys is None or self._read:
            return self._held
        self._read = True
        takes = STAGES[stage].takes
        if takes is None:
            every = ", ".join(name for name, model in STAGES.items() if model.takes)
            self.problems.append(((KEY,), f"the topic {stage} takes no data from a file; these do: {every}"))
            return None
        self._check_keys(keys, takes, stage)
        path = self._found(keys.file)
        if path is not None and not self.problems:
            self._take(path, keys, takes, stage)
        return self._held

    def _check_keys(self, keys: DataKeys, takes: FileTaking, stage: str) -> None:
        for name in sorted(keys.model_fields_set - {"file", *takes.keys, *READ}):
            known = ", ".join(("file", *takes.keys, *READ))
            self.problems.append(((KEY, name), f"{stage} has no use for {name} of a file; it has for {known}"))

    def _found(self, name: str) -> Path | None:
        """Return the file, which must lie in the lesson's folder."""
        inside, said = PurePosixPath(name), ""
        shown = "".join(letter if letter.isprintable() else " " for letter in name[:60])
        if not name.isprintable() or ":" in name or "\\" in name or inside.is_absolute() or ".." in inside.parts:
            self.problems.append((FILE, f"{shown} is not beside the lesson; copy it there"))
            return None
        path = self.path = self._folder / inside
        try:
            if not path.resolve().is_relative_to(self._folder.resolve()):
                said = f"{shown} leads out of the lesson's folder; copy it beside the lesson"
            elif not path.exists():
                hint = did_you_mean(name, data_files(self._folder))
                said = f"there is no file {shown} beside this lesson {hint}"
            elif not path.is_file():
                said = f"{shown} is not an ordinary file"
        except (OSError, ValueError) as error:
            said = _said(error, path.name)
        self.problems += [(FILE, said)] * bool(said)
        return None if said else path

    def _take(self, path: Path, keys: DataKeys, takes: FileTaking, stage: str) -> None:
        try:
            status = path.stat()
            takes.check_size(status.st_size, path.name)
            data, self.notes = _taken(path, (status.st_mtime_ns, status.st_size), stage, keys.choice)
        except ColumnError as error:
            hint = f": {error.why}" if error.why else f" {did_you_mean(error.column, error.columns)}"
            said = f"there is no column '{error.column[:40]}' to use in {path.name}{hint}"
            self.problems.append((_place_of(error.column, keys), said))
        except (OSError, ValueError) as error:
            self.problems += [(FILE, line) for line in _said(error, path.name).split("\n")]
        else:
            self._held = hold(data, keys.model_dump(exclude_unset=True))


@lru_cache(maxsize=16)
def _taken(path: Path, stamp: tuple[int, int], stage: str, choice: Choice) -> Taken[Any]:
    """Return the data that a topic takes of a file with this time of change and size: asked for again and again."""
    takes = STAGES[stage].takes
    assert takes is not None
    return takes.take(path.read_bytes(), path.name, choice)


def given(stage: str, held: Held | None) -> dict[str, Any]:
    """Return the settings with which a lesson on a stage begins that names data; `held` is None if they are wrong."""
    if STAGES[stage].takes is None:
        return {}
    return {"data": OWN, "own": held.digest if held else NOBODYS}


def with_data(begins: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a lesson's settings on top of those with which it begins; named data need no digest."""
    found = {**begins, **settings}
    if found.get("data") != OWN and "own" not in settings:
        found.pop("own", None)
    return found


def data_files(folder: Path) -> list[str]:
    """Return the names of the files of data in a folder."""
    return sorted(path.name for path in folder.glob("*") if path.suffix.lower() in KINDS)


def _place_of(column: str, keys: DataKeys) -> Location:
    for key in ("columns", "categories"):
        if column in (names := getattr(keys, key) or ()):
            return KEY, key, names.index(column)
    return KEY, "label" if column == keys.label else "text"


def _said(error: OSError | ValueError, name: str) -> str:
    """Return an error's message in the words of the checker."""
    if isinstance(error, OSError):
        return f"{name} cannot be read: {error.strerror}"
    return str(error).rstrip(".")
