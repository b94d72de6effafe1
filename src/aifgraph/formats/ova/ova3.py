"""What OVA3 saves: xAIF's wrapper with an ``OVA`` part that holds the layout, and the text marked up."""

from __future__ import annotations

from typing import Any

from aifgraph.formats.aif.xaif import Xaif
from aifgraph.formats.codec import Written
from aifgraph.formats.contents import ALL, Account, not_held
from aifgraph.formats.files import Input
from aifgraph.graph import ArgumentGraph

_SECTIONS = ("schemefulfillments", "participants", "locutions", "descriptorfulfillments", "cqdescriptorfulfillments")


class Ova3(Xaif):
    """``{"AIF": {…}, "OVA": {…}, "text": …}``."""

    name = "ova3"
    title = "OVA3 file"
    suffixes: tuple[str, ...] = (".json",)
    loses: tuple[str, ...] = not_held(ALL)

    def sniff(self, given: Input) -> bool:
        if b'"AIF"' not in given.data or b'"OVA"' not in given.data:
            return False
        if not super().sniff(given):
            return False
        ova = given.json.get("OVA")
        return isinstance(ova, dict) and isinstance(ova.get("nodes"), list) and "dialog" not in given.json

    def read(self, given: Input) -> ArgumentGraph:
        graph = super().read(given)
        return graph.with_meta(form=self.name)

    def write(self, graph: ArgumentGraph) -> Written:
        from dataclasses import replace

        account = Account(graph, ALL)
        account.everything()
        document: dict[str, Any] = dict(graph.meta.document)
        account.lose("document fields", "dialog" in document and document["dialog"] is not True)
        document.pop("dialog", None)
        document.setdefault("text", "")
        # OVA3 lays out afresh what has no place yet; no places are made up for it here.
        if not isinstance(document.get("OVA"), dict):
            document["OVA"] = {"firstname": "", "surname": "", "url": "", "nodes": [], "edges": []}
        aif = dict(graph.meta.aif)
        if graph.meta.form != self.name:  # what OVA3 always saves; its own file is written as it was read
            aif = {**{section: [] for section in _SECTIONS}, "edges": [], **aif}
        whole = graph.with_meta(document=document, aif=aif)
        written = super().write(whole)
        return replace(written, losses=account.report())
