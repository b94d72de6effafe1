"""What may be chosen about a comparison. Every choice that changes a number has a place in the signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aifgraph.comparison.calculations.registry import CALCULATIONS, DEFAULT
from aifgraph.errors import OptionError
from aifgraph.graph.kinds import RELATIONS


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``compare``, with the design's defaults.

    ``matching`` greedy or optimal; ``granularity`` merge or strict; ``gate`` whether positions decide which pairs may
    match; ``min_overlap`` and ``min_similarity`` its thresholds, 0 to 1; ``layers`` common or all; ``relations`` the
    types that take part; ``calculations`` their names; ``segmentation`` own or segeval.
    """

    matching: str = "greedy"
    granularity: str = "merge"
    gate: bool = True
    min_overlap: float = 0.5
    min_similarity: float = 0.5
    layers: str = "common"
    relations: tuple[str, ...] = RELATIONS
    calculations: tuple[str, ...] = DEFAULT
    segmentation: str = "own"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise OptionError(
                    f"{name} is {getattr(self, name)!r}", remedy=f"choose from {', '.join(map(str, choices))}"
                )
        for name in ("min_overlap", "min_similarity"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise OptionError(f"{name} is {value!r}", remedy="give a number from 0 to 1")
        for name, known in (("relations", RELATIONS), ("calculations", tuple(CALCULATIONS))):
            chosen = _several(name, getattr(self, name))
            if unknown := [each for each in chosen if each not in known]:
                raise OptionError(f"{name}: there is no {unknown[0]!r}", remedy=f"choose from {', '.join(known)}")
            if not chosen:
                raise OptionError(f"{name} is empty", remedy=f"choose from {', '.join(known)}")
            object.__setattr__(self, name, tuple(each for each in known if each in chosen))

    @property
    def signature(self) -> str:
        """The options as ``key:value``, joined by ``|``.

        >>> Options().signature
        'match:greedy|gate:positions|overlap:0.5|min:0.5|gran:merge|layers:common|rel:RA+CA+MA+PA|seg:S.nt2|calc:PR+IL+IA+TR+TP+TR2'
        """
        parts = {
            "match": self.matching,
            "gate": "positions" if self.gate else "off",
            "overlap": f"{self.min_overlap:.12g}",
            "min": f"{self.min_similarity:.12g}",
            "gran": self.granularity,
            "layers": self.layers,
            "rel": "+".join(self.relations),
            "seg": "S.nt2" if self.segmentation == "own" else "S.nt2.segeval",
            "calc": "+".join(CALCULATIONS[name][0] for name in self.calculations),
        }
        return "|".join(f"{key}:{value}" for key, value in parts.items())


_CHOICES = {
    "matching": ("greedy", "optimal"),
    "granularity": ("merge", "strict"),
    "gate": (True, False),
    "layers": ("common", "all"),
    "segmentation": ("own", "segeval"),
}


def _several(name: str, value: Iterable[str] | str) -> tuple[str, ...]:
    if not isinstance(value, Iterable):
        raise OptionError(f"{name} is {value!r}", remedy="give a name or several")
    return (value,) if isinstance(value, str) else tuple(value)
