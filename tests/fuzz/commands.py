"""Every command of the command line, with what it is given.

``FILE`` is the changed file, ``HERE`` its folder, with an undamaged map (``OTHER``) next to it; ``ANN`` and ``BEN`` are
two corpora; ``OUT`` is a new place. The role says which seeds are changed (``fuzz.seeds``); for a folder of fixtures,
``HERE`` is a copy of it with the one file changed, and each file is there undamaged as ``again-…`` too.
"""

import click

from aifgraph.cli import cli

_LINES = {
    "map": """
        show FILE
        show FILE --tree
        show FILE --format json
        check FILE
        check FILE OTHER --profile iat --details
        check FILE --fix OUT.json
        check HERE --fix OUT
        convert FILE OUT.json
        convert FILE OUT.ttl
        convert FILE - --to graphml
        convert FILE FILE
        show FILE --format json -o FILE
        convert HERE OUT.jsonl
        convert HERE OUT --to xaif
        compare FILE OTHER --format json
        compare OTHER FILE --format html
        compare HERE BEN --format csv --measures all
        compare HERE HERE --format html -o OUT
        compare FILE FILE --chance 2 --set matching=optimal
        differences FILE OTHER
        merge FILE OTHER -o OUT.json --prefer second
        merge HERE BEN -o OUT --prefer first
        draw FILE -o OUT.svg
        draw FILE OTHER -o OUT.png
        evaluate HERE BEN HERE --set rounds=5 --set test_rounds=5
        evaluate HERE BEN HERE --against units --score ER-F1 --set reference=none --set rounds=5 --details
        compare FILE OTHER --set reference=first --set mean=layers --set calculations=PR+TR+AS+ER --details
        compare OTHER FILE --set granularity=strict --set gate=off --set layers=all --format latex
        differences HERE BEN --exit-code --jobs 2
        query HERE undercuts --format csv
        query HERE self-contradiction --format json
        serve FILE OTHER
    """,
    "maps": """
        convert FILE OUT --to xaif
        compare FILE FILE --format csv
        query FILE schemes
    """,
    "union": """
        convert FILE OUT.json
        convert FILE OUT.trig --force
    """,
    "corpus": """
        serve FILE BEN
        serve ANN FILE
        evaluate BEN FILE FILE --baselines none --names gold,a,b --against b --set rounds=5 --set test_rounds=5
        merge FILE BEN -o OUT.jsonl --prefer first
        query FILE ASK{?a?b?c}
        convert FILE FILE
        check FILE
        convert FILE OUT.jsonl
        compare FILE BEN
        differences FILE BEN --format tsv
        agreement FILE BEN --set rounds=5 --intervals
    """,
    "text": "compare OTHER OTHER --first-text FILE",
    "query": "query BEN FILE",
    "pairs": """
        compare ANN BEN --pair-by FILE
        agreement ANN BEN --pair-by FILE --intervals --set rounds=5
    """,
    "decisions": """
        merge FIRST SECOND --decisions FILE -o OUT.json
        merge ANN BEN --decisions FILE -o OUT.jsonl
    """,
    "result": """
        show FILE
        show FILE --format latex
    """,
    "results": """
        compare ANN BEN --resume FILE
        show FILE
    """,
    "datasets/iac1/": "convert --dataset iac1 HERE OUT.jsonl",
    "datasets/iac2/": "convert --dataset iac2 HERE/small.sql OUT.jsonl",
    "datasets/microtexts/": "convert --dataset microtexts HERE OUT.zip",
    "datasets/sciarg-abstracts/": "convert --dataset sciarg HERE/two.tsv OUT.jsonl",
    "datasets/cdcp/": "convert --dataset cdcp HERE OUT.jsonl",
    "datasets/ruarg/": "convert --dataset ruarg HERE/train.tsv OUT.jsonl",
    "datasets/arct/": "convert --dataset arct --set labels=HERE/labels.txt HERE/data.txt OUT",
    "datasets/aurc/": "convert --dataset aurc HERE OUT --set annotator=each",
    "brat/": """
        convert --dataset essays HERE OUT.jsonl
        convert --dataset abstrct HERE OUT.jsonl
    """,
    "tasks/ruarg/": """
        task ruarg score HERE/gold.tsv HERE/predicted.tsv
        task ruarg check HERE/gold.tsv
        task ruarg agreement HERE/gold.tsv HERE/again-gold.tsv
    """,
    "tasks/arct/": """
        task arct score HERE/instances.txt HERE/first.txt HERE/second.txt --metadata HERE/metadata-public.xml
        task arct score HERE/instances.txt HERE/first.txt HERE/second.txt --details --format csv
    """,
    "tasks/aurc/": """
        task aurc score HERE/run.json --seed 1
        task aurc score HERE/run.json --variant strict --format csv
        task aurc agreement HERE
        task aurc perturbation HERE/run.json HERE/again-run.json
        task aurc subpopulation HERE/run.json
    """,
}
#: Roles and command lines.
LINES = [(role, line.strip()) for role, lines in _LINES.items() for line in lines.strip().splitlines()]


def all_commands(group: click.Group = cli, start: str = "") -> set[str]:
    """The names of all commands, those of groups with the group's name in front."""
    found = set()
    for name, command in group.commands.items():
        inner = isinstance(command, click.Group)
        found |= all_commands(command, f"{start}{name} ") if inner else {start + name}
    return found
