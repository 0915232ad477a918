"""Pages of lessons as scripts: frames beyond the one that a step opens with are the player's tests' affair."""

import pytest

from pages.player import player


@pytest.fixture(autouse=True)
def few_frames_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages make few frames that nobody looks at."""
    monkeypatch.setattr(player, "BATCH", 5)
