"""Points drawn from the model, beside the data: a set for each sweep, with the tables and dishes that made it."""

import numpy as np

from pages.contract.columns import Columns
from pages.scenes.points.model import PARAMETERS, SHOWN, rows_of
from pages.scenes.points.pictures import REPLICA
from pages.scenes.points.scene import MixtureScene

FIELDS = ("x", "y", "label")


def replica_columns(scene: MixtureScene, start: int, stop: int, heights: np.ndarray) -> tuple[Columns, np.ndarray]:
    """Return the columns of the drawn points of sweeps from `start` and below `stop`, and their dishes.

    Parameters
    ----------
    scene : MixtureScene
        With a replica.
    start, stop : int
        Sweeps that are there.
    heights : numpy.ndarray
        Where points on a line lie, shape (N,), as in the picture of the data.

    Returns
    -------
    columns : dict
        Of points and captions.
    dishes : numpy.ndarray
        As `PointsRun.clusters`, shape (stop - start, SHOWN, PARAMETERS).
    """
    assert scene.replica is not None
    count, (x, y) = len(scene.data), scene.domains
    points = np.empty((stop - start, count, 3), np.float32)
    dishes = np.full((stop - start, SHOWN, PARAMETERS), np.nan, np.float32)
    say = np.empty((stop - start, 2), np.int16)
    for row, sweep in enumerate(range(start, stop)):
        new = scene.replica(sweep)
        points[row] = np.column_stack([new.points[:, 0], heights if scene.flat else new.points[:, 1], new.labels])
        sizes = {table: int((new.labels == table).sum()) for table in new.dishes}
        dishes[row] = rows_of(new.dishes, sizes, count)
        inside = np.ones(count, bool)
        for ends, values in zip((x, y), new.points.T, strict=False):
            inside &= (ends[0] <= values) & (values <= ends[1])
        say[row] = len(new.dishes), count - inside.sum()
    columns: Columns = {(f"points_{REPLICA}", field): points[:, :, i] for i, field in enumerate(FIELDS)}
    said = {("say", f"{name}_{REPLICA}"): say[:, i] for i, name in enumerate(("tables", "outside"))}
    return columns | said, dishes
