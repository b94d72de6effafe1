"""What people look for under another name, and the answer: the field's words, and how they are said here.

A wrong name on a graph, a builder, a node, a result or a module is an ``AttributeError`` that names the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

T = TypeVar("T")

#: By what is asked, and then by the word: the expression that does it.
_ANSWERS: Final[Mapping[str, Mapping[str, str]]] = {
    "aifgraph": {
        "Builder": "GraphBuilder",
        "Graph": "ArgumentGraph",
        **dict.fromkeys(("Claim", "Premise", "INode", "Statement"), "Proposition"),
        **dict.fromkeys(("load_all", "load_folder", "load_dir", "load_corpus", "read_corpus"), "open_corpus(path)"),
        **dict.fromkeys(("write_corpus", "save_corpus", "dump_corpus"), "dump(graphs, path)"),
        **dict.fromkeys(("load_", "read_", "from_"), "load"),
        **dict.fromkeys(("save_", "write_"), "dump"),
        **dict.fromkeys(("schemes", "find_scheme", "list_schemes"), "the command aifgraph schemes"),
        "load_result": "Comparison.load or CorpusComparison.load",
        "pack": "the command aifgraph pack",
        "cass": "compare",
        "check": "validate",
        "diff": "compare(…).differences()",
        "differences": "compare(…).differences()",
        **dict.fromkeys(("draw", "plot"), "the command aifgraph draw, or aifgraph.report.plots"),
        "explain": "compare(…).differences()",
        "export": "training_data and write_training_data",
        "stats": "open_corpus(path).stats()",
        "to_csv": "compare(first, second).to_csv()",
        "to_latex": "compare(first, second).to_latex()",
        "fetch": "AIFdb",
        "from_json": "loads",
        "from_networkx": "ArgumentGraph.from_networkx",
        "import_predictions": "aifgraph.evaluation.training.predictions.Predictions",
        "kappa": "compare",
        "leaderboard": "evaluate",
        "open": "load (one map) or open_corpus",
        "parse": "loads",
        "read": "load",
        "save": "dump",
        "score": "compare",
        "show": "print(graph), or the command aifgraph show",
        "to_file": "dump",
        "to_html": "compare(first, second).to_html()",
        "to_json": "dumps",
        "to_networkx": "ArgumentGraph.to_networkx",
        "train": "training_data",
        "write": "dump",
        **dict.fromkeys(("AIF", "AIFGraph", "XAIF", "Argument"), "ArgumentGraph, which load(path) gives"),
        **dict.fromkeys(("frames", "nodes_frame", "edges_frame"), "aifgraph.interop.frames"),
        **dict.fromkeys(("get_cass", "cohen_kappa_score", "f1_score", "accuracy_score"), "compare(first, second)"),
        "confusion_matrix": "compare(first, second).calculations[name].matrix",
        "classification_report": "compare(first, second).tables()",
        **dict.fromkeys(("alpha", "krippendorff_alpha", "fleiss_kappa"), "agreement(corpora)"),
        **dict.fromkeys(("plot", "plots", "heatmap"), "aifgraph.report.plots"),
        **dict.fromkeys(("bootstrap", "intervals"), "compare_corpora(first, second, intervals=True)"),
        "compare_folders": "compare_corpora",
        **dict.fromkeys(("scores", "metrics"), "compare(first, second), or the command aifgraph metrics"),
        "krippendorff": "agreement(corpora)",
        **dict.fromkeys(("read_result", "load_results"), "Comparison.load or CorpusComparison.load"),
        "train_test_split": "training_data(corpus, task, splits=…)",
        **dict.fromkeys(("read_csv", "open_dataset", "load_dataset", "Dataset"), "datasets.open_dataset(name, path)"),
        **dict.fromkeys(("to_frame", "to_pandas", "to_dataframe"), "ArgumentGraph.to_frame"),
    },
    "corpus": {
        **dict.fromkeys(
            ("graphs", "maps", "entries", "texts", "items", "values"), "[entry.load() for entry in corpus]"
        ),
        **dict.fromkeys(("validate", "check"), "[aifgraph.validate(entry.load()) for entry in corpus]"),
        **dict.fromkeys(("compare", "diff"), "aifgraph.compare_corpora(corpus, other)"),
        **dict.fromkeys(("to_frame", "to_pandas", "to_dataframe", "df"), "aifgraph.interop.frames.nodes_frame(corpus)"),
        **dict.fromkeys(("convert", "save", "dump", "export", "write"), "aifgraph.dump(corpus, path)"),
        **dict.fromkeys(("describe", "counts", "summary"), "stats()"),
        **dict.fromkeys(("pack", "zip"), "the command aifgraph pack"),
        **dict.fromkeys(("map", "apply"), "[verb(entry.load()) for entry in corpus]"),
        **dict.fromkeys(("keys", "files", "ids", "filenames"), "names"),
        **dict.fromkeys(("size", "count", "shape"), "len(corpus)"),
        **dict.fromkeys(("filter", "where", "select"), "only(names)"),
        **dict.fromkeys(("add", "append", "extend", "insert"), "aifgraph.dump(graphs, path), which writes a corpus"),
        "get": "find(name)",
        "head": "[corpus[0], corpus[1]]; corpus[:5] is a corpus, too",
        **dict.fromkeys(("split", "train_test_split"), "aifgraph.training_data(corpus, task, splits=…)"),
        "open": "aifgraph.open_corpus(path)",
        "load": "aifgraph.open_corpus(path), or [entry.load() for entry in corpus]",
    },
    "graph": {
        **dict.fromkeys(("validate", "check", "is_valid"), "aifgraph.validate(graph)"),
        **dict.fromkeys(("repair", "fix", "clean"), "aifgraph.repair(graph)"),
        **dict.fromkeys(("diff", "differences", "explain"), "aifgraph.compare(graph, other).differences()"),
        **dict.fromkeys(("compare", "kappa", "cass", "agreement"), "aifgraph.compare(graph, other)"),
        **dict.fromkeys(("save", "dump", "write", "to_file", "export"), "aifgraph.dump(graph, path)"),
        **dict.fromkeys(("to_json", "dumps", "to_string", "to_xaif"), "aifgraph.dumps(graph)"),
        **dict.fromkeys(("load", "read", "from_", "open"), "aifgraph.load(path)"),
        **dict.fromkeys(("from_dict", "from_json"), "aifgraph.from_dict(document)"),
        **dict.fromkeys(("to_pandas", "to_df", "to_dataframe", "dataframe"), "to_frame()"),
        **dict.fromkeys(
            ("nodes_of_type", "by_type", "nodes_by_type", "of_type", "query", "select", "where"), "filter('RA')"
        ),
        **dict.fromkeys(("node",), "graph[id] or get(id)"),
        **dict.fromkeys(
            (
                *("add", "add_", "remove", "remove_", "delete", "delete_", "set_", "update", "edit", "insert", "copy"),
                *("builder", "to_builder"),
            ),
            "aifgraph.GraphBuilder(graph), which holds a copy that changes",
        ),
        **dict.fromkeys(("i_nodes", "inodes", "atom_nodes", "claims", "statements", "arguments"), "propositions"),
        **dict.fromkeys(("l_nodes", "lnodes", "utterances", "turns"), "locutions or timeline()"),
        **dict.fromkeys(("ra_nodes", "support_relations"), "inferences"),
        **dict.fromkeys(("ca_nodes", "attack_relations"), "conflicts"),
        **dict.fromkeys(("ma_nodes", "rephrasing"), "rephrasings"),
        **dict.fromkeys(("s_nodes", "scheme_nodes"), "relations, illocutions, transitions"),
        **dict.fromkeys(("ya_nodes", "illocutionary_acts"), "illocutions"),
        "ta_nodes": "transitions",
        **dict.fromkeys(("premises",), "premises_of(relation)"),
        **dict.fromkeys(("conclusion", "conclusions"), "conclusion_of(relation)"),
        **dict.fromkeys(("supporters", "supporters_of", "support", "reasons", "reasons_for"), "supports(claim)"),
        **dict.fromkeys(("attackers", "attackers_of", "rebuttals", "objections"), "attacks(claim)"),
        **dict.fromkeys(("undercuts", "undercutters"), "attacks(relation)"),
        **dict.fromkeys(("speaker", "author_of", "who_said"), "speaker_of(node)"),
        **dict.fromkeys(("people", "persons"), "participants or speakers"),
        **dict.fromkeys(("children", "out_edges", "neighbors", "neighbours"), "successors(node)"),
        **dict.fromkeys(("parents", "in_edges"), "predecessors(node)"),
        **dict.fromkeys(("warnings", "problems", "issues"), "notices"),
        **dict.fromkeys(("source_text", "txt", "full_text"), "text"),
        **dict.fromkeys(("main_claims", "major_claims", "conclusive_claims"), "roots()"),
        **dict.fromkeys(("size", "shape", "count"), "len(graph)"),
        **dict.fromkeys(("number_", "num_", "n_"), "len(graph.nodes), len(graph.edges)"),
        **dict.fromkeys(("search", "find_text"), "find(text)"),
        **dict.fromkeys(("id", "title", "path", "filename", "nodeset_id"), "name"),
        **dict.fromkeys(("scheme_of", "schemes_of"), "graph[id].schemes"),
        **dict.fromkeys(("to_rdf", "triples"), "aifgraph.to_rdf(graph)"),
        **dict.fromkeys(("schemes", "scheme"), "filter(scheme=…), or graph[id].schemes"),
        **dict.fromkeys(("metadata", "records"), "meta"),
        **dict.fromkeys(("locution_records", "record_of"), "records_of(locution)"),
        **dict.fromkeys(("without",), "aifgraph.graph.edit.without_nodes(graph, nodes)"),
        **dict.fromkeys(("draw", "plot", "show", "display", "render"), "the command aifgraph draw"),
        **dict.fromkeys(("degree", "in_degree"), "len(graph.predecessors(node))"),
        "out_degree": "len(graph.successors(node))",
        "has_edge": "graph.successors(source), with the target in it",
        "has_node": "graph.get(node), or node in graph",
        **dict.fromkeys(
            ("reverse", "connected_components", "shortest_path", "adj", "to_nx", "is_", "topological_sort"),
            "to_networkx(), for networkx",
        ),
        **dict.fromkeys(("format", "form"), "meta.form"),
        **dict.fromkeys(("to_csv", "groupby", "head", "shape"), "to_frame(), for pandas"),
        **dict.fromkeys(("aif", "to_aif", "json"), "to_dict()"),
        **dict.fromkeys(("xaif", "to_dot", "to_turtle", "to_graphviz", "serialize"), "aifgraph.dumps(graph, format=…)"),
        "is_valid_json_aif": "aifgraph.validate(graph)",
        **dict.fromkeys(("summary", "stats", "describe"), "the command aifgraph stats, or print(graph)"),
        "texts": "graph.nodes, each with its text",
        **dict.fromkeys(("dialogue", "dialog"), "timeline()"),
    },
    "builder": {
        **dict.fromkeys(("build", "to_graph", "finish", "get_graph", "done", "freeze"), "graph()"),
        **dict.fromkeys(("claim", "statement", "i_node"), "proposition(text)"),
        **dict.fromkeys(("utterance", "turn", "l_node"), "locution(text, speaker=…)"),
        **dict.fromkeys(("support", "argument"), "inference([premise], conclusion)"),
        **dict.fromkeys(("attack", "undercut", "rebut"), "conflict(attacker, attacked)"),
        "restate": "rephrase(rephrasing, rephrased)",
        **dict.fromkeys(("asserting", "assert_", "anchor"), "illocution(locution, proposition)"),
        "reply": "transition(start, end)",
        **dict.fromkeys(("speaker", "person"), "participant(first, last)"),
        **dict.fromkeys(("delete", "drop", "discard"), "remove(node)"),
        **dict.fromkeys(("change", "set_", "edit", "modify", "relabel", "rename"), "update(node, text=…)"),
        **dict.fromkeys(
            ("replace", "retype", "set_type", "change_type", "convert"),
            "update(node, text=…)? The type of a node stays: remove it, and make another",
        ),
        **dict.fromkeys(("connect", "link"), "edge(source, target)"),
        **dict.fromkeys(("delete_edge", "disconnect"), "remove_edge(source, target)"),
        **dict.fromkeys(("text", "set_source", "source_text"), "source(text)"),
        **dict.fromkeys(("save", "dump", "write"), "aifgraph.dump(build.graph(), path)"),
        **dict.fromkeys(("to_json", "to_dict"), "graph().to_dict()"),
        "to_xaif": "aifgraph.dumps(build.graph(), format='xaif')",
        "add_component": "node(type, text)",
    },
    "node": {
        **dict.fromkeys(("speaker", "author", "person"), "graph.speaker_of(node)"),
        **dict.fromkeys(("locution", "locutions", "said_in"), "graph.locution_of(node)"),
        **dict.fromkeys(("premises", "sources"), "graph.premises_of(node)"),
        **dict.fromkeys(("conclusion", "conclusions", "target"), "graph.conclusion_of(node)"),
        **dict.fromkeys(("predecessors", "parents"), "graph.predecessors(node)"),
        **dict.fromkeys(("successors", "children", "neighbors", "neighbours"), "graph.successors(node)"),
        "key": "id",
        **dict.fromkeys(("content", "label", "claim", "txt"), "text"),
        "scheme_name": "scheme.name",
        "scheme_id": "scheme.id",
        **dict.fromkeys(("metadata", "attributes", "data", "get", "items", "keys"), "extra (or record)"),
        **dict.fromkeys(("start", "time"), "graph.records_of(node)"),
        **dict.fromkeys(("supports", "attacks"), "graph.supports(node), graph.attacks(node)"),
        **dict.fromkeys(("to_dict", "to_json"), "graph.to_dict(), or record, which is what the file says of it"),
    },
    "result": {
        **dict.fromkeys(
            ("explain", "diff", "disagreements", "differences"),
            "differences() | the command aifgraph differences, or compare(first, second).differences() of a pair",
        ),
        "raise_for_errors": "ok, or errors",
        **dict.fromkeys(("severity",), "level | errors, warnings and notes"),
        **dict.fromkeys(("is_valid", "valid", "passed"), "ok"),
        **dict.fromkeys(("issues", "problems", "violations"), "list(findings), .errors or .warnings"),
        **dict.fromkeys(("node_ids", "ids"), "nodes"),
        **dict.fromkeys(("description", "text", "msg"), "message"),
        **dict.fromkeys(("rule_id", "id"), "code"),
        **dict.fromkeys(("CASS", "score", "scores"), "cass | macro.cass | all, each with its macro.cass | points"),
        "cass": "macro.cass",
        "layers": "macro.over",
        "M": "mean | macro.mean",
        **dict.fromkeys(("fscore", "f_score"), "f1"),
        **dict.fromkeys(("cohen", "agreement"), "kappa"),
        **dict.fromkeys(("kappa", "f1"), "mean(score) | all[name].kappa | macro"),
        **dict.fromkeys(("html", "to_html", "report"), "to_html() | show() | the command with --format html"),
        **dict.fromkeys(("to_pandas", "to_df", "frame", "df", "iloc", "loc", "head", "to_excel"), "to_frame()"),
        **dict.fromkeys(("describe", "classification_report", "summary"), "to_text()"),
        **dict.fromkeys(("to_string", "print"), "to_text()"),
        **dict.fromkeys(("confusion_matrix", "matrix"), "calculations[name].matrix | micro | tables() | rows"),
        **dict.fromkeys(("argument", "dialogue"), "layers[name] | macro.over"),
        **dict.fromkeys(("average", "mean", "macro_average", "mean_cass"), "mean | macro"),
        **dict.fromkeys(("std", "median", "sd"), "distribution()"),
        **dict.fromkeys(("json", "as_dict", "save", "dump", "write"), "to_json(path)"),
        **dict.fromkeys(("from_json", "from_file", "read", "open"), "load(path)"),
        **dict.fromkeys(("ci", "bootstrap", "intervals"), "intervals() | result.intervals()"),
        **dict.fromkeys(("results", "texts_scores"), "pairs"),
        **dict.fromkeys(("get", "pair"), "result[name], or comparison(name) with its maps | all[name]"),
        **dict.fromkeys(("keys", "values"), "to_dict()"),
        **dict.fromkeys(("kappas", "fleiss_kappa"), "fleiss, alpha and mean()"),
        "krippendorff": "alpha",
        **dict.fromkeys(("gold", "annotator1"), "first"),
        **dict.fromkeys(("system", "annotator2"), "second"),
        **dict.fromkeys(("raters", "names", "annotators"), "annotators | names"),
        "unmatched": "classes(layer), those with one side empty",
        **dict.fromkeys(("errors", "failures", "skipped"), "failed"),
        **dict.fromkeys(("p", "pvalue", "p_value", "p_values", "significance", "significant"), "tests | p"),
        **dict.fromkeys(("plot", "draw", "figure"), "aifgraph.report.plots"),
        **dict.fromkeys(("worst", "sort", "sort_values"), "pairs_table(sort, top) | tables()"),
        **dict.fromkeys(("best", "winner", "ranking", "leaderboard"), "all, which has the best first"),
        **dict.fromkeys(("count", "size"), "len(result) | total"),
        **dict.fromkeys(("filter", "by_kind"), "[row for row in result if row.kind == …]"),
        "wording": "first_wording and second_wording",
        "text": "first_wording and second_wording",
        **dict.fromkeys(("shape", "values", "to_numpy", "data"), "rows"),
        **dict.fromkeys(("header", "headers"), "columns"),
        "version": "signature",
    },
    "plots": {
        **dict.fromkeys(("confusion_matrix", "matrix", "plot_confusion_matrix"), "heatmap(matrix)"),
        **dict.fromkeys(("bar", "hist", "barplot"), "histogram(counts)"),
        **dict.fromkeys(("scores", "errorbar", "forest"), "intervals(result)"),
        **dict.fromkeys(("savefig", "save", "show"), "Path(name).write_bytes(plots.intervals(result))"),
    },
    "edge": {
        **dict.fromkeys(("src", "start", "from_id", "from_", "tail", "u"), "source"),
        **dict.fromkeys(("dst", "end", "to_id", "to", "head", "v"), "target"),
        "text": "graph[edge.source].text, graph[edge.target].text",
    },
    "person": {
        **dict.fromkeys(("last_name", "lastname", "family_name"), "surname"),
        **dict.fromkeys(("forename", "given_name"), "first_name"),
    },
    "entry": {
        **dict.fromkeys(("graph", "map", "read", "open", "argument_graph"), "load()"),
        **dict.fromkeys(("id", "title", "stem"), "name"),
        **dict.fromkeys(("filename", "file"), "path"),
        **dict.fromkeys(("data", "bytes", "content"), "input()"),
        "format": "suffix",
    },
    "dataset": {
        **dict.fromkeys(("errors", "warnings", "notices"), "problems"),
        **dict.fromkeys(("to_corpus", "save", "dump", "convert", "write", "export"), "aifgraph.dump(dataset, path)"),
        **dict.fromkeys(("graphs", "load", "entries", "texts", "items", "samples"), "list(dataset)"),
    },
    "datasets": {
        **dict.fromkeys(
            ("load", "read", "get", "open", "load_dataset", "get_dataset", "read_dataset"), "open_dataset(name, path)"
        ),
        **dict.fromkeys(("names", "available", "list", "list_datasets", "all"), "DATASETS"),
    },
    "frames": {
        **dict.fromkeys(("nodes", "to_frame", "frame"), "nodes_frame(graph)"),
        "edges": "edges_frame(graph)",
        "relations": "relations_frame(graph)",
    },
    # Keywords of compare and its like: as other programs call them, and what is asked elsewhere.
    "option": {
        **dict.fromkeys(("strategy", "gold"), "prefer, of merge(first, second, prefer=…)"),
        **dict.fromkeys(("text", "source_text"), "first_text and second_text, of compare(first, second)"),
        **dict.fromkeys(("first_text", "second_text"), "compare(first, second, first_text=…), of two maps"),
        **dict.fromkeys(
            ("format", "latex", "csv", "markdown"), "result.to_text(), to_markdown(), to_latex(), to_csv()"
        ),
        **dict.fromkeys(("html", "page"), "result.to_html()"),
        **dict.fromkeys(("paper", "style"), "result.paper(style)"),
        **dict.fromkeys(("details", "tables", "verbose"), "result.tables()"),
        **dict.fromkeys(("sort", "top"), "result.tables(sort=…, top=…), of two corpora"),
        "only": "result.cass",
        "against": "the command aifgraph compare --against",
        "plot": "aifgraph.report.plots",
        "items": "result.to_dict(items=True), or compare_corpora(first, second, items=True)",
        "names": "compare(first, second, names=…), of two maps",
        "metrics": "compare or compare_corpora, with metrics=…",
        "intervals": "compare_corpora(first, second, intervals=True), or intervals() of a result",
        **{
            name: f"compare_corpora(first, second, {name}=…), of two corpora"
            for name in (
                *("pairs", "pair_by", "min_text", "texts", "with_itself", "missing", "classes", "rounds"),
                *("level", "method", "jobs", "scheduler", "ship", "results", "resume", "progress", "on_comparison"),
                "each",
            )
        },
    },
}


#: Words that mean alike, of options, values and arguments: of those that there are, the first answers the others.
_ALIKE: Final = tuple(
    tuple(line.split())
    for line in """\
output out o save write to_file outfile output_file
out target dest destination
format f fmt output_format to
to to_format output_format format f
from from_format input_format
jobs j threads workers n_jobs num_workers processes cores parallel cpus n_threads
seed random_state random_seed rng
intervals ci bootstrap confidence interval confidence_intervals
rounds draws samples resamples n_bootstrap n_resamples iterations n_iter repeats
level confidence confidence_level alpha significance_level
top most limit head n max max_rows number
number n size k count texts
texts sizes n
details context tree all full explain long everything
verbose debug log_level progress vv
version V
quiet silent
color colour
pairs mapping map pair_file
pair_by by pairing match_by pair pairs mapping
first_text second_text text source_text
by pair_by method stratify strata group_by
kinds kind types type
kind type name
format type
score scores metric metrics measure rank_by
scores score metrics metric
metrics measures metric measure
min_similarity threshold cutoff min_text
min_text threshold cutoff min_similarity
matching match algorithm
layers layer
meaning model encoder embeddings
relations types relation_types
select rules rule only level errors_only codes
ignore exclude skip
prefer strategy gold
as user annotator by who me
names name label labels
host bind address listen
port p
decisions d decided
first first_map a reference gold
gold reference truth first
second second_map b system prediction other
systems system predictions second
in input source infile file
compare diff other
resume continue restart
force overwrite replace f y
finish export write done
text txt plain
markdown md
latex tex
json js
html htm
csv comma
strict one_to_one exact
optimal hungarian best
report dry_run log
""".splitlines()
)


def alike(word: str, names: Iterable[str]) -> str:
    """The one of ``names`` that is the same word, or means the same; empty where none does.

    >>> alike("n-jobs", ["gate", "jobs"]), alike("Random_State", ["seed"]), alike("x", ["seed"])
    ('jobs', 'seed', '')
    """
    own = {name.lower().replace("-", "_"): name for name in names}
    asked = word.replace("-", "_")
    asked = asked if len(asked) == 1 else asked.lower()
    same = (of for words in _ALIKE if asked in words for of in words)
    return next((own[of] for of in (asked, *same) if of in own), "")


def near(name: str, names: Iterable[str], cutoff: float = 0.7) -> str:
    """The one of ``names`` that is most similar, in any case; empty where none is.

    >>> near("matchin", ["matching", "gate"]), near("x", ["gate"])
    ('matching', '')
    """
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in reversed(list(names))}
    found = get_close_matches(name[:100].lower(), list(by_lower), 1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""


#: The name at the beginning of an answer that is an attribute or a call of one.
_OWN_NAME: Final = re.compile(r"(\w+)(?:[(\[,.]|\Z)")
#: What other libraries put around a name.
_AROUND: Final = re.compile(r"^(?:get|list|all|add|node)_|_(?:list|all|nodes?|by_id)$")


class NoSuchAttributeError(AttributeError):
    """A name that there is not; its message, made when somebody reads it, says which one is meant, or which there
    are."""

    def __init__(self, owner: str, name: str, end: Callable[[], str]) -> None:
        super().__init__(name)
        self.name = name
        self._parts = (owner, name, end)

    def __str__(self) -> str:
        owner, name, end = self._parts
        return f"{owner} has no attribute {name!r}{end()}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (AttributeError, (str(self),))


def answer(family: str, name: str, otherwise: Iterable[str] = ()) -> str:
    """What is said of a word of a family, as a question; else which one of ``otherwise``, or which word of the family
    means the same; empty where none does.

    >>> answer("option", "top")
    'did you mean result.tables(sort=…, top=…), of two corpora?'
    """
    words = _ANSWERS[family]
    found = words.get(name) or alike(name, otherwise) or words.get(alike(name, words), "")
    return f"did you mean {found!r}?" if found.isidentifier() else f"did you mean {found}?" if found else ""


def meant(name: str, names: Iterable[str], family: str = "", thing: Any = None) -> str:
    """The end of the message about a wrong name: what the field calls so, else a key of a mapping of the ``thing``, the
    most similar of ``names``, or all of them.

    >>> meant("nodes_of_type", ["filter"], "graph"), meant("propositons", ["propositions", "locutions"])
    ("; did you mean filter('RA')?", '; did you mean propositions?')
    >>> meant("getLocutions", ["propositions", "locutions"]), meant("read_aif", ["loads", "load"], "aifgraph")
    ('; did you mean locutions?', '; did you mean load?')
    """
    from difflib import get_close_matches

    public = [each for each in names if not each.startswith("_")]
    by_form = {each.casefold().rstrip("s"): each for each in reversed(public)}
    known = (*public, "len", "list", "print", "aifgraph", "graph", "pandas", "result")

    def said(word: str) -> str:
        # A word that several classes share may be none of this one's: what it is then comes behind the bar.
        answers = _ANSWERS.get(family, {}).get(word, "").split(" | ")
        module = family in ("aifgraph", "plots")
        fitting = (of for of in answers if module or not (own := _OWN_NAME.match(of)) or own[1] in known)
        return next(fitting, "")

    def found() -> Iterator[str]:
        snake = re.sub("(?<=[a-z])(?=[A-Z])", "_", name[:100]).lower()
        yield from map(said, (name, snake, f"{snake}s"))
        yield by_form.get(snake.rstrip("s"), "")
        yield from get_close_matches(name[:100], public, 1, cutoff=0.9)
        yield said(snake.partition("_")[0] + "_")  # words that end so are beginnings
        bare = _AROUND.sub("", snake)
        yield from map(said, (bare, f"{bare}s", bare.rstrip("s")))
        yield by_form.get(bare.rstrip("s"), "")
        yield from (by_form.get(word.rstrip("s"), "") for word in snake.split("_")[::-1] if len(word) > 1)
        yield near(name, public)

    answer = next(filter(None, found()), "")
    return f"; did you mean {answer}?" if answer else ""


def _all_of(owner: type, names: list[str]) -> str:
    """What objects of a class have, for a name that is like none of it."""
    names = [each for each in names if not each.startswith("_")]
    verbs = [f"{each}()" for each in names if callable(getattr(owner, each, None))]
    values = [each for each in names if f"{each}()" not in verbs]
    groups = [", ".join(group) for group in (values, verbs) if group]
    return f"; it has {', and '.join(groups)}" if groups else ""


def _key_of(key: object, one: Any) -> str:
    """The place of a key in a mapping that an object is, or has, by its class's ``_keyed``."""
    for mapping in ("",) if isinstance(one, dict) else getattr(type(one), "_keyed", ()):
        try:
            (attrgetter(mapping)(one) if mapping else one)[key]
        except (KeyError, TypeError):
            continue
        return f"{mapping}[{key!r}]"
    return ""


def _names_of(owner: type, one: object = None) -> list[str]:
    own = getattr(one, "__dict__", ()) if one is not None else ()
    declared = (name for each in owner.__mro__ for name in getattr(each, "__annotations__", ()))
    return sorted({*dir(owner), *declared, *own})


def _end(owner: type, name: str, one: object = None) -> str:
    """What is said of a name that a class and ``one`` of its objects have not."""
    if name.startswith("_"):
        return ""
    words = () if isinstance(one, dict) else _ANSWERS.get(getattr(owner, "_family", ""), ())
    if name not in words and (place := _key_of(name, one)):
        return f"; did you mean {place}?"
    if isinstance(one, dict):
        return f"; it has {', '.join(f'[{key!r}]' for key in one)}"
    family, (way, other) = getattr(owner, "_family", ""), getattr(owner, "_leads_to", None) or ("", None)
    if other and name not in _ANSWERS[family] and name in _names_of(other()):
        return f"; did you mean {way}.{name}?"
    beside = f"; {owner._beside}" if getattr(owner, "_beside", "") else ""  # type: ignore[attr-defined]
    names = _names_of(owner, one)
    return meant(name, names, family) or _all_of(owner, names) + beside


class _AnsweringType(type):
    """The class of ``Answering`` classes: they answer wrong names of their own, too, and frozen ones what is set."""

    def __init__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any], **more: Any) -> None:
        super().__init__(name, bases, names, **more)
        # A frozen data class with slots is made a second time, with the verb that refuses in a few words.
        if getattr(names.get("__dataclass_params__"), "frozen", False):
            cls.__setattr__ = _refuse_change  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            raise NoSuchAttributeError(f"class {cls.__name__!r}", name, lambda: _end(cls, name))


def _refuse_change(self: object, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    remedy = getattr(self, "_remedy_of_change", "") or "dataclasses.replace makes another"
    raise FrozenInstanceError(f"{type(self).__name__} does not change ({name}); {remedy}")


class Answering(metaclass=_AnsweringType):
    """A class whose wrong names are answered with the right ones; ``_family`` says by which words, ``_leads_to`` how
    one comes to the object of another class that may have the name, ``_beside`` what else the object can do, ``_keyed``
    which attributes are mappings whose keys may be meant."""

    __slots__ = ()
    _family: ClassVar[str] = "result"
    _leads_to: ClassVar[tuple[str, Callable[[], type]] | None] = None
    _beside: ClassVar[str] = ""
    _keyed: ClassVar[tuple[str, ...]] = ()
    _remedy_of_change: ClassVar[str] = ""

    # Type checkers know which names there are.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise NoSuchAttributeError(f"{type(self).__name__!r} object", name, lambda: _end(type(self), name, self))

        def __getitem__(self, key: object) -> Any:
            owner = type(self)
            if isinstance(key, str) and key.isidentifier() and key in _names_of(owner, self):
                raise TypeError(f"{owner.__name__!r} object has no items; did you mean .{key}?")
            place = _key_of(key, self)
            end = f"; did you mean {place}?" if place else _end(owner, key if isinstance(key, str) else "", self)
            raise TypeError(f"{owner.__name__!r} object has no items and is not iterable{end}")

        def __setitem__(self, key: object, value: object) -> None:
            remedy = "; aifgraph.dump(graphs, path) writes a corpus" if self._family == "corpus" else ""
            raise TypeError(f"items of a {type(self).__name__} are not set{remedy}")


def answer_names(named_tuple: type, family: str) -> None:
    """Let a class that cannot be ``Answering``, as its base is ``NamedTuple``, answer wrong names."""
    for name, value in (("_family", family), ("__getattr__", Answering.__dict__["__getattr__"])):
        setattr(named_tuple, name, value)


class Listed(tuple[T, ...]):
    """A tuple of nodes, which says what else is meant."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __call__(self, *_: object, **__: object) -> Any:
            raise TypeError("this is a tuple of nodes and no function; leave out the ()")

        def __getitem__(self, key: object) -> Any:
            if isinstance(key, str):
                raise TypeError("a tuple of nodes has numbers and no ids; graph[id] is the node of an id")
            return tuple.__getitem__(self, key)

        def __getattr__(self, name: str) -> Any:
            end = "; iterate it, graph[id] is the node of an id, and graph.filter(…) selects nodes"
            raise NoSuchAttributeError("tuple of nodes", name, lambda: end)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Listed, (tuple(self),))


def answering_module(
    module: str, names: Iterable[str], family: str = "", by_name: tuple[str, Iterable[str]] = ("", ())
) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module with public ``names``; a function of it takes things ``by_name``, which are asked
    for as attributes (``load_cdcp`` for ``open_dataset('cdcp', path)``)."""

    def refuse(name: str) -> Any:
        owner = f"module {module!r}"
        thing = re.sub("^(load|read|open|get)_", "", name).replace("_", "-").lower()
        if thing in by_name[1]:
            raise AttributeError(f"{owner} has no attribute {name!r}; did you mean {by_name[0]}({thing!r}, path)?")

        def end() -> str:
            listed = ", ".join(sorted(each for each in names if each[:1].islower()) or sorted(names))
            return "" if name.startswith("_") else meant(name, names, family) or f"; it has {listed}"

        raise NoSuchAttributeError(owner, name, end)

    return refuse
