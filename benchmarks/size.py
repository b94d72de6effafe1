"""How large the library is: ``python benchmarks/size.py`` prints files, lines, tokens, words, names and options."""

from __future__ import annotations

import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click

import aifgraph
from aifgraph.cli import cli

ROOT = Path(__file__).resolve().parents[1]
COUNTED = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}


def files(folder: str, *suffixes: str) -> list[Path]:
    """Return the committed files under a folder, all or those with a suffix."""
    listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and (not suffixes or path.suffix in suffixes)]


def lines(paths: list[Path]) -> int:
    """Return the number of lines of text files."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def tokens(paths: list[Path]) -> int:
    """Return the number of names, operators, numbers and strings in Python files."""
    count = 0
    for path in paths:
        with tokenize.open(path) as file:
            count += sum(token.type in COUNTED for token in tokenize.generate_tokens(file.readline))
    return count


def words(paths: list[Path]) -> int:
    """Return the number of words of Markdown pages."""
    return sum(len(path.read_text("utf-8").split()) for path in paths)


def commands(command: click.Command, path: str = "") -> Iterator[tuple[str, int]]:
    """Yield each command with its number of options."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from commands(inner, f"{path} {name}".strip())
    else:
        yield path, sum(isinstance(parameter, click.Option) for parameter in command.params)


def main() -> None:
    """Print the figures, a line each."""
    source, other = files("src", ".py"), files("src", ".js", ".ts", ".css", ".html", ".j2", ".toml")
    tests = files("tests", ".py")
    docs = [page for page in files("docs", ".md", ".ipynb") if page.name != "reproduced.md"]  # that is generated
    programs = [*files("examples", ".py"), *files("benchmarks", ".py")]
    print(f"src: {len(source)} Python files, {lines(source)} lines, {tokens(source)} tokens")
    print(f"src: {len(other)} scripts, styles and templates, {lines(other)} lines")
    print(f"tests: {len(tests)} files, {lines(tests)} lines")
    print(f"examples and benchmarks: {len(programs)} files, {lines(programs)} lines")
    print(f"docs: {len(docs)} pages, {words([page for page in docs if page.suffix == '.md'])} words")
    print(f"public names: {len([name for name in aifgraph.__all__ if name != '__version__'])}")
    options = dict(commands(cli))
    nested = sum(count for path, count in options.items() if path.startswith(("task", "fetch")))
    print(
        f"commands: {len(cli.list_commands(click.Context(cli)))} with {sum(options.values()) - nested} option "
        f"slots, {nested} more under task and fetch"
    )


if __name__ == "__main__":
    main()
