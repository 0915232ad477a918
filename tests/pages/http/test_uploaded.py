"""The room for a session's files: what the environment says, or else what a server for many can give."""

import pytest

from pages.http.uploaded import UPLOADS, USUAL, of_session


@pytest.mark.parametrize(("said", "room"), [("250", 250), ("", USUAL), ("0", USUAL), ("a lot", USUAL), ("-1", USUAL)])
def test_the_environment_says_how_much_room_there_is(monkeypatch, said, room):
    monkeypatch.setenv(UPLOADS, said)
    assert of_session() == room
