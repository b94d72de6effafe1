"""A table of results, and how it is written: text for a terminal, JSON, CSV, markdown, LaTeX (booktabs)."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import ceil
from os import PathLike
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from zlib import crc32

from aifgraph.errors import FormatError, OptionError, choose_from
from aifgraph.files import decode_strict, read_bytes, write_atomic
from aifgraph.printable import printable, unhashed

if TYPE_CHECKING:
    import pandas

Cell = str | int | float | bool | None
FORMATS = ("text", "json", "csv", "markdown", "latex")


def render(tables: Sequence[Table] | Table, format: str = "text", signature: str = "", *, screen: int = 100) -> str:
    """Return tables in a format, ending in a line break; CSV and JSON have no signature.

    JSON is one list of records for one table, an object by title for several; CSV puts an empty line between tables.
    A text that a spreadsheet would take for a formula has an apostrophe in front in CSV. All formats but JSON show
    control characters as ``\\x1b``.

    >>> print(render(Table("T", ("score", "value"), [("kappa", 0.8125)]), "markdown"), end="")
    **T**
    <BLANKLINE>
    | score | value |
    | --- | ---: |
    | kappa | 0.812 |
    """
    listed = [tables] if isinstance(tables, Table) else tables
    if format == "json":
        data = listed[0].records() if len(listed) == 1 else {table.title: table.records() for table in listed}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    if format == "csv":
        return "\n".join(map(as_csv, listed))
    signature = " ".join(signature.split()).replace("`", "'")  # the name of a file in it may be anything
    if format == "latex":
        return printable("\n".join(as_latex(table, signature) for table in listed))
    if format not in FORMATS:
        raise OptionError(f"there is no table format {format!r}", remedy=choose_from(FORMATS))
    if format == "markdown":
        body, signature = "\n".join(map(as_markdown, listed)), signature and f"\n`{signature}`\n"
    else:
        body, signature = "\n".join(as_text(table, screen) for table in listed), signature and f"{signature}\n"
    return printable(body + signature)


class Result:
    """A result that is written in Python as the command line writes it. What a ``to_…`` returns is also written to a
    file, whole or not at all, where one is named."""

    __slots__ = ()

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the tables that a format holds, and the signature of their numbers ("" if they have no options)."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}; print() shows it>"

    def to_text(self, path: str | PathLike[str] | None = None) -> str:
        """Return aligned columns."""
        return self._render("text", path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """Return tables in markdown."""
        return self._render("markdown", path)

    def to_latex(self, path: str | PathLike[str] | None = None) -> str:
        """Return LaTeX to ``\\input`` in a paper that uses the packages booktabs, graphicx and longtable."""
        return self._render("latex", path)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return every number as CSV; with an apostrophe in front of what a spreadsheet takes for a formula."""
        return self._render("csv", path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return ``to_dict()`` as JSON."""
        return written(json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n", path)

    def to_frame(self) -> pandas.DataFrame:
        """Return every number as a data frame: the rows of ``to_csv``, of several tables with a column ``table``.

        Raises:
            MissingExtraError: pandas is not installed (extra ``frames``).
        """
        from aifgraph.interop import tables_frame

        return tables_frame(self.tables_for("csv")[0])

    def _render(self, format: str, path: str | PathLike[str] | None) -> str:
        tables, signature = self.tables_for(format)
        return written(render(tables, format, signature), path)


def written(text: str, path: str | PathLike[str] | None) -> str:
    """Return the text, which is in the file, too, where one is named."""
    if path is not None:
        write_atomic(Path(path), text)
    return text


@dataclass(frozen=True, repr=False)
class Table(Result):
    """Column names and rows of the same length. ``digits`` is how many decimals a fraction is shown with.

    A cell of ``None`` is an undefined value and shows as a dash; ``note`` are lines under the table. ``caption`` stands
    in place of the title in LaTeX.

    >>> Table("Scores", ("score", "value"), [("kappa", 0.81)]).rows
    [('kappa', 0.81)]
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    digits: int = 3
    note: str = ""
    caption: str = ""

    def tables_for(self, format: str) -> tuple[Sequence[Table], str]:
        """Return the table alone."""
        return [self], ""

    def to_dict(self) -> dict[str, Any]:
        """Return the rows as objects under the title."""
        return {self.title: self.records()}

    def records(self) -> list[dict[str, Cell]]:
        """The rows as objects, for JSON or a data frame."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def format_cell(cell: Cell, digits: int = 3) -> str:
    """A cell as people read it: fractions rounded, undefined as a dash.

    >>> format_cell(0.5), format_cell(None), format_cell(7), format_cell(True)
    ('0.500', '–', '7', 'yes')
    >>> format_cell(-0.0001)
    '0.000'
    """
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:z.{digits}f}" if isinstance(cell, float) else unhashed(printable(str(cell)))


def captioned(tables: Sequence[Table], subject: str, signature: str) -> list[Table]:
    """Return tables for a paper: their captions say what they are of and how they were made, their notes have caveats.

    >>> table = Table("3 texts.", ("M-κ",), [(0.5,)], note="Means over texts.\\nCaveat: 3 texts are few.")
    >>> captioned([table], "Ann and Ben", "CASS|v=0.2.0")[0].caption
    'Ann and Ben. 3 texts. Means over texts. Signature: CASS|v=0.2.0.'
    """
    for_paper: list[Table] = []
    for table in tables:
        lines = table.note.splitlines()
        caveats = [line for line in lines if line.startswith("Caveat")]
        title = f", {table.title[:1].lower()}{table.title[1:]}" if for_paper else f". {table.title}"
        sentences = [subject + title.rstrip(". "), *(line for line in lines if line not in caveats)]
        sentences = [f"{line[:1].upper()}{line[1:].rstrip('.')}." for line in [*sentences, f"Signature: {signature}"]]
        caption = " ".join(sentences)
        for_paper.append(replace(table, caption=caption, note="\n".join(caveats)))
    return for_paper


def right_aligned(table: Table) -> list[bool]:
    """Which columns hold numbers and stand to the right."""
    return [
        bool(table.rows) and all(row[index] == "" or isinstance(row[index], int | float | None) for row in table.rows)
        for index in range(len(table.columns))
    ]


def as_text(table: Table, screen: int) -> str:
    """Aligned columns without frames; what does not fit into so many letters is wrapped."""
    lines = wrapped(table.title, screen)
    if table.rows:
        cells = [[format_cell(cell, table.digits).replace("\n", " ") for cell in row] for row in table.rows]
        right = right_aligned(table)
        sizes, gap = _sizes([table.columns, *cells], right, screen)
        for number, row in enumerate([table.columns, *cells]):
            parts = [
                [cell] if width(cell) <= size else wrapped(cell, size) for cell, size in zip(row, sizes, strict=True)
            ]
            if not number:  # names stand right above their columns
                parts = [[""] * (max(map(len, parts)) - len(part)) + part for part in parts]
            lines += [_padded(line, sizes, right, gap) for line in zip_longest(*parts, fillvalue="")]
    for line in table.note.splitlines():
        lines += wrapped(line, screen)
    return "".join(f"{line}\n" for line in lines)


def _sizes(rows: Sequence[Sequence[str]], right: Sequence[bool], screen: int) -> tuple[list[int], int]:
    """Return the widths of columns, and the blanks between them; numbers keep theirs, texts share what is left."""
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for gap in (3, 2):
        if sum(sizes) + gap * (len(sizes) - 1) <= screen:
            return sizes, gap
    texts = [index for index, number in enumerate(right) if not number]
    for index, (name, *cells) in enumerate(zip(*rows, strict=True)):
        if index in texts:
            sizes[index] = min(sizes[index], screen)  # the loop below takes a step for each letter
        else:
            sizes[index] = max(map(width, (*name.split(), *cells)))
    intervals = [
        max(map(len, re.findall(r"\[-?\d[^\[\]]*\]", " ".join(column))), default=0)
        for column in zip(*rows, strict=True)
    ]
    while sum(sizes) + 2 * (len(sizes) - 1) > screen:
        # An interval goes below its number before a name is broken.
        wide = [index for index in texts if sizes[index] > max(intervals[index], _SHORT)]
        if not wide:
            break  # a wide line is better than a column that is lost, or an interval in two
        widest = max([index for index in wide if intervals[index]] or wide, key=sizes.__getitem__)
        sizes[widest] -= 1
    return sizes, 2


def wrapped(text: str, size: int) -> list[str]:
    """Return a text in lines that take at most so many columns of a terminal, broken at blanks.

    >>> wrapped("Masks help everybody", 12), wrapped("论证论证", 6)
    (['Masks help', 'everybody'], ['论证论', '证'])
    """
    whole = re.sub(r"(?<=[0-9],) (?=-?[0-9.]+\])", "\N{NO-BREAK SPACE}", text)  # an interval stays together
    lines = wrap(whole, size // 2 if width(text) > len(text) else size, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _padded(row: Sequence[str], sizes: Sequence[int], right: Sequence[bool], gap: int) -> str:
    blanks = [" " * (size - width(cell)) for cell, size in zip(row, sizes, strict=True)]
    cells = (blank + cell if number else cell + blank for cell, blank, number in zip(row, blanks, right, strict=True))
    return (" " * gap).join(cells).rstrip()


def width(text: str) -> int:
    """How many columns of a terminal ``text`` takes: East Asian characters take two, combining marks none.

    >>> width("map"), width("论证"), width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


#: What makes a spreadsheet take a text for a formula, behind what it passes over at the beginning.
_FORMULA = re.compile("[\\s\ufeff\u200b']*[=+\\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r\n]")


# What separates cells somewhere begins a cell there, whatever the quotes around the whole.
_INNER_FORMULA = re.compile("([;,\t]\"*)(?='*[=+\\-@\uff1d\uff0b\uff0d\uff20])")
_INNER_QUOTED = re.compile("([;,\t]\"*)'(?='*[=+\\-@\uff1d\uff0b\uff0d\uff20])")


def without_formula(text: str) -> str:
    """The text without control characters, with an apostrophe where a spreadsheet would take it for a formula: in
    front, and after a semicolon, tab or comma. :func:`with_formula` takes that off again.

    >>> without_formula(" =1+1"), with_formula("' =1+1"), without_formula("1 = 1"), without_formula("a;=1+1")
    ("' =1+1", ' =1+1', '1 = 1', "a;'=1+1")
    """
    text = _INNER_FORMULA.sub(r"\1'", printable(text))
    return f"'{text}" if _FORMULA.match(text) else text


def with_formula(cell: str) -> str:
    """The text that :func:`without_formula` was given."""
    text = cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell
    return _INNER_QUOTED.sub(r"\1", text)


def read_tsv(path: Path, needed: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a TSV file by column, each with the number of its line; further columns are read, too.

    Raises:
        FormatError: the file is no table, lacks a column that is needed, has one twice, or has cells in none.
    """
    lines = io.StringIO(decode_strict(read_bytes(path), str(path)), newline=None)  # csv would bound a cell
    columns = [tsv_text(name) for name in lines.readline().split("\t")]
    if len({*columns}) < len(columns):
        raise FormatError("the first line names a column twice", where=str(path))
    if not {*needed} <= {*columns}:
        raise FormatError(f"the first line does not name the columns {', '.join(needed)}", where=str(path))
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        cells = line.removesuffix("\n").split("\t")
        if any(cells[len(columns) :]):
            where = f"{path}, line {number}"
            raise FormatError("a cell beyond the columns that the first line names", where=where)
        yield number, dict.fromkeys(columns, "") | dict(zip(columns, map(tsv_text, cells), strict=False))


def tsv_cell(text: str) -> str:
    """Return a text on one line, no formula. One in quotes is quoted once more, as reading takes a pair off."""
    text = without_formula(" ".join(text.split()))
    return '"' + text.replace('"', '""') + '"' if _is_quoted(text) else text


def tsv_text(cell: str) -> str:
    """Return a cell without the quotes that spreadsheets put around it, and the apostrophe before a formula."""
    cell = cell.strip()
    return with_formula(cell[1:-1].replace('""', '"') if _is_quoted(cell) else cell)


def _is_quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def as_csv(table: Table) -> str:
    """Full precision; undefined is an empty field; what looks like a formula is quoted, control characters are shown.

    >>> print(as_csv(Table("T", ("text", "n"), [("=1+1", -1)])), end="")
    text,n
    '=1+1,-1
    """

    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(without_formula, table.columns))
    for row in table.rows:
        writer.writerow(without_formula(cell) if isinstance(cell, str) else cell for cell in row)
    return out.getvalue()


#: What markdown takes for a cell's end, a tag, a link, a picture or an escape.
_MARKDOWN = re.compile(r"[\\|<\[!]")


def as_markdown(table: Table) -> str:
    """A pipe table, its title in bold above it, each line of its note a paragraph below."""

    def escaped(text: str) -> str:
        return _MARKDOWN.sub(r"\\\g<0>", text.replace("\n", " "))

    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(map(escaped, cells))} |"

    rule = ["---:" if right else "---" for right in right_aligned(table)]
    rows = [line([format_cell(cell, table.digits) for cell in row]) for row in table.rows]
    head = [f"**{escaped(table.title)}**", ""] if table.title else []
    note = [part for text in table.note.splitlines() for part in ("", escaped(text))]
    return "\n".join([*head, line(table.columns), f"| {' | '.join(rule)} |", *rows, *note]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}",  # between the parts of a signature
    '"': "''",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "π": r"$\pi$",
    "±": r"$\pm$",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "′": r"$'$",
    "×": r"$\times$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": "~",
    "\u200b": "{}",
    "∅": r"$\emptyset$",
    "¦": r"\textbar{}",
}
#: A column with a longer cell is set in paragraphs, also on several pages; characters of a line, lines of a page.
_LONG, _SHORT, _LINE, _PAGE = 40, 12, 60, 40
_MINUS = re.compile(r"(?<![^\s(\[])-(?=[.\d])")


def latex(text: str) -> str:
    """Text with LaTeX's own characters escaped; accents are composed, as pdfLaTeX knows no combining ones.

    >>> print(latex("50 % of A_1, κ -0.1"))
    50~\\% of A\\_1, $\\kappa$ $-$0.1
    """
    text = printable(text.replace("\n", " "))
    text = _MINUS.sub("−", text).replace("--", "-\u200b-").replace(" %", "\N{NO-BREAK SPACE}%")
    plain = unicodedata.normalize("NFC", text)
    return "".join(_LATEX.get(char, char) for char in plain)


def as_latex(table: Table, signature: str = "") -> str:
    """A fragment to ``\\input``: a table with booktabs rules and the note below it; the signature is a comment.

    A table wider than a line is scaled down (``graphicx``); one longer than a page goes over pages (``longtable``).
    """
    cells = [[format_cell(cell, table.digits) for cell in row] for row in table.rows]
    spec, wide, height = _columns([table.columns, *cells], right_aligned(table), _LONG)
    if long := height > _PAGE:
        spec, _, _ = _columns([table.columns, *cells], right_aligned(table), _SHORT)
    head, *rows = (" & ".join(map(latex, row)) + r" \\" for row in (table.columns, *cells))
    # After the line break above it, LaTeX takes a bracket for a length.
    rows = ["{}" + row if row.startswith(("[", "*")) else row for row in rows]
    title = table.caption or table.title
    slug = "-".join(re.findall("[a-z0-9]+", re.split(r"[.:] ", title.lower())[0]))
    number = f"{crc32(repr((title, [row[:1] for row in cells])).encode(errors='replace')):x}"  # two of one name differ
    caption = [rf"\caption{{{latex(title)}}}\label{{tab:{slug}-{number}}}"] if title else []
    note = [latex(line) for line in table.note.split("\n") if line]
    if long:
        begin = [r"{\small", rf"\begin{{longtable}}{{{spec}}}", *(line + r" \\" for line in caption)]
        head += f"\n\\midrule\n\\endfirsthead\n\\toprule\n{head}\n\\midrule\n\\endhead"
        end = [r"\end{longtable}"]
    else:
        scale = [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"] if wide else []
        begin = [r"\begin{table}", r"\centering\small", *caption, *scale, rf"\begin{{tabular}}{{{spec}}}"]
        head, end = head + "\n\\midrule", [r"\end{tabular}" + "}" * wide]
    if note:
        end += [r"\par\smallskip\begin{minipage}{\linewidth}\footnotesize", "\\par\n".join(note), r"\end{minipage}"]
    lines = [*begin, r"\toprule", head, *rows, r"\bottomrule", *end, "}" if long else r"\end{table}"]
    return "\n".join([*([f"% {signature}"] if signature else []), *lines]) + "\n"


def _columns(rows: Sequence[Sequence[str]], right: Sequence[bool], most: int) -> tuple[str, bool, int]:
    """Return the columns for LaTeX, texts above ``most`` sharing what is left of a line, whether they may be wider, and
    the number of lines."""
    sizes = [max(map(width, column)) for column in zip(*rows, strict=True)]
    long = [size > most and not number for size, number in zip(sizes, right, strict=True)]
    left = _LINE - sum(2 + (0 if is_long else size) for size, is_long in zip(sizes, long, strict=True))
    share = max(0.5 if most == _LONG else 0.2, left / _LINE) / max(1, sum(long))
    spec = [
        "r" if number else rf"p{{{share:.2f}\linewidth}}" if is_long else "l"
        for is_long, number in zip(long, right, strict=True)
    ]
    longest = (max([1, *(width(cell) * is_long for cell, is_long in zip(row, long, strict=True))]) for row in rows[1:])
    lines = sum(ceil(letters / (share * _LINE)) for letters in longest)
    return "".join(spec), left < share * sum(long) * _LINE, lines
