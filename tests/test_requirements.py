"""Installed packages are locked by version and hash, as the lists ask, and without the name of a machine."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PIN = re.compile(r"(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)*)")
REMEDY = "run: make lock"


def lines(name: str) -> list[str]:
    return [line for line in (ROOT / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]


def pins(name: str) -> list[tuple[str, str, str]]:
    """Return name, version and the rest of each entry."""
    found = PIN.findall((ROOT / name).read_text("utf-8"))
    return [(re.sub(r"[._]", "-", package.lower()), version, rest) for package, version, rest in found]


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_what_is_asked_for_is_locked_in_the_same_version(name):
    locked = {(package, version) for package, version, _ in pins(f"{name}.lock")}
    asked = {(package, version) for package, version, _ in pins(f"{name}.txt")}
    assert asked
    assert asked <= locked, REMEDY
    assert len(asked) == sum("==" in line for line in lines(f"{name}.txt"))


def test_nothing_is_locked_twice():
    apps, tests = ({package for package, _, _ in pins(f"{name}.lock")} for name in ("requirements", "requirements-dev"))
    assert apps & tests == set(), REMEDY


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-uv.lock"])
def test_every_line_is_a_version_with_hashes_and_names_no_place(name):
    entries = pins(name)
    assert all("--hash=sha256:" in rest for _, _, rest in entries)
    hashes = sum(rest.count("--hash=") for _, _, rest in entries)
    assert len(lines(name)) == len(entries) + hashes
    assert not re.search(r"https?:|file:|index-url|find-links|/", (ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", ["requirements-peers.txt", "requirements-peers-torch.txt"])
def test_every_peer_has_a_version_and_names_no_place(name):
    assert [line for line in lines(name) if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []


def test_packages_of_javascript_are_locked_and_name_no_place():
    asked, lock = (json.loads((ROOT / name).read_text("utf-8")) for name in ("package.json", "package-lock.json"))
    packages = {name.removeprefix("node_modules/"): package for name, package in lock["packages"].items() if name}
    assert {name: packages[name]["version"] for name in asked["devDependencies"]} == asked["devDependencies"], REMEDY
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values()), REMEDY
