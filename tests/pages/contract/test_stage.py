"""A stage is held to what it offers when its class is made."""

import pytest

from pages.contract.stage import Stage


@pytest.mark.parametrize(
    ("said", "needed"),
    [
        ({"opens": ("row",)}, "open"),
        ({"levels": lambda *_: ("Sweep", "Beat")}, "zoom"),
        ({"follows": lambda *_: True}, "touched"),
    ],
)
def test_a_stage_that_offers_what_it_cannot_do_is_no_stage(said, needed):
    known = {*Stage.by_name}
    with pytest.raises(TypeError, match=f"needs a method `{needed}`"):
        type("Half", (Stage,), said)
    assert {*Stage.by_name} == known
