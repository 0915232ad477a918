"""Own chains: ten of 10,000 draws of 200 parameters read from each kind of file, and the film of 100,000 draws."""

import io
import os
import resource
import time
import zipfile
from collections.abc import Iterator

import h5netcdf
import numpy as np
import pyarrow as pa
from pyarrow import parquet

from bench import Row, median_seconds, sent, size
from lessons.chains.chains import MOST_CHAINS, MOST_DRAWS, chains_of
from lessons.chains.source import File
from lessons.own.draws import OwnDraws, Picked, drawn
from lessons.own.store import keep_own
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.topics.walk_the_hill.brought.film import brought_film
from pages.topics.walk_the_hill.brought.scene import BroughtScene

PARAMETERS = 200
OWN = "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__"
LIMIT = 2.0  # seconds that reading may take


def theta() -> np.ndarray:
    """Return draws, shape (chains, draws, parameters)."""
    return np.random.default_rng(0).normal(size=(MOST_CHAINS, MOST_DRAWS, PARAMETERS)).astype(np.float32).astype(float)


def as_cmdstan(draws: np.ndarray) -> list[File]:
    """Return a file of CmdStan for each chain; its rows are a block that is repeated, as writing numbers takes long."""
    head = f"{OWN},{','.join(f'theta.{at}' for at in range(1, PARAMETERS + 1))}"
    block = ["-7.31,0.912,0.7,3,7,0,9.22," + ",".join(f"{one:.6g}" for one in row) for row in draws[0, :500].tolist()]
    rows = "\n".join(block * (MOST_DRAWS // len(block)))
    text = f"# stan_version_major = 2\n{head}\n# Adaptation terminated\n# Step size = 0.7\n{rows}\n# \n".encode()
    return [File(f"chain-{chain}.csv", text) for chain in range(len(draws))]


def as_parquet(draws: np.ndarray) -> list[File]:
    """Return a table of all draws as Parquet."""
    chain, draw = np.divmod(np.arange(MOST_CHAINS * MOST_DRAWS), MOST_DRAWS)
    flat = draws.reshape(-1, PARAMETERS)
    columns = {"chain": chain, "draw": draw} | {f"theta[{at}]": flat[:, at] for at in range(PARAMETERS)}
    made = io.BytesIO()
    parquet.write_table(pa.table(columns), made)
    return [File("draws.parquet", made.getvalue())]


def as_netcdf(draws: np.ndarray) -> list[File]:
    """Return the draws as NetCDF with ArviZ's group."""
    made = io.BytesIO()
    with h5netcdf.File(made, "w") as file:
        group = file.create_group("posterior")
        group.dimensions = {"chain": MOST_CHAINS, "draw": MOST_DRAWS, "at": PARAMETERS}
        group.create_variable("theta", ("chain", "draw", "at"), data=draws, chunks=(1, 1_000, 50), compression="gzip")
    return [File("draws.nc", made.getvalue())]


def as_zarr(draws: np.ndarray) -> list[File]:
    """Return the draws as a Zarr store of format 3, a chunk for each chain."""
    codecs = '[{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd"}]'
    meta = (
        f'{{"zarr_format": 3, "node_type": "array", "shape": {[*draws.shape]}, "data_type": "float64", "chunk_grid": '
        f'{{"name": "regular", "configuration": {{"chunk_shape": [1, {MOST_DRAWS}, {PARAMETERS}]}}}}, "fill_value": 0, '
        f'"chunk_key_encoding": {{"name": "default"}}, "codecs": {codecs}, "dimension_names": ["chain", "draw", "at"]}}'
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as into:
        into.writestr("zarr.json", '{"zarr_format": 3, "node_type": "group"}')
        into.writestr("posterior/theta/zarr.json", meta)
        for chain, one in enumerate(draws):
            into.writestr(f"posterior/theta/c/{chain}/0/0", bytes(pa.compress(one.tobytes(), "zstd", asbytes=True)))
    return [File("draws.zip", made.getvalue())]


def processor_seconds(files: list[File]) -> float:
    """Return the processor time of reading files, with that of other processes: it waits for nothing."""
    drawn(chains_of(files), Picked())
    before = sum(os.times()[:4])
    drawn(chains_of(files), Picked())
    return sum(os.times()[:4]) - before


def grown_by(files: list[File]) -> float:
    """Return the MB by which the memory of another process peaks while it reads files."""
    child = os.fork()
    if not child:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        drawn(chains_of(files), Picked())
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os._exit(min(255, grown // 4_096))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) * 4_096 / 1e3


def rows() -> Iterator[Row]:
    draws = theta()
    for kind, make in (
        ("CmdStan’s CSV", as_cmdstan),
        ("Parquet", as_parquet),
        ("NetCDF", as_netcdf),
        ("Zarr", as_zarr),
    ):
        files = make(draws)
        whole = sum(len(file.content) for file in files) / 1e6
        yield Row(f"{kind}: 10 chains, 10,000 draws, 200 parameters, {whole:.0f} MB", processor_seconds(files), LIMIT)
        yield Row(f"{kind}: memory beside the file, at its peak", grown_by(files), unit="MB")
    yield from of_the_film(draws)


def of_the_film(draws: np.ndarray) -> Iterator[Row]:
    """Yield how long the film of all draws takes to open, and to come to its end."""
    data = OwnDraws(
        ("theta[1]", "theta[2]"), draws[:, :, :2].copy(), np.zeros(draws.shape[:2], np.uint8), 0, marked=True
    )
    settings, stage = STAGES["walk_the_hill"](data="own", own=keep_own(data)), stage_of("walk_the_hill")
    opened = median_seconds(lambda: brought_film(BroughtScene(settings, "", (), settings.shown())).packed(0, 10), 3)
    yield Row("the film of 100,000 draws: opened, once its data are there", opened, 0.1)
    film = stage.film(settings, 0)
    yield Row("what a browser fetches first, kB", size(sent(film)), unit="")
    began = time.process_time()
    while film.made(MOST_DRAWS) < MOST_DRAWS:
        pass
    yield Row("all diagnostics along the run", time.process_time() - began)
    yield Row("all of its frames", len(film.packed(0, MOST_DRAWS + 1)) / 1e6, unit="MB")
