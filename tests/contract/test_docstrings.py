"""Every public name says what it takes, what it gives and what can go wrong, in one style (Google's sections)."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, is_typeddict

import pytest
from docstring_parser import Docstring, DocstringStyle, parse

import aifgraph
from aifgraph import errors

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
#: Pages on what is imported from elsewhere than ``aifgraph``. That they name all of it: ``test_site.py``.
PAGES = ("graphs", "nodes", "comparing", "datasets", "tasks", "interop", "plots", "extending")
#: Not made by calling them: what makes them has the parameters, or they are there to be subclassed.
MADE_ELSEWHERE = {"Codec", "Corpus", "Loadable", "Sentence"}


def public() -> Iterator[tuple[str, Any]]:
    """Every name of the package, and every one that is imported from elsewhere, in short."""
    yield from ((name, getattr(aifgraph, name)) for name in aifgraph.__all__)
    for page in PAGES:
        text = (REFERENCE / f"{page}.md").read_text("utf-8")
        for module, name in re.findall(r"^\.\. auto(?:class|function):: aifgraph\.([\w.]+)\.(\w+)$", text, re.M):
            yield f"{module}.{name}", getattr(import_module(f"aifgraph.{module}"), name)


PUBLIC = dict(public())
CLASSES = {name: named for name, named in PUBLIC.items() if inspect.isclass(named)}


def methods(owner: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class, by name, inherited ones too, as functions and properties."""
    for name in sorted({*dir(owner)} - {*getattr(owner, "__dataclass_fields__", ())}):
        home = next((each for each in owner.__mro__ if name in vars(each)), object)
        if name.startswith("_") or not home.__module__.startswith("aifgraph"):
            continue
        member = vars(home)[name]
        member = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if inspect.isfunction(member) or isinstance(member, property) or hasattr(member, "func"):
            yield name, member


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, and every public method of a public class."""
    yield from ((name, named) for name, named in PUBLIC.items() if inspect.isfunction(named))
    for owner, named in CLASSES.items():
        yield from ((f"{owner}.{name}", member) for name, member in methods(named) if inspect.isfunction(member))


FUNCTIONS = dict(functions())


def field_names(owner: type) -> list[str] | None:
    """The public fields of a class that is made of fields, without those of a base that describes them."""
    names = [each.name for each in fields(owner)] if is_dataclass(owner) else getattr(owner, "_fields", None)
    if names is None and is_typeddict(owner):
        names = list(owner.__annotations__)
    inherited = {each.name for base in owner.__bases__ if is_dataclass(base) for each in fields(base)}
    return None if names is None else [name for name in names if not name.startswith("_") and name not in inherited]


def described(thing: object) -> Docstring:
    return parse(inspect.getdoc(thing) or "", DocstringStyle.GOOGLE)


def parameters(function: Callable[..., Any]) -> list[str]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    taken = inspect.signature(function).parameters
    return [stars.get(each.kind, "") + name for name, each in taken.items() if name not in ("self", "cls")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_parameters_are_those_of_the_signature(name: str) -> None:
    assert [each.arg_name for each in described(FUNCTIONS[name]).params] == parameters(FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_comes_back_is_described(name: str) -> None:
    result = inspect.signature(FUNCTIONS[name]).return_annotation
    assert (result in ("None", None)) == (described(FUNCTIONS[name]).returns is None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_errors_that_a_function_raises_itself_are_named(name: str) -> None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(FUNCTIONS[name])))
    raised = {
        node.exc.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
    }
    named = tuple(getattr(errors, str(each.type_name)) for each in described(FUNCTIONS[name]).raises)
    assert all(issubclass(getattr(errors, each), named) for each in raised)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_about_a_parameter_or_an_error_is_empty(name: str) -> None:
    for each in described(FUNCTIONS[name]).meta:
        assert each.description, f"{name}: {each.args}"
    assert described(FUNCTIONS[name]).short_description


@pytest.mark.parametrize("owner", CLASSES.values(), ids=CLASSES)
def test_a_class_describes_its_fields_or_what_it_is_made_of(owner: type) -> None:
    said = described(owner)
    assert said.short_description
    assert all(inspect.getdoc(member) for _, member in methods(owner))
    if (public := field_names(owner)) is not None:
        assert [each.arg_name for each in said.params] == public
    elif owner.__name__ not in MADE_ELSEWHERE and not issubclass(owner, Exception):
        made_of = [each.arg_name for each in said.params if each.args[0] == "param"]
        assert made_of == parameters(vars(owner)["__init__"])
