"""The addresses of the web app: a form and results, and the decisions about two corpora."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from os import scandir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Depends, FastAPI, Form, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from aifgraph.adjudication.decisions import FILLED_IN, ChangedError, decide_row, progress_of, rows_of
from aifgraph.errors import AifgraphError, InputError
from aifgraph.files import LINES, new_file, unique_name
from aifgraph.formats import suffixes
from aifgraph.options import OPTIONS
from aifgraph.report.app.guard import Guard, RefusedError, error_answer
from aifgraph.report.app.jobs import Job, Jobs, Limits, Running, failure
from aifgraph.report.corpus_page import DOWNLOADS, measured
from aifgraph.report.html import environment, render_page, static


@dataclass
class Server:
    """What the addresses share; all paths are absolute.

    ``folders`` are those whose maps may be compared, by name; ``results`` keeps what is made (else nothing stays). With
    ``decisions``, the differences of ``corpora`` are decided, and ``by`` signs where a page has no name.
    """

    folders: dict[str, Path] = field(default_factory=dict)
    aifdb: bool = False
    results: Path | None = None
    limits: Limits = field(default_factory=Limits)
    decisions: Path | None = None
    corpora: tuple[str, ...] = ()
    pair_by: str = "name"
    by: str = ""
    jobs: Jobs = field(init=False)
    preparing: Running | None = None

    @asynccontextmanager
    async def lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        with TemporaryDirectory(prefix="aifgraph-") if not self.results else nullcontext(self.results) as folder:
            self.jobs = Jobs(Path(folder).resolve(), self.limits)
            if self.decisions:
                self.preparing = self.jobs.prepare()
                job = Job("decide", self.corpora, pair_by=self.pair_by, decisions=str(self.decisions))
                self.jobs.start(self.preparing, job)
            yield
            await self.jobs.close()

    def pairs(self) -> dict[int, dict[str, Any]]:
        """Return the pairs whose differences are decided, by number, once they are compared."""
        if not self.preparing:
            raise RefusedError(404, "this server keeps no decisions")
        if not self.preparing.finished:
            raise RefusedError(503, "the pairs are still being compared")
        return {pair["number"]: pair for pair in self.preparing.result()}

    async def source(self, running: Running, side: str, given: Sequence[UploadFile] | str) -> str:
        """Return the path, from the folder of a comparison, of what is given for a side.

        That is uploads, a path below the folders, which are linked there, or an address of AIFdb.
        """
        if not isinstance(given, str):
            return await _stored(running.folder, side, given)
        text = given.strip()
        name, _, rest = text.partition("/")
        folders = {"uploads": self.jobs.folder, **self.folders}
        if name not in folders and (address := aifdb_address(text)) and self.aifdb:
            return address
        try:
            folder = folders[name]
            path = (folder / rest).resolve(strict=True).relative_to(folder)
        except (KeyError, OSError, ValueError):  # ValueError: it leads out of the folder
            path = Path(".nothing")
        hidden = any(part.startswith(".") for part in path.parts) or (name == "uploads" and len(path.parts) < 2)
        if hidden or not ((found := folders[name] / path).is_file() or found.is_dir()):  # a pipe would never end
            what = f"there is no {text[:100]!r} below the folders of this server" if text else "nothing is given"
            asked = "" if self.aifdb or not aifdb_address(text) else ", and it was started without AIFdb"
            raise RefusedError(400, what + asked, side)
        # Beside nothing of our own: a folder may be called "pages".
        link = running.folder / "folders" / name
        if not link.is_symlink():
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(folder, target_is_directory=True)
        return str(Path("folders", name) / path)

    def places(self) -> list[str]:
        """List folders and maps to choose from, without reading a large folder to its end."""

        def inside(place: str, folder: Path, depth: int) -> Iterator[str]:
            yield place
            with scandir(folder) as entries:
                found = sorted(
                    islice((entry for entry in entries if not entry.name.startswith(".")), 100),
                    key=lambda entry: entry.name,
                )
            for entry in (entry for entry in found if not entry.is_symlink()):
                if entry.is_dir() and depth:
                    yield from inside(f"{place}/{entry.name}", Path(entry.path), depth - 1)
                elif entry.is_dir() or (entry.is_file() and entry.name.endswith((".json", ".zip"))):
                    yield f"{place}/{entry.name}"

        return [place for name, folder in self.folders.items() for place in islice(inside(name, folder, 1), 100)]


def aifdb_address(text: str) -> str:
    """Return what a number, a name or a pasted address of AIFdb stands for; empty for anything else.

    >>> aifdb_address("http://corpora.aifdb.org/US2016"), aifdb_address("www.aifdb.org/argview/10030?plus=on")
    ('aifdb:US2016', 'aifdb:10030')
    >>> aifdb_address("17940"), aifdb_address("aifdb:US2016"), aifdb_address("http://example.org/US2016")
    ('aifdb:17940', 'aifdb:US2016', '')
    """
    name = text.strip().removeprefix("aifdb:")
    if "/" in name:
        try:
            address = urlsplit(name if "//" in name else f"//{name}")
        except ValueError:
            return ""
        if not re.search(r"(^|\.)(aifdb|arg-tech)\.org$", address.hostname or ""):
            return ""
        words = [unquote(word) for word in re.split("[/=&?]", f"{address.path}?{address.query}") if word]
        name = next((word for word in words if word.isdecimal()), address.path.strip("/").rpartition("/")[2])
    return f"aifdb:{name}" if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.~ -]{0,99}", name) else ""


async def _stored(folder: Path, side: str, uploads: Sequence[UploadFile]) -> str:
    """Store uploads below a folder, and return the path there: of the file, or of the folder that several make."""
    (folder / side).mkdir()
    names: Counter[str] = Counter()
    times: Counter[tuple[str, str, str]] = Counter()
    stems: dict[tuple[str, str, int], str] = {}  # a map and its text, which come from one folder, keep one stem
    for upload in uploads:
        place, _, name = (upload.filename or "").replace("\\", "/").rpartition("/")
        stem = Path(name).stem
        head = await upload.read(4)
        await upload.seek(0)
        suffix = ".zip" if head == b"PK\3\4" else Path(name).suffix.lower()
        suffix = suffix if suffix in (".zip", ".txt", *LINES, *suffixes("read")) else ".json"
        times[place, stem, suffix] += 1
        use = place, stem, times[place, stem, suffix]
        if use not in stems:
            stems[use] = unique_name(names, stem)
        path = Path(side, stems[use] + suffix)
        with (folder / path).open("wb") as file:
            await asyncio.to_thread(shutil.copyfileobj, upload.file, file)
    return str(path) if len(uploads) == 1 else side


async def _server(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


Here = Annotated[Server, Depends(_server)]
pages = APIRouter()


def show(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    script = static("tables.js" if template == "decisions" else "app.js")
    return HTMLResponse(render_page(f"app/{template}.html.j2", script=script, connects=True, **values), status)


def show_form(
    server: Server, given: dict[str, str], error: RefusedError | None = None, *, again: bool = False
) -> Response:
    take_long = ("chance", "seed")
    options = {name: option for name, option in OPTIONS.items() if option.use != "python" and name not in take_long}
    status, recent = error.status_code if error else 200, server.jobs.recent[:12]
    values = {"first": "", "second": "", "options": "", "pair_by": "auto", **given}
    return show("form", status, server=server, options=options, error=error, given=values, recent=recent, again=again)


@pages.get("/")
def index(server: Here, again: str = "") -> Response:
    if not server.decisions:
        return show_form(server, server.jobs[again].given if again in server.jobs else {}, again=bool(again))
    if server.preparing and not server.preparing.finished:
        return show("waiting", running=server.preparing, cancel=False)
    rows, decided, failed = [], {}, []
    for pair in server.pairs().values():
        try:
            if "file" in pair:
                decided[pair["file"]] = progress_of(Path(pair["file"]))
                rows.append(dict(pair))
            else:
                failed.append(pair)
        except AifgraphError as error:  # an edited file
            failed.append(pair | {"why": f"{Path(pair['file']).name}: {error.what}"})
    return show("decisions", server=server, failed=failed, decided=decided, **measured(rows))


@pages.post("/")
async def submit(
    server: Here,
    first: Annotated[str, Form(max_length=1000)] = "",
    second: Annotated[str, Form(max_length=1000)] = "",
    options: Annotated[str, Form(max_length=2000)] = "",
    pair_by: Annotated[str, Form(pattern="^(auto|name|text)$")] = "auto",
    first_file: Sequence[UploadFile] = (),
    second_file: Sequence[UploadFile] = (),
) -> Response:
    if server.decisions:
        raise RefusedError(404, "this server only keeps decisions")
    running = server.jobs.prepare()
    given = {"first": first, "second": second, "options": options, "pair_by": pair_by}
    sources, wrong = [], None
    for side, uploads in (("first", first_file), ("second", second_file)):
        uploads = [upload for upload in uploads if upload.filename]
        try:
            sources.append(await server.source(running, side, uploads or given[side]))
            given[side] = f"uploads/{running.id}/{sources[-1]}" if uploads else given[side]
        except RefusedError as error:
            wrong = wrong or error
    if wrong:
        running.given, running.outcome = given, failure(wrong.status_code, wrong.detail, wrong.where)
        server.jobs.keep(running)  # what was uploaded for the other side
        return show_form(server, given, wrong)
    running.given = given
    chosen = {name: value for name, _, value in (word.partition("=") for word in options.split())}
    server.jobs.start(running, Job("page", tuple(sources), options=chosen, pair_by=pair_by))
    await running.wait(1.5)
    return RedirectResponse(f"/results/{running.id}", 303)


async def _result(server: Here, id_: str) -> Running:
    running = server.jobs.get(id_)
    if running is None or not running.folder.is_dir():  # another server, or the user, may have removed it
        raise RefusedError(404, "there is no such result any more; compare again")
    return running


Result = Annotated[Running, Depends(_result)]


@pages.get("/results/{id_}")
async def result(server: Here, running: Result) -> Response:
    if not running.finished:
        return show("waiting", running=running, cancel=True)
    try:
        return RedirectResponse(f"/results/{running.id}/{running.result()}", 303)
    except RefusedError as error:
        return show_form(server, running.given, error)


@pages.get("/results/{id_}/state")
async def state(running: Result) -> dict[str, int | bool | str]:
    return {"done": running.done, "total": running.total, "text": running.text, "finished": running.finished}


@pages.post("/results/{id_}/remove")
async def remove(server: Here, running: Result) -> Response:
    if running is not server.preparing:
        server.jobs.remove(running)
    return RedirectResponse("/", 303)


@pages.get("/results/{id_}/pages.zip")
def zipped(running: Result) -> Response:
    """Return all pages and files of a result."""
    name = "-".join(re.sub(r"\W+", "_", side) for side in running.outcome.get("names", ())) or "pages"
    made, pages = running.folder / "pages.zip", running.folder / "pages"
    if not made.is_file():  # never written in place: somebody else may be loading it
        with new_file(made) as file, ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
            for path in sorted(pages.rglob("*")):
                archive.write(path, path.relative_to(pages))
    return FileResponse(made, filename=f"{name}.zip")


@pages.get("/results/{id_}/{name:path}")
def page_of(running: Result, name: str) -> Response:
    """Return a page that a comparison has written; the first one leads back to the form."""
    path = running.folder / "pages" / name
    if not (name in DOWNLOADS or re.fullmatch(r"(pairs/)?\w+\.html", name)) or not path.is_file():
        raise RefusedError(404, "there is no such page")
    if name in ("index.html", "page.html") and running.given:
        bar = environment().get_template("app/bar.html.j2").render(running=running)
        return HTMLResponse(path.read_text("utf-8").replace("<body>", f"<body>\n{bar}", 1))
    return FileResponse(path, media_type=None if name in DOWNLOADS else "text/html")


class Decision(BaseModel, extra="forbid"):
    """What a row is to say: a choice, a wording or a label, and a note; and what it says as the page knows it."""

    decision: str = ""
    note: str = ""
    by: str = ""
    when: str = ""
    replaces: dict[str, str]


def decided(row: dict[str, str]) -> dict[str, str]:
    """Return what a row says, however long that is."""
    return {name: row[name] for name in FILLED_IN}


def _file(server: Here, number: int) -> Path:
    pair = server.pairs().get(number, {})
    if "file" not in pair:
        raise RefusedError(404, "there is no such pair")
    return Path(pair["file"])


File = Annotated[Path, Depends(_file)]


@pages.get("/pairs/{number}/")
def pair_page(server: Here, _: File, number: int) -> Response:
    assert server.preparing
    return page_of(server.preparing, f"{number}.html")


@pages.get("/pairs/{number}/rows")
def decided_rows(file: File) -> dict[str, dict[str, str]]:
    return {id_: decided(row) for id_, row in rows_of(file).items() if row["decision"] or row["note"]}


@pages.put("/pairs/{number}/rows/{row}")
def decide(server: Here, file: File, row: str, new: Decision) -> dict[str, str]:
    """Decide a row, if it still says what the decision replaces."""
    by = new.by.strip() or server.by
    try:
        return decided(decide_row(file, row, new.decision, new.note, by, new.replaces))
    except KeyError:
        raise RefusedError(404, "there is no such row") from None


async def _failed(request: Request, error: Exception) -> Response:
    if isinstance(error, ChangedError):
        return error_answer(409, "the row has been decided meanwhile", now=decided(error.row))
    status, what, where = 500, "an error of this server; its log says more", None
    if isinstance(error, HTTPException):
        status, what, where = error.status_code, error.detail or "refused", getattr(error, "where", None)
    elif isinstance(error, RequestValidationError):
        first = error.errors()[0]
        status, what, where = 422, first["msg"], ".".join(map(str, first["loc"]))
    elif isinstance(error, InputError):
        status, what, where = 400, error.what, error.where
    if "text/html" in request.headers.get("accept", ""):
        server: Server = request.app.state.server
        if server.preparing and not server.preparing.finished:  # the page of a pair, soon after a restart
            return show("waiting", status, running=server.preparing, cancel=False)
        return show_form(server, {}, RefusedError(status, what, where))
    return error_answer(status, what, where)


def application(server: Server, hosts: tuple[str, ...] = ()) -> Guard:
    """Return the ASGI application; it answers to the names of this machine and to ``hosts``."""
    app = FastAPI(lifespan=server.lifespan, openapi_url=None)
    for kind in (HTTPException, RequestValidationError, InputError, ChangedError, Exception):
        app.add_exception_handler(kind, _failed)
    app.state.server = server
    app.include_router(pages)
    return Guard(app, ("127.0.0.1", "localhost", "::1", *hosts), max_bytes=server.limits.upload)
