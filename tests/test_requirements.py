"""Installed packages are locked by version and hash, as the lists ask, and without the name of a machine."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PIN = re.compile(r"(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*(?:\n    --hash=sha256:[0-9a-f]{64}.*)*)")
IMPORT = re.compile(r"(?m)^\s*(?:from|import) ([a-z_][\w.]*)(?: import|$| as)")
REMEDY = "run: make lock"


def lines(name: str) -> list[str]:
    return [line for line in (ROOT / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]


def pins(name: str) -> list[tuple[str, str, str]]:
    """Return name, version and the rest of each entry."""
    found = PIN.findall((ROOT / name).read_text("utf-8"))
    return [(re.sub(r"[._]", "-", package.lower()), version, rest) for package, version, rest in found]


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPS = PROJECT["dependency-groups"]


def asked_for(group: str) -> set[tuple[str, str]]:
    """Return name and version of what a group asks for, without the groups that it includes."""
    listed = "\n".join(line for line in GROUPS[group] if isinstance(line, str))
    found = {(re.sub(r"[._]", "-", package.lower()), version) for package, version, _ in PIN.findall(listed)}
    assert len(found) == len(listed.splitlines()), "every package has one version"
    return found


def locked(name: str) -> set[tuple[str, str]]:
    return {(package, version) for package, version, _ in pins(name)}


def test_what_is_asked_for_is_locked_in_the_same_version():
    assert asked_for("app") == locked("requirements.txt"), REMEDY
    assert asked_for("app") <= locked("requirements/app.lock"), REMEDY
    assert asked_for("dev") <= locked("requirements/dev.lock"), REMEDY


def test_nothing_is_locked_twice():
    apps, tests = ({package for package, _ in locked(f"requirements/{name}.lock")} for name in ("app", "dev"))
    assert apps & tests == set(), REMEDY


def test_the_samplers_ask_for_what_they_import_in_a_version_that_is_tested():
    imported = (
        {
            name.partition(".")[0]
            for path in (ROOT / "samplers").rglob("*.py")
            for name in IMPORT.findall(path.read_text("utf-8"))
        }
        - sys.stdlib_module_names
        - {"samplers"}
    )
    project = tomllib.loads((ROOT / "samplers/pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == PROJECT["project"]["version"]
    asked = {re.split(r"\W*>=", line)[0].replace("-", "_") for line in project["dependencies"]}
    extra = {line for lines in project["optional-dependencies"].values() for line in lines}
    assert imported == asked | {line.split(">=")[0] for line in extra}


def test_the_package_of_the_app_asks_for_what_the_checkout_has_and_takes_its_versions():
    listed = PROJECT["project"]["dependencies"]
    asked = {Requirement(line).name.lower(): Requirement(line).specifier for line in listed}
    tested = dict(asked_for("app"))
    assert asked.keys() == tested.keys()
    assert [name for name, version in tested.items() if version not in asked[name]] == []


@pytest.mark.parametrize("name", ["requirements/app.lock", "requirements/dev.lock", "requirements/uv.lock"])
def test_every_line_is_a_version_with_hashes_and_names_no_place(name):
    entries = pins(name)
    assert all("--hash=sha256:" in rest for _, _, rest in entries)
    hashes = sum(rest.count("--hash=") for _, _, rest in entries)
    assert len(lines(name)) == len(entries) + hashes
    assert not re.search(r"https?:|file:|index-url|find-links|/", (ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", ["peers", "peers-torch"])
def test_every_peer_has_a_version_and_names_no_place(name):
    assert [line for line in GROUPS[name] if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []


def test_packages_of_javascript_are_locked_and_name_no_place():
    asked, lock = (json.loads((ROOT / name).read_text("utf-8")) for name in ("package.json", "package-lock.json"))
    packages = {name.removeprefix("node_modules/"): package for name, package in lock["packages"].items() if name}
    assert {name: packages[name]["version"] for name in asked["devDependencies"]} == asked["devDependencies"], REMEDY
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values()), REMEDY
