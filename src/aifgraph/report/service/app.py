"""The service as an ASGI application (Starlette): ``GET /``, ``POST /compare``, ``GET /openapi.json``.

What the page itself asks for: ``GET /progress/JOB`` and ``GET /results/NAME/PATH``, the results that are kept a while.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from markupsafe import Markup

from aifgraph.align.encoders import encoder_of
from aifgraph.comparison.option import Names
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report.html.embed import clean, policy, static
from aifgraph.report.service.admission import HEADERS, RefusedError, body_of, check_origin, run_worker, unless_left
from aifgraph.report.service.kept import Kept
from aifgraph.report.service.openapi import FILES, openapi, option_schemas, validated

try:
    from starlette.applications import Starlette
    from starlette.datastructures import FormData
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    from aifgraph.report.service.uploads import MOST_FILES, Running, files_of, is_uploaded_corpus, write_corpus
except ImportError:
    raise MissingExtraError.of("starlette", "web") from None


@dataclass(frozen=True)
class Limits:
    """Bytes of a request, seconds of a comparison and of a request's way here, and comparisons at one time."""

    size: int = 20 << 20
    seconds: float = 30.0
    together: int = 2
    arrival: float = 30.0


def application(limits: Limits | None = None, hosts: tuple[str, ...] = (), *, meaning: str | None = None) -> Starlette:
    """The service; it answers only to loopback names and ``hosts`` (pages elsewhere must not reach it by DNS).

    ``meaning`` is a model of sentences (a folder or a name), which a request may switch on with ``min_meaning``. It is
    loaded here once, so that a model that does not work stops the start and no request.
    """
    bounds = limits or Limits()
    kept, running = Kept(), Running()
    if meaning is not None:
        encoder_of(meaning)
    slots = asyncio.Semaphore(bounds.together)

    async def home(request: Request) -> Response:
        size, seconds = f"{bounds.size / (1 << 20):g} MB", f"{bounds.seconds:g} seconds"
        return _page(options=option_schemas(meaning=meaning is not None), size=size, seconds=seconds)

    async def described(request: Request) -> Response:
        return JSONResponse(openapi(meaning=meaning is not None), headers=HEADERS)

    async def compared(request: Request) -> Response:
        # The form or the address names the type of the answer; errors come in that type too.
        wanted = request.query_params.get("format", "")
        try:
            check_origin(request)
            # Before the body is read: what waits in memory is as bounded as what is compared.
            if slots.locked():
                raise RefusedError(503, "busy with other comparisons", remedy="try again in a moment")
            async with slots:
                return await admitted(request, wanted)
        except RefusedError as refused:
            return _refusal(refused, wanted)

    async def admitted(request: Request, wanted: str) -> Response:
        folder = TemporaryDirectory(prefix="aifgraph-")
        held = False
        try:
            try:
                job = await asyncio.wait_for(_job(request, bounds.size, meaning, Path(folder.name)), bounds.arrival)
            except TimeoutError:
                what = f"the request took longer than {bounds.arrival:g} seconds to arrive"
                raise RefusedError(408, what) from None
            wanted = wanted or job["format"]
            job["format"] = wanted or "json"
            if job["format"] not in ("json", "html"):
                raise RefusedError(422, f"there is no format {job['format']!r}", remedy="choose json or html")
            keep, corpora = job.pop("keep"), "out" in job
            # The page's script reads errors, too.
            wanted = "json" if keep else wanted
            with running.named(job.pop("job"), Path(folder.name)):
                answer = await unless_left(request, _run(job, bounds.seconds))
            if "json" in answer:
                return JSONResponse(answer["json"], headers=HEADERS)
            if not corpora and not keep:
                return HTMLResponse(answer["html"], headers=HEADERS)
            held = True
            return _kept(kept, folder, answer, in_json=keep)
        except RefusedError as refused:
            return _refusal(refused, wanted)
        finally:
            if not held:
                await asyncio.to_thread(folder.cleanup)

    async def progress(request: Request) -> Response:
        done, total = await asyncio.to_thread(running.progress, request.path_params["job"])
        return JSONResponse({"done": done, "total": total}, headers=HEADERS)

    async def result(request: Request) -> Response:
        file = kept.file(request.path_params["name"], request.path_params["path"])
        if file is None:
            gone = RefusedError(404, "there is no such result any more", remedy="compare again")
            return _refusal(gone, "html")
        if "save" in request.query_params or file.suffix == ".zip":
            return FileResponse(file, headers=HEADERS, filename=f"aifgraph-{file.name}")
        return FileResponse(file, headers=HEADERS)

    routes = [
        Route("/", home),
        Route("/openapi.json", described),
        Route("/compare", compared, methods=["POST"]),
        Route("/progress/{job}", progress),
        Route("/results/{name}/{path:path}", result),
    ]
    allowed = ["localhost", "127.0.0.1", "[::1]", *hosts]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        kept.close()

    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=allowed)]
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan)


@cache
def environment() -> Any:
    """Jinja with the templates of the services, every value escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("aifgraph.report.service"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def _page(status: int = 200, *, error: Mapping[str, str | None] | None = None, **values: Any) -> Response:
    """The form, or the page that says what went wrong, or where the result is."""
    script, style = static("serve.js"), static("report.css")
    given = {"done": None, **values}
    page = (
        environment()
        .get_template("serve.html.j2")
        .render(error=error, script=Markup(script), style=Markup(style), **given)
    )
    allowed = policy([script], [style]).replace("form-action 'none'", "form-action 'self'; connect-src 'self'")
    return HTMLResponse(clean(page), status, headers={**HEADERS, "Content-Security-Policy": allowed})


def _refusal(refused: RefusedError, wanted: str) -> Response:
    if wanted == "html":
        answer = _page(refused.status, error=refused.error)
    else:
        answer = JSONResponse({"error": refused.error}, refused.status, headers=HEADERS)
    answer.headers["Connection"] = "close"  # the rest of the request is not read
    if refused.status == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def _kept(kept: Kept, folder: TemporaryDirectory[str], answer: dict[str, Any], *, in_json: bool) -> Response:
    """Keep a result; the answer says where it is, as JSON for the page's script, or as a page."""
    if "html" in answer:
        (Path(folder.name) / "report.html").write_text(answer["html"], encoding="utf-8")
        opened, saved = "report.html", "report.html?save"
    else:
        opened, saved = "pages/index.html", "pages.zip"
    name = kept.keep(folder)
    told = {"said": answer["said"], "open": f"/results/{name}/{opened}", "save": f"/results/{name}/{saved}"}
    return JSONResponse(told, headers=HEADERS) if in_json else _page(done=told)


async def _job(request: Request, most: int, meaning: str | None, folder: Path) -> dict[str, Any]:
    """The files and options of a request, at most ``most`` bytes together; corpora go into ``folder``."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise RefusedError(415, "not a form with files", remedy="send multipart/form-data with first and second")
    body = await body_of(request, most, remedy="compare on the command line")

    async def replay() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        form = await Request(request.scope, replay).form(max_files=MOST_FILES, max_fields=100)
    except HTTPException as error:
        raise RefusedError(400, f"the form cannot be read: {error.detail}") from None
    given = {name: await files_of(form, name) for name in FILES}
    for name in ("first", "second"):
        if not given[name]:
            raise RefusedError(400, f"there is no file {name!r}", remedy="send two files, first and second")
    job: dict[str, Any] = {"format": str(form.get("format", ""))}
    job |= {"keep": bool(form.get("keep")), "job": str(form.get("job", ""))}
    corpora = [is_uploaded_corpus(given[name]) for name in ("first", "second")]
    if corpora[0] != corpora[1]:
        side = "second" if corpora[0] else "first"
        raise RefusedError(400, "a single map against a corpus", side, "give two maps, or two corpora")
    if corpora[0]:
        job["out"] = str(folder)
        for name in ("first", "second"):
            job[name] = await asyncio.to_thread(write_corpus, folder, name, given[name])
    else:
        for name, files in given.items():
            if files:
                shown, data = files[0]
                job[name] = {"name": _shown(shown, name), "data": base64.b64encode(data).decode()}
    options = _options(form, meaning)
    if options.meaning is not None:
        job["meaning"] = meaning
    job["options"] = options.changed(meaning=None).signature  # a signature names a model, and does not hold it
    return job


def _options(form: FormData, meaning: str | None) -> Options:
    """The options of a form. An empty field stands for the default, but not for no names."""
    document: dict[str, object] = {}
    for name in form.keys() - {*FILES, "format", "keep", "job"}:
        values = [str(value) for value in form.getlist(name) if value]
        if isinstance(OPTIONS.get(name), Names):
            document[name] = values
        elif values:
            document[name] = values[-1]
    try:
        return validated(document, meaning=meaning)
    except OptionError as error:
        raise RefusedError(422, error.what, error.where, error.remedy) from None


def _shown(filename: str | None, name: str) -> str:
    """What the client calls its file, for reading only: without folders and control characters, and not long."""
    base = (filename or name).replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(char for char in base if char.isprintable())[-120:] or name


async def _run(job: dict[str, Any], seconds: float) -> dict[str, Any]:
    out = await run_worker(
        "aifgraph.report.service.corpus_worker" if "out" in job else "aifgraph.report.service.worker",
        json.dumps(job).encode(),
        seconds,
        remedy="compare on the command line, which has no limit",
    )
    try:
        answer: dict[str, Any] = json.loads(out)
    except ValueError:
        raise RefusedError(
            500, "the comparison ended without an answer", remedy="compare on the command line"
        ) from None
    if "error" in answer:
        error = answer["error"]
        status = {"input": 400, "option": 422}.get(error["kind"], 500)
        raise RefusedError(status, error["what"], error["where"], error["remedy"])
    return answer
