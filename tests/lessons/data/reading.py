"""A table of text, read."""

import pytest

from lessons.data.csv_table import OwnDataError, read_csv


def read(text, name="my.csv"):
    return read_csv(text if isinstance(text, bytes) else text.encode(), name)


def refusal(text):
    with pytest.raises(OwnDataError) as caught:
        read(text)
    return str(caught.value)
