"""Options of Streamlit that the app depends on."""

import tomllib
from pathlib import Path

from lessons.data import csv_text, messages
from tests.browser.driver import command

ROOT = Path(__file__).parents[2]
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))


def test_no_full_collection_after_every_run():
    assert CONFIG["runner"]["postScriptGC"] is False


def test_one_run_of_a_page_comes_after_another():
    assert CONFIG["runner"]["fastReruns"] is False


def test_a_browser_still_has_the_large_elements_that_it_named_some_runs_ago():
    assert CONFIG["global"]["maxCachedMessageAge"] >= 20


def test_a_learner_never_sees_a_traceback():
    assert CONFIG["client"]["showErrorDetails"] == "none"


def test_nothing_is_reported_to_others():
    assert CONFIG["browser"]["gatherUsageStats"] is False


def test_the_first_start_on_a_machine_waits_for_no_answer():
    assert CONFIG["server"]["showEmailPrompt"] is False


def test_no_file_is_taken_that_is_too_large_to_be_read():
    assert CONFIG["server"]["maxUploadSize"] == max(csv_text.LARGEST_FILE, messages.LARGEST_FILE) / 1e6


def test_no_module_is_looked_at_after_every_run():
    assert CONFIG["server"]["fileWatcherType"] == "none"


def test_tests_and_benches_start_the_app_as_make_run_does():
    run = next(line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "/streamlit run" in line)
    _, _, *ours = command(8501, "course")
    assert " ".join(ours[:3]) == "streamlit run app.py"
    assert "streamlit run app.py" in run
    assert {option.partition("=")[0] for option in ours[3:]} == {  # where it is served, and no browser that opens
        "--server.headless",
        "--server.port",
        "--server.address",
        "--server.baseUrlPath",
    }
    assert set(run.split("app.py")[1].split()[::2]) == {"--server.address"}
