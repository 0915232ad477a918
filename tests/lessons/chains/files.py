"""Files of one set of chains in every form that is read."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence

import h5netcdf
import numpy as np
import pyarrow as pa
from pyarrow import parquet
from scipy.io import netcdf_file

CHAINS, DRAWS, WARM = 3, 12, 4
RNG = np.random.default_rng(4)
MU = RNG.normal(size=(CHAINS, DRAWS)).round(4)
THETA = RNG.normal(size=(CHAINS, DRAWS, 2)).round(4)
DIVERGENT = RNG.random((CHAINS, DRAWS)) < 0.3
DENSITY = RNG.normal(size=(CHAINS, DRAWS)).round(4)
HEAD = "lp__,accept_stat__,divergent__,mu,theta.1,theta.2"
COMMENTS = "# stan_version_major = 2\n# method = sample (Default)\n#   num_samples = 12\n"
ADAPTED = "# Adaptation terminated\n# Step size = 0.7\n# Diagonal elements of inverse mass matrix:\n# 1, 1\n"
TIMES = "# \n#  Elapsed Time: 0.01 seconds (Warm-up)\n# \n"


def row(chain: int, draw: int) -> str:
    """Return a draw as CmdStan writes it."""
    numbers = [DENSITY[chain, draw], 0.9, int(DIVERGENT[chain, draw]), MU[chain, draw], *THETA[chain, draw]]
    return ",".join(f"{number:g}" for number in numbers)


def cmdstan(chain: int, saved: int = 0) -> bytes:
    """Return a chain as CmdStan's CSV, with so many draws of a saved warm-up."""
    warm = "".join(f"-9,0.5,1,{draw},5,5\n" for draw in range(saved))
    draws = "".join(f"{row(chain, draw)}\n" for draw in range(DRAWS))
    return f"{COMMENTS}{HEAD}\n{warm}{ADAPTED}{draws}{TIMES}".encode()


def table(separator: str = ",", decimal: str = ".", chain: str = ".chain") -> bytes:
    """Return the draws as a data frame is written: R's, with quoted names."""
    head = [
        '""',
        f'"{chain}"',
        '".iteration"',
        '".draw"',
        '"mu"',
        '"theta[1]"',
        '"theta[2]"',
        '"lp__"',
        '"divergent__"',
    ]
    lines = [separator.join(head)]
    for at in range(CHAINS * DRAWS):
        of, draw = divmod(at, DRAWS)
        numbers = [MU[of, draw], *THETA[of, draw], DENSITY[of, draw]]
        cells = [f'"{at + 1}"', of + 1, draw + 1, at + 1, *(f"{number:g}".replace(".", decimal) for number in numbers)]
        lines.append(separator.join(map(str, [*cells, int(DIVERGENT[of, draw])])))
    return "\r\n".join(lines).encode()


def as_parquet() -> bytes:
    """Return the draws as Parquet."""
    of = {"mu": MU, "theta[1]": THETA[:, :, 0], "theta[2]": THETA[:, :, 1], "lp__": DENSITY, "divergent__": DIVERGENT}
    columns = {"chain": np.repeat(np.arange(CHAINS), DRAWS), "draw": np.tile(np.arange(DRAWS), CHAINS)}
    columns |= {name: values.ravel() for name, values in of.items()}
    made = io.BytesIO()
    parquet.write_table(pa.table(columns | {"note": ["text"] * (CHAINS * DRAWS)}), made)
    return made.getvalue()


def netcdf(*, warm: bool = False) -> bytes:
    """Return the draws as NetCDF with ArviZ's groups."""
    made = io.BytesIO()
    with h5netcdf.File(made, "w") as file:
        for prefix in ("", "warmup_") if warm else ("",):
            stop = WARM if prefix else DRAWS
            group = file.create_group(f"{prefix}posterior")
            group.dimensions = {"chain": CHAINS, "draw": stop, "school": 2}
            group.create_variable("chain", ("chain",), data=np.arange(CHAINS))
            group.create_variable("draw", ("draw",), data=np.arange(stop))
            group.create_variable("school", ("school",), data=np.array([1, 2]))
            group.create_variable("mu", ("chain", "draw"), data=MU[:, :stop], compression="gzip")
            group.create_variable("theta", ("draw", "chain", "school"), data=THETA[:, :stop].swapaxes(0, 1))
            group = file.create_group(f"{prefix}sample_stats")
            group.dimensions = {"chain": CHAINS, "draw": stop}
            group.create_variable("diverging", ("chain", "draw"), data=DIVERGENT[:, :stop].astype(np.int8))
            group.create_variable("lp", ("chain", "draw"), data=DENSITY[:, :stop])
    return made.getvalue()


def classic() -> bytes:
    """Return the draws as NetCDF of version 3."""
    made = io.BytesIO()
    file = netcdf_file(made, "w")
    for name, size in (("chain", CHAINS), ("draw", DRAWS), ("school", 2)):
        file.createDimension(name, size)
    for name, axes, values in (
        ("mu", ("chain", "draw"), MU),
        ("theta", ("chain", "draw", "school"), THETA),
        ("lp", ("chain", "draw"), DENSITY),
        ("divergent", ("chain", "draw"), DIVERGENT.astype("i1")),
        ("school", ("school",), np.array([1, 2], "i4")),
    ):
        file.createVariable(name, values.dtype, axes)[:] = values
    file.flush()
    return made.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as into:
        for name, content in files.items():
            into.writestr(name, content)
    return made.getvalue()


def entries(archive: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def blosc(raw: bytes, wide: int = 8) -> bytes:
    """Return bytes in a frame of Blosc: sorted by their place in a number, one block of LZ4."""
    planes = np.frombuffer(raw, np.uint8).reshape(-1, wide).T.tobytes()
    packed = bytes(pa.compress(planes, "lz4_raw", asbytes=True))
    head = bytes([2, 1, 1 | 16 | 1 << 5, wide]) + np.array([len(raw), len(raw), 24 + len(packed)], "<u4").tobytes()
    return head + np.array([20, len(packed)], "<i4").tobytes() + packed


def zarr_of(version: int) -> bytes:
    """Return a zip with a Zarr store of this format, packed as xarray packs it by default."""
    files: dict[str, bytes] = {"made.zarr/.zgroup": b'{"zarr_format": 2}'} if version == 2 else {}
    files |= {"made.zarr/zarr.json": b'{"zarr_format": 3, "node_type": "group"}'} if version == 3 else {}
    arrays: list[tuple[str, Sequence[str], np.ndarray]] = [
        ("posterior/mu", ("chain", "draw"), MU),
        ("posterior/theta", ("chain", "draw", "school"), THETA),
        ("posterior/school", ("school",), np.array([1, 2])),
        ("sample_stats/diverging", ("chain", "draw"), DIVERGENT),
        ("sample_stats/lp", ("chain", "draw"), DENSITY),
    ]
    for path, axes, values in arrays:
        chunks = [2, *values.shape[1:]] if path.endswith(("mu", "theta")) else [*values.shape]
        for first in range(0, len(values), chunks[0]):
            part = np.zeros(chunks, values.dtype)
            held = values[first : first + chunks[0]]
            part[: len(held)] = held
            place = [first // chunks[0], *(0 for _ in axes[1:])]
            name, chunk = _chunk(version, place, part)
            files[f"made.zarr/{path}/{name}"] = chunk
        files |= {f"made.zarr/{path}/{name}": meta for name, meta in _meta(version, values, chunks, axes).items()}
    return zipped(files)


def _chunk(version: int, place: Sequence[int], part: np.ndarray) -> tuple[str, bytes]:
    if version == 2:
        return ".".join(map(str, place)), blosc(part.tobytes(), part.itemsize)
    return "c/" + "/".join(map(str, place)), bytes(pa.compress(part.tobytes(), "zstd", asbytes=True))


def _meta(version: int, values: np.ndarray, chunks: Sequence[int], axes: Sequence[str]) -> dict[str, bytes]:
    if version == 2:
        packing = {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}
        meta = {
            "shape": values.shape,
            "chunks": chunks,
            "dtype": values.dtype.str,
            "compressor": packing,
            "filters": None,
        }
        more = {"zarr_format": 2, "order": "C", "fill_value": None}
        return {
            ".zarray": json.dumps({**meta, **more}).encode(),
            ".zattrs": json.dumps({"_ARRAY_DIMENSIONS": axes}).encode(),
        }
    codecs = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd", "configuration": {"level": 0}}]
    meta = {"shape": values.shape, "data_type": values.dtype.name, "codecs": codecs, "fill_value": 0}
    grid = {"name": "regular", "configuration": {"chunk_shape": chunks}}
    keys = {"name": "default", "configuration": {"separator": "/"}}
    more = {"zarr_format": 3, "node_type": "array", "dimension_names": axes}
    return {"zarr.json": json.dumps({**meta, **more, "chunk_grid": grid, "chunk_key_encoding": keys}).encode()}
