"""``explicit_relations``, the argument among what was said (docs/measures.md, section 4): which of what the text says
argues for or against which, whatever claims the analysts put between that nobody said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from aifgraph.comparison.calculations.calculation import Definition, Sizes
from aifgraph.comparison.calculations.items import Claimed, InnerLink, Item, Labels, Link
from aifgraph.comparison.calculations.paths import steps_of

if TYPE_CHECKING:
    from aifgraph.comparison.calculations.explanation import Explainer, Wording
    from aifgraph.comparison.calculations.links import SideLinks

#: So many unsaid claims of a path are quoted.
_QUOTED = 3


@dataclass(frozen=True, slots=True)
class ExplicitLink:
    """A link between propositions that were said; ``types`` are the relations that paths may lead over, ``side`` is the
    one that made the item."""

    link: Link | InnerLink
    types: frozenset[str]
    side: SideLinks = field(compare=False, repr=False)

    def claims(self, label: str) -> tuple[Claimed, ...]:
        """The relations of the side's paths of a type, or of all of its paths where none has that type."""
        by_type: dict[str, list[Claimed]] = {}
        for kind, last in self.side.explicit_links[self.link]:
            by_type.setdefault(kind, []).extend(
                Claimed("S", self.side.link(start, end), type_) for start, type_, end in steps_of(last)
            )
        return tuple(by_type.get(label) or chain.from_iterable(by_type.values()))


def explicit_labels(side: SideLinks) -> dict[Item, frozenset[str]]:
    """The links that paths make, with the types of the paths."""
    return {
        ExplicitLink(link, side.types, side): frozenset([kind for kind, _ in paths])
        for link, paths in side.explicit_links.items()
    }


def explicit_universe(sizes: Sizes, sides: Sequence[Labels]) -> int:
    """The pairs of ``propositional_relations``, of the propositions that were said."""
    return sizes.said * (sizes.said - 1) + sizes.inner_said


def explain_explicit(explainer: Explainer, item: ExplicitLink) -> Wording:
    """From premise to conclusion, and over which unsaid claims the path of each side leads."""
    text, *ids = explainer.link("propositions", item.link)
    over: list[str] = []
    for own, name, side in zip(ids, ("first", "second"), explainer.sides(item.types), strict=True):
        paths = side.explicit_links.get(item.link, ())
        ways = [[start for start, _, _ in steps_of(last)[1:]] for _, last in paths]
        own += [side.analysis.ids[node] for way in ways for node in way]
        if ways and all(ways):
            claims = " or ".join(dict.fromkeys(_quoted_claims(explainer, side, way) for way in ways))
            over.append(f"in the {name} over {claims}")
    return f"{text} ({', '.join(over)}, which nobody said)" if over else text, ids[0], ids[1]


def _quoted_claims(explainer: Explainer, side: SideLinks, way: list[int]) -> str:
    quoted = [explainer.quoted(side.analysis, node) for node in way[:_QUOTED]]
    return " and ".join([*quoted, *([f"{len(way) - _QUOTED} more"] if len(way) > _QUOTED else [])])


#: Which of what was said argues for or against which; what nobody said is passed through.
EXPLICIT_RELATIONS = Definition(
    "explicit_relations",
    "ER",
    (),
    "Which of what was said is related to which, whatever was put between?",
    labels=explicit_labels,
    universe=explicit_universe,
    explain=explain_explicit,
    claims=ExplicitLink.claims,
    coverage=lambda side: side.explicit.coverage if side.explicit else (0, 0),
)
