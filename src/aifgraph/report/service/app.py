"""The service as an ASGI application (Starlette): ``GET /``, a form for two maps, and ``POST /compare``, which answers
with their comparison as JSON or as a page. It keeps nothing.
"""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import Any

from aifgraph.align.encoders import encoder_of
from aifgraph.comparison.option import Names
from aifgraph.comparison.options import OPTIONS, Options
from aifgraph.errors import MissingExtraError, OptionError
from aifgraph.report.service import http
from aifgraph.report.service.form_options import form_fields, options_of

try:
    from starlette.applications import Starlette
    from starlette.datastructures import FormData, UploadFile
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
except ImportError:
    raise MissingExtraError.of("starlette", "web") from None

#: The files of a request; the first two are needed.
FILES = ("first", "second", "first_text", "second_text")
_FORM = "serve.html.j2"


@dataclass(frozen=True)
class Limits:
    """Bytes of a request, seconds of a comparison and of a request's way here, and comparisons at one time."""

    size: int = 20 << 20
    seconds: float = 30.0
    together: int = 2
    arrival: float = 30.0


def application(limits: Limits | None = None, hosts: tuple[str, ...] = (), *, meaning: str | None = None) -> Starlette:
    """The service; it answers only to loopback names and ``hosts``.

    ``meaning`` is a model of sentences (a folder or a name), which a request may switch on with ``min_meaning``. It is
    loaded here once, so that a model that does not work stops the start and no request.
    """
    bounds = limits or Limits()
    if meaning is not None:
        encoder_of(meaning)
    slots, workers = asyncio.Semaphore(bounds.together), http.Workers()

    async def home(request: Request) -> Response:
        size, seconds = f"{bounds.size / (1 << 20):g} MB", f"{bounds.seconds:g} seconds"
        return http.page(_FORM, fields=list(form_fields(meaning=meaning is not None)), size=size, seconds=seconds)

    async def compared(request: Request) -> Response:
        # The form or the address names the type of the answer; errors come in that type too.
        wanted = request.query_params.get("format", "")
        try:
            http.check_origin(request)
            # Before the body is read: what waits in memory is as bounded as what is compared.
            if slots.locked():
                raise http.RefusedError(503, "busy with other comparisons", remedy="try again in a moment")
            async with slots:
                try:
                    job = await asyncio.wait_for(_job(request, bounds.size, meaning), bounds.arrival)
                except TimeoutError:
                    what = f"the request took longer than {bounds.arrival:g} seconds to arrive"
                    raise http.RefusedError(408, what) from None
                wanted = wanted or job["format"]
                job["format"] = wanted or "json"
                if job["format"] not in ("json", "html"):
                    raise http.RefusedError(422, f"there is no format {job['format']!r}", remedy="choose json or html")
                remedy = "compare on the command line, which has no limit"
                answer = await http.unless_left(request, workers.run(job, bounds.seconds, remedy=remedy))
        except http.RefusedError as refused:
            return http.refusal(refused.status, refused.error, _FORM if wanted == "html" else None)
        if "html" in answer:
            return HTMLResponse(answer["html"])
        return JSONResponse(answer["json"])

    routes = [Route("/", home), Route("/compare", compared, methods=["POST"])]
    return http.service_of(routes, hosts, workers)


async def _job(request: Request, max_size: int, meaning: str | None) -> dict[str, Any]:
    """The files and options of a request, at most ``max_size`` bytes together."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise http.RefusedError(415, "not a form with files", remedy="send multipart/form-data with first and second")
    body = await http.body_of(request, max_size, remedy="compare on the command line")

    async def replay() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        form = await Request(request.scope, replay).form(max_files=10, max_fields=100)
    except HTTPException as error:
        raise http.RefusedError(400, f"the form cannot be read: {error.detail}") from None
    job: dict[str, Any] = {"format": str(form.get("format", ""))}
    for name in FILES:
        uploads = [upload for upload in form.getlist(name) if isinstance(upload, UploadFile)]
        files = [(upload.filename or "", await upload.read()) for upload in uploads]
        files = [(filename, data) for filename, data in files if filename or data]
        if len(files) > 1:
            raise http.RefusedError(400, "more than one file", name, "compare corpora on the command line")
        if files:
            filename, data = files[0]
            job[name] = {"name": _displayed(filename or name), "data": base64.b64encode(data).decode()}
        elif name in ("first", "second"):
            raise http.RefusedError(400, f"there is no file {name!r}", remedy="send two files, first and second")
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
        raise http.RefusedError(422, error.what, error.where, error.remedy) from None


def _displayed(filename: str) -> str:
    """What the client calls its file, for reading only: without folders and control characters, and not long."""
    base = filename.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(char for char in base if char.isprintable())[-120:] or "map"
