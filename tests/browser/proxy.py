"""The app behind nginx, below a path, in one process or in several; the bench measures it so too."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.browser.driver import ROOT, Server, free_port, serve, wait_until_healthy

REMEDY = "no nginx found; install it with: apt-get install nginx-light"
# The files of nginx lie in a folder; what it serves, and how, is the configuration that the README of deploy/ tells of.
CONFIGURATION = """
daemon off; user root; pid {here}/pid; error_log {here}/error.log;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/f;
  uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;
  {site}
}}
"""


def site(here: Path, port: int, redirects: int, processes: str) -> str:
    """Return deploy/nginx.conf for this machine: at other ports, in front of these processes, without TLS."""
    text = (ROOT / "deploy/nginx.conf").read_text("utf-8")
    for old, new in (
        (r"listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        (r"listen 80;", f"listen 127.0.0.1:{redirects};"),
        (r"ssl_certificate.*;", ""),
        (r"/var/cache/samplescope", f"{here}/frames"),
        (r"server 127\.0\.0\.1:8501;", processes),
    ):
        text, found = re.subn(old, new, text)
        assert found, f"deploy/nginx.conf has no {old}"
    return text


def nginx() -> str | None:
    """Return where nginx is."""
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


@contextmanager
def behind_nginx(here: Path, processes: int = 1) -> Iterator[Server]:
    """Run the app below a path of nginx, whose files lie in a folder."""
    port = free_port()
    with ExitStack() as stack:
        servers = [stack.enter_context(serve(base="course")) for _ in range(processes)]
        ports = [server.url.rpartition(":")[2].partition("/")[0] for server in servers]
        named = " ".join(f"server 127.0.0.1:{one};" for one in ports)
        text = CONFIGURATION.format(here=here, site=site(here, port, free_port(), named))
        (here / "nginx.conf").write_text(text)
        proxy = subprocess.Popen([nginx() or "nginx", "-c", here / "nginx.conf", "-p", here, "-e", here / "error.log"])
        url = f"http://127.0.0.1:{port}/course"
        try:
            wait_until_healthy(url, proxy)
            yield Server(url, tuple(pid for server in servers for pid in server.pids))
        finally:
            proxy.terminate()
            proxy.wait()
