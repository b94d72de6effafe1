"""The comparison of two corpora, read back from its file: JSON, or the lines of a run."""

from __future__ import annotations

from pathlib import Path

from aifgraph.comparison.options import signature_words
from aifgraph.comparison.stored_comparison import StoredComparison
from aifgraph.errors import AifgraphError, FormatError
from aifgraph.evaluation.corpus_comparison import CorpusComparison
from aifgraph.evaluation.result_lines import ResultLines
from aifgraph.evaluation.stored_document import AGAIN, options_of
from aifgraph.formats.result_files import is_corpus_result, is_lines, read_result


def corpus_from_lines(path: Path) -> CorpusComparison:
    """The comparison in a file of results (``--results``); maps without a partner are not in it.

    Raises:
        NoSuchFileError: there is no such file. FormatError: it is not a file of results.
    """
    from aifgraph.evaluation.results_line import check_line

    lines = ResultLines(path)
    signature = lines.header.get("signature")
    if not isinstance(signature, str):
        raise FormatError("a damaged file of results: it has no signature", where=str(path), remedy=AGAIN)
    words = signature_words(signature)
    try:
        options = options_of(words)
    except ValueError:
        raise FormatError("a damaged file of results: its signature", where=str(path), remedy=AGAIN) from None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.endswith(b"\n"):
                check_line(line, f"{path}, line {number}", AGAIN)
    return CorpusComparison(lines, options, "skip", ((), ()), lines.failed, stored_signature=signature)


def read_stored(path: Path) -> StoredComparison | CorpusComparison:
    """The result in a file: of two maps or two corpora, as JSON, or the JSON lines of a run (``--results``).

    Raises:
        NoSuchFileError: there is no such file. FormatError: what is in it is no result, a damaged one, or of a later
            version.
    """
    if is_lines(path):
        return corpus_from_lines(path)
    document = read_result(path)
    try:
        return CorpusComparison.from_dict(document) if is_corpus_result(document) else StoredComparison.of(document)
    except AifgraphError as error:
        raise error.at(str(path)) from None
