"""A Parquet file as CSV, by the library with which Streamlit sends tables to the browser."""

import io

from lessons.data.csv_text import LARGEST_FILE, MOST_CELLS, OwnDataError

PARQUET = b"PAR1"  # its first bytes


def as_csv(raw: bytes) -> bytes:
    """Return the table of a Parquet file as CSV in UTF-8.

    Raises
    ------
    OwnDataError
        If it is damaged, too large, or holds lists or the like.
    """
    try:
        import pyarrow as pa  # here, as it takes 0.1 s to import
        from pyarrow import csv, parquet
    except ImportError:
        raise OwnDataError("This is a Parquet file, which cannot be read here. Save it as CSV (UTF-8).") from None
    try:
        file = parquet.ParquetFile(io.BytesIO(raw))
        about = file.metadata
        unpacked = sum(about.row_group(place).total_byte_size for place in range(about.num_row_groups))
        if about.num_rows * about.num_columns > MOST_CELLS or unpacked > LARGEST_FILE:
            raise OwnDataError("The Parquet file is too large to be read. Keep the columns and rows that you need.")
        made = io.BytesIO()
        csv.write_csv(file.read(), made)
    except (pa.ArrowException, OSError, NotImplementedError, MemoryError) as error:
        said = " ".join(str(error).split())[:120]
        raise OwnDataError(f"The Parquet file cannot be read ({said}). Save it as CSV (UTF-8).") from None
    return made.getvalue()
