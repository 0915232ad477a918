"""Ways to serve the app: whom `make run` lets in, the health check, one machine for a department, and a cluster."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

ROOT = Path(__file__).parent.parent


@pytest.fixture
def port() -> Iterator[int]:
    """Return the port of a server that is well below the path /course."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/course/_stcore/health" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def health(port: int, base: str) -> subprocess.CompletedProcess:
    variables = {"STREAMLIT_SERVER_PORT": str(port), "STREAMLIT_SERVER_BASE_URL_PATH": base}
    check = [sys.executable, ROOT / "deploy/health.py"]
    return subprocess.run(check, env={**os.environ, **variables}, capture_output=True, text=True, check=False)


def test_the_health_check_tells_who_answers(port):
    assert health(port, "/course/").returncode == 0
    assert health(port, "").returncode == 1
    nobody = health(1, "course")
    assert nobody.returncode == 1
    assert nobody.stderr.startswith("no answer: ")


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    ("asked", "address"), [((), "localhost"), (("HOST=0.0.0.0",), "0.0.0.0"), (("LESSONS=../mine",), "localhost")]
)
def test_make_run_serves_this_machine_alone_unless_asked(asked, address):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")} | {
        "HOST": "elsewhere"
    }
    said = subprocess.run(
        ["make", "-n", "run", *asked], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines()[-1].endswith(f"streamlit run app.py --server.address {address}")


def test_the_container_gets_what_it_needs_and_no_more():
    kept = {
        line[1:]
        for line in (ROOT / "deploy/Dockerfile.dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    assert kept == {
        "app.py",
        "requirements/app.lock",
        "LICENSE",
        "deploy/health.py",
        ".streamlit",
        "lessons",
        "pages",
        "samplers",
    }
    assert all((ROOT / path).exists() for path in kept)


VARIABLES = {*re.findall(r"^\| `(\w+)` \|", (ROOT / "deploy/README.md").read_text("utf-8"), re.M)}


def proxy_at(services: dict) -> str:
    return services["nginx"]["networks"]["default"]["ipv4_address"]


def test_compose_puts_every_process_behind_nginx(tmp_path):
    services = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["services"]
    apps = [service for name, service in services.items() if name.startswith("app")]
    addresses = [app["networks"]["default"]["ipv4_address"] for app in apps]
    assert len(addresses) > 1
    assert {name for app in apps for name in app["environment"]} <= VARIABLES
    assert {app["environment"]["FORWARDED_ALLOW_IPS"] for app in apps} == {proxy_at(services)}
    assert all(":${REDIS_PASSWORD" in app["environment"]["SAMPLESCOPE_STORE"] for app in apps)
    assert "--requirepass" in services["redis"]["command"]
    proxy = services["nginx"]
    command = proxy["command"][-1].partition("&& exec")[0].replace("$$", "$")
    for inside, here in (
        ("/site.conf", ROOT / "deploy/nginx.conf"),
        ("/etc/nginx/conf.d/default.conf", tmp_path / "site"),
    ):
        command = command.replace(inside, str(here))
    variables = {"PATH": os.environ["PATH"], "APPS": proxy["environment"]["APPS"], "NAME": "stats.example.org"}
    subprocess.run(["sh", "-c", command], env=variables, check=True)
    site = (tmp_path / "site").read_text()
    assert re.findall(r"server (\d[\d.]+):8501;", site) == addresses
    assert "ssl_certificate /certificate/fullchain.pem;" in site
    assert "server_name stats.example.org;" in site
    assert "samplescope.example.edu" not in site


def test_the_cluster_finds_what_it_names():
    parts = [*yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text("utf-8"))]
    of = {(part["kind"], part["metadata"]["name"]): part["spec"] for part in parts}
    pods = {
        name: of[kind, name]["template"]
        for kind, name in (("Deployment", "samplescope"), ("StatefulSet", "samplescope-redis"))
    }
    for name, pod in pods.items():
        (container,) = pod["spec"]["containers"]
        service = of["Service", name]
        assert service["selector"] == pod["metadata"]["labels"]
        assert [port["targetPort"] for port in service["ports"]] == [port["name"] for port in container["ports"]]
    (app,) = pods["samplescope"]["spec"]["containers"]
    variables = {one["name"]: one["value"] for one in app["env"] if "value" in one}
    assert variables.keys() <= VARIABLES
    assert variables["SAMPLESCOPE_STORE"].startswith("redis://:$(REDIS_PASSWORD)@samplescope-redis:6379")
    (redis,) = pods["samplescope-redis"]["spec"]["containers"]
    secrets = [one["valueFrom"]["secretKeyRef"] for one in (*app["env"], *redis["env"]) if "valueFrom" in one]
    assert secrets == [{"name": "samplescope-redis", "key": "password"}] * 2
    let_in = of["NetworkPolicy", "samplescope-redis"]["ingress"][0]["from"]
    assert let_in == [{"podSelector": of["Deployment", "samplescope"]["selector"]}]
    probes = [app[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")]
    assert {*probes} == {f"/{variables['STREAMLIT_SERVER_BASE_URL_PATH']}/_stcore/health"}
    ((path,),) = (rule["http"]["paths"] for rule in of["Ingress", "samplescope"]["rules"])
    assert path["path"] == f"/{variables['STREAMLIT_SERVER_BASE_URL_PATH']}"
    assert path["backend"]["service"]["name"] == "samplescope"
    assert {mount["name"] for mount in app["volumeMounts"]} == {
        one["name"] for one in pods["samplescope"]["spec"]["volumes"]
    }


def test_the_workflow_publishes_the_folder_that_it_uploads():
    found = yaml.safe_load((ROOT / "deploy/course/.github/workflows/pages.yaml").read_text("utf-8"))
    steps = found["jobs"]["publish"]["steps"]
    assert all({"uses", "run"} & step.keys() for step in steps)
    (command,) = (step["run"] for step in steps if "pages.publish" in step.get("run", ""))
    assert re.fullmatch(r"python -m pages\.publish \S+course\.yaml --out \.\./course", command)
    assert [step["with"]["path"] for step in steps if "upload-pages" in step.get("uses", "")] == ["course"]


def test_the_template_of_a_course_checks_without_a_warning():
    command = [sys.executable, "-m", "lessons", "check", "deploy/course"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("1 lesson, 1 course, no problems\n"), done.stdout


def test_the_paper_cites_what_is_in_its_list_and_no_more():
    paper, listed = ((ROOT / "deploy/paper" / name).read_text("utf-8") for name in ("paper.md", "paper.bib"))
    cited = {*re.findall(r"@([a-z]+\d*)", paper.split("\n---\n")[1])}
    assert cited == {*re.findall(r"^@\w+\{(\w+),", listed, re.M)}


def test_the_report_on_accessibility_has_each_criterion_once_and_tests_that_are_there():
    text = (ROOT / "deploy/ACCESSIBILITY.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d\.\d\.\d+.*?) [A-Z]\w.*?\| (.+?) \|", text, re.M)
    assert {word for _, word in rows} <= {"supports", "partially", "not applicable", "not evaluated"}
    numbers = [number for row, _ in rows for number in _spread(row)]
    assert len(numbers) == len({*numbers}) == 55  # 2.2 has 31 criteria of level A, without 4.1.1, and 24 of level AA
    assert [path for path in re.findall(r"`(tests/[\w/.]+)`", text) if not (ROOT / path).exists()] == []


def _spread(row: str) -> list[str]:
    """Return the criteria of a row, such as 3.2.1 and 3.2.2, or those from 1.2.1 to 1.2.3."""
    numbers = re.findall(r"\d\.\d\.\d+", row)
    if " to " not in row:
        return numbers
    start, end = (int(number.rpartition(".")[2]) for number in numbers)
    return [f"{numbers[0][:4]}{number}" for number in range(start, end + 1)]


def test_every_image_of_others_is_named_by_its_digest():
    text = "".join(
        (ROOT / "deploy" / name).read_text("utf-8") for name in ("Dockerfile", "compose.yaml", "kubernetes.yaml")
    )
    images = re.findall(r"(?:\bimage: |^ARG PYTHON=)((?:python|redis|nginx):\S+)", text, re.MULTILINE)
    assert len(images) == 4
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in images)


DOCKER = """#!/bin/sh
[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo "sha256:$(printf %s "$4" | sha256sum | cut -c1-64)"
"""


def test_images_are_pinned_to_the_digests_that_their_tags_have(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/docker").write_text(DOCKER)
    (tmp_path / "bin/docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    files = ["deploy/Dockerfile", "deploy/compose.yaml", "deploy/kubernetes.yaml", "deploy/pin.py"]
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    for _ in range(2):  # a digest gives way to a new one
        subprocess.run([sys.executable, tmp_path / "deploy/pin.py"], check=True)
        text = "".join((tmp_path / name).read_text("utf-8") for name in files[:3])
        found = re.findall(r"([a-z]+:[\w.-]+)@sha256:([0-9a-f]{64})\b", text)
        assert {tag.partition(":")[0] for tag, _ in found} == {"python", "redis", "nginx"}
        assert all(digest == hashlib.sha256(tag.encode()).hexdigest() for tag, digest in found)
        assert text.count("@sha256:") == len(found)


def test_the_container_runs_read_only_without_pip():
    last = (ROOT / "deploy/Dockerfile").read_text("utf-8").split("\nFROM ")[-1]
    assert "pip uninstall --yes pip" in last
    assert "pip install" not in last
    assert "--read-only" in (ROOT / "deploy/README.md").read_text("utf-8")
    services = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text("utf-8"))["services"]
    apps = [service for name, service in services.items() if name.startswith("app")]
    assert all(app["read_only"] and "cache:/app/.cache" in app["volumes"] for app in apps)
