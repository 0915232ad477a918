"""The app behind nginx, below a path, in one process or in several; the bench measures it so too."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.browser.driver import Server, free_port, serve, wait_until_healthy

REMEDY = "no nginx found; install it with: apt-get install nginx-light"
# A browser stays with one process: it has a cookie from its first visit on. The README tells why.
CONFIGURATION = """
daemon off; pid {here}/pid; error_log {here}/error.log;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_max_body_size 20m;
  client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/f;
  uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;
  map $cookie_samplescope $browser {{ "" $request_id; default $cookie_samplescope; }}
  map $cookie_samplescope $new {{ "" "samplescope=$request_id; Path=/; HttpOnly; SameSite=Lax"; default ""; }}
  map $http_upgrade $upgraded {{ "" ""; default upgrade; }}
  upstream samplescope {{ hash $browser consistent; {processes} keepalive 32; }}
  server {{
    listen 127.0.0.1:{port};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $upgraded;
    location /course/ {{
      proxy_pass http://samplescope;
      add_header Set-Cookie $new;
    }}
    location /course/play/ {{ proxy_pass http://samplescope; }}
  }}
}}
"""


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
        (here / "nginx.conf").write_text(CONFIGURATION.format(here=here, port=port, processes=named))
        proxy = subprocess.Popen([nginx() or "nginx", "-c", here / "nginx.conf", "-p", here, "-e", here / "error.log"])
        url = f"http://127.0.0.1:{port}/course"
        try:
            wait_until_healthy(url, proxy)
            yield Server(url, tuple(pid for server in servers for pid in server.pids))
        finally:
            proxy.terminate()
            proxy.wait()
