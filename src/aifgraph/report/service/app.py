"""The service as an ASGI application (Starlette): ``GET /``, a form for two maps, and ``POST /compare``, which answers
with their comparison as JSON or as a page. It keeps nothing.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from aifgraph.align.encoders import encoder_of
from aifgraph.comparison.option import Names
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report.html.embed import clean, environment, policy, static
from aifgraph.report.service.form_options import form_fields, options_of
from aifgraph.report.service.http import HEADERS, RefusedError, body_of, check_origin, run_worker, unless_left

try:
    from starlette.applications import Starlette
    from starlette.datastructures import FormData, UploadFile
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
except ImportError:
    raise MissingExtraError.of("starlette", "web") from None

#: The files of a request; the first two are needed.
FILES = ("first", "second", "first_text", "second_text")


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
    if meaning is not None:
        encoder_of(meaning)
    slots = asyncio.Semaphore(bounds.together)

    async def home(request: Request) -> Response:
        size, seconds = f"{bounds.size / (1 << 20):g} MB", f"{bounds.seconds:g} seconds"
        return _page(fields=list(form_fields(meaning=meaning is not None)), size=size, seconds=seconds)

    async def compared(request: Request) -> Response:
        # The form or the address names the type of the answer; errors come in that type too.
        wanted = request.query_params.get("format", "")
        try:
            check_origin(request)
            # Before the body is read: what waits in memory is as bounded as what is compared.
            if slots.locked():
                raise RefusedError(503, "busy with other comparisons", remedy="try again in a moment")
            async with slots:
                try:
                    job = await asyncio.wait_for(_job(request, bounds.size, meaning), bounds.arrival)
                except TimeoutError:
                    what = f"the request took longer than {bounds.arrival:g} seconds to arrive"
                    raise RefusedError(408, what) from None
                wanted = wanted or job["format"]
                job["format"] = wanted or "json"
                if job["format"] not in ("json", "html"):
                    raise RefusedError(422, f"there is no format {job['format']!r}", remedy="choose json or html")
                remedy = "compare on the command line, which has no limit"
                answer = await unless_left(request, run_worker(job, bounds.seconds, remedy=remedy))
        except RefusedError as refused:
            return _refusal(refused, wanted)
        if "html" in answer:
            return HTMLResponse(answer["html"], headers=HEADERS)
        return JSONResponse(answer["json"], headers=HEADERS)

    routes = [Route("/", home), Route("/compare", compared, methods=["POST"])]
    allowed = ["localhost", "127.0.0.1", "[::1]", *hosts]
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=allowed)])


def _page(status: int = 200, *, error: Mapping[str, str | None] | None = None, **values: Any) -> Response:
    """The form, or the page that says what went wrong."""
    style = static("report.css")
    page = environment().get_template("serve.html.j2").render(error=error, style=Markup(style), **values)
    allowed = policy([], [style]).replace("form-action 'none'", "form-action 'self'")
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


async def _job(request: Request, max_size: int, meaning: str | None) -> dict[str, Any]:
    """The files and options of a request, at most ``max_size`` bytes together."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise RefusedError(415, "not a form with files", remedy="send multipart/form-data with first and second")
    body = await body_of(request, max_size, remedy="compare on the command line")

    async def replay() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        form = await Request(request.scope, replay).form(max_files=10, max_fields=100)
    except HTTPException as error:
        raise RefusedError(400, f"the form cannot be read: {error.detail}") from None
    job: dict[str, Any] = {"format": str(form.get("format", ""))}
    for name in FILES:
        uploads = [upload for upload in form.getlist(name) if isinstance(upload, UploadFile)]
        files = [(upload.filename or "", await upload.read()) for upload in uploads]
        files = [(filename, data) for filename, data in files if filename or data]
        if len(files) > 1:
            raise RefusedError(400, "more than one file", name, "compare corpora on the command line")
        if files:
            filename, data = files[0]
            job[name] = {"name": _displayed(filename or name), "data": base64.b64encode(data).decode()}
        elif name in ("first", "second"):
            raise RefusedError(400, f"there is no file {name!r}", remedy="send two files, first and second")
    options = _options(form, meaning)
    if options.meaning is not None:
        job["meaning"] = meaning
    job["options"] = options.changed(meaning=None).signature  # a signature names a model, and does not hold it
    return job


def _options(form: FormData, meaning: str | None) -> Options:
    """The options of a form. An empty field stands for the default, but not for no names."""
    document: dict[str, object] = {}
    for name in form.keys() - {*FILES, "format"}:
        values = [str(value) for value in form.getlist(name) if value]
        if isinstance(OPTIONS.get(name), Names):
            document[name] = values
        elif values:
            document[name] = values[-1]
    try:
        return options_of(document, meaning=meaning)
    except OptionError as error:
        raise RefusedError(422, error.what, error.where, error.remedy) from None


def _displayed(filename: str) -> str:
    """What the client calls its file, for reading only: without folders and control characters, and not long."""
    base = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(char for char in base if char.isprintable())[-120:] or "map"
