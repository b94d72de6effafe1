"""How dark the cells of a matrix are drawn."""

from __future__ import annotations

from aifgraph.stats.matrix import NONE, ConfusionMatrix


def shaded(matrix: ConfusionMatrix) -> list[list[tuple[int, int]]]:
    """Each count with its shade, 0 to 9. The (none, none) cell dwarfs all others and says least: it has none."""
    none = len(matrix.labels) - 1 if matrix.labels[-1:] == (NONE,) else -1
    most = max(
        [count for i, row in enumerate(matrix.rows) for j, count in enumerate(row) if (i, j) != (none, none)], default=0
    )
    return [
        [
            (count, 0 if not count or (i, j) == (none, none) else 1 + round(8 * count / most))
            for j, count in enumerate(row)
        ]
        for i, row in enumerate(matrix.rows)
    ]
