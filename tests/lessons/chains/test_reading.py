"""Chains in every form that is read: the same draws come from each, and what cannot be read says why."""

import h5py
import numpy as np
import pyarrow as pa
import pytest

from lessons.chains.blosc import lz4, unpacked
from lessons.chains.chains import Chains, chains_of
from lessons.chains.source import File
from lessons.data.csv_text import OwnDataError
from lessons.own.draws import CHAINS as TAKING
from lessons.own.draws import Picked, drawn
from lessons.own.taking import Choice
from tests.lessons.chains import files
from tests.pages.server.asking import ask

ALL = [0, 1, 2]
FORMS = {
    "CmdStan": [files.cmdstan(chain) for chain in ALL],
    "CmdStan in a zip": [files.zipped({f"run/out_{chain}.csv": files.cmdstan(chain) for chain in ALL})],
    "R's data frame": [files.table()],
    "with semicolons and decimal commas": [files.table(";", ",")],
    "with tabs": [files.table("\t", chain="chain__")],
    "Parquet": [files.as_parquet()],
    "NetCDF 4": [files.netcdf()],
    "NetCDF 3": [files.classic()],
    "Zarr 2": [files.zarr_of(2)],
    "Zarr 3": [files.zarr_of(3)],
}


def read(*contents: bytes) -> Chains:
    return chains_of([File(f"file {number}", content) for number, content in enumerate(contents, 1)])


def why(*contents: bytes, columns: tuple[str, ...] = ()) -> str:
    """Return why files cannot be read."""
    with pytest.raises(OwnDataError) as error:
        drawn(read(*contents), Picked(columns))
    return str(error.value)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_draws(form):
    chains = read(*FORMS[form])
    assert {*chains.names} >= {"mu", "theta[1]", "theta[2]", "lp__"}
    found = chains.draws(("theta[2]", "mu", "theta[1]", "lp__"))
    expected = np.stack([files.THETA[:, :, 1], files.MU, files.THETA[:, :, 0], files.DENSITY], axis=2)
    np.testing.assert_allclose(found.values, expected, rtol=1e-6)
    np.testing.assert_array_equal(found.divergent, files.DIVERGENT)
    assert (found.warmup, found.notes) == (0, ())


def test_our_own_draws_are_read_again():
    reply = ask("walk_the_hill/take", t=20, seed=5, method="NUTS", layout="two chains", **{"as": "nc"})
    table = ask("walk_the_hill/take", t=20, seed=5, method="NUTS", layout="two chains", **{"as": "csv"})
    first, second = (drawn(read(one.body), Picked()).data for one in (reply, table))
    assert first.values.shape == (2, 20, 2)
    np.testing.assert_allclose(first.values, second.values)


# ---- what is guessed, and what is said -------------------------------------------------------------------------------


def test_a_saved_warm_up_is_known_and_can_be_changed():
    chains = read(*(files.cmdstan(chain, saved=files.WARM) for chain in ALL))
    data, notes = drawn(chains, Picked())
    assert (data.warmup, data.values.shape) == (4, (3, 16, 2))
    assert "4 rows of each are warm-up: drawn, and not counted." in notes
    assert drawn(chains, Picked(warmup=0)).data.warmup == 0
    assert drawn(chains, Picked(warmup=9)).notes[0] == "3 chains of 7 draws, from CmdStan’s CSV."
    with_groups = drawn(read(files.netcdf(warm=True)), Picked(("mu", "theta[1]"))).data
    assert with_groups.warmup == files.WARM
    np.testing.assert_allclose(with_groups.values[:, : files.WARM, 0], files.MU[:, : files.WARM])


def test_two_parameters_are_guessed_and_the_vector_of_the_first_comes_along():
    chains = read(files.cmdstan(0))
    assert drawn(chains, Picked()).data.names == ("mu", "theta[1]")
    data = drawn(chains, Picked(("theta[2]", "mu"))).data
    assert (data.names, data.family) == (("theta[2]", "mu", "theta[1]"), (2, 0))
    assert drawn(read(b"a,lp__\n1,2\n2,1\n3,1\n4,0\n"), Picked()).data.names == ("a", "lp__")


def test_chains_one_after_the_other_are_parted_where_that_is_said():
    rows = "a,b\n" + "".join(f"{n},{n * n}\n" for n in range(12))
    chains = read(rows.encode())
    assert drawn(chains, Picked()).data.chains == 1
    data = drawn(chains, Picked(split=2)).data
    np.testing.assert_array_equal(data.values[:, 0, 0], [0, 6])


def test_what_was_left_out_is_said():
    head, rows = "chain,a,b\n", "".join(f"{chain},{n},{n % 3}\n" for chain in range(12) for n in range(6))
    ragged = head + rows.replace("\n3,2,2\n", "\n3,2\n")
    _, notes = drawn(read(ragged.encode()), Picked())
    assert "1 row with more or fewer cells than the names was left out: below the names, row 21." in notes
    assert "Of 12 chains the first 10 are shown." in notes
    assert "The chains have 5 to 6 draws: of each the first 5 are shown." in notes
    long = "a,b\n" + "1,2\n2,1\n" * 10_100
    _, notes = drawn(read(long.encode()), Picked())
    assert notes == (
        "1 chain of 6,734 draws, from a table.",
        "The files do not say which draws diverged.",
        "Of 20,200 draws in a chain every third is shown.",
    )


def test_a_draw_without_a_number_is_said():
    _, notes = drawn(read(b"a,b\n1,2\nnan,3\n2,inf\n3,1\n"), Picked())
    assert notes[-2:] == (
        "“a” has no number in 1 draw, where nothing is drawn.",
        "“b” has no number in 1 draw, where nothing is drawn.",
    )


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        ([b""], "file 1: The file is empty"),
        ([b"# a comment\n#\n"], "has comments alone"),
        ([b"1,2\n3,4\n"], "no names of columns. Put a row of names above"),
        ([b"a,b\n"], "no draw below the names"),
        ([b"a,b\n1,2\n2,3\n"], "A chain has 2 draws; at least 4 are needed."),
        ([b"a\n1\n2\n3\n4\n"], "There is one parameter, “a”, and no lp__"),
        ([b"a,b\n1,2\n1,3\n1,4\n1,5\n"], "“a” is 1 in every draw, so there is nothing to see."),
        ([b"a,b\n1,2\nx,3\n2,4\n3,5\n"], "“a” has “x”, which is no number."),
        ([b"name,why\nx,y\n"], "No column of it is a parameter with numbers"),
        ([b"a,b\n1\n2\n3\n4\n"], "have more or fewer cells than the 2 of the names"),
        ([files.cmdstan(0).replace(b"method = sample", b"method = optimize")], "whose rows are no chain"),
        ([files.cmdstan(0), b"a,b\n1,2\n2,3\n3,4\n4,4\n"], "have no parameter in common: the first has “mu”"),
        ([b"PK\x03\x04broken"], "The archive cannot be read"),
        ([files.zipped({"a.txt.exe": b"1"})], "The archive holds no file of draws"),
        ([files.zipped({"in.zip.csv": files.zipped({"a.csv": b"1"})})], "an archive in an archive"),
        ([files.zipped({"[Content_Types].xml": b""})], "a workbook or a document"),
        ([b"\x89HDF\r\n\x1a\nbroken"], "The NetCDF file cannot be read"),
        ([b"CDF\x01broken"], "The NetCDF file cannot be read"),
        ([b"PAR1broken"], "The Parquet file cannot be read"),
        ([b"%PDF-1.4"], "this is a PDF document"),
        ([b"a,b\n1,2\n"] * 41, "There are 41 files; at most 40"),
        ([], "There is no file."),
    ],
)
def test_why_a_file_cannot_be_read_is_said(contents, said):
    assert said in why(*contents)


def test_a_parameter_that_is_not_there_is_named():
    with pytest.raises(OwnDataError, match="There is no column “nu”; there are “mu”"):
        TAKING.take(files.cmdstan(0), "a.csv", Choice(columns=("nu", "mu")))
    assert "Two different parameters make a plane" in why(files.cmdstan(0), columns=("mu", "mu"))
    assert TAKING.columns(files.cmdstan(0), "a.csv") == ("mu", "theta[1]", "theta[2]", "lp__")


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_what_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("lessons.chains.opening.LARGEST", 10_000)
    assert "unpacks to more than" in why(files.zipped({"a.csv": b"a,b\n" + b"1,2\n" * 10_000}))
    assert "MB together" in why(b"a,b\n" * 3_000)


def test_a_frame_of_blosc_that_promises_another_size_is_refused():
    raw = np.arange(40.0).tobytes()
    frame = files.blosc(raw)
    assert unpacked(frame, len(raw)) == raw
    for wrong in (frame[:10], frame[:-9], frame.replace(frame[4:8], b"\xff\xff\xff\x7f", 1)):
        with pytest.raises((ValueError, OSError)):
            unpacked(wrong, len(raw))
    packed = bytes(pa.compress(raw, "lz4_raw", asbytes=True))
    assert lz4(packed, len(raw)) == raw
    with pytest.raises(ValueError, match="cut off"):
        lz4(packed, len(raw) + 8)


def test_a_file_of_hdf5_may_lead_to_no_other_file(tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(np.arange(24.0).tobytes())
    path = tmp_path / "draws.nc"
    with h5py.File(path, "w") as file:
        group = file.create_group("posterior")
        group.create_dataset("stolen", (2, 6), "<f8", external=[(str(secret), 0, 96)])
        group["linked"] = h5py.ExternalLink(str(secret), "/a")
        for name in "ab":
            group.create_dataset(name, data=np.arange(12.0).reshape(2, 6) % 5)
    assert read(path.read_bytes()).names == ("a", "b")
