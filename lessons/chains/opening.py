"""Open whatever files of chains somebody brings, by their first bytes."""

import io
import zipfile
from collections.abc import Callable, Sequence
from functools import partial

from lessons.chains.classic import CLASSIC, ClassicStore
from lessons.chains.hdf5 import HDF5, Hdf5Store
from lessons.chains.parquet import ParquetFile
from lessons.chains.source import LARGEST, MOST_FILES, File, Source, damaged
from lessons.chains.text import TextFile
from lessons.chains.tree import Tree
from lessons.chains.zarr import META, ZarrStore
from lessons.data.csv_text import OwnDataError
from lessons.data.parquet import PARQUET
from lessons.data.sheet import naming

ZIP = b"PK\x03\x04"
MOST_ENTRIES = 100_000  # of an archive
ENDINGS = (".csv", ".txt", ".tsv", ".nc", ".nc4", ".netcdf", ".h5", ".parquet", ".pq")
HIDDEN = ("__MACOSX/", ".")


def opened(files: Sequence[File]) -> list[Source]:
    """Return all files, opened: an archive holds several, or a Zarr store.

    Raises
    ------
    OwnDataError
        If one cannot be read, or they are too large; the message begins with its name. Nothing else is raised.
    """
    if len(files) > MOST_FILES:
        raise OwnDataError(f"There are {len(files):,} files; at most {MOST_FILES} can be read together.")
    size = sum(len(file.content) for file in files)
    if size > LARGEST:
        raise OwnDataError(
            f"The files have {size / 1e6:,.0f} MB together; at most {LARGEST / 1e6:.0f} MB can be read. Save fewer "
            "parameters, or every tenth draw."
        )
    found: list[Source] = []
    for file in files:
        with naming(file.name):
            found += _opened(file)
    return found


def _opened(file: File) -> list[Source]:
    if file.content.startswith(ZIP):
        return _of_archive(file)
    if file.content.startswith(HDF5):
        return [Tree(Hdf5Store(file))]
    if file.content.startswith(CLASSIC):
        return [Tree(ClassicStore(file))]
    return [ParquetFile(file) if file.content.startswith(PARQUET) else TextFile(file)]


def _of_archive(file: File) -> list[Source]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.content))
        entries = {one.filename: one for one in archive.infolist() if not one.is_dir()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError, IndexError) as error:
        raise damaged("The archive", str(error)) from None
    if len(entries) > MOST_ENTRIES or sum(one.file_size for one in entries.values()) > LARGEST:
        raise OwnDataError(f"The archive unpacks to more than {LARGEST / 1e6:.0f} MB. Keep the parameters you need.")
    reads: dict[str, Callable[[], bytes]] = {name: partial(_content, archive, one) for name, one in entries.items()}
    if any(name.rpartition("/")[2] in META for name in entries):
        return [Tree(ZarrStore(reads))]
    if "[Content_Types].xml" in entries:
        raise OwnDataError("This is a workbook or a document. Save the draws as CSV, and load that file.")
    wanted = [name for name in sorted(entries) if name.lower().endswith(ENDINGS) and not name.startswith(HIDDEN)]
    if not wanted:
        raise OwnDataError("The archive holds no file of draws: put CSV files, a NetCDF file or a Zarr store into it.")
    if len(wanted) > MOST_FILES:
        raise OwnDataError(f"The archive holds {len(wanted):,} files of draws; at most {MOST_FILES} can be read.")
    return [source for name in wanted for source in _inner(File(name, reads[name]()))]


def _inner(file: File) -> list[Source]:
    with naming(file.name):
        if file.content.startswith(ZIP):
            raise OwnDataError("It is an archive in an archive. Unpack the outer one.")
        return _opened(file)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return an entry's bytes, no more than it says that it has."""
    try:
        with archive.open(entry) as packed:
            return packed.read(entry.file_size)
    except Exception as error:  # of whatever unpacks it
        raise damaged("The archive", f"“{entry.filename[:60]}” is damaged ({error})") from None
