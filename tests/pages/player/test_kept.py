"""Names of what caches keep."""

from itertools import combinations

import numpy as np

from pages.player.kept import digest_of


def test_arrays_have_one_name_only_if_they_are_the_same_in_shape_type_and_content():
    column = np.arange(4.0)
    others = [
        (column,),
        (column[:, None],),
        (column.reshape(2, 2),),
        (column.reshape(2, 2).T,),
        (column.astype(np.float32),),
        (column[:2], column[2:]),
        (column, column),
        (column + 1,),
    ]
    names = [digest_of(*arrays) for arrays in others]
    assert all(one != other for one, other in combinations(names, 2))
    assert digest_of(column.copy()) == digest_of(column)
    assert {len(name) for name in names} == {32}, "128 bits"
