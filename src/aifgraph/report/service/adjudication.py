"""The service of an adjudication as an ASGI application: a list of pairs, a page a pair, decisions as JSON.

::

    GET  /                           the pairs, with what is open in each
    GET  /pairs/N                    the page of a pair
    GET  /pairs/N/decisions          its decisions
    POST /pairs/N/decisions          one decision: row, decision, note, and what was seen there
    GET  /pairs/N/decisions.tsv      its decisions, for ``aifgraph merge --decisions``
    GET  /pairs/N/merged.json        the merged map, by the decisions so far
    GET  /pairs/N/gold               the same to look at: its size, a picture, what cannot stand together
    POST /finish                     the gold maps, and the choices per annotator
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from aifgraph.adjudication.decision_file import FILLED, Row, StaleError
from aifgraph.adjudication.finish import Finished, choices_per_annotator, finish
from aifgraph.adjudication.selection import Preference, Wording
from aifgraph.adjudication.study import Study, StudyPair
from aifgraph.comparison.differences.words import cut
from aifgraph.errors import AifgraphError, InputError
from aifgraph.report.service import http
from aifgraph.report.service.app import Limits
from aifgraph.report.service.worker import PairJob

#: Bytes of a request: one decision, were it a whole new wording.
_LARGEST = 1 << 20
#: Pages of pairs that are kept.
_PAGES = 4
_LIST = "study.html.j2"
Handler = Callable[[Request], Awaitable[Response]]


class AdjudicationService:
    """The handlers, over a study that is open; ``by`` is who decides."""

    def __init__(
        self, study: Study, *, by: str, limits: Limits, wording: Wording = "first", prefer: Preference | None = None
    ) -> None:
        self.study, self.by, self.limits = study, by, limits
        self.wording, self.prefer = wording, prefer
        self.pages: OrderedDict[int, str] = OrderedDict()
        self.workers = http.Workers()
        self.slots = asyncio.Semaphore(limits.together)
        self.previews = asyncio.Semaphore(1)
        self.finishing = asyncio.Lock()
        self.token = secrets.token_urlsafe(32)
        #: What cannot stand together in a pair, as long as its decisions are in this state.
        self.problems: dict[int, tuple[str, dict[str, Any]]] = {}

    async def home(self, request: Request) -> Response:
        """The list of pairs."""
        return await asyncio.to_thread(self.overview)

    def overview(self, finished: Finished | None = None) -> Response:
        """The page with all pairs, and, where it is done, what came of it."""
        rows = [self.row(number, pair) for number, pair in enumerate(self.study.pairs, 1)]
        rows.sort(key=lambda row: -row["cost"])
        total = {key: sum(row[key] for row in rows) for key in ("rows", "decided", "open")}
        next_open = next((row["number"] for row in rows if row["open"] and not row["error"]), None)
        folder = str(self.study.folder)
        table = choices_per_annotator(self.study)
        return http.page(
            _LIST,
            rows=rows,
            total=total,
            next_open=next_open,
            folder=folder,
            by=self.by,
            finished=finished,
            table=table,
            token=self.token,
        )

    def row(self, number: int, pair: StudyPair) -> dict[str, Any]:
        """A pair in the list."""
        row: dict[str, Any] = {"number": number, "name": pair.name, "error": pair.error}
        row |= {"rows": 0, "decided": 0, "open": 0, "problem": None, "cost": 0, "about": ""}
        if not pair.error:
            try:
                progress = pair.decisions.progress()
                row |= {"rows": progress.rows, "decided": progress.decided, "open": progress.open}
                records = pair.decisions.rows().values()
                row["cost"] = sum(map(_cost, records))
                # What most hangs on, of what is still to be decided.
                if main := max((each for each in records if not each["decision"]), key=_cost, default=None):
                    row["about"] = cut(main["first wording"] or main["second wording"]) if _cost(main) else ""
                state, problem = self.problems.get(number, ("", None))
                if state == pair.decisions.state():
                    row["problem"] = problem
            except AifgraphError as error:
                row["error"] = str(error)
        return row

    async def page(self, request: Request) -> Response:
        """The page of a pair."""
        number, pair = self.asked(request)
        pair_changed = await asyncio.to_thread(_problem, pair)
        if pair_changed:
            raise pair_changed
        if number not in self.pages:
            self.pages[number] = (await self.worker(request, "page", number, pair))["text"]
            while len(self.pages) > _PAGES:
                self.pages.popitem(last=False)
        self.pages.move_to_end(number)
        return HTMLResponse(self.pages[number])

    async def merged(self, request: Request) -> Response:
        """The merged map of a pair, as ``aifgraph merge`` makes it of the decisions so far."""
        number, pair = self.asked(request)
        text = (await self.worker(request, "map", number, pair))["text"]
        return _attachment(text, f"{pair.stem}.json", "application/json")

    async def gold(self, request: Request) -> Response:
        """The merged map of the decisions so far, to look at; or the rows whose decisions cannot stand together."""
        number, pair = self.asked(request)
        state = pair.decisions.state()
        try:
            answer = await self.worker(request, "gold", number, pair)
        except http.RefusedError as refused:
            if refused.error.get("rows"):
                self.problems[number] = (state, refused.error)
            raise
        self.problems.pop(number, None)
        return JSONResponse(answer["gold"])

    async def decisions(self, request: Request) -> Response:
        """What is decided about a pair, and the token to decide with; with ``?state=`` of an earlier answer the rows
        only if they have changed."""
        _, pair = self.asked(request)
        state = pair.decisions.state()
        if request.query_params.get("state") == state:
            return JSONResponse({"state": state, "token": self.token})
        records = await asyncio.to_thread(pair.decisions.rows)
        rows = {
            id_: {name: record[name] for name in FILLED}
            for id_, record in records.items()
            if any(record[name] for name in FILLED)
        }
        return JSONResponse({"state": state, "token": self.token, "rows": rows})

    async def table(self, request: Request) -> Response:
        """The file of decisions."""
        _, pair = self.asked(request)
        data = await asyncio.to_thread(pair.decisions.path.read_bytes)
        return _attachment(data, f"{pair.stem}.tsv", "text/tab-separated-values; charset=utf-8")

    async def decide(self, request: Request) -> Response:
        """One decision; it is in the file before the answer is sent."""
        http.check_origin(request)
        http.check_token(request.headers.get(http.TOKEN_HEADER), self.token)
        number, _ = self.asked(request)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise http.RefusedError(415, "not JSON", remedy="send application/json")
        decision = _decision_in(await self.body(request))
        try:
            record = await asyncio.to_thread(
                self.study.decide,
                number - 1,
                decision["row"],
                decision["decision"],
                note=decision["note"],
                by=self.by,
                seen=decision["seen"],
            )
        except StaleError as error:
            document = {"error": _document(error), "current": error.current}
            return JSONResponse(document, 409)
        return JSONResponse({name: record[name] for name in FILLED})

    async def finish(self, request: Request) -> Response:
        """Write the gold maps."""
        http.check_origin(request)
        fields = parse_qs((await self.body(request)).decode("ascii", "replace"))
        http.check_token(fields.get("token", [""])[0], self.token)
        if self.finishing.locked():
            raise http.RefusedError(503, "the gold maps are being written", remedy="wait for that")
        async with self.finishing:
            finished = await asyncio.to_thread(finish, self.study, wording=self.wording, prefer=self.prefer)
        return await asyncio.to_thread(self.overview, finished)

    def asked(self, request: Request) -> tuple[int, StudyPair]:
        """The pair that the address names."""
        number = int(request.path_params["number"])
        if not 1 <= number <= len(self.study.pairs):
            raise http.RefusedError(404, f"there is no pair {number}", remedy=f"there are {len(self.study.pairs)}")
        pair = self.study.pairs[number - 1]
        if pair.error:
            raise http.RefusedError(422, pair.error)
        return number, pair

    def near(self, number: int, step: int) -> str | None:
        """The address of the pair before or after one, passing over those that cannot be compared."""
        while 1 <= (number := number + step) <= len(self.study.pairs):
            if not self.study.pairs[number - 1].error:
                return f"/pairs/{number}"
        return None

    async def body(self, request: Request) -> bytes:
        try:
            return await asyncio.wait_for(http.body_of(request, _LARGEST), self.limits.arrival)
        except TimeoutError:
            raise http.RefusedError(408, f"the request took longer than {self.limits.arrival:g} seconds") from None

    async def worker(self, request: Request, what: Any, number: int, pair: StudyPair) -> dict[str, Any]:
        """What a worker process makes of a pair."""
        # Previews wait for each other, and keep nobody from a page.
        slots = self.previews if what == "gold" else self.slots
        if slots is self.slots and slots.locked():
            raise http.RefusedError(503, "busy with other pairs", remedy="try again in a moment")
        served = {
            "by": self.by,
            "decisions": f"/pairs/{number}/decisions",
            "map": f"/pairs/{number}/merged.json",
            "gold": f"/pairs/{number}/gold",
            "previous": self.near(number, -1),
            "next": self.near(number, 1),
        }
        job = PairJob(what, pair, self.study.options, self.wording, self.prefer, served)
        async with slots:
            work = self.workers.run(job, self.limits.seconds, remedy="give more time (--timeout)", wrong_input=422)
            answer: dict[str, Any] = await http.unless_left(request, work)
        return answer


def application(
    study: Study,
    *,
    by: str,
    limits: Limits | None = None,
    hosts: tuple[str, ...] = (),
    wording: Wording = "first",
    prefer: Preference | None = None,
) -> Starlette:
    """The service of a study; it answers only to loopback names and ``hosts``. ``by`` is who decides; ``wording`` and
    ``prefer`` are what becomes of rows that nobody decides, as in ``merge``."""
    service = AdjudicationService(study, by=by, limits=limits or Limits(), wording=wording, prefer=prefer)
    routes = [
        Route("/", _answered(service.home)),
        Route("/finish", _answered(service.finish), methods=["POST"]),
        Route("/pairs/{number:int}", _answered(service.page)),
        Route("/pairs/{number:int}/decisions", _answered(service.decisions, as_json=True)),
        Route("/pairs/{number:int}/decisions", _answered(service.decide, as_json=True), methods=["POST"]),
        Route("/pairs/{number:int}/decisions.tsv", _answered(service.table, as_json=True)),
        Route("/pairs/{number:int}/merged.json", _answered(service.merged, as_json=True)),
        Route("/pairs/{number:int}/gold", _answered(service.gold, as_json=True)),
    ]
    return http.service_of(routes, hosts, service.workers)


def _answered(handler: Handler, *, as_json: bool = False) -> Handler:
    """A handler whose errors are answers: a page, or JSON."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except http.RefusedError as refused:
            status, error = refused.status, refused.error
        except InputError as problem:
            status, error = 422, _document(problem)
        except AifgraphError as problem:
            status, error = 500, _document(problem)
        except OSError as problem:
            status, error = 500, {"what": problem.strerror or str(problem), "where": problem.filename, "remedy": None}
        return http.refusal(status, error, None if as_json else _LIST)

    return answered


def _document(error: AifgraphError) -> dict[str, str | None]:
    return {"what": error.what, "where": error.where, "remedy": error.remedy}


def _problem(pair: StudyPair) -> InputError | None:
    try:
        pair.check()
    except InputError as error:
        return error
    return None


def _cost(record: Row) -> int:
    """What a row of a file costs; files that were edited may say anything."""
    return int(cost) if (cost := record.get("decisions", "")).isdecimal() else 0


def _decision_in(body: bytes) -> dict[str, Any]:
    """A decision as a request has it: row, decision, note, and what was seen."""
    try:
        document = json.loads(body)
        seen = document.get("seen", {})
        texts = {name: document.get(name, "") for name in ("row", "decision", "note")}
        if all(isinstance(value, str) for value in (*texts.values(), *seen.values())):
            return {**texts, "seen": seen}
    except (ValueError, AttributeError, RecursionError):
        pass
    remedy = "send {row, decision, note, seen: {decision, when}}, all of them text"
    raise http.RefusedError(400, "not a decision", remedy=remedy)


def _attachment(content: str | bytes, name: str, media_type: str) -> Response:
    ascii_name = name.encode("ascii", "replace").decode().replace("?", "_").replace('"', "_")
    headers = {"Content-Disposition": f'attachment; filename="{ascii_name}"'}
    return Response(content, media_type=media_type, headers=headers)
