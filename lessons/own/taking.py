"""How a topic takes data from a file: what is chosen in it, what was made of it, and what cannot be."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from lessons.data.csv_text import OwnDataError
from lessons.data.layout import AS_GUESSED, How
from lessons.data.messages import NO_LABEL
from lessons.data.phrases import quoted
from lessons.data.sheet import Sheet, Told, check_file, read_sheet, unheard

T = TypeVar("T")
Part = Literal["text", "label", "x", "y", "feature"]
USED: tuple[Part, ...] = ("x", "y", "feature")  # as columns, in this order
NOT_USED = "not used"


@dataclass(frozen=True)
class Choice:
    """The choices in a file; those that are empty are left to the reader."""

    columns: tuple[str, ...] = ()  # the columns of the data, or of the features
    standardise: bool = True  # whether each is brought to mean 0 and standard deviation 1
    # label, text: the columns of the classes, and of the messages
    label: str = ""
    text: str = ""
    # those of the columns whose values are no numbers; None to tell by the values
    categories: tuple[str, ...] | None = None
    how: How = AS_GUESSED  # how the file is read


class Taken(NamedTuple, Generic[T]):
    """Data as a topic takes them, and in sentences what was read, changed and left out."""

    data: T
    notes: tuple[str, ...]


class ColumnError(OwnDataError):
    """A column that was chosen is not there.

    Attributes
    ----------
    column : str
        Its name.
    columns : tuple of str
        Those that can be chosen.
    why : str
        What the reader says of a column of that name that it cannot use, if there is one.
    """

    def __init__(self, column: str, columns: Iterable[str], notes: Iterable[str] = ()) -> None:
        self.column, self.columns = column, tuple(columns)
        self.why = next((note for note in notes if quoted([column]) in note), "")
        super().__init__(f"There is no column {quoted([column])}; there are {quoted(self.columns)}.")


class FileTaking(Protocol):
    """How a topic takes data from a file, whatever kind of file that is."""

    @property
    def kind(self) -> type[Any]:
        """The type of the data, a dataclass."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields of a `Choice` that mean something here."""

    @property
    def none(self) -> Any:
        """The data of somebody who has made none yet; None if there must be some."""

    @property
    def check_size(self) -> Callable[[int, str], None]:
        """``check_size(bytes, name)`` raises an error if the file is too large to be read."""

    def take(self, content: bytes, name: str, choice: Choice) -> Taken[Any]:
        """Return the data taken from a file's bytes by its name; errors are in words for people."""

    def columns(self, content: bytes, name: str) -> tuple[str, ...]:
        """Return the columns that can be chosen, of a file with one column none; errors likewise."""


@dataclass(frozen=True)
class Taking(Generic[T]):
    """How a topic takes data from a table or from texts."""

    kind: type[T]  # of the data, a dataclass
    keys: tuple[str, ...]  # the fields of a `Choice` that mean something here
    parts: Mapping[Part, int]  # what a column can be, and how many columns at most
    # ``guess(sheet, choice)`` returns which column is what part, in the order of the parts: what was chosen, and else
    # what is likely. It raises a `ValueError` if there is nothing to be used, in words for people: a `ColumnError` for
    # a column that is not there.
    guess: Callable[[Sheet, Choice], dict[str, Part]]
    make: Callable[[Sheet, Choice], Taken[Any]]  # ``make(sheet, choice)`` returns what is `Taken`; errors likewise
    texts: bool = False  # whether texts are looked for in the file
    # ``check_size(bytes, name)`` raises an error if the file is too large to be read
    check_size: Callable[[int, str], None] = check_file
    none: T | None = None  # the data of somebody who has made none yet; None if there must be some

    def read(self, content: bytes, name: str, how: How = AS_GUESSED, told: Told = unheard) -> Sheet:
        """Return the content of a file's bytes by its name; see `read_sheet` for `told` and for the errors raised."""
        self.check_size(len(content), name)
        return read_sheet(content, name, how, texts=self.texts, told=told)

    def take(self, content: bytes, name: str, choice: Choice) -> Taken[Any]:
        """Return the data taken from a file's bytes by its name; errors are those of all that it calls."""
        names = tuple(each for each in (choice.text, choice.label) if each not in ("", NO_LABEL)) if self.texts else ()
        return self.make(self.read(content, name, replace(choice.how, names=names)), choice)

    def columns(self, content: bytes, name: str) -> tuple[str, ...]:
        """Return the columns that can be chosen, of a file with one column none; errors likewise."""
        sheet = self.read(content, name)
        self.guess(sheet, Choice())
        return () if self.texts else sheet.names

    def choice(self, parts: Mapping[str, str], standardise: bool, how: How) -> Choice:
        """Return the choice in which columns are these parts; an `OwnDataError` says what is lacking."""
        columns = {part: tuple(name for name, its in parts.items() if its == part) for part in self.parts}
        named = {part: names for part, names in columns.items() if names}
        if not named.keys() - {"label"}:
            lacking = next(part for part in self.parts if part != "label")
            raise OwnDataError(f"No column is used. Choose one as {lacking}.")
        if "label" in self.parts and "label" not in named:
            if not self.texts:
                raise OwnDataError("No column is the label. Choose one.")
            named["label"] = (NO_LABEL,)
        text, label = (named.get(part, ("",))[0] for part in ("text", "label"))
        used = tuple(name for part in USED for name in columns.get(part, ()))
        return Choice(used, standardise, label, text, how=how)


def there(chosen: Iterable[str], columns: Iterable[str], notes: Iterable[str] = ()) -> None:
    """Raise a `ColumnError` if a chosen column is not among those of a file, whose reader left these notes."""
    columns = tuple(columns)
    for name in chosen:
        if name not in columns:
            raise ColumnError(name, columns, notes)
