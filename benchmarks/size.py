"""How large the library is: ``python benchmarks/size.py`` prints files, lines, code, words, names and the walk."""

from __future__ import annotations

import ast
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import click
from click.testing import CliRunner

import aifgraph
from aifgraph.cli import cli

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "aifgraph"
#: Tokens that make no line a line of code.
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def files(folder: str, *suffixes: str) -> list[Path]:
    """Return the committed files under a folder, all or those with a suffix."""
    listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and (not suffixes or path.suffix in suffixes)]


def lines(paths: list[Path]) -> int:
    """Return the number of lines of text files."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def code_lines(paths: list[Path]) -> int:
    """Return the number of lines of Python files that hold code: no docstring, import, comment or blank line."""
    count = 0
    for path in paths:
        with tokenize.open(path) as file:
            tokens = [token for token in tokenize.generate_tokens(file.readline) if token.type not in NO_CODE]
        lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            texts = (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and type(node.value.value) is str
            )
            if texts or isinstance(node, ast.Import | ast.ImportFrom):
                lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        count += len(lines)
    return count


def walk(*arguments: str) -> list[str]:
    """Return the files of the library whose functions a command calls, in the order in which it enters them."""
    entered: dict[str, None] = {}

    def enter(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if (
            event == "call" and code.co_filename.startswith(str(SOURCE)) and code.co_flags & 3 == 3
        ):  # no module or class
            entered[str(Path(code.co_filename).relative_to(SOURCE))] = None

    sys.setprofile(enter)
    try:
        CliRunner().invoke(cli, arguments, catch_exceptions=False)
    finally:
        sys.setprofile(None)
    return list(entered)


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
    print(f"src: {len(source)} Python files, {lines(source)} lines, {code_lines(source)} of code")
    print(f"src: {len(other)} scripts, styles and templates, {lines(other)} lines")
    print(f"tests: {len(tests)} files, {lines(tests)} lines")
    print(f"examples and benchmarks: {len(programs)} files, {lines(programs)} lines")
    print(f"docs: {len(docs)} pages, {words([page for page in docs if page.suffix == '.md'])} words")
    print(f"public names: {len([name for name in aifgraph.__all__ if name != '__version__'])}")
    debate = ROOT / "fixtures" / "debate"
    entered = walk("compare", str(debate / "first.json"), str(debate / "second.json"))
    print(f"compare calls into {len(entered)} files: {', '.join(entered)}")
    options = dict(commands(cli))
    nested = sum(count for path, count in options.items() if path.startswith(("task", "fetch")))
    print(
        f"commands: {len(cli.list_commands(click.Context(cli)))} with {sum(options.values()) - nested} option "
        f"slots, {nested} more under task and fetch"
    )


if __name__ == "__main__":
    main()
