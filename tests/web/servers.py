"""Requests to servers of the web app, and servers of their own processes, which can be killed."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import requests

from documents import ANN, BEN, FIRST, SECOND


class Client:
    """Requests to a server, without following where it leads."""

    def __init__(self, url: str) -> None:
        self.url, self.session = url, requests.Session()
        self.session.trust_env = False

    def __call__(self, method: str, path: str, **how: Any) -> requests.Response:
        how.setdefault("timeout", 60)
        return self.session.request(method, path if path.startswith("http") else self.url + path, **how)

    def compare(self, **given: Any) -> requests.Response:
        """Post the form, and wait for what it gives."""
        answer = self("POST", "/", headers={"Accept": "text/html"}, **given)
        while "Comparing" in answer.text:
            time.sleep(0.1)
            answer = self("GET", answer.url, headers={"Accept": "text/html"})
        return answer

    def pairs(self) -> dict[str, int]:
        """Wait until the pairs are compared; return their numbers by name."""
        while "Comparing" in (page := self("GET", "/").text):
            time.sleep(0.1)
        links = [part.split("</a>")[0] for part in page.split('<a href="/pairs/')[1:]]
        return {name: int(number) for number, name in (link.split('/">') for link in links)}

    def decide(self, pair: int, row: str, replaces: dict[str, str] | None = None, **new: str) -> requests.Response:
        return self("PUT", f"/pairs/{pair}/rows/{row}", json={**new, "replaces": replaces or {}})


class Process(Client):
    """A server of its own process."""

    def __init__(self, *arguments: object, **env: str) -> None:
        port = [] if "--port" in arguments else ["--port", "0"]
        command = [sys.executable, "-m", "aifgraph", "serve", *map(str, arguments), *port]
        how: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": {**os.environ, **env}}
        self.process = subprocess.Popen(command, **how)
        assert self.process.stdout
        super().__init__(self.process.stdout.readline().strip().rstrip("/"))
        assert self.url, self.process.communicate()[1]

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def close(self) -> str:
        """End it, and return what it has logged."""
        self.process.terminate()
        return str(self.process.communicate(timeout=20)[1])


def make_corpora(folder: Path) -> tuple[Path, Path]:
    """Make two corpora of four pairs."""
    for corpus, debate in ((ANN, FIRST), (BEN, SECOND)):
        shutil.copytree(corpus, folder / corpus.name)
        shutil.copy(debate, folder / corpus.name / "debate.json")
    return folder / "ann", folder / "ben"
