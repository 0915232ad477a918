"""How a topic takes data from a file: what is chosen in it, what was made of it, and what cannot be."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from lessons.data.csv_table import read_csv
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import quoted

T = TypeVar("T")


@dataclass(frozen=True)
class Choice:
    """What is chosen in a file; what is empty is left to the reader.

    Attributes
    ----------
    columns : tuple of str
        The columns of the data, or of the features.
    standardise : bool
        Whether each is brought to mean 0 and standard deviation 1.
    label, text : str
        The columns of the classes, and of the messages.
    categories : tuple of str or None
        Those of the columns whose values are no numbers; None to tell by the values.
    """

    columns: tuple[str, ...] = ()
    standardise: bool = True
    label: str = ""
    text: str = ""
    categories: tuple[str, ...] | None = None


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


@dataclass(frozen=True)
class Taking(Generic[T]):
    """How a topic takes data from a file.

    Attributes
    ----------
    kind : type
        Of the data, a dataclass.
    keys : tuple of str
        The fields of a `Choice` that mean something here.
    take : callable
        ``take(content, name, choice)`` returns what was `Taken` from the bytes of a file of this name. It raises a
        `ValueError` if there is nothing to be used, in words for people: a `ColumnError` for a column that is not
        there.
    columns : callable
        ``columns(content, name)`` returns the columns that can be chosen, of a file without any none; errors likewise.
    check_size : callable
        ``check_size(bytes, name)`` raises one if the file is too large to be read.
    none : object
        The data of somebody who has made none yet; None if there must be some.
    """

    kind: type[T]
    keys: tuple[str, ...]
    take: Callable[[bytes, str, Choice], Taken[Any]]
    columns: Callable[[bytes, str], tuple[str, ...]]
    check_size: Callable[[int, str], None]
    none: T | None = None


def columns_of(content: bytes, name: str) -> tuple[str, ...]:
    """Return the columns of numbers of a file; see `read_csv` for what this raises."""
    return read_csv(content, name).columns


def there(chosen: Iterable[str], columns: Iterable[str], notes: Iterable[str] = ()) -> None:
    """Raise a `ColumnError` if a chosen column is not among those of a file, whose reader left these notes."""
    columns = tuple(columns)
    for name in chosen:
        if name not in columns:
            raise ColumnError(name, columns, notes)
