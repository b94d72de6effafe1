"""``aifgraph completion``: what makes a shell complete commands and options."""

from __future__ import annotations

import click

from aifgraph.cli.present import put

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of SHELL; its start-up file is where to load it.

    \b
    Examples:
      aifgraph completion bash >> ~/.bashrc
      aifgraph completion zsh >> ~/.zshrc
      aifgraph completion fish > ~/.config/fish/completions/aifgraph.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None  # the choice above is of click's own shells
    put(script(context.find_root().command, {}, "aifgraph", "_AIFGRAPH_COMPLETE").source(), None)
